"""Flexible beams among the parts of a description."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from cosim.model.flexible_beam import FlexibleBeam
from cosim.model.parameters import resolved
from cosim.model.sentences import Path, Problem, problems

__all__ = ["BEAM", "with_beams"]

BEAM = "flexible_beam"
"""Key of a part that is, or has, a flexible beam."""


def with_beams(parts: object, parameters: object) -> tuple[object, list[Problem]]:
    """Parts with the beams among them as bodies, joints and elements, and what is wrong.

    What else such a part holds is added to its beam, as a mass at its tip.

    Parameters
    ----------
    parts : mapping of name to part
    parameters : mapping
        Values for the beams' ``=expressions``.
    """
    if not isinstance(parts, Mapping):
        return parts, []
    values = resolved(parameters)[0] if isinstance(parameters, Mapping) else {}
    found: list[Problem] = []
    made: dict[str, object] = {}
    for name, part in parts.items():
        made[name] = part
        if not isinstance(part, Mapping) or BEAM not in part:
            continue
        here: Path = ("parts", name, BEAM)
        rest = {key: value for key, value in part.items() if key != BEAM}
        made[name] = rest
        try:
            beam = FlexibleBeam.model_validate(part[BEAM], context={"parameters": values})
        except ValidationError as error:
            told = problems(error, part[BEAM], FlexibleBeam)
            found += [((*here, *path), text) for path, text in told]
            continue
        pieces = beam.part()
        found += [(here, text) for text in _twice(pieces, rest)]
        made[name] = {**rest, **{s: _joined(entries, rest.get(s)) for s, entries in pieces.items()}}
    return made, found


def _joined(entries: Mapping[str, Any], others: object) -> object:
    if others is None:
        return entries
    return {**entries, **others} if isinstance(others, Mapping) else others


def _twice(pieces: Mapping[str, Mapping[str, Any]], rest: Mapping[str, Any]) -> Iterator[str]:
    for section, entries in pieces.items():
        others = rest.get(section)
        for name in entries.keys() & (others.keys() if isinstance(others, Mapping) else ()):
            yield f"'{name}' in {section} is a name of the beam's own; choose another"
