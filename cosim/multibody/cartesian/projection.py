r"""Coordinates and speeds nearest to given ones that keep all constraints.

Nearest in the metric of the mass matrix: with G the Jacobian of the constraints,

.. math::

    \begin{bmatrix} M & G^T \\ G & 0 \end{bmatrix}
    \begin{bmatrix} \Delta q \\ \mu \end{bmatrix}
    = \begin{bmatrix} 0 \\ -\Phi \end{bmatrix},

repeated until Φ is as small as rounding lets it be, and once with ν - G u for the speeds.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.directors import expand
from cosim.multibody.cartesian.equations import put_system, solve_system, speeds_missing
from cosim.multibody.cartesian.memory import GAP, WANTED, Memory
from cosim.multibody.cartesian.rows import values
from cosim.multibody.cartesian.saddle.kernels import factor

__all__ = ["close", "close_positions", "close_speeds", "largest_gap"]

_PASSES = 30
_CLOSED = 4e-16
_PROGRESS = 0.5


@compiled
def close(memory: Memory, q: Float, u: Float, no_mass: Float) -> float:
    """Change q and u, (nu,) each, to the nearest closed ones; returns the largest gap left."""
    gap = close_positions(memory, q, u, no_mass)
    close_speeds(memory, q, u, no_mass)
    return gap


@compiled
def close_positions(memory: Memory, q: Float, u: Float, no_mass: Float) -> float:
    """Newton's method on Φ(q); returns the largest gap left."""
    step, best = memory.speed[2], -1.0
    for _ in range(_PASSES):
        expand(memory.frames, q, u, memory.space)
        values(memory.rows, memory.space.x, memory.row[GAP])
        gap = largest_gap(memory.row[GAP])
        if gap <= _CLOSED or (best >= 0.0 and gap > _PROGRESS * best):
            break
        best = gap
        put_system(memory, no_mass)
        factor(memory.saddle)
        for k in range(step.size):
            memory.speed[0, k] = 0.0
        for row in range(memory.row.shape[1]):
            memory.row[WANTED, row] = -memory.row[GAP, row]
        solve_system(memory, memory.row[WANTED], step)
        for k in range(step.size):
            q[k] += step[k]
    return gap


@compiled
def close_speeds(memory: Memory, q: Float, u: Float, no_mass: Float) -> None:
    """Change u so that G u = ν at q."""
    expand(memory.frames, q, u, memory.space)
    put_system(memory, no_mass)
    speeds_missing(memory, u)
    if largest_gap(memory.row[WANTED]) > 0.0:
        factor(memory.saddle)
        step = memory.speed[2]
        for k in range(step.size):
            memory.speed[0, k] = 0.0
        solve_system(memory, memory.row[WANTED], step)
        for k in range(step.size):
            u[k] += step[k]


@compiled
def largest_gap(gaps: Float) -> float:
    """Largest magnitude."""
    largest = 0.0
    for k in range(gaps.size):
        largest = max(largest, abs(gaps[k]))
    return largest
