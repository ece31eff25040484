"""Newton matrices of the conserving methods."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.conserving.added_mass import pull_block
from cosim.multibody.cartesian.conserving.arrays import FORCE, VELOCITY, Step
from cosim.multibody.cartesian.conserving.slopes import element_slopes
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.cartesian.rows import jacobians, second_derivative
from cosim.multibody.cartesian.saddle.kernels import add_block, begin, put_rows, regularise

__all__ = ["put_newton_matrix", "put_twofold_matrix"]


@compiled
def put_newton_matrix(
    memory: Memory, step: Step, added_mass: Float, times: tuple[float, float]
) -> None:
    """M + T_mᵀ (M_a + h/2 S) T_+ + h/2 Σ λ' H, G(q_m) and G(q_+); M_a, (6n, 6n), or empty."""
    h, saddle = times[1], memory.saddle
    jacobians(memory.rows, step.x1, step.lower)
    begin(saddle)
    _put_inertia(memory)
    _find_slopes(memory, step, times)
    for i in range(step.x0.shape[0]):
        if _gather(memory, step, added_mass, (-1, 0, i, i), (1.0, 0.5 * h)):
            add_block(saddle, i, memory.block[0], 1.0)
    for p in range(saddle.pairs.shape[0]):
        for side in range(2):
            i, j = saddle.pairs[p, side], saddle.pairs[p, 1 - side]
            if _gather(memory, step, added_mass, (p, side, i, j), (1.0, 0.5 * h)):
                for a in range(12):
                    for b in range(12):
                        at = saddle.coupling[p, side, a, b]
                        saddle.matrix.value[at] += memory.block[0, a, b]
    curvature, value = step.curvature, saddle.matrix.value
    for n in range(curvature.row.size):
        share = 0.5 * h * step.row[FORCE, curvature.row[n]] * _second(memory, step, n)
        for c in range(3):
            value[curvature.address[n, c]] += share
    put_rows(saddle, step.upper, step.lower)


@compiled
def put_twofold_matrix(
    memory: Memory, step: Step, added_mass: Float, times: tuple[float, float]
) -> None:
    """The matrix of :mod:`~cosim.multibody.cartesian.conserving.ggl`."""
    value, h = step.twofold.value, times[1]
    value[:] = 0.0
    _put_twofold_inertia(memory, value, h)
    _find_slopes(memory, step, times)
    _add_twofold_blocks(memory, step, added_mass)
    curvature = step.curvature
    for n in range(curvature.row.size):
        second = 0.5 * _second(memory, step, n)
        by_velocity = second * step.row[VELOCITY, curvature.row[n]]
        by_force = second * step.row[FORCE, curvature.row[n]]
        for c in range(3):
            at = curvature.address[n, c]
            value[at, 0, 0] += by_velocity
            value[at, 1, 0] += by_force
            value[at, 1, 1] -= by_velocity
    _put_twofold_rows(memory, step, value)
    if memory.saddle.softness[0] > 0.0:
        begin(memory.saddle)
        _put_inertia(memory)
        put_rows(memory.saddle, step.upper, step.lower)
        regularise(memory.saddle)


@compiled
def _put_twofold_inertia(memory: Memory, value: Float, h: float) -> None:
    for i in range(memory.frames.kind.size):
        for k in range(12):
            at, m = memory.saddle.block[i, k, k], memory.frames.inertia[i, k // 3]
            value[at, 0, 0] = value[at, 1, 1] = m
            value[at, 0, 1] = -0.5 * h * m


@compiled
def _add_twofold_blocks(memory: Memory, step: Step, added_mass: Float) -> None:
    """Slopes beside positions, added mass beside velocities."""
    saddle, value = memory.saddle, step.twofold.value
    for which in range(2):
        factors = (0.0, 1.0) if which == 0 else (1.0, 0.0)
        for i in range(step.x0.shape[0]):
            if _gather(memory, step, added_mass, (-1, 0, i, i), factors):
                for a in range(12):
                    for b in range(12):
                        value[saddle.block[i, a, b], 1, which] += memory.block[0, a, b]
        for p in range(saddle.pairs.shape[0]):
            for side in range(2):
                i, j = saddle.pairs[p, side], saddle.pairs[p, 1 - side]
                if _gather(memory, step, added_mass, (p, side, i, j), factors):
                    for a in range(12):
                        for b in range(12):
                            at = saddle.coupling[p, side, a, b]
                            value[at, 1, which] += memory.block[0, a, b]


@compiled
def _put_twofold_rows(memory: Memory, step: Step, value: Float) -> None:
    saddle = memory.saddle
    for row in range(step.upper.shape[0]):
        for side in range(2):
            for k in range(12):
                at = saddle.upper[row, side, k]
                if at >= 0:
                    value[at, 0, 0] = value[at, 1, 1] = step.upper[row, side, k]
                    value[at, 1, 0] = -step.bent[row, side, k]
                    at = saddle.lower[row, side, k]
                    value[at, 0, 0] = value[at, 1, 1] = step.lower[row, side, k]
                    value[at, 1, 0] = step.turned[row, side, k]


@compiled
def _find_slopes(memory: Memory, step: Step, times: tuple[float, float]) -> None:
    if step.slopes.sequence.size > 0:
        element_slopes(memory, step.slopes, (step.xm, step.rate), step.winding, times)


@compiled
def _gather(
    memory: Memory,
    step: Step,
    added_mass: Float,
    where: tuple[int, int, int, int],
    factors: tuple[float, float],
) -> bool:
    """Write T_mᵀ (f_0 M_a + f_1 S) T_+ of bodies i and j to ``block[0]``; False where it is zero.

    `where` is the number of the pair, -1 for a body's own block, the side, i and j.
    """
    p, side, i, j = where
    six, largest = step.six, 0.0
    for a in range(6):
        for b in range(6):
            slope = step.slopes.own[i, a, b] if p < 0 else step.slopes.cross[p, side, a, b]
            six[a, b] = factors[1] * slope
            if added_mass.size:
                six[a, b] += factors[0] * added_mass[6 * i + a, 6 * j + b]
            largest = max(largest, abs(six[a, b]))
    if largest == 0.0:
        return False
    pull_block(step, (i, j), six, memory.block)
    return True


@compiled
def _put_inertia(memory: Memory) -> None:
    value = memory.saddle.matrix.value
    for i in range(memory.frames.kind.size):
        for k in range(12):
            value[memory.saddle.block[i, k, k]] = memory.frames.inertia[i, k // 3]


@compiled
def _second(memory: Memory, step: Step, n: int) -> float:
    """Entry n of the second derivatives."""
    first = (step.curvature.vectors[n, 0], step.curvature.vectors[n, 1])
    other = (step.curvature.vectors[n, 2], step.curvature.vectors[n, 3])
    return float(second_derivative(memory.rows, step.curvature.row[n], first, other))
