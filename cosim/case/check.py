"""From a description to a valid case: all mistakes at once, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import ValidationError

from cosim.case.adapter_types import AdapterTypes, ResolvedAdapter
from cosim.case.references import dangling_references
from cosim.case.schema import VERSION, AdapterEntry, Case
from cosim.case.source import Source
from cosim.errors import CaseError, ModelError
from cosim.model.parameters import resolved
from cosim.model.parts import expand
from cosim.model.sentences import Problem, located, problems

__all__ = ["check", "report", "resolve_adapters"]


def check(source: Source, *, types: AdapterTypes | None = None, folder: Path | None = None) -> Case:
    """Validate a description.

    Parameters
    ----------
    source : Source
    types : AdapterTypes, optional
        Checks the options of the adapters too; else that waits until they are built.
    folder : Path, optional
        What relative paths start from; that of the file by default.

    Raises
    ------
    CaseError
        One line per mistake: file and line, element, what to do.
    """
    problem = _version_problem(source)
    if problem:
        raise report(source, [problem])
    parameters, found = _parameters(source)
    context: dict[str, object] = {"parameters": parameters, "folder": str(folder or source.folder)}
    try:
        valid = {"parameters": parameters} if parameters or found else {}
        data = dict(expand({**source.data, **valid}))
    except ModelError as error:
        raise report(source, [*found, *map(_placed, str(error).split("\n"))]) from None
    found += _adapter_problems(data.get("adapters"), types, context)
    try:
        case = Case.model_validate(data, context=context)
    except ValidationError as error:
        found += [*problems(error, data, Case), *dangling_references(data, context)]
        raise report(source, _without_echoes(source, found)) from None
    given = source.data.get("parameters") or {}
    case._origin, case._context, case._source = source, context, {**data, "parameters": given}
    if found:
        raise report(source, found)
    return case


def report(source: Source, found: list[Problem]) -> CaseError:
    """One error of all problems, in the order of the file."""
    found.sort(key=lambda problem: source.line(problem[0]))
    lines: dict[tuple[str, str], str] = {}
    for path, text in found:
        place = source.where(path)
        line = located(path, text)
        if place:  # a mistake in a part shows once, not at every place it is put
            lines.setdefault((place, text), f"{place}: {line}")
        else:
            lines.setdefault((line, text), line)
    return CaseError("\n".join(lines.values()))


def resolve_adapters(case: Case, types: AdapterTypes) -> list[ResolvedAdapter]:
    """Classes and options of all adapters of a case.

    Raises
    ------
    CaseError
        Unknown type or invalid options, all of them together.
    """
    resolved: list[ResolvedAdapter] = []
    found: list[Problem] = []
    for name, entry in case.adapters.items():
        adapter, complaints = types.resolve(name, entry, case.context)
        found += complaints
        if adapter:
            resolved.append(adapter)
    if found:
        raise report(case.origin, found)
    return resolved


def _version_problem(source: Source) -> Problem | None:
    version = source.data.get("case", None if source.path else VERSION)
    if version is None:
        return (), f"'case' is required: the version of the schema, 'case: {VERSION}'"
    if version != VERSION:
        return ("case",), f"version {version!r} of the case schema; this program reads {VERSION}"
    return None


def _parameters(source: Source) -> tuple[dict[str, float], list[Problem]]:
    raw = source.data.get("parameters")
    values, texts = resolved(raw) if isinstance(raw, Mapping) else ({}, {})
    return values, [(("parameters", name), text) for name, text in texts.items()]


def _without_echoes(source: Source, found: list[Problem]) -> list[Problem]:
    """Leave out complaints about parameters whose own mistake is told."""
    raw = source.data.get("parameters")
    known = raw if isinstance(raw, Mapping) else {}
    echoes = tuple(f"uses the unknown parameter '{name}'" for name in known)
    return [(path, text) for path, text in found if not any(echo in text for echo in echoes)]


def _placed(line: str) -> Problem:
    """Path and sentence of ``place.0: text``."""
    address, mark, text = line.partition(": ")
    if not mark or not re.fullmatch(r"(parts|place)(\.\w+)*", address):
        return (), line
    return tuple(int(key) if key.isdigit() else key for key in address.split(".")), text


def _adapter_problems(
    raw: object, types: AdapterTypes | None, context: Mapping[str, object]
) -> Iterator[Problem]:
    if types is None or not isinstance(raw, Mapping):
        return
    for name, value in raw.items():
        try:
            entry = AdapterEntry.model_validate(value)
        except ValidationError:
            continue  # the schema of the case says what is wrong
        yield from types.resolve(name, entry, context)[1]
