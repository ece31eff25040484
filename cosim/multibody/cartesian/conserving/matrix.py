"""Newton matrices of the conserving methods."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.conserving.added_mass import add_mass_matrix
from cosim.multibody.cartesian.conserving.arrays import FORCE, Step
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.cartesian.rows import jacobians, second_derivative
from cosim.multibody.cartesian.saddle.kernels import begin, put_rows

__all__ = ["put_newton_matrix"]


@compiled
def put_newton_matrix(memory: Memory, step: Step, added_mass: Float, h: float) -> None:
    """M + T_mᵀ M_a T_+ + h/2 Σ λ' H, G(q_m) and G(q_+); M_a, (6n, 6n), may be empty."""
    saddle = memory.saddle
    begin(saddle)
    jacobians(memory.rows, step.x1, step.lower)
    _put_inertia(memory)
    if added_mass.size:
        add_mass_matrix(memory, step, added_mass)
    _add_curvature(memory, step, 0.5 * h)
    put_rows(saddle, step.upper, step.lower)


@compiled
def _put_inertia(memory: Memory) -> None:
    value = memory.saddle.matrix.value
    for i in range(memory.frames.kind.size):
        for k in range(12):
            value[memory.saddle.block[i, k, k]] = memory.frames.inertia[i, k // 3]


@compiled
def _add_curvature(memory: Memory, step: Step, factor: float) -> None:
    curvature, value = step.curvature, memory.saddle.matrix.value
    for n in range(curvature.row.size):
        row = curvature.row[n]
        s, k, r, l = (  # noqa: E741
            curvature.vectors[n, 0],
            curvature.vectors[n, 1],
            curvature.vectors[n, 2],
            curvature.vectors[n, 3],
        )
        share = factor * step.row[FORCE, row]
        share *= second_derivative(memory.rows, row, (s, k), (r, l))
        for c in range(3):
            value[curvature.address[n, c]] += share
