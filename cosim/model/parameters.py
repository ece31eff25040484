"""Values of the parameters of a description."""

from __future__ import annotations

from collections.abc import Mapping
from keyword import iskeyword

from cosim.errors import ModelError
from cosim.model.expressions import CONSTANTS, FUNCTIONS, evaluate, names, parse

__all__ = ["resolve", "resolved"]


def resolve(raw: object) -> dict[str, float]:
    """Numbers, and expressions of the parameters before them.

    Parameters
    ----------
    raw : mapping
        Name to number or ``=expression``.

    Raises
    ------
    ModelError
        One line per parameter without a value.
    """
    if not isinstance(raw, Mapping):
        raise ModelError("parameters: must be a mapping of names to numbers")
    values, problems = resolved(raw)
    if problems:
        raise ModelError("\n".join(f"parameters.{name}: {text}" for name, text in problems.items()))
    return values


def resolved(raw: Mapping[str, object]) -> tuple[dict[str, float], dict[str, str]]:
    """Values of the parameters that have one, and what is wrong with the others.

    Parameters
    ----------
    raw : mapping
        Name to number or ``=expression`` of the parameters before it.
    """
    values: dict[str, float] = {}
    problems: dict[str, str] = {}
    for name, value in raw.items():
        try:
            values[name] = _value(name, value, values, raw)
        except ModelError as error:
            problems[name] = str(error)
    return values, problems


def _value(
    name: str, value: object, values: Mapping[str, float], raw: Mapping[str, object]
) -> float:
    if name in CONSTANTS or name in FUNCTIONS:
        raise ModelError(f"'{name}' has a meaning in expressions already; choose another name")
    if iskeyword(name):
        raise ModelError(f"expressions cannot use the word '{name}'; call it '{name}_', say")
    if isinstance(value, str) and value.startswith("="):
        for used in sorted(names(parse(value)) - set(values)):
            if used in raw:
                raise ModelError(
                    f"'{value}' uses '{used}', which has no value yet; parameters may use only "
                    "those above them"
                )
        return evaluate(value, values)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise ModelError(f"{value!r} is not a number (write 1.5, 1e3 or '=expression')")
