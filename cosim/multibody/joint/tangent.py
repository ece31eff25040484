"""Coordinates as a manifold: displacements in the space of the speeds."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rotations import (
    quaternion_from_vector,
    quaternion_product,
    vector_from_quaternion,
)
from cosim.algebra.rows import put_quaternion, quaternion, vector
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import (
    FIRST_Q,
    FIRST_U,
    QUATERNION,
    ROTATION,
    SPEEDS,
    TRANSLATIONS,
    Index,
)

__all__ = ["displaced", "displacement_between"]


@compiled
def displaced(index: Index, q: Float, displacement: Float, out: Float) -> None:
    """Write the coordinates reached from q; a quaternion becomes exp(d / 2) p."""
    for i in range(index.shape[0]):
        at, row = index[i, FIRST_Q], index[i, FIRST_U]
        plain = index[i, SPEEDS]
        if index[i, ROTATION] == QUATERNION:
            plain = index[i, TRANSLATIONS]
            p = at + plain
            turn = quaternion_from_vector(vector(displacement, row + plain))
            put_quaternion(out, p, quaternion_product(turn, quaternion(q, p)))
        for j in range(plain):
            out[at + j] = q[at + j] + displacement[row + j]


@compiled
def displacement_between(index: Index, q: Float, origin: Float, out: Float) -> None:
    """Write the displacement, (nu,), that takes `origin` to q; rotations the short way."""
    for i in range(index.shape[0]):
        at, row = index[i, FIRST_Q], index[i, FIRST_U]
        plain = index[i, SPEEDS]
        if index[i, ROTATION] == QUATERNION:
            plain = index[i, TRANSLATIONS]
            p = at + plain
            s, x, y, z = quaternion(origin, p)
            turn = quaternion_product(quaternion(q, p), (s, -x, -y, -z))
            a, b, c = vector_from_quaternion(turn)
            k = row + plain
            out[k], out[k + 1], out[k + 2] = a, b, c
        for j in range(plain):
            out[row + j] = q[at + j] - origin[at + j]
