"""Fields of headers: numbers with their ranges, names, and what is said of signals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
from msgspec import Meta

__all__ = [
    "Count",
    "Environment",
    "Finite",
    "Name",
    "Natural",
    "NotNegative",
    "PointName",
    "Positive",
    "Signal",
    "Text",
    "repeated",
]

LARGEST = 1.7976931348623157e308
Finite = Annotated[float, Meta(ge=-LARGEST, le=LARGEST)]
NotNegative = Annotated[float, Meta(ge=0.0, le=LARGEST)]
Positive = Annotated[float, Meta(gt=0.0)]  # infinity too
Natural = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Count = Annotated[int, Meta(ge=1, le=2**63 - 1)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Text = Annotated[str, Meta(max_length=1000)]


class Environment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Constants of the surroundings.

    Attributes
    ----------
    gravity : float
        m/s².
    water_density : float
        kg/m³.
    water_depth : float
        m; infinite for deep water.
    """

    gravity: NotNegative
    water_density: NotNegative
    water_depth: Positive


class Signal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One scalar that a peer wants as input or gives as output.

    Parameters
    ----------
    name : str
        Unique among the inputs, or the outputs, of its peer.
    units : str
        SI, as in ``N m``; ``1`` for a plain number.
    frame, point, long_name : str
        For the results; `frame` and `point` are empty for scalars that have none.
    """

    name: Name
    units: Text
    frame: Text = ""
    point: Text = ""
    long_name: Text = ""


class PointName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A point whose position and velocity a peer wants."""

    name: Name


def repeated(names: Sequence[str]) -> str:
    """The first name that is there twice, or an empty string."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return ""
