"""The plain arrays of the joints that close loops; see :mod:`cosim.multibody.joint.arrays`.

A joint of c freedoms that is cut gives 6 - c equations, one row each. A translation row keeps
the child's point in place along a direction s of the parent; a rotation row keeps a direction
t of the child perpendicular to a direction s of the parent.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.compiled import compiled
from cosim.multibody.interface import Float

Index = NDArray[np.int64]

# kinds of rows
TRANSLATION, ROTATION_ROW = range(2)

# columns of `Loops.row`: gap, m or rad; force and moment on the child at its point per unit
# of the multiplier, world axes; G u' that keeps the loop closed; singular value of the row's
# direction; multiplier; coefficient of the direction; size of the terms that sum up to G
GAP, WRENCH, NEEDED, SINGULAR, MULTIPLIER, COEFFICIENT, SIZE = 0, 1, 7, 8, 9, 10, 11
ROW_WIDTH = 12

# rows of `Loops.speed`: from the solver's coordinates to closed ones; closed speeds, and what
# is to be added to the solver's to get them; speeds and accelerations at points beside; scratch
SHIFT, CLOSED, MISSING, BESIDE, SUM, SPARE = range(6)

# rows of `Loops.coordinates`: of the solver, closed, of points beside, scratch
SOLVER, HERE, THERE, TRIAL = range(4)

# entries of `Loops.status`: the loops could not be closed; number of independent equations
FAILED, RANK = range(2)


class Loops(NamedTuple):
    """Cut joints (c of them, m rows) of a tree with nu speeds and nq coordinates.

    Attributes
    ----------
    ends : (c, 2)
        Rows of parent (-1: earth) and child.
    arms : (c, 6)
        From the parent's centre of gravity (earth: the origin) to the joint, parent's axes;
        from the child's, child's axes.
    equations : (m, 2)
        Cut joint, and kind of the row.
    axes : (m, 6)
        s in the parent's axes, t in the child's.
    row : (m, 12)
    jacobian : (m, nu)
        G.
    direction : (m, nu)
        Orthonormal directions, in coordinates where M is the unit matrix, that the loops
        forbid.
    mixture : (m, m)
        Which rows make up each direction.
    factor : (nu, nu)
        L of M = L Lᵀ; (1, 1) without speeds.
    speed : (6, nu)
    coordinates : (4, nq)
    status : (2,)
    firmness : (1,)
        Usual ratio of the smallest to the largest singular value.
    """

    ends: Index
    arms: Float
    equations: Index
    axes: Float
    row: Float
    jacobian: Float
    direction: Float
    mixture: Float
    factor: Float
    speed: Float
    coordinates: Float
    status: Index
    firmness: Float


LoopMemory = tuple[
    tuple[Index, Float, Index, Float],
    tuple[Float, Float, Float, Float, Float, Float, Float, Index, Float],
]
"""Fields of `Loops`: plain tuples cost a call less than named ones."""


def new_loops(
    ends: Index, arms: Float, equations: Index, axes: Float, *, nq: int, nu: int
) -> LoopMemory:
    """Constants with everything that is computed zero."""
    m = len(equations)
    return (
        (ends, arms, equations, axes),
        (
            np.zeros((m, ROW_WIDTH)),
            np.zeros((m, nu)),
            np.zeros((m, nu)),
            np.zeros((m, m)),
            np.zeros((max(nu, 1), max(nu, 1))),
            np.zeros((6, nu)),
            np.zeros((4, nq)),
            np.zeros(2, dtype=np.int64),
            np.zeros(1),
        ),
    )


@compiled
def named_loops(memory: LoopMemory) -> Loops:
    """The same arrays with names."""
    (ends, arms, equations, axes), (row, G, direction, mixture, L, speed, q, status, firmness) = (
        memory
    )
    return Loops(
        ends, arms, equations, axes, row, G, direction, mixture, L, speed, q, status, firmness
    )
