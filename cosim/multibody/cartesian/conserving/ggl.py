r"""The midpoint rule with constraints on positions and on velocities: PH-MP-GGL.

The constraints on velocities get multipliers γ of their own (Gear, Gupta and Leimkuhler), so that
both hold at the ends of every step (PH paper, section 6):

.. math::

    M (q_+ - q - h v_m) &= h\,G(q_m)^T \gamma, \\
    M (v_+ - v) + h\,G(q_m)^T \lambda + h\,D(v_m)^T \gamma &= h f_m, \\
    g(q_+) = 0, \qquad G(q_+) v_+ &= 0,

with :math:`D_{ai} = (H_a v)_i`. The equations for positions and those for velocities are solved in
turn, each with its own Newton matrix, until neither changes: what couples them, beside
:math:`q_+ - q \approx h v_m`, is of the order of h times the rate of rotation.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.conserving.arrays import (
    CHANGE,
    CONVERGED,
    FAILED,
    FORCE,
    ITERATIONS,
    RESIDUAL,
    VELOCITY,
    Step,
)
from cosim.multibody.cartesian.conserving.forces import midpoint_forces
from cosim.multibody.cartesian.conserving.matrix import put_position_matrix, put_velocity_matrix
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.cartesian.rows import bilinear, jacobians, values
from cosim.multibody.cartesian.saddle.kernels import factor, improve
from cosim.multibody.joint.loads import ElementTables

__all__ = ["ggl_step"]

_PASSES = 60
_EXACT, _CLOSE = 1e-16, 1e-12


@compiled
def ggl_step(
    memory: Memory,
    elements: ElementTables,
    step: Step,
    times: tuple[float, float],
    loads: tuple[Float, Float],
) -> int:
    """From (x0, v0) to (x1, v1); the arguments are those of the midpoint step."""
    h = times[1]
    _guess(step, h)
    before = -1.0
    step.counter[ITERATIONS] = 0
    for _ in range(_PASSES):
        step.counter[ITERATIONS] += 1
        moved = _correct_positions(memory, step, h)
        _between(step, h)
        midpoint_forces(memory, elements, step, times, loads)
        changed = _correct_velocities(memory, step, loads[1], h)
        speed = place = 0.0
        for i in range(step.x0.shape[0]):
            for k in range(12):
                speed = max(speed, abs(step.v1[i, k]), abs(step.v0[i, k]))
                place = max(place, abs(step.x0[i, k]))
        change = max(moved / h, changed) / (speed + place / h)
        if not change < 1e300:
            break
        if change <= _EXACT or (0.0 <= before < _CLOSE and change > 0.5 * before):
            return CONVERGED
        before = change
    return FAILED


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


@compiled
def _correct_positions(memory: Memory, step: Step, h: float) -> float:
    """Solve the first and third equation for q_+ and h γ; returns the largest change."""
    _between(step, h)
    jacobians(memory.rows, step.xm, step.upper)
    jacobians(memory.rows, step.x1, step.lower)
    put_position_matrix(memory, step)
    factor(memory.saddle)
    inertia = memory.frames.inertia
    for i in range(step.x0.shape[0]):
        for k in range(12):
            mean = 0.5 * (step.v0[i, k] + step.v1[i, k])
            lack = step.x0[i, k] + h * mean - step.x1[i, k]
            step.residual[12 * i + k] = inertia[i, k // 3] * lack
    _add_transposed(memory, step, step.upper, (VELOCITY, 1.0))
    values(memory.rows, step.x1, step.row[RESIDUAL])
    for row in range(step.row.shape[1]):
        step.row[RESIDUAL, row] *= -1.0
    improve(memory.saddle, step.residual, step.row[RESIDUAL], step.change, step.row[CHANGE])
    for row in range(step.row.shape[1]):
        step.row[VELOCITY, row] -= step.row[CHANGE, row]
    return _add_change(step, step.x1)


@compiled
def _correct_velocities(memory: Memory, step: Step, added_mass: Float, h: float) -> float:
    """Solve the second and fourth equation for v_+ and h λ; returns the largest change."""
    jacobians(memory.rows, step.xm, step.upper)
    jacobians(memory.rows, step.x1, step.lower)
    inertia = memory.frames.inertia
    for i in range(step.x0.shape[0]):
        for k in range(12):
            gain = inertia[i, k // 3] * (step.v1[i, k] - step.v0[i, k])
            step.residual[12 * i + k] = h * step.force[i, k] - gain
    _add_transposed(memory, step, step.upper, (FORCE, -1.0))
    for i in range(step.x0.shape[0]):
        for k in range(12):
            step.mean[i, k] = 0.5 * (step.v0[i, k] + step.v1[i, k])
    bilinear(memory.rows, step.mean, step.bent)
    _add_transposed(memory, step, step.bent, (VELOCITY, -1.0))
    for row in range(step.row.shape[1]):
        step.row[RESIDUAL, row] = -_product(memory, step.lower, row, step.v1)
    bilinear(memory.rows, step.v1, step.bent)
    put_velocity_matrix(memory, step, added_mass, h)
    factor(memory.saddle)
    improve(memory.saddle, step.residual, step.row[RESIDUAL], step.change, step.row[CHANGE])
    for row in range(step.row.shape[1]):
        step.row[FORCE, row] += step.row[CHANGE, row]
    for i in range(step.x0.shape[0]):
        for k in range(12):
            step.x1[i, k] += 0.5 * h * step.change[12 * i + k]
    return _add_change(step, step.v1)


@compiled
def _add_transposed(memory: Memory, step: Step, gradients: Float, which: tuple[int, float]) -> None:
    """Add factor Jᵀ μ to the residual, with μ the row of `Step.row` in `which`."""
    number, factor = which
    for row in range(step.row.shape[1]):
        share = factor * step.row[number, row]
        for side in range(2):
            body = memory.rows.body[row, side]
            if body >= 0:
                for k in range(12):
                    step.residual[12 * body + k] += share * gradients[row, side, k]


@compiled
def _product(memory: Memory, gradients: Float, row: int, v: Float) -> float:
    total = 0.0
    for side in range(2):
        body = memory.rows.body[row, side]
        if body >= 0:
            for k in range(12):
                total += gradients[row, side, k] * v[body, k]
    return total


@compiled
def _add_change(step: Step, values: Float) -> float:
    largest = 0.0
    for i in range(values.shape[0]):
        for k in range(12):
            values[i, k] += step.change[12 * i + k]
            largest = max(largest, abs(step.change[12 * i + k]))
    return largest
