"""Compiled geometry of the points of a peer."""

from __future__ import annotations

import numba as nb
import numpy as np
from numpy.typing import NDArray

from cosim.multibody.interface import Float

__all__ = ["add_point_loads", "place_points"]


@nb.njit(cache=True)
def place_points(state: Float, owner: NDArray[np.intp], lever: Float, points: Float) -> None:
    """Positions and velocities of points that bodies carry.

    Parameters
    ----------
    state : (k, 18)
        r, R (row-major) and twist of every body.
    owner : (p,)
        Row of the body that carries each point.
    lever : (p, 3)
        From its centre of gravity, m, axes of the body.
    points : (p, 6)
        Filled with positions, m, and velocities, m/s, world frame.
    """
    for p in range(owner.size):
        body = state[owner[p]]
        x = body[3] * lever[p, 0] + body[4] * lever[p, 1] + body[5] * lever[p, 2]
        y = body[6] * lever[p, 0] + body[7] * lever[p, 1] + body[8] * lever[p, 2]
        z = body[9] * lever[p, 0] + body[10] * lever[p, 1] + body[11] * lever[p, 2]
        points[p, 0], points[p, 1], points[p, 2] = body[0] + x, body[1] + y, body[2] + z
        points[p, 3] = body[12] + body[16] * z - body[17] * y
        points[p, 4] = body[13] + body[17] * x - body[15] * z
        points[p, 5] = body[14] + body[15] * y - body[16] * x


@nb.njit(cache=True)
def add_point_loads(
    state: Float, owner: NDArray[np.intp], points: Float, load: Float, wrench: Float
) -> None:
    """Add forces and free couples at points to the wrenches at the centres of gravity.

    Parameters
    ----------
    state : (k, 18)
    owner : (p,)
    points : (p, 6)
        As `place_points` leaves them.
    load : (p, 6)
        Force, N, and couple, N m, world axes.
    wrench : (k, 6)
        Changed.
    """
    for p in range(owner.size):
        k = owner[p]
        x, y, z = points[p, 0] - state[k, 0], points[p, 1] - state[k, 1], points[p, 2] - state[k, 2]
        fx, fy, fz = load[p, 0], load[p, 1], load[p, 2]
        wrench[k, 0] += fx
        wrench[k, 1] += fy
        wrench[k, 2] += fz
        wrench[k, 3] += load[p, 3] + y * fz - z * fy
        wrench[k, 4] += load[p, 4] + z * fx - x * fz
        wrench[k, 5] += load[p, 5] + x * fy - y * fx
