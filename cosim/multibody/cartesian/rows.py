r"""Values and derivatives of constraints Φ = a . b - c.

With a and b affine in x and, for drivers, b and c moving in time,

.. math::

    J &= b^T \frac{\partial a}{\partial x} + a^T \frac{\partial b}{\partial x}, \\
    \nu &= -\Phi_t = \dot c - a \cdot b_t, \\
    \gamma &= \ddot c - 2\,\dot a \cdot \dot b - a \cdot (b_{tt} + 2 b_{tx} \dot x),

so that the constraint asks for J x' = ν and J x'' = γ (FCC-GRB eqs. 2 to 6).
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import add_vector, get_vector, vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import ZERO, Vector, add, dot, scale
from cosim.multibody.cartesian.arrays import NO_LAW, REDUCED, Frames, Rows, Space
from cosim.multibody.cartesian.directors import reduce_row

__all__ = [
    "add_constraint_forces",
    "bilinear",
    "gammas",
    "jacobians",
    "reduce_jacobians",
    "second_derivative",
    "speeds_wanted",
    "values",
]


@compiled
def values(rows: Rows, x: Float, out: Float) -> None:
    """Write Φ, (m,)."""
    for row in range(out.size):
        a, b = _factor(rows, row, 0, x, 1.0), _factor(rows, row, 1, x, 1.0)
        out[row] = dot(a, b) - rows.offset[row, 0]


@compiled
def jacobians(rows: Rows, x: Float, out: Float) -> None:
    """Write the gradients of Φ, (m, 2, 12): by the parent's twelve numbers and by the child's."""
    for row in range(out.shape[0]):
        a, b = _factor(rows, row, 0, x, 1.0), _factor(rows, row, 1, x, 1.0)
        _gradient(rows, row, (a, b), out)


@compiled
def bilinear(rows: Rows, v: Float, out: Float) -> None:
    """Write D, (m, 2, 12), with D_ai = (H_a v)_i: the gradient of G(x) v by x."""
    for row in range(out.shape[0]):
        a, b = _factor(rows, row, 0, v, 0.0), _factor(rows, row, 1, v, 0.0)
        _gradient(rows, row, (a, b), out)


@compiled
def second_derivative(
    rows: Rows, row: int, first: tuple[int, int], other: tuple[int, int]
) -> float:
    """The number h of the block h 1 of H, by the vectors (side, k) `first` and `other`."""
    (s, k), (r, l) = first, other  # noqa: E741
    w = rows.weight[row]
    return float(w[0, s, k] * w[1, r, l] + w[1, s, k] * w[0, r, l])


@compiled
def speeds_wanted(rows: Rows, x: Float, out: Float) -> None:
    """Write ν, (m,): what J x' is to be."""
    for row in range(out.size):
        out[row] = rows.offset[row, 1]
        if rows.law[row] != NO_LAW:
            out[row] -= dot(_factor(rows, row, 0, x, 1.0), _moving(rows, row, 0, x))


@compiled
def gammas(rows: Rows, x: Float, v: Float, out: Float) -> None:
    """Write γ, (m,): what J x'' is to be, for the twelve numbers of every body."""
    for row in range(out.size):
        a_dot, b_dot = _factor(rows, row, 0, v, 0.0), _factor(rows, row, 1, v, 0.0)
        out[row] = rows.offset[row, 2] - 2.0 * dot(a_dot, b_dot)
        if rows.law[row] != NO_LAW:
            a = _factor(rows, row, 0, x, 1.0)
            out[row] -= 2.0 * dot(a_dot, _moving(rows, row, 0, x))
            out[row] -= dot(a, _moving(rows, row, 1, x)) + 2.0 * dot(a, _moving(rows, row, 0, v))


@compiled
def reduce_jacobians(frames: Frames, rows: Rows, space: Space, out: Float) -> None:
    """Turn gradients by twelve numbers, (m, 2, 12), into those by a reduced body's nine."""
    for row in range(out.shape[0]):
        for side in range(2):
            body = rows.body[row, side]
            if body >= 0 and frames.kind[body] == REDUCED:
                reduce_row(space, body, out[row, side])


@compiled
def add_constraint_forces(
    rows: Rows, gradients: Float, multipliers: Float, factor: float, f: Float
) -> None:
    """Add factor Jᵀ λ to f, (n, 12); the force of the constraints has the factor -1."""
    for row in range(multipliers.size):
        for side in range(2):
            body = rows.body[row, side]
            if body >= 0:
                for k in range(12):
                    f[body, k] += factor * multipliers[row] * gradients[row, side, k]


@compiled
def _factor(rows: Rows, row: int, factor: int, x: Float, constant: float) -> Vector:
    """A (0) or b (1) for coordinates x; with `constant` 0 its rate for velocities x."""
    total = scale(constant, get_vector(rows.constant[row], factor, 0))
    for side in range(2):
        body = rows.body[row, side]
        if body >= 0:
            total = add(total, _sum(rows.weight[row, factor, side], x[body]))
    return total


@compiled
def _moving(rows: Rows, row: int, order: int, x: Float) -> Vector:
    """The sum with the first (0) or second (1) time derivative of the weights of b."""
    total = ZERO
    for side in range(2):
        body = rows.body[row, side]
        if body >= 0:
            total = add(total, _sum(rows.moving[row, order, side], x[body]))
    return total


@compiled
def _sum(weight: Float, x: Float) -> Vector:
    total = ZERO
    for k in range(4):
        total = add(total, scale(weight[k], vector(x, 3 * k)))
    return total


@compiled
def _gradient(rows: Rows, row: int, factors: tuple[Vector, Vector], out: Float) -> None:
    a, b = factors
    for side in range(2):
        present = rows.body[row, side] >= 0
        for k in range(4):
            by_a, by_b = rows.weight[row, 0, side, k], rows.weight[row, 1, side, k]
            part = add(scale(by_a, b), scale(by_b, a)) if present else ZERO
            for c in range(3):
                out[row, side, 3 * k + c] = 0.0
            add_vector(out[row], side, 3 * k, part)
