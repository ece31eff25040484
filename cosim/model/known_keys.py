"""Which keys and types a description may have at a place: what suggestions are made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

__all__ = ["known_keys", "known_types"]

Schema = Mapping[str, Any]


def known_keys(model: type[BaseModel], data: object, path: tuple[str | int, ...]) -> list[str]:
    """Keys that the model knows in the mapping at `path`.

    Parameters
    ----------
    model : type
        The root of the description.
    data : object
        The description; its ``type`` keys choose among tagged unions.
    path : tuple of str or int
        Place of the mapping.

    Returns
    -------
    list of str
        Empty where any key may stand.
    """
    root, nodes, value = _descend(model, data, path)
    keys: list[str] = []
    for node in _alternatives(nodes, root, value):
        keys.extend(name for name in node.get("properties", {}) if name not in keys)
    return keys


def known_types(model: type[BaseModel], data: object, path: tuple[str | int, ...]) -> list[str]:
    """Values that ``type`` may have in the mapping at `path`; parameters of `known_keys`."""
    root, nodes, _ = _descend(model, data, path)
    types: list[str] = []
    while nodes:
        node = nodes.pop(0)
        if "$ref" in node:
            nodes.append(root["$defs"][node["$ref"].rpartition("/")[2]])
        types.extend(node.get("discriminator", {}).get("mapping", {}))
        nodes.extend(node.get("anyOf", []))
    return types


def _descend(
    model: type[BaseModel], data: object, path: tuple[str | int, ...]
) -> tuple[Schema, list[Schema], object]:
    """The whole schema, the alternatives it has at `path`, and the description there."""
    root = model.model_json_schema()
    nodes: list[Schema] = [root]
    value = data
    for key in path:
        nodes = [
            child
            for node in _alternatives(nodes, root, value)
            if (child := _child(node, key)) is not None
        ]
        value = _value(value, key)
    return root, nodes, value


def _alternatives(nodes: list[Schema], root: Schema, value: object) -> list[Schema]:
    """The nodes with references followed and unions opened."""
    found: list[Schema] = []
    for node in nodes:
        if "$ref" in node:
            target = root["$defs"][node["$ref"].rpartition("/")[2]]
            found.extend(_alternatives([target], root, value))
        elif "discriminator" in node:
            tag = value.get("type") if isinstance(value, Mapping) else None
            chosen = node["discriminator"]["mapping"].get(tag)
            found.extend(_alternatives([{"$ref": chosen}], root, value) if chosen else [])
        elif "anyOf" in node or "oneOf" in node:
            members = [*node.get("anyOf", []), *node.get("oneOf", [])]
            found.extend(_alternatives(members, root, value))
        else:
            found.append(node)
    return found


def _child(node: Schema, key: str | int) -> Schema | None:
    if isinstance(key, int):
        prefix = node.get("prefixItems", [])
        return prefix[key] if key < len(prefix) else node.get("items")
    named = node.get("properties", {}).get(key)
    if named is not None:
        return named  # type: ignore[no-any-return]
    for pattern in node.get("patternProperties", {}).values():
        return pattern  # type: ignore[no-any-return]
    rest = node.get("additionalProperties")
    return rest if isinstance(rest, Mapping) else None


def _value(node: object, key: str | int) -> object:
    if isinstance(node, Mapping):
        return node.get(key)
    if isinstance(node, list) and isinstance(key, int) and key < len(node):
        return node[key]
    return None
