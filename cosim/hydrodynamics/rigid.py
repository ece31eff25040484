"""Six degrees of freedom of a rigid body: names, and transfer between points."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cosim.algebra.attitude import skew
from cosim.algebra.types import Complex, Float

__all__ = ["DOFS", "Complex", "Float", "block_transfer", "transfer"]

DOFS = ("surge", "sway", "heave", "roll", "pitch", "yaw")


def transfer(d: ArrayLike) -> Float:
    r"""Twist at the old point from the twist at the new one, (6, 6).

    .. math:: T = \begin{bmatrix} 1 & -\tilde d \\ 0 & 1 \end{bmatrix}, \quad
        d = r_{old} - r_{new}, \quad v_{old} = T v_{new}, \quad f_{new} = T^T f_{old}

    Parameters
    ----------
    d : (3,)
        Old point minus new point, m.
    """
    T = np.eye(6)
    T[:3, 3:] = -skew(d)
    return T


def block_transfer(shifts: ArrayLike) -> Float:
    """:func:`transfer` of k bodies on the diagonal, (6k, 6k); `shifts` (k, 3)."""
    rows = np.atleast_2d(np.asarray(shifts, dtype=np.float64))
    T = np.zeros((6 * len(rows), 6 * len(rows)))
    for i, d in enumerate(rows):
        T[6 * i : 6 * i + 6, 6 * i : 6 * i + 6] = transfer(d)
    return T
