r"""Prescribed motions as constraints that depend on time (FCC-GRB eqs. 76 to 99).

A law gives the value and its first and second derivative at any time. With θ the law of an angle,
the row of a joint's angle

.. math:: s_1 \cdot (s_{2p} \cos\theta + s_2 \sin\theta) = 0,

with s_1 fixed to the parent, s_2 its equal on the child and s_2p = n × s_2, is regular through full
turns. The cosine of an angle between two directions, s_1 . s_2 = cos θ, is not at θ = 0 and π.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.model.joints import PLANES, Cylindrical, Planar, Prismatic, Revolute
from cosim.model.sentences import nearest
from cosim.model.system import System
from cosim.multibody.cartesian.arrays import Rows
from cosim.multibody.cartesian.geometry import Affine, Geometry, Row
from cosim.multibody.cartesian.joints import triad

__all__ = ["AngleDriver", "Driver", "JointDriver", "Law", "PointDriver", "VectorDriver"]

Law = Callable[[float], tuple[float, float, float]]
"""Value, first and second time derivative at a time, s."""

Effort = tuple[str, str, str]
"""Name, units and meaning of one number that a driver gives."""

Sides = tuple[int, int]

_SINGULAR = 1e-6


@dataclass(frozen=True)
class JointDriver:
    """Prescribes one coordinate of a joint, m or rad, from the reference configuration.

    Parameters
    ----------
    joint : str
    law : callable
    coordinate : str, optional
        Of joints with several.
    """

    joint: str
    law: Law
    coordinate: str = ""

    def rows(self, system: System, geometry: Geometry) -> tuple[Sides, list[Row]]:
        """Parent and child, and the constraint at θ = 0."""
        if self.joint not in system.joints:
            hint = nearest(self.joint, list(system.joints))
            raise ModelError(f"a driver names the joint '{self.joint}', which is not there{hint}")
        joint = system.joints[self.joint]
        known = joint.coordinates
        name = self.coordinate or (known[0] if len(known) == 1 else "")
        if name not in known:
            raise ModelError(
                f"the driver of joint '{self.joint}' needs one of its coordinates: "
                f"{', '.join(known) or 'it has none'}"
            )
        sides = geometry.row(joint.parent), geometry.row(joint.child)
        match joint:
            case Revolute(axis=axis) | Prismatic(axis=axis) | Cylindrical(axis=axis):
                n = np.array(axis) / np.linalg.norm(axis)
                s = n
            case Planar(plane=plane):
                axes = dict(zip(joint.coordinates, np.eye(3)[list(PLANES[plane])], strict=True))
                n, s = axes["angle"], axes[name]
            case _:
                raise ModelError(
                    f"joint '{self.joint}' ({joint.type}) cannot be driven by a coordinate; drive "
                    "a point or a direction of its child"
                )
        if name == "angle":
            t1, t2 = triad(n)
            child = geometry.on_child(joint, t2)
            return sides, [Row(geometry.on_parent(joint, t1), child, 0.0, "follows its law")]
        way = geometry.way(joint, np.array(joint.at))
        return sides, [Row(geometry.on_parent(joint, s), way, 0.0, "follows its law")]

    def move(self, geometry: Geometry, rows: Rows, at: slice, t: float) -> None:
        """Write what the law says at t."""
        joint = geometry.system.joints[self.joint]
        value, rate, growth = self.law(t)
        if not self._is_angle(geometry.system):
            rows.offset[at.start] = value, rate, growth
            return
        axis = getattr(joint, "axis", None)
        n = np.eye(3)[PLANES[joint.plane][2]] if isinstance(joint, Planar) else np.array(axis)
        t1, t2 = triad(n / np.linalg.norm(n))
        second, first = (geometry.on_child(joint, s).weight for s in (t2, t1))
        c, s = math.cos(value), math.sin(value)
        along, across = second * c + first * s, first * c - second * s
        rows.weight[at.start, 1] = along
        rows.moving[at.start, 0] = rate * across
        rows.moving[at.start, 1] = growth * across - rate * rate * along

    def efforts(self, system: System, multipliers: Float, t: float) -> Float:
        """Force, N, or moment, N m, of the driver on the coordinate, (1,)."""
        return multipliers if self._is_angle(system) else -multipliers

    def channels(self, system: System) -> list[Effort]:
        """One for the coordinate."""
        return [("moment", "N m", "moment") if self._is_angle(system) else ("force", "N", "force")]

    def _is_angle(self, system: System) -> bool:
        joint = system.joints[self.joint]
        return (self.coordinate or joint.coordinates[0]) in joint.angular


@dataclass(frozen=True)
class PointDriver:
    """Leads a point of a body along a path (TP).

    Parameters
    ----------
    point : str
        ``body/point`` or a body.
    laws : (x, y, z)
        World coordinates, m; None leaves one free.
    """

    point: str
    laws: tuple[Law | None, Law | None, Law | None]

    def rows(self, system: System, geometry: Geometry) -> tuple[Sides, list[Row]]:
        """Body and earth, and a constraint for each component that is led."""
        body, place = system.point(self.point)
        path = geometry.point(body, np.array(place), child=False)
        led = [
            Row(Affine.fixed(e), path, 0.0, f"'{self.point}' follows its path along {c}")
            for c, e, law in zip("xyz", np.eye(3), self.laws, strict=True)
            if law is not None
        ]
        return (geometry.row(body), -1), led

    def move(self, geometry: Geometry, rows: Rows, at: slice, t: float) -> None:
        """Write what the laws say at t."""
        for row, law in zip(range(at.start, at.stop), self._led(), strict=True):
            rows.offset[row] = law(t)

    def efforts(self, system: System, multipliers: Float, t: float) -> Float:
        """Forces on the point along the components that are led, N."""
        return -multipliers

    def channels(self, system: System) -> list[Effort]:
        """One for each component that is led."""
        return [
            (f"force_{c}", "N", f"force along {c}")
            for c, law in zip("xyz", self.laws, strict=True)
            if law is not None
        ]

    def _led(self) -> Iterator[Law]:
        yield from (law for law in self.laws if law is not None)


@dataclass(frozen=True)
class VectorDriver:
    """Leads a direction of a body (OV).

    Parameters
    ----------
    body : str
    direction : (3,)
        World axes of the reference configuration, of unit length.
    laws : (x, y, z)
        World components of a unit vector.
    """

    body: str
    direction: tuple[float, float, float]
    laws: tuple[Law, Law, Law]

    def rows(self, system: System, geometry: Geometry) -> tuple[Sides, list[Row]]:
        """Body and earth, and three constraints of which two are independent."""
        led = geometry.direction(self.body, np.array(self.direction), child=False)
        return (geometry.row(self.body), -1), [
            Row(Affine.fixed(e), led, 0.0, f"its direction follows along {c}")
            for c, e in zip("xyz", np.eye(3), strict=True)
        ]

    def move(self, geometry: Geometry, rows: Rows, at: slice, t: float) -> None:
        """Write what the laws say at t."""
        for row, law in zip(range(at.start, at.stop), self.laws, strict=True):
            rows.offset[row] = law(t)

    def efforts(self, system: System, multipliers: Float, t: float) -> Float:
        """What the driver does along the components: force per unit length of the vector, N m."""
        return -multipliers

    def channels(self, system: System) -> list[Effort]:
        """One for each component."""
        return [(f"pull_{c}", "N m", f"pull along {c}, at one metre,") for c in "xyz"]


@dataclass(frozen=True)
class AngleDriver:
    """Prescribes the angle between directions of two bodies, or of earth and a body (AR, AR*).

    Parameters
    ----------
    bodies : (str, str)
        The first may be ``earth``.
    directions : ((3,), (3,))
        World axes of the reference configuration, of unit length.
    law : callable
        Angle between them, rad, strictly between 0 and π.
    """

    bodies: tuple[str, str]
    directions: tuple[tuple[float, float, float], tuple[float, float, float]]
    law: Law

    def rows(self, system: System, geometry: Geometry) -> tuple[Sides, list[Row]]:
        """Both bodies, and the constraint."""
        a = geometry.direction(self.bodies[0], np.array(self.directions[0]), child=False)
        b = geometry.direction(self.bodies[1], np.array(self.directions[1]), child=True)
        sides = geometry.row(self.bodies[0]), geometry.row(self.bodies[1])
        return sides, [Row(a, b, 0.0, "the angle follows its law")]

    def move(self, geometry: Geometry, rows: Rows, at: slice, t: float) -> None:
        """Write what the law says at t.

        Raises
        ------
        ModelError
            The angle is 0 or π, where its cosine does not say which way it goes.
        """
        value, rate, growth = self.law(t)
        c, s = math.cos(value), math.sin(value)
        if abs(s) < _SINGULAR:
            raise ModelError(
                f"the driver of the angle between '{self.bodies[0]}' and '{self.bodies[1]}' is at "
                f"the singular angle {value:.4g} rad at t = {t:g} s; drive the joint's coordinate"
            )
        rows.offset[at.start] = c, -s * rate, -c * rate * rate - s * growth

    def efforts(self, system: System, multipliers: Float, t: float) -> Float:
        """Moment that opens the angle, N m, (1,)."""
        return multipliers * math.sin(self.law(t)[0])

    def channels(self, system: System) -> list[Effort]:
        """One for the angle."""
        return [("moment", "N m", "moment")]


Driver = JointDriver | PointDriver | VectorDriver | AngleDriver
