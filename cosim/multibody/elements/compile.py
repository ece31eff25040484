"""From the description of elements to their tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.elements import (
    ElementKind,
    JointLoad,
    LawElement,
    MatrixLoad,
    PointForce,
    Tension,
    Torsion,
)
from cosim.model.system import System
from cosim.multibody.elements.bodies import EARTH_ROW
from cosim.multibody.elements.machine import NO_PROGRAM
from cosim.multibody.elements.program import ProgramBuilder
from cosim.multibody.elements.records import (
    FORCE,
    JOINT,
    MATRIX,
    TENSION,
    TORSION,
    ElementArrays,
    Table,
)

__all__ = ["Compiler"]

Coordinate = tuple[str, str]
E = TypeVar("E", bound=ElementKind)


class Compiler:
    """Turns the elements of one system into arrays.

    Parameters
    ----------
    system : System
    bodies : sequence of str
        Order of all body arrays.
    """

    def __init__(self, system: System, bodies: Sequence[str]) -> None:
        self.system = system
        self.bodies = tuple(bodies)
        self.coordinates: list[Coordinate] = []
        """Joint coordinates that joint loads act on, in the order of `xj`."""
        self._programs = ProgramBuilder(system.parameters)

    def arrays(self, *, weight: bool) -> ElementArrays:
        """All tables.

        Parameters
        ----------
        weight : bool
            Whether `evaluate` applies the weight of the bodies.
        """
        return ElementArrays(
            self._weight() if weight else np.zeros(0),
            self._table(PointForce, FORCE, self._force),
            self._table(JointLoad, JOINT, self._joint_load),
            self._table(Tension, TENSION, self._tension),
            self._table(Torsion, TORSION, self._torsion),
            self._table(MatrixLoad, MATRIX, self._matrix_load),
            self._programs.build(),
        )

    def _weight(self) -> Float:
        gravity = self.system.environment.gravity
        bodies = (self.system.bodies[name] for name in self.bodies)
        return np.array([gravity * body.mass * body.gravity_scale for body in bodies])

    def _table(
        self, kind: type[E], record: np.dtype[np.void], fill: Callable[[E, np.void], None]
    ) -> Table:
        mine = {name: e for name, e in self.system.elements.items() if isinstance(e, kind)}
        table = np.zeros(len(mine), dtype=record)
        for row, (name, element) in zip(table, mine.items(), strict=True):
            try:
                fill(element, row)
            except ModelError as error:
                raise ModelError(f"element '{name}': {error}") from None
        return table

    def _row(self, body: str) -> int:
        return EARTH_ROW if body == EARTH else self.bodies.index(body)

    def _arm(self, body: str, place: Sequence[float]) -> Float:
        """From the centre of gravity; of earth, from the origin."""
        centre = (0.0, 0.0, 0.0) if body == EARTH else self.system.bodies[body].cog
        return np.subtract(place, centre)

    def _law(self, element: LawElement) -> int:
        if element.law is None:
            return NO_PROGRAM
        return self._programs.add(element.law, element.variables)

    def _force(self, element: PointForce, row: np.void) -> None:
        body, place = self.system.point(element.point)
        row["body"] = self._row(body)
        row["in_body_axes"] = element.axes == "body"
        row["arm"] = self._arm(body, place)
        row["program"] = NO_PROGRAM
        for k, component in enumerate((*element.force, *element.moment)):
            if isinstance(component, str):
                row["program"][k] = self._programs.add(component, element.variables)
            else:
                row["value"][k] = component

    def _joint_load(self, element: JointLoad, row: np.void) -> None:
        only, *_ = self.system.joints[element.joint].coordinates
        address = (element.joint, element.coordinate or only)
        if address not in self.coordinates:
            self.coordinates.append(address)
        row["coordinate"] = self.coordinates.index(address)
        row["law"] = self._law(element)
        for key in ("stiffness", "rest", "damping", "quadratic_damping", "preload"):
            row[key] = getattr(element, key)
        stop = element.end_stop
        row["lower"] = -math.inf if stop is None or stop.lower is None else stop.lower
        row["upper"] = math.inf if stop is None or stop.upper is None else stop.upper
        if stop is not None:
            row["stop_stiffness"], row["stop_damping"] = stop.stiffness, stop.damping
            row["smoothing"] = stop.smoothing

    def _tension(self, element: Tension, row: np.void) -> None:
        places = []
        for end, address in zip(("first", "second"), element.points, strict=True):
            body, place = self.system.point(address)
            row[end], row[f"{end}_arm"] = self._row(body), self._arm(body, place)
            places.append(place)
        row["length"] = math.dist(*places) if element.length is None else element.length
        row["stiffness"], row["damping"] = element.stiffness, element.damping
        row["slack"], row["law"] = element.slack, self._law(element)

    def _torsion(self, element: Torsion, row: np.void) -> None:
        row["first"], row["second"] = (self._row(body) for body in element.bodies)
        row["axis"] = np.array(element.axis) / math.hypot(*element.axis)
        row["stiffness"], row["damping"] = element.stiffness, element.damping
        row["rest"], row["law"] = element.rest, self._law(element)

    def _matrix_load(self, element: MatrixLoad, row: np.void) -> None:
        for end, body in (("body", element.body), ("reference", element.reference)):
            row[end], row[f"{end}_arm"] = self._row(body), self._arm(body, element.at)
        row["yaw"] = math.radians(element.yaw_deg)
        row["preload"] = element.preload
        row["stiffness"] = element.matrix("stiffness")
        row["damping"] = element.matrix("damping")
        row["quadratic_damping"] = element.matrix("quadratic_damping")
