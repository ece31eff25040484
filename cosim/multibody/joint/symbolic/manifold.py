"""Coordinates of the joints one by one: plain ones, and quaternions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cosim.algebra.attitude import rotation_from_rpy
from cosim.algebra.rotations import (
    quaternion_from_matrix,
    quaternion_from_vector,
    quaternion_product,
    vector_from_quaternion,
)
from cosim.algebra.rows import get_matrix, quaternion, vector
from cosim.algebra.types import Float
from cosim.model.joints import Floating, Spherical
from cosim.model.system import System

__all__ = ["Manifold"]


class _Part(NamedTuple):
    """Rows in q and in u of some coordinates of a joint."""

    q: slice
    u: slice


class Manifold:
    """Displacements in the space of the speeds; those of quaternions are rotation vectors.

    Parameters
    ----------
    system : System
        Coordinates and speeds follow its joints; of one joint its translations come first.

    Attributes
    ----------
    nq, nu : int
    speeds : tuple of str
        ``joint.coordinate`` of each speed.
    """

    def __init__(self, system: System) -> None:
        self._plain: list[_Part] = []
        self._quaternions: list[_Part] = []
        q = u = 0
        joints = {name: joint for name, joint in system.joints.items() if not joint.cut}
        for joint in joints.values():
            turning = 3 if isinstance(joint, Spherical | Floating) else 0
            plain = len(joint.coordinates) - turning
            self._plain.append(_Part(slice(q, q + plain), slice(u, u + plain)))
            q, u = q + plain, u + plain
            if turning:
                self._quaternions.append(_Part(slice(q, q + 4), slice(u, u + 3)))
                q, u = q + 4, u + 3
        self.nq, self.nu = q, u
        self.speeds = tuple(f"{name}.{c}" for name, j in joints.items() for c in j.coordinates)

    def from_reference(self, displacement: Float) -> Float:
        """Coordinates of a displacement whose rotations are roll, pitch and yaw."""
        q = np.zeros(self.nq)
        for part in self._plain:
            q[part.q] = displacement[part.u]
        for part in self._quaternions:
            R = get_matrix(rotation_from_rpy(displacement[part.u])[np.newaxis], 0)
            q[part.q] = quaternion_from_matrix(R)
        return q

    def displaced(self, q: Float, displacement: Float) -> Float:
        """Coordinates reached from q; a quaternion becomes exp(d / 2) p."""
        out = np.zeros(self.nq)
        for part in self._plain:
            out[part.q] = q[part.q] + displacement[part.u]
        for part in self._quaternions:
            turn = quaternion_from_vector(vector(displacement, part.u.start))
            out[part.q] = quaternion_product(turn, quaternion(q, part.q.start))
        return out

    def difference(self, q: Float, origin: Float) -> Float:
        """Displacement that takes `origin` to q; rotations the short way."""
        out = np.zeros(self.nu)
        for part in self._plain:
            out[part.u] = q[part.q] - origin[part.q]
        for part in self._quaternions:
            s, x, y, z = quaternion(origin, part.q.start)
            turn = quaternion_product(quaternion(q, part.q.start), (s, -x, -y, -z))
            out[part.u] = vector_from_quaternion(turn)
        return out

    def add_pull(self, q: Float, q_dot: Float) -> None:
        """Add (1 - p.p) p to the rates of quaternions, which brings their length to 1."""
        for p, rate in self._pairs(q, q_dot):
            rate += (1.0 - p @ p) * p

    def _pairs(self, q: Float, q_dot: Float) -> Iterator[tuple[Float, Float]]:
        for part in self._quaternions:
            yield q[part.q], q_dot[part.q]
