r"""Added mass over a step: it loads the bodies with :math:`-T_m^T M_a (V_+ - V) / h`."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import get_vector, put_vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import ZERO, Vector, add, cross, scale
from cosim.multibody.cartesian.conserving.arrays import Step
from cosim.multibody.cartesian.memory import Memory

__all__ = ["add_mass_loads", "add_mass_matrix"]


@compiled
def add_mass_loads(step: Step, Ma: Float, h: float) -> None:
    """Subtract T_mᵀ M_a (V_+ - V) / h from ``step.force``; `Ma` is (6n, 6n)."""
    n, jump = step.x0.shape[0], step.jump
    for i in range(n):
        put_vector(jump, i, 0, _difference(step, i, 0))
        put_vector(jump, i, 3, _turned(step, i))
    for i in range(n):
        load = step.load
        for a in range(6):
            total = 0.0
            for j in range(n):
                for b in range(6):
                    total -= Ma[6 * i + a, 6 * j + b] * jump[j, b]
            load[a] = total / h
        for a in range(3):
            step.force[i, a] += load[a]
        half = (0.5 * load[3], 0.5 * load[4], 0.5 * load[5])
        for k in (3, 6, 9):
            part = cross(half, get_vector(step.xm, i, k))
            for a in range(3):
                step.force[i, k + a] += part[a]


@compiled
def add_mass_matrix(memory: Memory, step: Step, Ma: Float) -> None:
    """Add T_mᵀ M_a T_+ of all bodies with room for it to the saddle matrix."""
    saddle, value = memory.saddle, memory.saddle.matrix.value
    for i in range(step.x0.shape[0]):
        if _has(Ma, i, i):
            _put(step, (i, i), Ma, memory.block)
            for a in range(12):
                for b in range(12):
                    value[saddle.block[i, a, b]] += memory.block[0, a, b]
    for p in range(saddle.pairs.shape[0]):
        i, j = saddle.pairs[p, 0], saddle.pairs[p, 1]
        if _has(Ma, i, j):
            for side in range(2):
                first, second = (i, j) if side == 0 else (j, i)
                _put(step, (first, second), Ma, memory.block)
                for a in range(12):
                    for b in range(12):
                        value[saddle.coupling[p, side, a, b]] += memory.block[0, a, b]


@compiled
def _has(Ma: Float, i: int, j: int) -> bool:
    for a in range(6):
        for b in range(6):
            if Ma[6 * i + a, 6 * j + b] != 0.0:
                return True
    return False


@compiled
def _put(step: Step, pair: tuple[int, int], Ma: Float, block: Float) -> None:
    """Write T_m(i)ᵀ M_a T_+(j) to block[0]; block[1] is scratch."""
    i, j = pair
    for a in range(6):  # rows of M_a T_+
        moment = (Ma[6 * i + a, 6 * j + 3], Ma[6 * i + a, 6 * j + 4], Ma[6 * i + a, 6 * j + 5])
        _put_row(block[1], a, _force_row(Ma, (6 * i + a, 6 * j)), (step.x1, j, moment))
    for b in range(12):
        for a in range(3):
            block[0, a, b] = block[1, a, b]
        half = (0.5 * block[1, 3, b], 0.5 * block[1, 4, b], 0.5 * block[1, 5, b])
        for k in (3, 6, 9):
            part = cross(half, get_vector(step.xm, i, k))
            for a in range(3):
                block[0, k + a, b] = part[a]


@compiled
def _force_row(Ma: Float, at: tuple[int, int]) -> Vector:
    return (Ma[at[0], at[1]], Ma[at[0], at[1] + 1], Ma[at[0], at[1] + 2])


@compiled
def _put_row(rows: Float, a: int, force: Vector, turn: tuple[Float, int, Vector]) -> None:
    x, j, moment = turn
    put_vector(rows, a, 0, force)
    for k in (3, 6, 9):  # moment . (d × d') / 2 = (moment × d) . d' / 2
        put_vector(rows, a, k, scale(0.5, cross(moment, get_vector(x, j, k))))


@compiled
def _difference(step: Step, i: int, at: int) -> Vector:
    """φ' at the end less that at the start: 2 (v_m - v)."""
    rate, old = get_vector(step.rate, i, at), get_vector(step.v0, i, at)
    return scale(2.0, add(rate, scale(-1.0, old)))


@compiled
def _turned(step: Step, i: int) -> Vector:
    """ω at the end less that at the start."""
    total = ZERO
    for k in (3, 6, 9):
        old, rate = get_vector(step.v0, i, k), get_vector(step.rate, i, k)
        new = add(scale(2.0, rate), scale(-1.0, old))
        total = add(total, cross(get_vector(step.x1, i, k), new))
        total = add(total, scale(-1.0, cross(get_vector(step.x0, i, k), old)))
    return scale(0.5, total)
