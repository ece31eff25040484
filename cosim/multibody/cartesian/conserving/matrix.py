"""Newton matrices of the conserving methods."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.conserving.added_mass import add_mass_matrix
from cosim.multibody.cartesian.conserving.arrays import FORCE, VELOCITY, Step
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.cartesian.rows import jacobians, second_derivative
from cosim.multibody.cartesian.saddle.kernels import begin, put_rows

__all__ = ["put_newton_matrix", "put_position_matrix", "put_velocity_matrix"]


@compiled
def put_newton_matrix(memory: Memory, step: Step, added_mass: Float, h: float) -> None:
    """M + T_mᵀ M_a T_+ + h/2 Σ λ' H, G(q_m) and G(q_+); M_a, (6n, 6n), may be empty."""
    begin(memory.saddle)
    jacobians(memory.rows, step.x1, step.lower)
    _put_inertia(memory)
    if added_mass.size:
        add_mass_matrix(memory, step, added_mass)
    _add_curvature(memory, step, FORCE, 0.5 * h)
    put_rows(memory.saddle, step.upper, step.lower)


@compiled
def put_position_matrix(memory: Memory, step: Step) -> None:
    """M, G(q_m) and G(q_+): of the positions of the GGL step."""
    begin(memory.saddle)
    _put_inertia(memory)
    put_rows(memory.saddle, step.upper, step.lower)


@compiled
def put_velocity_matrix(memory: Memory, step: Step, added_mass: Float, h: float) -> None:
    """Of the velocities of the GGL step, whose positions move by h/2 times their change.

    M + T_mᵀ M_a T_+ + h/4 Σ (h λ) H + 1/2 Σ (h γ) H, G(q_m) and G(q_+) + h/2 D(v_+); `bent` is D.
    """
    begin(memory.saddle)
    _put_inertia(memory)
    if added_mass.size:
        add_mass_matrix(memory, step, added_mass)
    _add_curvature(memory, step, FORCE, 0.25 * h)
    _add_curvature(memory, step, VELOCITY, 0.5)
    for row in range(step.lower.shape[0]):
        for side in range(2):
            for k in range(12):
                step.bent[row, side, k] = (
                    step.lower[row, side, k] + 0.5 * h * step.bent[row, side, k]
                )
    put_rows(memory.saddle, step.upper, step.bent)


@compiled
def _put_inertia(memory: Memory) -> None:
    value = memory.saddle.matrix.value
    for i in range(memory.frames.kind.size):
        for k in range(12):
            value[memory.saddle.block[i, k, k]] = memory.frames.inertia[i, k // 3]


@compiled
def _add_curvature(memory: Memory, step: Step, which: int, factor: float) -> None:
    """Add factor Σ μ_a H_a with μ a row of `Step.row`."""
    curvature, value = step.curvature, memory.saddle.matrix.value
    for n in range(curvature.row.size):
        row = curvature.row[n]
        first = (curvature.vectors[n, 0], curvature.vectors[n, 1])
        other = (curvature.vectors[n, 2], curvature.vectors[n, 3])
        share = factor * step.row[which, row]
        share *= second_derivative(memory.rows, row, first, other)
        for c in range(3):
            value[curvature.address[n, c]] += share
