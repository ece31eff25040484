"""Chrono's functions of time as expressions of ``t``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from cosim.errors import ModelError
from cosim.readers.chrono_records import Function
from cosim.readers.formula import piecewise_linear

__all__ = ["expression", "rising"]


def expression(function: Function, *, degrees: bool) -> str:
    """The function's expression.

    Parameters
    ----------
    function : Function
    degrees : bool
        Whether its phase is in degrees.

    Raises
    ------
    ModelError
        A kind that is not read, or a number that is missing.
    """
    if function.repeat is not None:
        raise ModelError("functions with 'repeat' are not read; write out what repeats as DATA")
    match function.type:
        case "CONSTANT":
            return repr(_given(function, "value"))
        case "POLYNOMIAL" | "POLY":
            if not function.coefficients:
                raise ModelError("'coefficients' is required")
            return " + ".join(_power(c, i) for i, c in enumerate(function.coefficients))
        case "SINE":
            return _sine(function, degrees=degrees)
        case "RAMP":
            return _ramp(function)
        case "DATA":
            if not function.data:
                raise ModelError("'data' is required")
            return piecewise_linear("t", rising(function.data, "data"))
    raise ModelError(
        f"functions of type {function.type} are not read; there are CONSTANT, POLYNOMIAL, SINE, "
        "RAMP and DATA"
    )


def rising(table: Sequence[tuple[float, float]], name: str) -> list[tuple[float, float]]:
    """The table, its first column rising.

    Raises
    ------
    ModelError
    """
    ordered = sorted(table)
    if not ordered or any(a[0] == b[0] for a, b in pairwise(ordered)):
        raise ModelError(f"'{name}' is empty or has one abscissa twice")
    return ordered


def _sine(function: Function, *, degrees: bool) -> str:
    amplitude, frequency = _given(function, "amplitude"), _given(function, "frequency")
    phase = math.radians(function.phase) if degrees else function.phase
    return f"{amplitude!r}*sin({2.0 * math.pi * frequency!r}*t + {phase!r})"


def _ramp(function: Function) -> str:
    """``intercept + slope t``, and M4E's ``y0 + slope max(0, t - t0)``."""
    slope = _given(function, "slope")
    if function.y0 is not None or function.t0:
        return f"{function.y0 or 0.0!r} + {slope!r}*max(0, t - {function.t0!r})"
    return f"{function.intercept!r} + {slope!r}*t"


def _power(coefficient: float, exponent: int) -> str:
    return repr(coefficient) if exponent == 0 else f"{coefficient!r}*t**{exponent}"


def _given(function: Function, name: str) -> float:
    number = {
        "value": function.value,
        "amplitude": function.amplitude,
        "frequency": function.frequency,
        "slope": function.slope,
    }[name]
    if number is None:
        raise ModelError(f"a function of type {function.type} needs '{name}'")
    return number
