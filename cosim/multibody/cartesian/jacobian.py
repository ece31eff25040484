"""Matrices of a model written out, for reading, tests and analyses; no solver forms them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.types import Float
from cosim.multibody.cartesian.arrays import REDUCED
from cosim.multibody.cartesian.mass import velocity_rows
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.cartesian.rows import jacobians, reduce_jacobians

__all__ = ["constraint_jacobian", "velocity_map"]


def constraint_jacobian(memory: Memory) -> Float:
    """G, (m, nu)."""
    jacobians(memory.rows, memory.space.x, memory.gradient)
    reduce_jacobians(memory.frames, memory.rows, memory.space, memory.gradient)
    start = memory.frames.start
    G = np.zeros((len(memory.rows.law), start[-1]))
    for row, sides in enumerate(memory.rows.body.tolist()):
        for side, body in enumerate(sides):
            if body >= 0:
                first, last = start[body], start[body + 1]
                G[row, first:last] += memory.gradient[row, side, : last - first]
    return G


def velocity_map(memory: Memory, bodies: NDArray[np.intp]) -> Float:
    """Rows of the velocity transformation B of some bodies, (6k, nu)."""
    start, rows = memory.frames.start, np.zeros((12, 12))
    B = np.zeros((len(bodies), 6, start[-1]))
    for k, body in enumerate(bodies):
        velocity_rows(memory.space, body, rows)
        T = rows[:6].copy()
        if memory.frames.kind[body] == REDUCED:
            d1, d2 = memory.space.x[body, 3:6], memory.space.x[body, 6:9]
            T[:, 3:6] -= np.cross(T[:, 9:12], d2[None])
            T[:, 6:9] += np.cross(T[:, 9:12], d1[None])
        first, last = start[body], start[body + 1]
        B[k, :, first:last] = T[:, : last - first]
    return B.reshape(-1, start[-1])
