"""Coordinates as a manifold: displacements in the space of the speeds."""

from __future__ import annotations

import numpy as np

from cosim.multibody.interface import Float
from cosim.algebra.compiled import compiled
from cosim.multibody.joint.arrays import (
    FIRST_Q,
    FIRST_U,
    QUATERNION,
    ROTATION,
    SPEEDS,
    TRANSLATIONS,
    Index,
)
from cosim.multibody.rotations import (
    quaternion_from_vector,
    quaternion_product,
    vector_from_quaternion,
)

__all__ = ["displaced", "displacement_between"]


@compiled
def displaced(index: Index, q: Float, displacement: Float, out: Float) -> None:
    """Write the coordinates reached from q; a quaternion becomes exp(d / 2) p."""
    turn = np.empty(4)
    for i in range(index.shape[0]):
        at, row = index[i, FIRST_Q], index[i, FIRST_U]
        plain = index[i, SPEEDS]
        if index[i, ROTATION] == QUATERNION:
            plain = index[i, TRANSLATIONS]
            quaternion_from_vector(displacement[row + plain : row + plain + 3], turn)
            p = slice(at + plain, at + plain + 4)
            quaternion_product(turn, q[p], out[p])
        for j in range(plain):
            out[at + j] = q[at + j] + displacement[row + j]


@compiled
def displacement_between(index: Index, q: Float, origin: Float, out: Float) -> None:
    """Write the displacement, (nu,), that takes `origin` to q; rotations the short way."""
    inverse, turn = np.empty(4), np.empty(4)
    for i in range(index.shape[0]):
        at, row = index[i, FIRST_Q], index[i, FIRST_U]
        plain = index[i, SPEEDS]
        if index[i, ROTATION] == QUATERNION:
            plain = index[i, TRANSLATIONS]
            p = at + plain
            inverse[0] = origin[p]
            for k in range(1, 4):
                inverse[k] = -origin[p + k]
            quaternion_product(q[p : p + 4], inverse, turn)
            vector_from_quaternion(turn, out[row + plain : row + plain + 3])
        for j in range(plain):
            out[row + j] = q[at + j] - origin[at + j]
