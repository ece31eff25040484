r"""The implicit midpoint rule for bodies with constant mass: PH-MP.

With :math:`q_m = (q + q_+) / 2` and :math:`v_m = (v + v_+) / 2` (PH paper, eqs. 48 to 50),

.. math::

    q_+ - q &= h v_m, \\
    M (v_+ - v) + h\,G(q_m)^T \lambda &= h f_m, \\
    g(q_+) &= 0.

The last equation stands for the paper's :math:`h\,G(q_m) v_m = 0`, which is
:math:`g(q_+) - g(q)` for constraints that are at most quadratic: rounding does not add up. The
unknowns are :math:`v_m` and :math:`\lambda' = h \lambda / 2`; the Newton matrix is

.. math::

    \begin{bmatrix} M + \tfrac{h}{2} \sum \lambda'_a H_a + \tfrac{h}{2} S & G(q_m)^T \\
    G(q_+) & 0 \end{bmatrix},

with :math:`H_a` the second derivatives of the constraints and S what elements contribute
(:mod:`~cosim.multibody.cartesian.conserving.slopes`).
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.conserving.arrays import CHANGE, FORCE, RESIDUAL, Step
from cosim.multibody.cartesian.conserving.forces import midpoint_forces
from cosim.multibody.cartesian.conserving.matrix import put_newton_matrix
from cosim.multibody.cartesian.conserving.newton import GO_ON, begin_newton, judge, needs_factors
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.cartesian.rows import jacobians, values
from cosim.multibody.cartesian.saddle.kernels import factor, improve

__all__ = ["midpoint_step"]


@compiled
def midpoint_step(
    memory: Memory,
    step: Step,
    times: tuple[float, float],
    loads: tuple[Float, Float],
) -> int:
    """From (x0, v0) to (x1, v1); `rate` holds the first guess of v_m.

    `times` are that of the midpoint and h, s; `loads` are as in
    :func:`~cosim.multibody.cartesian.conserving.forces.midpoint_forces`.
    """
    h = times[1]
    begin_newton(step)
    verdict = GO_ON
    while verdict == GO_ON:
        _place(step, h)
        midpoint_forces(memory, step, times, loads)
        _residuals(memory, step, h)
        if needs_factors(step):
            put_newton_matrix(memory, step, loads[1], times)
            factor(memory.saddle)
        verdict = judge(step, _improve(memory, step, h))
    _place(step, h)
    return verdict


@compiled
def _place(step: Step, h: float) -> None:
    for i in range(step.x0.shape[0]):
        for k in range(12):
            step.x1[i, k] = step.x0[i, k] + h * step.rate[i, k]
            step.xm[i, k] = step.x0[i, k] + 0.5 * h * step.rate[i, k]
            step.v1[i, k] = 2.0 * step.rate[i, k] - step.v0[i, k]


@compiled
def _residuals(memory: Memory, step: Step, h: float) -> None:
    """What the equations of motion lack, and the constraints over h."""
    jacobians(memory.rows, step.xm, step.upper)
    residual, inertia = step.residual, memory.frames.inertia
    for i in range(step.x0.shape[0]):
        for k in range(12):
            gain = inertia[i, k // 3] * (step.rate[i, k] - step.v0[i, k])
            residual[12 * i + k] = 0.5 * h * step.force[i, k] - gain
    _add_constraint_forces(memory, step, residual)
    values(memory.rows, step.x1, step.row[RESIDUAL])
    for row in range(step.row.shape[1]):
        step.row[RESIDUAL, row] *= -1.0 / h


@compiled
def _add_constraint_forces(memory: Memory, step: Step, residual: Float) -> None:
    for row in range(step.row.shape[1]):
        multiplier = step.row[FORCE, row]
        for side in range(2):
            body = memory.rows.body[row, side]
            if body >= 0:
                for k in range(12):
                    residual[12 * body + k] -= multiplier * step.upper[row, side, k]


@compiled
def _improve(memory: Memory, step: Step, h: float) -> float:
    """Solve for the change of v_m and λ'; returns the former beside what is known of v_m.

    Rounding of the positions leaves v_m unknown by some 1e-16 of them over h.
    """
    improve(memory.saddle, step.residual, step.row[RESIDUAL], step.change, step.row[CHANGE])
    speed = place = change = lost = 0.0
    for i in range(step.rate.shape[0]):
        for k in range(12):
            step.rate[i, k] += step.change[12 * i + k]
            change = max(change, abs(step.change[12 * i + k]))
            lost += 0.0 * step.rate[i, k]  # NaN where a number is lost: max() would drop it
            speed = max(speed, abs(step.rate[i, k]), abs(step.v0[i, k]))
            place = max(place, abs(step.x0[i, k]))
    for row in range(step.row.shape[1]):
        step.row[FORCE, row] += step.row[CHANGE, row]
    return lost + change / (speed + place / h)
