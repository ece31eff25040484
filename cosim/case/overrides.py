"""Values given on the command line: ``--set leg_length=14``, ``--set time.end=60``."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import replace
from itertools import pairwise
from typing import Any

from cosim.case.source import Keys, Source, load_yaml
from cosim.errors import CaseError
from cosim.model.sentences import nearest

__all__ = ["override"]


def override(source: Source, settings: Iterable[str]) -> Source:
    """The description with some entries replaced.

    Parameters
    ----------
    source : Source
    settings : iterable of str
        ``name=value`` for a parameter, ``section.key=value`` for any other entry; values
        are written as in the file. Keys that hold dots themselves (`start.set`) are
        recognised where they stand in the file, and always under ``start.set``.

    Raises
    ------
    CaseError
        Not of this form, or an unknown parameter.
    """
    data = deepcopy(source.data)
    overrides = dict(source.overrides)
    for setting in settings:
        address, sign, text = setting.partition("=")
        address = address.strip()
        if not sign or not address:
            raise CaseError(f"--set {setting}: write --set name=value")
        keys = _keys(address, data)
        _put(data, keys, _value(text, setting), setting)
        overrides[keys] = f"--set {setting}"
    return replace(source, data=data, overrides=overrides)


def _value(text: str, setting: str) -> object:
    try:
        return load_yaml(f"value: {text}").data["value"]
    except CaseError as error:
        reason = str(error).partition(": ")[2]
        raise CaseError(f"--set {setting}: the value is {reason}") from None


def _keys(address: str, data: dict[str, Any]) -> Keys:
    if "." not in address:
        parameters = data.get("parameters") or {}
        if address not in parameters and address in (*data, "title", "formulation"):
            return (address,)
        if address not in parameters:
            hint = nearest(address, parameters) or "; add it to 'parameters'"
            raise CaseError(f"--set {address}: there is no parameter '{address}'{hint}")
        return ("parameters", address)
    keys: list[str | int] = []
    node: object = data
    pieces = address.split(".")
    while pieces:
        count = len(pieces) if keys == ["start", "set"] else _longest_known(pieces, node)
        key: str | int = ".".join(pieces[:count])
        if isinstance(node, list) and str(key).isdigit():
            key = int(key)
        keys.append(key)
        node = _get(node, key)
        del pieces[:count]
    return tuple(keys)


def _longest_known(pieces: list[str], node: object) -> int:
    for count in range(len(pieces), 1, -1):
        if isinstance(node, dict) and ".".join(pieces[:count]) in node:
            return count
    return 1


def _get(node: object, key: str | int) -> object:
    if isinstance(node, dict):
        return node.get(key)
    if isinstance(node, list) and isinstance(key, int) and key < len(node):
        return node[key]
    return None


def _put(data: dict[str, Any], keys: Keys, value: object, setting: str) -> None:
    node: Any = data
    for key, following in pairwise(keys):
        if isinstance(node, dict) and node.get(key) is None:
            node[key] = {}
        holder, node = node, _get(node, key)
        if isinstance(holder, list) and node is None:
            raise _beyond(key, holder, setting)
        if not isinstance(node, dict | list):
            raise CaseError(f"--set {setting}: '{key}' has no entry '{following}'")
    if isinstance(node, list) and not (isinstance(keys[-1], int) and keys[-1] < len(node)):
        raise _beyond(keys[-1], node, setting)
    node[keys[-1]] = value


def _beyond(key: str | int, node: list[Any], setting: str) -> CaseError:
    return CaseError(f"--set {setting}: there is no entry {key} in a list of {len(node)}")
