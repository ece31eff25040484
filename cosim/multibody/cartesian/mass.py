"""Mass of bodies with their added mass, as blocks of the saddle system."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import get_vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import Vector, cross
from cosim.multibody.cartesian.arrays import REDUCED, Frames, Space
from cosim.multibody.cartesian.saddle.kernels import add_block, begin
from cosim.multibody.cartesian.saddle.system import Saddle

__all__ = [
    "add_generalised_mass",
    "add_inertia",
    "is_flat",
    "put_masses",
    "reduce_block",
    "velocity_rows",
]


@compiled
def put_masses(
    frames: Frames, space: Space, saddle: Saddle, body_mass: Float, block: Float
) -> None:
    """Set A to Vᵀ (M + Tᵀ M_a T) V of every body; `body_mass`, (n, 6, 6), may be empty.

    `block`, (2, 12, 12), is scratch.
    """
    begin(saddle)
    for i in range(frames.kind.size):
        for a in range(12):
            for b in range(12):
                block[0, a, b] = 0.0
        for k in range(12):
            block[0, k, k] = frames.inertia[i, k // 3]
        if body_mass.size:
            add_inertia(space, i, body_mass[i], block)
        if frames.kind[i] == REDUCED:
            reduce_block(space, i, block[0])
        add_block(saddle, i, block[0], 1.0)


@compiled
def is_flat(frames: Frames, body: int) -> bool:
    """Whether a body with three directors has no inertia E along one of them."""
    smallest = min(frames.inertia[body, 1], frames.inertia[body, 2], frames.inertia[body, 3])
    return bool(frames.kind[body] != REDUCED and smallest <= 0.0)


@compiled
def add_inertia(space: Space, body: int, Ma: Float, block: Float) -> None:
    """Add Tᵀ M_a T, (12, 12), of a matrix (6, 6) for twists to block[0]; block[1] is scratch."""
    rows = block[1]
    velocity_rows(space, body, rows)
    for a in range(12):
        for c in range(6):
            total = 0.0
            for b in range(6):
                total += rows[b, a] * Ma[b, c]
            rows[6 + c, a] = total
    for a in range(12):
        for b in range(12):
            total = 0.0
            for c in range(6):
                total += rows[6 + c, a] * rows[c, b]
            block[0, a, b] += total


@compiled
def add_generalised_mass(frames: Frames, saddle: Saddle, mass: Float) -> None:
    """Add a mass matrix (nu, nu), or an empty one, that couples bodies."""
    if mass.size == 0:
        return
    value, start = saddle.matrix.value, frames.start
    for i in range(frames.kind.size):
        for a in range(start[i + 1] - start[i]):
            for b in range(start[i + 1] - start[i]):
                at = saddle.block[i, a, b]
                if at >= 0:
                    value[at] += mass[start[i] + a, start[i] + b]
    for p in range(saddle.pairs.shape[0]):
        i, j = saddle.pairs[p, 0], saddle.pairs[p, 1]
        for a in range(start[i + 1] - start[i]):
            for b in range(start[j + 1] - start[j]):
                at = saddle.coupling[p, 0, a, b]
                if at >= 0:
                    value[at] += mass[start[i] + a, start[j] + b]
                    value[saddle.coupling[p, 1, b, a]] += mass[start[j] + b, start[i] + a]


@compiled
def velocity_rows(space: Space, body: int, rows: Float) -> None:
    """Write T, the twist by the time derivatives of (φ, d1, d2, d3), to rows[:6]."""
    for a in range(6):
        for b in range(12):
            rows[a, b] = 0.0
    for a in range(3):
        rows[a, a] = 1.0
    for k in range(1, 4):
        _put_skew(rows, (3, 3 * k), get_vector(space.x, body, 3 * k), 0.5)


@compiled
def reduce_block(space: Space, body: int, block: Float) -> None:
    """Replace a block (12, 12) by Vᵀ block V of a reduced body, (9, 9); the rest becomes 0."""
    u, v = get_vector(space.x, body, 3), get_vector(space.x, body, 6)
    for a in range(12):  # columns, then rows: the third director is (-v~ u' + u~ v')
        w = (block[a, 9], block[a, 10], block[a, 11])
        on_u, on_v = cross(v, w), cross(w, u)
        for c in range(3):
            block[a, 3 + c] += on_u[c]
            block[a, 6 + c] += on_v[c]
    for b in range(9):
        w = (block[9, b], block[10, b], block[11, b])
        on_u, on_v = cross(v, w), cross(w, u)
        for c in range(3):
            block[3 + c, b] += on_u[c]
            block[6 + c, b] += on_v[c]
    for a in range(9, 12):
        for b in range(12):
            block[a, b] = block[b, a] = 0.0


@compiled
def _put_skew(rows: Float, at: tuple[int, int], d: Vector, factor: float) -> None:
    a, b = at
    rows[a, b + 1], rows[a, b + 2] = -factor * d[2], factor * d[1]
    rows[a + 1, b], rows[a + 1, b + 2] = factor * d[2], -factor * d[0]
    rows[a + 2, b], rows[a + 2, b + 1] = -factor * d[1], factor * d[0]
