"""Values of the parameters of a description."""

from __future__ import annotations

from collections.abc import Mapping

from cosim.errors import ModelError
from cosim.model.expressions import evaluate

__all__ = ["resolve"]


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
    values: dict[str, float] = {}
    found: list[str] = []
    for name, value in raw.items():
        if isinstance(value, str) and value.startswith("="):
            try:
                values[name] = evaluate(value, values)
            except ModelError as error:
                found.append(f"parameters.{name}: {error}")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            values[name] = float(value)
        else:
            found.append(f"parameters.{name}: {value!r} is not a number")
    if found:
        raise ModelError("\n".join(found))
    return values
