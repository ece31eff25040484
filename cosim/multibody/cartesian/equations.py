r"""The index-1 equations of motion.

.. math::

    \begin{bmatrix} M & G^T \\ G & 0 \end{bmatrix}
    \begin{bmatrix} \dot u \\ \lambda \end{bmatrix}
    = \begin{bmatrix} f \\ \gamma - 2 \alpha (G u - \nu) - \beta^2 \Phi \end{bmatrix}

(FCC-GRB eqs. 7 to 9, with Baumgarte's terms; α = β = 0 without). For a reduced body
:math:`f = V^T (f_3 - M \dot V u)`: the sign is that of Newton's law, the paper's text has the
other one.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import get_vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import add, cross, scale
from cosim.multibody.cartesian.arrays import REDUCED
from cosim.multibody.cartesian.directors import add_bias, add_wrenches, reduce_forces
from cosim.multibody.cartesian.flat import firm, lean
from cosim.multibody.cartesian.mass import put_masses
from cosim.multibody.cartesian.memory import GAMMA, MULTIPLIER, WANTED, Memory
from cosim.multibody.cartesian.rows import (
    gammas,
    jacobians,
    reduce_jacobians,
    speeds_wanted,
)
from cosim.multibody.cartesian.saddle.kernels import put_rows, solve

__all__ = [
    "accelerations_wanted",
    "forces",
    "put_system",
    "row_of_speeds",
    "solve_system",
    "speeds_missing",
    "twist_rates",
    "velocity_bias",
]


@compiled
def put_system(memory: Memory, body_mass: Float) -> None:
    """Gradients of the constraints, and the saddle system with the masses; not factorised."""
    jacobians(memory.rows, memory.space.x, memory.gradient)
    reduce_jacobians(memory.frames, memory.rows, memory.space, memory.gradient)
    put_masses(memory.frames, memory.space, memory.saddle, body_mass, memory.block)
    firm(memory)
    put_rows(memory.saddle, memory.gradient, memory.gradient)


@compiled
def solve_system(memory: Memory, wanted: Float, x: Float) -> float:
    """Solve for x, (nu,), with the forces of ``memory.speed[0]``, which are changed.

    What is asked of G x is `wanted`, (m,); returns how much of it is missing, at most.
    """
    lean(memory, wanted, memory.speed[0])
    return float(solve(memory.saddle, memory.speed[0], wanted, x, memory.row[MULTIPLIER]))


@compiled
def row_of_speeds(memory: Memory, row: int, u: Float) -> float:
    """G u of one row."""
    total = 0.0
    for side in range(2):
        body = memory.rows.body[row, side]
        if body >= 0:
            first = memory.frames.start[body]
            for k in range(memory.frames.start[body + 1] - first):
                total += memory.gradient[row, side, k] * u[first + k]
    return total


@compiled
def speeds_missing(memory: Memory, u: Float) -> None:
    """Write ν - G u."""
    out = memory.row[WANTED]
    speeds_wanted(memory.rows, memory.space.x, out)
    for row in range(out.size):
        out[row] -= row_of_speeds(memory, row, u)


@compiled
def accelerations_wanted(memory: Memory, u: Float, gaps: Float, rates: tuple[float, float]) -> None:
    """Write γ - 2 α (G u - ν) - β² Φ for `rates` (α, β); `gradient` is that of put_system."""
    alpha, beta = rates
    out = memory.row[GAMMA]
    gammas(memory.rows, memory.space.x, memory.space.v, out)
    _subtract_bias(memory, out)
    if alpha == 0.0 and beta == 0.0:
        return
    speeds_missing(memory, u)
    for row in range(out.size):
        out[row] += 2.0 * alpha * memory.row[WANTED, row] - beta * beta * gaps[row]


@compiled
def _subtract_bias(memory: Memory, out: Float) -> None:
    """Take J V' u, with J by all twelve numbers, off γ: only the third director of a reduced."""
    frames, rows, space = memory.frames, memory.rows, memory.space
    for row in range(out.size):
        for side in range(2):
            body = rows.body[row, side]
            if body >= 0 and frames.kind[body] == REDUCED:
                v1, v2 = get_vector(space.v, body, 3), get_vector(space.v, body, 6)
                turn = cross(v1, v2)
                for f in range(2):
                    weight = 2.0 * rows.weight[row, f, side, 3]
                    if weight != 0.0:
                        other = _other_factor(memory, row, f)
                        out[row] -= weight * (
                            turn[0] * other[0] + turn[1] * other[1] + turn[2] * other[2]
                        )


@compiled
def _other_factor(memory: Memory, row: int, factor: int) -> tuple[float, float, float]:
    """The factor that stands beside `factor` in a row."""
    rows, other = memory.rows, 1 - factor
    total = get_vector(rows.constant[row], other, 0)
    for side in range(2):
        body = rows.body[row, side]
        if body >= 0:
            for k in range(4):
                weight = rows.weight[row, other, side, k]
                total = add(total, scale(weight, get_vector(memory.space.x, body, 3 * k)))
    return total


@compiled
def forces(memory: Memory, Q: Float) -> None:
    """Write f: weight, elements, Q, and what the velocities of reduced bodies ask for."""
    frames, f, out = memory.frames, memory.force, memory.speed[0]
    for i in range(f.shape[0]):
        for k in range(12):
            f[i, k] = 0.0
    add_bias(frames, memory.space, f)
    for i in range(f.shape[0]):
        for k in range(12):
            f[i, k] *= -frames.inertia[i, k // 3]
        f[i, 2] -= frames.weight[i]
    add_wrenches(memory.space, memory.wrench, f)
    reduce_forces(frames, memory.space, f, out)
    for k in range(Q.size):
        out[k] += Q[k]


@compiled
def velocity_bias(memory: Memory, out: Float) -> None:
    """Write T V' u, (n, 6): d3 × (2 d1' × d2') / 2 of reduced bodies, zero for others."""
    for i in range(out.shape[0]):
        for k in range(6):
            out[i, k] = 0.0
        if memory.frames.kind[i] == REDUCED:
            v1, v2 = get_vector(memory.space.v, i, 3), get_vector(memory.space.v, i, 6)
            turn = cross(get_vector(memory.space.x, i, 9), cross(v1, v2))
            for k in range(3):
                out[i, 3 + k] = turn[k]


@compiled
def twist_rates(memory: Memory, u_dot: Float, out: Float) -> None:
    """Add T V u' to out, (n, 6)."""
    frames, x = memory.frames, memory.space.x
    for i in range(out.shape[0]):
        first = frames.start[i]
        d1, d2, d3 = get_vector(x, i, 3), get_vector(x, i, 6), get_vector(x, i, 9)
        a1 = (u_dot[first + 3], u_dot[first + 4], u_dot[first + 5])
        a2 = (u_dot[first + 6], u_dot[first + 7], u_dot[first + 8])
        if frames.kind[i] == REDUCED:
            a3 = add(cross(a1, d2), cross(d1, a2))
        else:
            a3 = (u_dot[first + 9], u_dot[first + 10], u_dot[first + 11])
        turn = scale(0.5, add(cross(d1, a1), add(cross(d2, a2), cross(d3, a3))))
        for k in range(3):
            out[i, k] += u_dot[first + k]
            out[i, 3 + k] += turn[k]
