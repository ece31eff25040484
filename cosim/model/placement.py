"""Turning and moving values of a description that may be expressions.

A value is a number or the text of an expression, as a case file holds it. Expressions stay
expressions, so that a placed part still depends on the parameters of the case.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeGuard

__all__ = ["Placement", "Value"]

Value = float | int | str
"""A number, or an expression with or without a leading ``=``."""

Triple = tuple[Value, Value, Value]

_QUADRANTS = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}


@dataclass(frozen=True)
class Placement:
    """Turn about z through the origin, then move.

    Parameters
    ----------
    at : (3,) sequence of values
        m.
    yaw_deg : value
        Degrees; quarter turns are exact.
    """

    at: Triple
    yaw_deg: Value

    @property
    def turns(self) -> bool:
        """Whether it turns at all (an expression may)."""
        return isinstance(self.yaw_deg, str) or self.yaw_deg % 360 != 0

    def point(self, value: object) -> object:
        """A position; what is not three values comes back as it is, for the validation."""
        triple = _triple(value)
        if triple is None:
            return value
        return [_sum(pair) for pair in zip(self._turned(triple), self.at, strict=True)]

    def vector(self, value: object) -> object:
        """A direction, force or moment; likewise."""
        triple = _triple(value)
        return value if triple is None else list(self._turned(triple))

    def _turned(self, vector: Triple) -> Triple:
        if not self.turns:
            return vector
        x, y, z = vector
        c, s = self._cosine_and_sine()
        minus_s = -s if isinstance(s, float) else f"-{s}"
        return (
            _sum((_product(c, x), _product(minus_s, y))),
            _sum((_product(s, x), _product(c, y))),
            z,
        )

    def yaw(self, value: object) -> object:
        """A heading in degrees."""
        return _sum((value, self.yaw_deg)) if _is_value(value) else value

    def _cosine_and_sine(self) -> tuple[Value, Value]:
        if isinstance(self.yaw_deg, str):
            angle = f"radians({_text(self.yaw_deg)})"
            return f"cos({angle})", f"sin({angle})"
        quadrant = _QUADRANTS.get(float(self.yaw_deg % 360))
        angle_rad = math.radians(self.yaw_deg)
        return quadrant or (math.cos(angle_rad), math.sin(angle_rad))


def _is_value(value: object) -> TypeGuard[Value]:
    return isinstance(value, int | float | str) and not isinstance(value, bool)


def _triple(value: object) -> Triple | None:
    if isinstance(value, list | tuple) and len(value) == 3 and all(map(_is_value, value)):
        return (value[0], value[1], value[2])
    return None


def _text(value: Value) -> str:
    """A value as an operand of an expression."""
    return f"({value.removeprefix('=').strip()})" if isinstance(value, str) else f"({value!r})"


def _product(factor: Value, value: Value) -> Value:
    if factor == 0.0 or value == 0:
        return 0.0
    if factor == 1.0:
        return value
    if isinstance(factor, str) or isinstance(value, str):
        return f"={_text(factor)}*{_text(value)}"
    return factor * value


def _sum(terms: Iterable[Value]) -> Value:
    told = [term for term in terms if term != 0]
    if len(told) == 1:
        return told[0]
    if any(isinstance(term, str) for term in told):
        return "=" + " + ".join(_text(term) for term in told)
    return math.fsum(float(term) for term in told)
