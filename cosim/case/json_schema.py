"""The JSON schema of case files, for editors that complete and check them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel

from cosim.case.adapter_types import AdapterTypes
from cosim.case.schema import Case
from cosim.errors import CaseError
from cosim.model.base import NAME_PATTERN
from cosim.model.beam_parts import BEAM
from cosim.model.flexible_beam import FlexibleBeam
from cosim.model.parts import SECTIONS, Place

__all__ = ["case_schema"]

Schema = dict[str, Any]


def case_schema(types: AdapterTypes | None = None) -> Schema:
    """JSON schema (draft 2020-12) of a case file.

    Parameters
    ----------
    types : AdapterTypes, optional
        Those installed, by default; one that cannot be imported is left out.
    """
    known = types or AdapterTypes()
    schema = _schema_of(Case, "")
    definitions: Schema = schema["$defs"]
    properties: Schema = schema["properties"]
    adapters = list(_adapters(known, definitions))
    properties["adapters"] = {
        "type": "object",
        "description": properties["adapters"].get("description", ""),
        "patternProperties": {NAME_PATTERN: {"oneOf": adapters}},
        "additionalProperties": False,
    }
    definitions.pop("AdapterEntry", None)
    part = {
        "type": "object",
        "description": "Bodies, joints and elements that are placed together.",
        "properties": {
            **{section: properties[section] for section in SECTIONS},
            BEAM: {"$ref": "#/$defs/FlexibleBeam"},
        },
        "additionalProperties": False,
    }
    properties["parts"] = {"type": "object", "additionalProperties": part}
    definitions["Place"] = _schema_of(Place, "")
    beam = _schema_of(FlexibleBeam, "")
    definitions |= {**beam.pop("$defs"), "FlexibleBeam": beam}
    properties["place"] = {"type": "array", "items": {"$ref": "#/$defs/Place"}}
    schema["required"] = sorted({"case", *schema["required"]} - {"bodies", "joints"})
    schema["anyOf"] = [{"required": ["bodies", "joints"]}, {"required": ["parts", "place"]}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _adapters(types: AdapterTypes, definitions: Schema) -> Iterator[Schema]:
    for name in types.names:
        try:
            kind = types.find(name)
        except CaseError:
            continue
        options = _schema_of(kind.Options, f"{name}.")
        definitions.update(options.pop("$defs", {}))
        options["properties"] = {"type": {"const": name}, **options.get("properties", {})}
        options["required"] = ["type", *options.get("required", [])]
        yield {**options, "title": name}


def _schema_of(model: type[BaseModel], prefix: str) -> Schema:
    """Schema of a record; names of its definitions get a prefix."""
    schema = model.model_json_schema(by_alias=True, ref_template=f"#/$defs/{prefix}{{model}}")
    if "$defs" in schema:
        schema["$defs"] = {f"{prefix}{name}": value for name, value in schema["$defs"].items()}
    for record in (schema, *schema.get("$defs", {}).values()):
        _describe(record)
    return schema


def _describe(record: Schema) -> None:
    """Give every key the words that the docstring of its record has for it."""
    text = record.get("description", "")
    summary, _, rest = text.partition("\nParameters\n----------\n")
    record["description"] = summary.strip()
    section = re.split(r"\n\w+\n-{3,}\n", rest)[0]
    for match in re.finditer(r"^(\w[\w, ]*?) : (.*)\n((?:[ ]+.*\n?|\n)*)", section, re.MULTILINE):
        words = " ".join(match[3].split())
        for key in match[1].split(", "):
            entry = record.get("properties", {}).get(key)
            if entry is not None and words:
                entry.setdefault("description", words)
