r"""Poses of all bodies and the twists that each speed gives its own body.

With p the parent, t the translations and Q the rotation of the joint in the parent's axes,

.. math::

    R_c = R_p Q(q), \qquad
    r_c = r_p + R_p (b + t(q)) + R_c a,

where b leads from the parent's centre of gravity to the joint and a from there to the
child's.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rotations import quaternion_matrix, turn_about
from cosim.algebra.rows import get_matrix, get_vector, put_matrix, put_vector, quaternion
from cosim.algebra.vectors import IDENTITY, ZERO, Matrix, Vector, add, apply, cross, multiply, scale
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import (
    AFTER,
    ARM,
    BEFORE,
    COLUMN,
    FIRST_Q,
    FIRST_U,
    LEVER,
    MOMENT,
    ONE_AXIS,
    ORDER,
    PARENT,
    QUATERNION,
    ROTATION,
    SPEEDS,
    TRANSLATIONS,
    TWO_AXES,
    Tree,
    Work,
)

__all__ = ["positions"]


@compiled
def positions(tree: Tree, work: Work, q: Float) -> None:
    """Write r, R, lever, arm and columns of `work`."""
    for k in range(tree.joints.shape[0]):
        i = tree.joints[k, ORDER]
        parent = tree.joints[i, PARENT]
        if parent < 0:
            Rp, rp = IDENTITY, ZERO
        else:
            Rp, rp = get_matrix(work.R, parent), get_vector(work.r, parent, 0)
        shift = tree.joints[i, TRANSLATIONS]
        at = (tree.joints[i, FIRST_Q] + shift, tree.joints[i, FIRST_U] + shift)
        R = multiply(Rp, _rotation(tree.axis, q, tree.joints[i, ROTATION], at))
        arm = apply(R, get_vector(tree.body, i, AFTER))
        lever = add(apply(Rp, _joint_place(tree, i, q)), arm)
        put_matrix(work.R, i, R)
        put_vector(work.body, i, ARM, arm)
        put_vector(work.body, i, LEVER, lever)
        put_vector(work.r, i, 0, add(rp, lever))
        _columns(tree, work, i, Rp, R, arm)


@compiled
def _joint_place(tree: Tree, i: int, q: Float) -> Vector:
    """From the parent's centre of gravity to the joint's moved point, parent's axes."""
    place = get_vector(tree.body, i, BEFORE)
    first_q, first_u = tree.joints[i, FIRST_Q], tree.joints[i, FIRST_U]
    for j in range(tree.joints[i, TRANSLATIONS]):
        place = add(place, scale(q[first_q + j], get_vector(tree.axis, first_u + j, 0)))
    return place


@compiled
def _rotation(axis: Float, q: Float, kind: int, at: tuple[int, int]) -> Matrix:
    """Rotation of the child against the parent; `at` is its first row in q and in `axis`."""
    first, row = at
    turn = IDENTITY
    if kind == ONE_AXIS:
        turn = turn_about(get_vector(axis, row, 0), q[first])
    elif kind == TWO_AXES:
        turn = turn_about(get_vector(axis, row, 0), q[first])
        turn = multiply(turn, turn_about(get_vector(axis, row + 1, 0), q[first + 1]))
    elif kind == QUATERNION:
        turn = quaternion_matrix(quaternion(q, first))
    return turn


@compiled
def _columns(tree: Tree, work: Work, i: int, Rp: Matrix, R: Matrix, arm: Vector) -> None:
    """Twist of the body's centre of gravity per unit of each speed."""
    first, translations = tree.joints[i, FIRST_U], tree.joints[i, TRANSLATIONS]
    for j in range(first, first + translations):
        put_vector(work.speed, j, COLUMN, apply(Rp, get_vector(tree.axis, j, 0)))
        put_vector(work.speed, j, COLUMN + MOMENT, ZERO)
    rotation = first + translations
    for j in range(rotation, first + tree.joints[i, SPEEDS]):
        axis = get_vector(tree.axis, j, 0)
        if tree.joints[i, ROTATION] == TWO_AXES and j > rotation:
            axis = apply(R, axis)
        else:
            axis = apply(Rp, axis)
        put_vector(work.speed, j, COLUMN, cross(axis, arm))
        put_vector(work.speed, j, COLUMN + MOMENT, axis)
