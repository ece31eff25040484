r"""Added mass over a step, and 6 by 6 blocks of bodies in terms of their directors.

It loads the bodies with :math:`-T_m^T M_a (V_+ - V) / h`, with the twists :math:`V = T(q) v`.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import get_vector, put_vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import ZERO, Vector, add, cross, scale
from cosim.multibody.cartesian.conserving.arrays import Step

__all__ = ["add_mass_loads", "pull_block"]


@compiled
def add_mass_loads(step: Step, Ma: Float, h: float) -> None:
    """Subtract T_mᵀ M_a (V_+ - V) / h from ``step.force``; `Ma` is (6n, 6n)."""
    n, jump, load = step.x0.shape[0], step.jump, step.load
    for i in range(n):
        old, new = get_vector(step.v0, i, 0), get_vector(step.v1, i, 0)
        put_vector(jump, i, 0, add(new, scale(-1.0, old)))
        put_vector(jump, i, 3, _turned(step, i))
    for i in range(n):
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
def pull_block(step: Step, pair: tuple[int, int], six: Float, blocks: Float) -> None:
    """Write T_m(i)ᵀ six T_+(j), (12, 12), to blocks[0]; blocks[1] is scratch."""
    i, j = pair
    half = blocks[1]
    for a in range(6):
        put_vector(half, a, 0, get_vector(six, a, 0))
        moment = get_vector(six, a, 3)
        for k in (3, 6, 9):  # moment . (d × d') / 2 = (moment × d) . d' / 2
            put_vector(half, a, k, scale(0.5, cross(moment, get_vector(step.x1, j, k))))
    for b in range(12):
        for a in range(3):
            blocks[0, a, b] = half[a, b]
        turning = (0.5 * half[3, b], 0.5 * half[4, b], 0.5 * half[5, b])
        for k in (3, 6, 9):
            part = cross(turning, get_vector(step.xm, i, k))
            for a in range(3):
                blocks[0, k + a, b] = part[a]


@compiled
def _turned(step: Step, i: int) -> Vector:
    """ω at the end less that at the start."""
    total = ZERO
    for k in (3, 6, 9):
        old, new = get_vector(step.v0, i, k), get_vector(step.v1, i, k)
        total = add(total, cross(get_vector(step.x1, i, k), new))
        total = add(total, scale(-1.0, cross(get_vector(step.x0, i, k), old)))
    return scale(0.5, total)
