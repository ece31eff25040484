r"""From directors to poses and twists, and from wrenches back to forces on directors.

The coordinates of a body are q = (φ, d1, d2, d3), or q = (φ, d1, d2) with d3 = d1 × d2
(FCC-GRB eqs. 10 to 12). Kernels work on all twelve; a reduced body enters by

.. math:: \dot q_3 = V \dot q, \qquad \ddot q_3 = V \ddot q + \dot V \dot q

(eqs. 21, 22) and its forces by :math:`V^T`.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import add_vector, get_vector, put_vector, vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import Vector, add, cross, dot, scale, subtract
from cosim.multibody.cartesian.arrays import REDUCED, Frames, Space

__all__ = [
    "add_bias",
    "add_wrenches",
    "expand",
    "kinetic_energy",
    "poses",
    "reduce_forces",
    "reduce_row",
    "twists",
]

Columns = tuple[Vector, Vector, Vector]

_PASSES = 30
_ORTHONORMAL = 1e-15


@compiled
def expand(frames: Frames, q: Float, u: Float, space: Space) -> None:
    """Write x and v of all bodies from the coordinates and their time derivatives."""
    x, v = space.x, space.v
    for i in range(x.shape[0]):
        first = frames.start[i]
        for k in range(frames.start[i + 1] - first):
            x[i, k], v[i, k] = q[first + k], u[first + k]
        if frames.kind[i] == REDUCED:
            d1, d2 = get_vector(x, i, 3), get_vector(x, i, 6)
            v1, v2 = get_vector(v, i, 3), get_vector(v, i, 6)
            put_vector(x, i, 9, cross(d1, d2))
            put_vector(v, i, 9, add(cross(v1, d2), cross(d1, v2)))


@compiled
def poses(frames: Frames, space: Space) -> None:
    """Write r and R; R is the rotation nearest to the directors, D = R D0 where they are rigid."""
    for i in range(space.x.shape[0]):
        put_vector(space.r, i, 0, get_vector(space.x, i, 0))
        columns = _nearest_rotation(
            (get_vector(space.x, i, 3), get_vector(space.x, i, 6), get_vector(space.x, i, 9))
        )
        for a in range(3):
            for b in range(3):
                total = 0.0
                for k in range(3):
                    total += columns[k][a] * frames.axes[i, 3 * b + k]
                space.R[i, a, b] = total


@compiled
def twists(space: Space) -> None:
    """Write the twists T v: φ' and ω = Σ d_k × d_k' / 2 (PH paper, collocated output)."""
    x, v = space.x, space.v
    for i in range(x.shape[0]):
        put_vector(space.twist, i, 0, get_vector(v, i, 0))
        w = (0.0, 0.0, 0.0)
        for k in (3, 6, 9):
            w = add(w, cross(get_vector(x, i, k), get_vector(v, i, k)))
        put_vector(space.twist, i, 3, scale(0.5, w))


@compiled
def _nearest_rotation(columns: Columns) -> Columns:
    """Polar factor of the matrix with these columns (Higham's Newton iteration)."""
    for _ in range(_PASSES):
        a, b, c = columns
        p, q, r = cross(b, c), cross(c, a), cross(a, b)
        share = 0.5 / dot(a, p)
        after = (
            add(scale(0.5, a), scale(share, p)),
            add(scale(0.5, b), scale(share, q)),
            add(scale(0.5, c), scale(share, r)),
        )
        change = 0.0
        for k in range(3):
            step = subtract(after[k], columns[k])
            change += dot(step, step)
        columns = after
        if change <= _ORTHONORMAL * _ORTHONORMAL:
            break
    return columns


@compiled
def add_wrenches(space: Space, g: Float, f: Float) -> None:
    """Add Tᵀ g to f, (n, 12): F on φ and τ × d_k / 2 on every director (PH paper, B matrix).

    It has the power F . φ' + τ . ω with the twist of :func:`twists`, rigid or not.
    """
    for i in range(f.shape[0]):
        add_vector(f, i, 0, get_vector(g, i, 0))
        half = scale(0.5, get_vector(g, i, 3))
        for k in (3, 6, 9):
            add_vector(f, i, k, cross(half, get_vector(space.x, i, k)))


@compiled
def reduce_forces(frames: Frames, space: Space, f: Float, out: Float) -> None:
    """Write Vᵀ f of all bodies, (nu,), from forces f, (n, 12), on all directors."""
    for i in range(f.shape[0]):
        first = frames.start[i]
        size = frames.start[i + 1] - first
        for k in range(size):
            out[first + k] = f[i, k]
        if frames.kind[i] == REDUCED:
            d1, d2 = get_vector(space.x, i, 3), get_vector(space.x, i, 6)
            f3 = get_vector(f, i, 9)
            on_1, on_2 = cross(d2, f3), cross(f3, d1)
            for a in range(3):
                out[first + 3 + a] += on_1[a]
                out[first + 6 + a] += on_2[a]


@compiled
def reduce_row(space: Space, body: int, row: Float) -> None:
    """Replace a gradient (12,) with respect to all directors by Vᵀ of it; its end becomes 0."""
    d1, d2 = get_vector(space.x, body, 3), get_vector(space.x, body, 6)
    f3 = vector(row, 9)
    on_1, on_2 = cross(d2, f3), cross(f3, d1)
    for a in range(3):
        row[3 + a] += on_1[a]
        row[6 + a] += on_2[a]
        row[9 + a] = 0.0


@compiled
def add_bias(frames: Frames, space: Space, out: Float) -> None:
    """Add V' u to out, (n, 12): 2 d1' × d2' on the third director of a reduced body."""
    for i in range(out.shape[0]):
        if frames.kind[i] == REDUCED:
            v1, v2 = get_vector(space.v, i, 3), get_vector(space.v, i, 6)
            add_vector(out, i, 9, scale(2.0, cross(v1, v2)))


@compiled
def kinetic_energy(frames: Frames, space: Space) -> float:
    """Σ (m |φ'|² + E_k |d_k'|²) / 2, J: true also where the velocities are not rigid."""
    total = 0.0
    for i in range(space.v.shape[0]):
        for k in range(4):
            v = get_vector(space.v, i, 3 * k)
            total += 0.5 * frames.inertia[i, k] * dot(v, v)
    return total
