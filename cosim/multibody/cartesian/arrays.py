r"""The plain arrays of bodies described by directors, and of the constraints between them.

Every constraint is a product of two vectors that are affine in the coordinates of at most two
bodies, less a number,

.. math:: \Phi = a \cdot b - c,

so it is at most quadratic, and its Jacobian, its acceleration term and its second derivatives
follow from the same few numbers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.types import Float

__all__ = [
    "DIRECTORS",
    "EARTH",
    "FULL",
    "NO_LAW",
    "REDUCED",
    "SIZES",
    "Frames",
    "Index",
    "Rows",
    "Space",
    "new_space",
    "rows_of",
]

Index = NDArray[np.int64]

# kinds of bodies: position and three directors, or two
FULL, REDUCED = range(2)

SIZES = (12, 9)
"""Coordinates of a body by its kind."""

DIRECTORS = 3
"""Where the directors begin in the 12 numbers (φ, d1, d2, d3) of a body."""

EARTH = -1
"""Row that stands for earth: what it contributes is constant."""

NO_LAW = -1
"""Law of a constraint that does not depend on time."""


class Frames(NamedTuple):
    """Constants of n bodies.

    Attributes
    ----------
    kind : (n,)
        `FULL` or `REDUCED`.
    start : (n + 1,)
        First coordinate of each body in q and u.
    inertia : (n, 4)
        (m, E1, E2, E3), kg and kg m², with E_i = (J_j + J_k - J_i) / 2 of the principal
        moments J (FCC-GRB eq. 102).
    axes : (n, 9)
        D0, (3, 3) row by row: columns are the principal axes in the reference configuration,
        world axes, right-handed.
    weight : (n,)
        N, along -z.
    """

    kind: Index
    start: Index
    inertia: Float
    axes: Float
    weight: Float


class Rows(NamedTuple):
    """Constants of m constraints Φ = a . b - c, and what depends on time in them.

    The factor f in (a, b) = (0, 1) is the sum, over the sides s in (parent, child) = (0, 1) and
    the vectors k in (φ, d1, d2, d3), of ``weight[row, f, s, k]`` times the vector, plus
    ``constant[row, f]``. Only the factor b of a driver has weights that move.

    Attributes
    ----------
    body : (m, 2)
        Rows of the parent and of the child, `EARTH` for earth. The sides differ: a constraint
        within one body has it as parent and `EARTH` as child.
    weight : (m, 2, 2, 4)
    constant : (m, 2, 3)
        World axes.
    offset : (m, 3)
        c and its first and second time derivative.
    moving : (m, 2, 2, 4)
        First and second time derivative of ``weight[row, 1]``: [order - 1, side, vector].
    law : (m,)
        Number of the law that moves a driver, `NO_LAW` for a joint.
    """

    body: Index
    weight: Float
    constant: Float
    offset: Float
    moving: Float
    law: Index


class Space(NamedTuple):
    """Where the bodies are, and how they move, in the world frame.

    Attributes
    ----------
    x, v : (n, 12)
        (φ, d1, d2, d3) of every body, whatever its kind, and their time derivatives.
    r, R, twist : (n, 3), (n, 3, 3), (n, 6)
        Centres of gravity, rotations from the reference configuration, twists.
    """

    x: Float
    v: Float
    r: Float
    R: Float
    twist: Float


def new_space(bodies: int) -> Space:
    """Space for a number of bodies, all zero."""
    return Space(
        np.zeros((bodies, 12)),
        np.zeros((bodies, 12)),
        np.zeros((bodies, 3)),
        np.zeros((bodies, 3, 3)),
        np.zeros((bodies, 6)),
    )


def rows_of(count: int) -> Rows:
    """Constraints that tie nothing yet: all between earth and earth."""
    return Rows(
        np.full((count, 2), EARTH, dtype=np.int64),
        np.zeros((count, 2, 2, 4)),
        np.zeros((count, 2, 3)),
        np.zeros((count, 3)),
        np.zeros((count, 2, 2, 4)),
        np.full(count, NO_LAW, dtype=np.int64),
    )
