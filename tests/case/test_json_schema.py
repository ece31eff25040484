import json
import re

import pytest

from cosim.case.adapter_types import AdapterTypes
from cosim.case.json_schema import case_schema


@pytest.fixture(scope="module")
def schema():
    return case_schema(AdapterTypes())


def test_every_reference_leads_somewhere(schema):
    references = set(re.findall(r'"#/\$defs/([^"]+)"', json.dumps(schema)))
    assert references <= set(schema["$defs"])


def test_required_are_version_time_and_a_system(schema):
    assert schema["required"] == ["case", "time"]
    assert {"required": ["bodies", "joints"]} in schema["anyOf"]


def test_keys_carry_the_words_of_the_docstrings(schema):
    body = schema["$defs"]["Body"]
    assert body["description"] == "A rigid body in the reference configuration (q = 0)."
    assert body["properties"]["mass"]["description"] == "kg, positive."
    assert schema["properties"]["adapters"]["description"].startswith("External loads")
    start = schema["$defs"]["Start"]["properties"]
    assert start["from"]["enum"] == ["equilibrium", "reference"]
    assert "static equilibrium" in start["from"]["description"]


def test_adapters_are_told_apart_by_their_type(schema, adapter_types):
    own = case_schema(adapter_types)
    for one, name in ((own, "wind"), (schema, "moordyn"), (schema, "capytaine")):
        (options,) = one["properties"]["adapters"]["patternProperties"].values()
        entry = {o["properties"]["type"]["const"]: o for o in options["oneOf"]}[name]
        assert entry["required"][0] == "type"
        assert entry["additionalProperties"] is False


def test_unknown_keys_are_errors_for_editors_too(schema):
    records = [schema, *schema["$defs"].values()]
    assert all(r["additionalProperties"] is False for r in records if "properties" in r)
