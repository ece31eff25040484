"""The JSON schema of case files, for editors that complete and check them."""

from __future__ import annotations

from typing import Any

from cosim.case.adapter_types import AdapterTypes
from cosim.case.schema import Case
from cosim.errors import CaseError
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
    schema = Case.model_json_schema(by_alias=True)
    definitions: Schema = schema["$defs"]
    properties: Schema = schema["properties"]
    adapters = [_adapter(name, types or AdapterTypes(), definitions) for name in _names(types)]
    properties["adapters"]["additionalProperties"] = {"oneOf": [a for a in adapters if a]}
    definitions.pop("AdapterEntry", None)
    part = {
        "type": "object",
        "description": "Bodies, joints and elements that are placed together.",
        "properties": {section: properties[section] for section in SECTIONS},
        "additionalProperties": False,
    }
    properties["parts"] = {"type": "object", "additionalProperties": part}
    definitions["Place"] = Place.model_json_schema(by_alias=True)
    properties["place"] = {"type": "array", "items": {"$ref": "#/$defs/Place"}}
    schema["required"] = sorted({"case", *schema["required"]} - {"bodies", "joints"})
    schema["anyOf"] = [{"required": ["bodies", "joints"]}, {"required": ["parts", "place"]}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def _names(types: AdapterTypes | None) -> list[str]:
    return (types or AdapterTypes()).names


def _adapter(name: str, types: AdapterTypes, definitions: Schema) -> Schema | None:
    try:
        kind = types.find(name)
    except CaseError:
        return None
    options = kind.Options.model_json_schema(by_alias=True)
    definitions.update(options.pop("$defs", {}))
    options["properties"] = {"type": {"const": name}, **options.get("properties", {})}
    options["required"] = ["type", *options.get("required", [])]
    return {**options, "title": name}
