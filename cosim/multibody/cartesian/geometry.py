"""Points and directions of bodies as affine functions of their coordinates."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cosim.algebra.types import Float
from cosim.model.base import EARTH
from cosim.model.joints import JointKind
from cosim.model.system import System
from cosim.multibody.cartesian.arrays import Frames

__all__ = ["Affine", "Geometry", "Row"]


def _zeros(*shape: int) -> Float:
    return np.zeros(shape)


@dataclass(frozen=True)
class Affine:
    """A vector, world axes, that is affine in the coordinates of a parent and a child.

    Attributes
    ----------
    weight : (2, 4)
        Of (φ, d1, d2, d3) of the parent and of the child: rows of the matrices C of generic
        points and vectors (FCC-GRB eqs. 36, 40).
    constant : (3,)
    """

    weight: Float = field(default_factory=lambda: _zeros(2, 4))
    constant: Float = field(default_factory=lambda: _zeros(3))

    @classmethod
    def fixed(cls, vector: Float) -> Affine:
        """A vector that does not move."""
        return cls(constant=np.asarray(vector, dtype=np.float64))

    def __sub__(self, other: Affine) -> Affine:
        return Affine(self.weight - other.weight, self.constant - other.constant)


@dataclass(frozen=True)
class Row:
    """One constraint a . b - c, and what it keeps, in words."""

    a: Affine
    b: Affine
    c: float
    label: str


@dataclass(frozen=True)
class Geometry:
    """Places and directions of the reference configuration, fixed to bodies.

    Parameters
    ----------
    system : System
    frames : Frames
    """

    system: System
    frames: Frames

    def row(self, body: str) -> int:
        """Row of a body, or that of earth."""
        return -1 if body == EARTH else list(self.system.bodies).index(body)

    def centre(self, body: str) -> Float:
        """Centre of gravity in the reference configuration, m; of earth, the origin."""
        return np.zeros(3) if body == EARTH else np.array(self.system.bodies[body].cog)

    def point(self, body: str, place: Float, *, child: bool) -> Affine:
        """The particle of a body that is at `place` in the reference configuration."""
        if body == EARTH:
            return Affine.fixed(place)
        return self._affine(body, 1.0, np.subtract(place, self.centre(body)), child)

    def direction(self, body: str, s: Float, *, child: bool) -> Affine:
        """The direction of a body that is s in the reference configuration."""
        return Affine.fixed(s) if body == EARTH else self._affine(body, 0.0, s, child)

    def on_parent(self, joint: JointKind, s: Float) -> Affine:
        """The direction s of a joint's parent."""
        return self.direction(joint.parent, s, child=False)

    def on_child(self, joint: JointKind, s: Float) -> Affine:
        """The direction s of a joint's child."""
        return self.direction(joint.child, s, child=True)

    def way(self, joint: JointKind, place: Float) -> Affine:
        """From the parent's particle at `place` to the child's."""
        start = self.point(joint.parent, place, child=False)
        return self.point(joint.child, place, child=True) - start

    def _affine(self, body: str, position: float, s: Float, child: bool) -> Affine:
        weight = np.zeros((2, 4))
        D0 = self.frames.axes[self.row(body)].reshape(3, 3)
        weight[int(child)] = position, *(D0.T @ s)
        return Affine(weight, np.zeros(3))
