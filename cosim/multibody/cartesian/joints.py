"""Joints as constraints between directors.

Every joint is put together from three conditions (FCC-GRB section 2, PH paper table 1):

- a point of the child coincides with one of the parent (CP, three rows),
- a direction of the child is perpendicular to one of the parent (CAR at 90 degrees, one row),
- the way from a point of the parent to one of the child is perpendicular to a direction of the
  parent (one row).

The form with redundant rows sets directions equal instead (CV, three rows of which two are
independent).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.model.joints import (
    PLANES,
    Cylindrical,
    Fixed,
    Floating,
    JointKind,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from cosim.multibody.cartesian.geometry import Affine, Geometry, Row

__all__ = ["JointRows", "triad"]


@dataclass(frozen=True)
class JointRows:
    """Writes the rows of joints.

    Parameters
    ----------
    geometry : Geometry
    redundant : bool
        The form with dependent rows.
    """

    geometry: Geometry
    redundant: bool = False

    def rows(self, joint: JointKind) -> Iterator[Row]:
        """The constraints of one joint; a floating one has none."""
        place = _place(joint, self.geometry)
        match joint:
            case Floating():
                return
            case Spherical():
                yield from self._coincide(joint, place)
            case Universal():
                yield from self._coincide(joint, place)
                yield self._perpendicular(joint, _unit(joint.axis1), _unit(joint.axis2))
            case Fixed():
                yield from self._coincide(joint, place)
                yield from self._aligned(joint, np.eye(3)[2])
                yield self._perpendicular(joint, np.eye(3)[0], np.eye(3)[1])
            case Revolute():
                yield from self._coincide(joint, place)
                yield from self._aligned(joint, _unit(joint.axis))
            case Prismatic():
                n = _unit(joint.axis)
                t1, t2 = triad(n)
                yield from self._aligned(joint, n)
                yield self._perpendicular(joint, t1, t2)
                yield from self._stays(joint, place, (t1, t2))
            case Cylindrical():
                n = _unit(joint.axis)
                yield from self._aligned(joint, n)
                yield from self._stays(joint, place, triad(n))
            case Planar():
                n = np.eye(3)[PLANES[joint.plane][2]]
                yield from self._aligned(joint, n)
                yield from self._stays(joint, place, (n,))
            case _:
                raise ModelError(
                    f"joints of type '{joint.type}' are not known to Cartesian coordinates"
                )

    def _coincide(self, joint: JointKind, place: Float) -> Iterator[Row]:
        gap = self.geometry.way(joint, place)
        for name, e in zip("xyz", np.eye(3), strict=True):
            yield Row(Affine.fixed(e), gap, 0.0, f"the points coincide along {name}")

    def _aligned(self, joint: JointKind, n: Float) -> Iterator[Row]:
        """The direction n of the child stays that of the parent."""
        if self.redundant:
            turned = self.geometry.on_child(joint, n) - self.geometry.on_parent(joint, n)
            for name, e in zip("xyz", np.eye(3), strict=True):
                yield Row(Affine.fixed(e), turned, 0.0, f"the axes are parallel ({name})")
            return
        for t in triad(n):
            yield self._perpendicular(joint, t, n)

    def _perpendicular(self, joint: JointKind, s: Float, t: Float) -> Row:
        a, b = self.geometry.on_parent(joint, s), self.geometry.on_child(joint, t)
        return Row(a, b, 0.0, f"{_words(t)} of the child is perpendicular to {_words(s)}")

    def _stays(
        self, joint: JointKind, place: Float, directions: tuple[Float, ...]
    ) -> Iterator[Row]:
        gap = self.geometry.way(joint, place)
        for s in directions:
            a = self.geometry.on_parent(joint, s)
            yield Row(a, gap, 0.0, f"no translation along {_words(s)}")


def triad(n: Float) -> tuple[Float, Float]:
    """Two unit vectors that make a right-handed triad (t1, t2, n) with the unit vector n."""
    e = np.eye(3)[np.argmin(np.abs(n))]
    t1 = np.cross(e, n)
    t1 /= np.linalg.norm(t1)
    return t1, np.cross(n, t1)


def _place(joint: JointKind, geometry: Geometry) -> Float:
    """The joint's point; of those without one, the child's centre of gravity."""
    if isinstance(joint, Fixed | Floating):
        return geometry.centre(joint.child)
    return np.array(joint.at, dtype=np.float64)


def _unit(axis: tuple[float, float, float]) -> Float:
    vector = np.asarray(axis, dtype=np.float64)
    return np.asarray(vector / np.linalg.norm(vector))


def _words(s: Float) -> str:
    return "(" + ", ".join(f"{x + 0.0:.3g}" for x in s) + ")"
