"""All constraints of a system: rigid bodies, joints, drivers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from cosim.algebra.types import Float
from cosim.model.system import System
from cosim.multibody.cartesian.arrays import EARTH, FULL, NO_LAW, Frames, Rows, rows_of
from cosim.multibody.cartesian.drivers import Driver
from cosim.multibody.cartesian.geometry import Affine, Geometry, Row
from cosim.multibody.cartesian.joints import JointRows

__all__ = ["Constraints", "Owner", "build_constraints"]

_FULL_PAIRS = ((1, 1), (2, 2), (3, 3), (1, 2), (1, 3), (2, 3))
_REDUCED_PAIRS = ((1, 1), (2, 2), (1, 2))


@dataclass(frozen=True)
class Owner:
    """What a run of rows belongs to."""

    kind: Literal["body", "joint", "driver"]
    name: str
    rows: slice


@dataclass(frozen=True)
class Constraints:
    """Rows for the kernels, and what they mean.

    Attributes
    ----------
    rows : Rows
        Those that keep bodies rigid, then those of the joints, each in the system's order; then
        those of the drivers.
    labels : tuple of str
        One for each row.
    owners : tuple of Owner
    geometry : Geometry
    drivers : tuple of Driver
    """

    rows: Rows
    labels: tuple[str, ...]
    owners: tuple[Owner, ...]
    geometry: Geometry
    drivers: tuple[Driver, ...] = ()

    def set_time(self, t: float) -> None:
        """Let all drivers write into the rows what their laws say at t."""
        own = (owner.rows for owner in self.owners if owner.kind == "driver")
        for driver, rows in zip(self.drivers, own, strict=True):
            driver.move(self.geometry, self.rows, rows, t)

    @property
    def rigid(self) -> int:
        """Number of rows that keep bodies rigid: they come first."""
        return max((o.rows.stop for o in self.owners if o.kind == "body"), default=0)


def build_constraints(
    system: System,
    frames: Frames,
    *,
    redundant: bool = False,
    drivers: Mapping[str, Driver] | None = None,
) -> Constraints:
    """Constraints of all bodies, joints and drivers of a system.

    Parameters
    ----------
    system : System
    frames : Frames
    redundant : bool
        Joints with the dependent rows of the FCC-GRB paper.
    drivers : mapping of name to Driver, optional

    Raises
    ------
    ModelError
        A driver of something that is not there.
    """
    geometry = Geometry(system, frames)
    joints = JointRows(geometry, redundant)
    book = _Book()
    for i, name in enumerate(system.bodies):
        book.add(Owner("body", name, slice(0)), (i, EARTH), rigid_rows(int(frames.kind[i])))
    for name, joint in system.joints.items():
        sides = geometry.row(joint.parent), geometry.row(joint.child)
        book.add(Owner("joint", name, slice(0)), sides, joints.rows(joint))
    laws: list[Driver] = []
    for name, driver in (drivers or {}).items():
        sides, rows = driver.rows(system, geometry)
        book.add(Owner("driver", name, slice(0)), sides, rows, len(laws))
        laws.append(driver)
    return book.close(geometry, tuple(laws))


def rigid_rows(kind: int) -> Iterable[Row]:
    """Unit length and right angles of the directors of a body (FCC-GRB section 2.2)."""
    for k, l in _FULL_PAIRS if kind == FULL else _REDUCED_PAIRS:  # noqa: E741
        label = f"d{k} has unit length" if k == l else f"d{k} and d{l} are perpendicular"
        yield Row(_director(k), _director(l), float(k == l), label)


def _director(k: int) -> Affine:
    affine = Affine()
    affine.weight[0, k] = 1.0
    return affine


class _Book:
    def __init__(self) -> None:
        self._entries: list[tuple[tuple[int, int], Row]] = []
        self._labels: list[str] = []
        self._owners: list[Owner] = []
        self._laws: list[int] = []

    def add(
        self, owner: Owner, sides: tuple[int, int], rows: Iterable[Row], law: int = NO_LAW
    ) -> None:
        first = len(self._entries)
        self._entries += [(sides, row) for row in rows]
        self._laws += [law] * (len(self._entries) - first)
        self._labels += [
            f"{owner.kind} '{owner.name}': {row.label}" for _, row in self._entries[first:]
        ]
        span = slice(first, len(self._entries))
        self._owners.append(Owner(owner.kind, owner.name, span))

    def close(self, geometry: Geometry, drivers: tuple[Driver, ...]) -> Constraints:
        rows = rows_of(len(self._entries))
        rows.law[:] = self._laws
        for i, (sides, row) in enumerate(self._entries):
            rows.body[i] = sides
            rows.offset[i, 0] = row.c
            for f, factor in enumerate((row.a, row.b)):
                _write(rows.weight[i, f], rows.constant[i, f], factor)
        return Constraints(rows, tuple(self._labels), tuple(self._owners), geometry, drivers)


def _write(weight: Float, constant: Float, factor: Affine) -> None:
    weight[:], constant[:] = factor.weight, factor.constant
