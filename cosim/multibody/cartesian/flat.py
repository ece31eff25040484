"""Bodies without inertia along one of their directors: plates and thin rods.

Their block of M is singular, although M is positive on all rigid motions. With ρ Gᵀ G of the rows
that keep the body rigid added to M and ρ Gᵀ γ to the forces, the block is regular and the
solution is the same.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.arrays import EARTH
from cosim.multibody.cartesian.mass import is_flat
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.cartesian.saddle.kernels import add_block

__all__ = ["firm", "lean"]


@compiled
def firm(memory: Memory) -> None:
    """Add ρ Gᵀ G of their own rows to the blocks of flat bodies."""
    for i in range(memory.frames.kind.size):
        if is_flat(memory.frames, i):
            block = memory.block[0]
            for a in range(12):
                for b in range(12):
                    block[a, b] = 0.0
            for row in range(memory.row.shape[1]):
                if _is_own(memory, row, i):
                    own = memory.gradient[row, 0]
                    for a in range(12):
                        for b in range(12):
                            block[a, b] += own[a] * own[b]
            add_block(memory.saddle, i, block, _firmness(memory, i))


@compiled
def lean(memory: Memory, wanted: Float, force: Float) -> None:
    """Add ρ Gᵀ `wanted` of the rows of flat bodies to the generalised forces."""
    for row in range(wanted.size):
        i = memory.rows.body[row, 0]
        if i >= 0 and is_flat(memory.frames, i) and _is_own(memory, row, i):
            first, rho = memory.frames.start[i], _firmness(memory, i)
            for k in range(12):
                force[first + k] += rho * memory.gradient[row, 0, k] * wanted[row]


@compiled
def _is_own(memory: Memory, row: int, body: int) -> bool:
    return bool(memory.rows.body[row, 0] == body and memory.rows.body[row, 1] == EARTH)


@compiled
def _firmness(memory: Memory, body: int) -> float:
    inertia = memory.frames.inertia
    return float(max(inertia[body, 1], inertia[body, 2], inertia[body, 3]))
