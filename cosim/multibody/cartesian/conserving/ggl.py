r"""The midpoint rule with constraints on positions and on velocities: PH-MP-GGL.

The constraints on velocities get multipliers γ of their own (Gear, Gupta and Leimkuhler), so that
both hold at the ends of every step (PH paper, section 6):

.. math::

    M (q_+ - q - h v_m) + G(q_m)^T \gamma' &= 0, \\
    M (v_+ - v) + G(q_m)^T \lambda' - D(v_m)^T \gamma' &= h f_m, \\
    g(q_+) = 0, \qquad G(q_+) v_+ &= 0,

with :math:`D_{ai} = (H_a v)_i`, :math:`\lambda' = h \lambda` and :math:`\gamma' = -h \gamma`. The
Newton matrix of (q, v, γ', λ') has, for two coordinates, for a coordinate and a row, and for a row
and a coordinate, the blocks

.. math::

    \begin{bmatrix} M + \tfrac12 \sum \gamma' H & -\tfrac{h}{2} M \\
    \tfrac12 \sum \lambda' H + S & M - \tfrac12 \sum \gamma' H \end{bmatrix}, \quad
    \begin{bmatrix} G(q_m)^T & 0 \\ -D(v_m)^T & G(q_m)^T \end{bmatrix}, \quad
    \begin{bmatrix} G(q_+) & 0 \\ D(v_+) & G(q_+) \end{bmatrix},

with S what elements contribute (:mod:`~cosim.multibody.cartesian.conserving.slopes`), and added
mass beside M in the last entry of the first.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.conserving.arrays import FORCE, RESIDUAL, VELOCITY, Step
from cosim.multibody.cartesian.conserving.forces import midpoint_forces
from cosim.multibody.cartesian.conserving.matrix import put_twofold_matrix
from cosim.multibody.cartesian.conserving.newton import GO_ON, begin_newton, judge, needs_factors
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.cartesian.rows import bilinear, jacobians, values
from cosim.multibody.cartesian.saddle.twofold import factorise_twofold, improve_twofold

__all__ = ["ggl_step"]


@compiled
def ggl_step(
    memory: Memory, step: Step, times: tuple[float, float], loads: tuple[Float, Float]
) -> int:
    """From (x0, v0) to (x1, v1); the arguments are those of the midpoint step."""
    h = times[1]
    begin_newton(step)
    _guess(step, h)
    verdict = GO_ON
    while verdict == GO_ON:
        _between(step, h)
        midpoint_forces(memory, step, times, loads)
        _gradients(memory, step)
        _residuals(memory, step, h)
        if needs_factors(step):
            put_twofold_matrix(memory, step, loads[1], times)
            factorise_twofold(step.twofold, memory.saddle.shift)
        improve_twofold(step.twofold, 2)
        verdict = judge(step, _change(memory, step, h))
    return verdict


@compiled
def _guess(step: Step, h: float) -> None:
    for i in range(step.x0.shape[0]):
        for k in range(12):
            step.x1[i, k] = step.x0[i, k] + h * step.rate[i, k]
            step.v1[i, k] = 2.0 * step.rate[i, k] - step.v0[i, k]
    for row in range(step.row.shape[1]):
        step.row[VELOCITY, row] = 0.0


@compiled
def _between(step: Step, h: float) -> None:
    for i in range(step.x0.shape[0]):
        for k in range(12):
            step.xm[i, k] = 0.5 * (step.x0[i, k] + step.x1[i, k])
            step.rate[i, k] = (step.x1[i, k] - step.x0[i, k]) / h
            step.mean[i, k] = 0.5 * (step.v0[i, k] + step.v1[i, k])


@compiled
def _gradients(memory: Memory, step: Step) -> None:
    jacobians(memory.rows, step.xm, step.upper)
    jacobians(memory.rows, step.x1, step.lower)
    bilinear(memory.rows, step.mean, step.bent)
    bilinear(memory.rows, step.v1, step.turned)


@compiled
def _residuals(memory: Memory, step: Step, h: float) -> None:
    """What the four equations lack, to the right-hand side."""
    right, place, inertia = step.twofold.work[0], memory.saddle.coordinate, memory.frames.inertia
    for i in range(step.x0.shape[0]):
        for k in range(12):
            at, m = place[12 * i + k], inertia[i, k // 3]
            right[at, 0] = m * (step.x0[i, k] + h * step.mean[i, k] - step.x1[i, k])
            right[at, 1] = h * step.force[i, k] - m * (step.v1[i, k] - step.v0[i, k])
    values(memory.rows, step.x1, step.row[RESIDUAL])
    for row in range(step.row.shape[1]):
        by_velocity, by_force = step.row[VELOCITY, row], step.row[FORCE, row]
        moving = 0.0
        for side in range(2):
            body = memory.rows.body[row, side]
            if body >= 0:
                for k in range(12):
                    at = place[12 * body + k]
                    right[at, 0] -= by_velocity * step.upper[row, side, k]
                    right[at, 1] -= by_force * step.upper[row, side, k]
                    right[at, 1] += by_velocity * step.bent[row, side, k]
                    moving += step.lower[row, side, k] * step.v1[body, k]
        at = memory.saddle.multiplier[row]
        right[at, 0], right[at, 1] = -step.row[RESIDUAL, row], -moving


@compiled
def _change(memory: Memory, step: Step, h: float) -> float:
    """Take the solution over; returns its size as in the midpoint rule."""
    found, place = step.twofold.work[1], memory.saddle.coordinate
    change = speed = position = lost = 0.0
    for i in range(step.x0.shape[0]):
        for k in range(12):
            at = place[12 * i + k]
            step.x1[i, k] += found[at, 0]
            step.v1[i, k] += found[at, 1]
            change = max(change, abs(found[at, 0]) / h, abs(found[at, 1]))
            lost += 0.0 * (step.x1[i, k] + step.v1[i, k])  # NaN where a number is lost
            speed = max(speed, abs(step.v1[i, k]), abs(step.v0[i, k]))
            position = max(position, abs(step.x0[i, k]))
    for row in range(step.row.shape[1]):
        at = memory.saddle.multiplier[row]
        step.row[VELOCITY, row] += found[at, 0]
        step.row[FORCE, row] += found[at, 1]
    return lost + change / (speed + position / h)
