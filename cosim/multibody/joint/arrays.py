"""The plain arrays that the kernels read and write, and how they lie in memory.

A compiled function spends a fixed time on every array it is given, so all constants lie in
one block and all results in another; :func:`tree_view` and :func:`work_view` cut them up.
Rows of body arrays follow ``System.bodies``, rows of speed arrays ``System.joints``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cosim.multibody.interface import Float
from cosim.multibody.joint.algebra import compiled

__all__ = [
    "COUPLING",
    "FIRST_Q",
    "FIRST_U",
    "INDEX_WIDTH",
    "INERTIA_WIDTH",
    "MOMENT",
    "NO_ROTATION",
    "ONE_AXIS",
    "ORDER",
    "PARENT",
    "QUATERNION",
    "ROTATION",
    "ROTATIONAL",
    "SPEEDS",
    "TRANSLATIONS",
    "TWO_AXES",
    "Index",
    "Memory",
    "Tree",
    "Work",
    "tree_size",
    "tree_view",
    "work_size",
    "work_view",
]

Index = NDArray[np.int64]

Memory = tuple[Index, Float, Float]
"""Index, block of constants, block of results: all that a kernel needs of a model."""

# columns of `index`: ORDER lists the rows, parents first; the others describe the row's body
ORDER, PARENT, FIRST_Q, FIRST_U, TRANSLATIONS, ROTATION, SPEEDS = range(7)
INDEX_WIDTH = 7

# how the child turns against the parent
NO_ROTATION, ONE_AXIS, TWO_AXES, QUATERNION = range(4)

# a row of 21 holds a symmetric (6, 6): force block (6 entries), force-rotation block (9),
# moment-rotation block (6)
COUPLING, ROTATIONAL = 6, 15
INERTIA_WIDTH = 21

# twists and wrenches: first three entries linear, last three from here
MOMENT = 3

_TREE_PER_BODY, _TREE_PER_SPEED = 14, 3
_WORK_PER_BODY, _WORK_PER_SPEED = 69, 15


class Tree(NamedTuple):
    """Constants of a tree of n bodies with nu speeds.

    Attributes
    ----------
    joints : (n, 7)
        See the column names of this module; the parent is -1 for earth.
    mass, weight : (n,)
        kg; N along -z.
    inertia : (n, 6)
        (xx, yy, zz, xy, xz, yz) at the centre of gravity, body axes, kg m².
    before : (n, 3)
        From the parent's centre of gravity (earth: the origin) to the joint, parent's axes, m.
    after : (n, 3)
        From the joint to the centre of gravity, body axes, m.
    axis : (nu, 3)
        Unit axis of each speed, parent's axes (second axis of a universal joint: child's).
    """

    joints: Index
    mass: Float
    weight: Float
    inertia: Float
    before: Float
    after: Float
    axis: Float


class Work(NamedTuple):
    """What the kernels compute, world axes.

    Attributes
    ----------
    r, R, v : (n, 3), (n, 3, 3), (n, 6)
        Poses and twists at the centres of gravity.
    bias : (n, 6)
        Velocity-dependent part of the twist derivatives, ``B' u``.
    lever : (n, 3)
        From the parent's centre of gravity to the body's own.
    arm : (n, 3)
        From the joint to the centre of gravity.
    columns : (nu, 6)
        Twist of the body per unit of each speed of its joint.
    inertia : (n, 21)
        Inertia of the body, then of all that it carries.
    load : (n, 6)
        Loads less inertial loads, then those of all that the body carries.
    speed_load : (nu,)
        Generalised load on each speed.
    response : (nu, 6), gain : (nu,)
        Of the elimination: ``u' = gain - response . a``.
    element_load : (n, 6), element_speed_load : (nu,)
        Loads of the force elements on bodies and on single speeds.
    scratch : (n, 6)
    """

    r: Float
    R: Float
    v: Float
    bias: Float
    lever: Float
    arm: Float
    columns: Float
    inertia: Float
    load: Float
    speed_load: Float
    response: Float
    gain: Float
    element_load: Float
    element_speed_load: Float
    scratch: Float


def tree_size(bodies: int, speeds: int) -> int:
    """Length of the block of constants."""
    return _TREE_PER_BODY * bodies + _TREE_PER_SPEED * speeds


def work_size(bodies: int, speeds: int) -> int:
    """Length of the block of results."""
    return _WORK_PER_BODY * bodies + _WORK_PER_SPEED * speeds


@compiled
def tree_view(index: Index, block: Float) -> Tree:
    """Cut the block of constants up."""
    n = index.shape[0]
    end = _TREE_PER_BODY * n
    return Tree(
        index,
        block[:n],
        block[n : 2 * n],
        block[2 * n : 8 * n].reshape(n, 6),
        block[8 * n : 11 * n].reshape(n, 3),
        block[11 * n : end].reshape(n, 3),
        block[end:].reshape((block.size - end) // 3, 3),
    )


@compiled
def work_view(bodies: int, block: Float) -> Work:
    """Cut the block of results up."""
    n = bodies
    end = _WORK_PER_BODY * n
    m = (block.size - end) // _WORK_PER_SPEED
    return Work(
        block[: 3 * n].reshape(n, 3),
        block[3 * n : 12 * n].reshape(n, 3, 3),
        block[12 * n : 18 * n].reshape(n, 6),
        block[18 * n : 24 * n].reshape(n, 6),
        block[24 * n : 27 * n].reshape(n, 3),
        block[27 * n : 30 * n].reshape(n, 3),
        block[end : end + 6 * m].reshape(m, 6),
        block[30 * n : 51 * n].reshape(n, INERTIA_WIDTH),
        block[51 * n : 57 * n].reshape(n, 6),
        block[end + 6 * m : end + 7 * m],
        block[end + 7 * m : end + 13 * m].reshape(m, 6),
        block[end + 13 * m : end + 14 * m],
        block[57 * n : 63 * n].reshape(n, 6),
        block[end + 14 * m : end + 15 * m],
        block[63 * n : end].reshape(n, 6),
    )
