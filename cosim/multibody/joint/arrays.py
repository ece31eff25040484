"""The plain arrays that the kernels read and write, and what their columns mean.

A compiled function spends a fixed time on every array it is given, so there are few of
them. Rows of body arrays follow ``System.bodies``, rows of speed arrays ``System.joints``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.compiled import compiled
from cosim.multibody.interface import Float

Index = NDArray[np.int64]

# columns of `Tree.joints`: ORDER lists the rows, parents first; the others describe the
# row's body, whose parent is -1 for earth
ORDER, PARENT, FIRST_Q, FIRST_U, TRANSLATIONS, ROTATION, SPEEDS = range(7)

# how the child turns against the parent
NO_ROTATION, ONE_AXIS, TWO_AXES, QUATERNION = range(4)

# columns of `Tree.body`: kg; N along -z; (xx, yy, zz, xy, xz, yz) at the centre of gravity,
# body axes, kg m²; from the parent's centre of gravity (earth: the origin) to the joint,
# parent's axes, m; from the joint to the centre of gravity, body axes, m
MASS, WEIGHT, OWN_INERTIA, BEFORE, AFTER = 0, 1, 2, 8, 11

# columns of `Work.body`, world axes: velocity-dependent part B' u of the twist derivative;
# from the parent's centre of gravity to the body's own; from the joint to it; inertia of
# the body, then of all that it carries; loads likewise
BIAS, LEVER, ARM, INERTIA, LOAD = 0, 6, 9, 12, 33

# columns of `Work.speed`: twist of the body per unit of the speed; of the elimination,
# u' = gain - response . a; generalised load; the part of it from force elements
COLUMN, RESPONSE, GAIN, TORQUE, ELEMENT = 0, 6, 12, 13, 14

# 21 columns hold a symmetric (6, 6): force block (6 entries), from COUPLING on the
# force-rotation block (9), from ROTATIONAL on the moment-rotation block (6)
COUPLING, ROTATIONAL = 6, 15

# twists and wrenches: three linear entries, then three from here
MOMENT = 3

JOINT_WIDTH, TREE_WIDTH, WORK_WIDTH, SPEED_WIDTH = 7, 14, 39, 15


class Tree(NamedTuple):
    """Constants of a tree of n bodies with nu speeds.

    Attributes
    ----------
    joints : (n, 7)
    body : (n, 14)
    axis : (nu, 3)
        Unit axis of each speed, parent's axes (second axis of a universal joint: child's).
    """

    joints: Index
    body: Float
    axis: Float


class Work(NamedTuple):
    """What the kernels compute, world axes.

    Attributes
    ----------
    r, R, v : (n, 3), (n, 3, 3), (n, 6)
        Poses and twists at the centres of gravity.
    body : (n, 39)
    speed : (nu, 15)
    element_load : (n, 6)
        Loads of the force elements on bodies.
    """

    r: Float
    R: Float
    v: Float
    body: Float
    speed: Float
    element_load: Float


Memory = tuple[tuple[Index, Float, Float], tuple[Float, Float, Float, Float, Float, Float]]
"""Fields of `Tree` and of `Work`: plain tuples cost a call less than named ones."""


def new_work(bodies: int, speeds: int) -> Work:
    """Results of a model, all zero."""
    return Work(
        np.zeros((bodies, 3)),
        np.zeros((bodies, 3, 3)),
        np.zeros((bodies, 6)),
        np.zeros((bodies, WORK_WIDTH)),
        np.zeros((speeds, SPEED_WIDTH)),
        np.zeros((bodies, 6)),
    )


def unnamed(tree: Tree, work: Work) -> Memory:
    """All arrays as a kernel's caller passes them."""
    return (
        (tree.joints, tree.body, tree.axis),
        (work.r, work.R, work.v, work.body, work.speed, work.element_load),
    )


@compiled
def named(memory: Memory) -> tuple[Tree, Work]:
    """The same arrays with names."""
    (joints, body, axis), (r, R, v, work, speed, load) = memory
    return Tree(joints, body, axis), Work(r, R, v, work, speed, load)
