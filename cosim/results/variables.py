"""One variable of the results: dimensions, units and what it means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["RESERVED", "SHAPE_TIME", "TIME", "Variable", "time_axis"]

TIME = "time"
SHAPE_TIME = "shape_time"
RESERVED = frozenset({"element", "elements", "energy", "ledger", "shape"})
"""First parts of names of variables, and a source of loads, that no adapter may have."""


@dataclass(frozen=True)
class Variable:
    """A quantity stored at every output instant.

    Attributes
    ----------
    name : str
        May hold ``/``, as in ``lines/tension_line1``.
    dims : tuple of str
        Without time.
    shape : tuple of int
        Of one instant.
    units, frame, point, long_name : str
        Attributes of the variable; `frame` and `point` may be empty for scalars.
    kind : str
        Only for shapes: ``line`` or ``points``.
    """

    name: str
    dims: tuple[str, ...]
    shape: tuple[int, ...]
    units: str
    long_name: str
    frame: str = ""
    point: str = ""
    kind: str = ""

    @property
    def is_shape(self) -> bool:
        """Something to draw, stored at fewer instants and in single precision."""
        return bool(self.kind)

    @property
    def time(self) -> str:
        """Its dimension of time."""
        return SHAPE_TIME if self.is_shape else TIME

    @property
    def attributes(self) -> Mapping[str, str]:
        """What is written beside the values."""
        attributes = {
            "units": self.units,
            "long_name": self.long_name,
            "frame": self.frame,
            "point": self.point,
        }
        return {**attributes, "kind": self.kind} if self.kind else attributes


def time_axis(dim: str) -> Variable:
    """The coordinate of a dimension of time."""
    return Variable(dim, (), (), "s", "Time" if dim == TIME else "Time of the stored shapes")
