"""From a description to a valid case: all mistakes at once, each with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from pydantic import ValidationError

from cosim.case.adapter_types import AdapterTypes, ResolvedAdapter
from cosim.case.references import dangling_references
from cosim.case.schema import VERSION, AdapterEntry, Case
from cosim.case.source import Source
from cosim.errors import CaseError, ModelError
from cosim.model.expressions import evaluate
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
    parameters, found = _parameters(source.data.get("parameters"))
    context: dict[str, object] = {"parameters": parameters, "folder": str(folder or source.folder)}
    try:
        data = dict(expand({**source.data, **({"parameters": parameters} if parameters else {})}))
    except ModelError as error:
        raise report(source, [*found, *(((), line) for line in str(error).split("\n"))]) from None
    found += _adapter_problems(data.get("adapters"), types, context)
    try:
        case = Case.model_validate(data, context=context)
    except ValidationError as error:
        found += [*problems(error, data, Case), *dangling_references(data, context)]
        raise report(source, found) from None
    case._origin, case._context, case._source = source, context, data
    if found:
        raise report(source, found)
    return case


def report(source: Source, found: list[Problem]) -> CaseError:
    """One error of all problems, in the order of the file."""
    order = {keys: number for number, keys in enumerate(source.lines)}
    found.sort(key=lambda problem: _position(problem[0], order))
    lines = dict.fromkeys(
        f"{place}: {located(path, text)}" if (place := source.where(path)) else located(path, text)
        for path, text in found
    )
    return CaseError("\n".join(lines))


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


def _parameters(raw: object) -> tuple[dict[str, float], list[Problem]]:
    """Values of the parameters; later ones may be expressions of earlier ones."""
    values: dict[str, float] = {}
    found: list[Problem] = []
    for name, value in raw.items() if isinstance(raw, Mapping) else ():
        if isinstance(value, str) and value.startswith("="):
            try:
                values[name] = evaluate(value, values)
            except ModelError as error:
                found.append((("parameters", name), str(error)))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            values[name] = float(value)
        else:
            found.append((("parameters", name), f"{value!r} is not a number"))
    return values, found


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


def _position(path: tuple[str | int, ...], order: Mapping[tuple[str | int, ...], int]) -> int:
    for length in range(len(path), 0, -1):
        if path[:length] in order:
            return order[path[:length]]
    return -1
