"""Loads, added mass and power of all adapters in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.compiled import compiled
from cosim.coupling.capabilities import CompiledLoad
from cosim.coupling.compiled_call import call_load
from cosim.coupling.entry import Entry
from cosim.coupling.kernels import add_load, load_power
from cosim.multibody.interface import Float

__all__ = ["FINITE", "LoadTables", "adapter_loads", "adapter_powers", "load_tables"]

Index = NDArray[np.int64]

FINITE = -1

# columns of `layout`: address; first of the adapter's rows, and how many; first of its
# states, and how many; where its memory and its added mass begin; size of that, 0 or 6k
_ADDRESS, _FIRST, _BODIES, _STATE, _STATES, _MEMORY, _MASS, _SIZE = range(8)
_MOTION = 18  # r, R and v of one body


class LoadTables(NamedTuple):
    """What the kernels below read and write, for a adapters on n bodies.

    Attributes
    ----------
    layout : (a, 8)
    rows : (Σk,)
        Bodies of all adapters, one adapter after the other.
    memory, masses : flat
        Memories and constant added masses, one adapter after the other.
    loads : (Σk, 6)
        g_e of the last call.
    total : (n, 6), or (0, 6) without adapters
        Their sum by body.
    motion, out : flat
        Scratch of one call.
    """

    layout: Index
    rows: Index
    memory: Float
    masses: Float
    loads: Float
    total: Float
    motion: Float
    out: Float


def load_tables(entries: Sequence[Entry], loads: Sequence[CompiledLoad], bodies: int) -> LoadTables:
    """Tables of adapters whose compiled loads are `loads`, on a system of `bodies`."""
    layout = np.zeros((len(entries), 8), dtype=np.int64)
    first = memory = mass = 0
    for row, entry, load in zip(layout, entries, loads, strict=True):
        states = entry.x.stop - entry.x.start
        size = load.added_mass.shape[0]
        row[:] = load.address, first, entry.index.size, entry.x.start, states, memory, mass, size
        first, memory, mass = first + entry.index.size, memory + load.memory.size, mass + size**2
    most = int(layout[:, _BODIES].max(initial=0))
    none = np.zeros(0)
    return LoadTables(
        layout=layout,
        rows=np.concatenate([none, *(e.index for e in entries)]).astype(np.int64),
        memory=np.concatenate([none, *(load.memory for load in loads)]),
        masses=np.concatenate([none, *(load.added_mass.ravel() for load in loads)]),
        loads=np.zeros((first, 6)),
        total=np.zeros((bodies if entries else 0, 6)),
        motion=np.zeros(_MOTION * most),
        out=np.zeros(6 * most + int(layout[:, _STATES].max(initial=0))),
    )


@compiled
def adapter_loads(
    tables: LoadTables, t: float, pose: tuple[Float, Float, Float], x: Float, x_dot: Float
) -> int:
    """Write loads, their sum and the derivatives of the adapters' states.

    Returns
    -------
    int
        FINITE, or the adapter whose load is not.
    """
    total, out = tables.total, tables.out
    total[:] = 0.0
    for a in range(tables.layout.shape[0]):
        at = tables.layout[a]
        index = tables.rows[at[_FIRST] : at[_FIRST] + at[_BODIES]]
        loads = tables.loads[at[_FIRST] : at[_FIRST] + at[_BODIES]]
        _collect(index, pose, tables.motion)
        memory = tables.memory[at[_MEMORY] :]
        call_load(at[_ADDRESS], t, (tables.motion, x[at[_STATE] :], memory, out))
        for k in range(index.size):
            for i in range(6):
                loads[k, i] = out[6 * k + i]
        for i in range(at[_STATES]):
            x_dot[at[_STATE] + i] = out[6 * index.size + i]
        if not add_load(total, index, loads):
            return a
    return FINITE


@compiled
def _collect(index: Index, pose: tuple[Float, Float, Float], motion: Float) -> None:
    """All r, then all R, then all v of some bodies in one array."""
    r, R, v = pose
    n = index.size
    for k in range(n):
        body = index[k]
        for i in range(3):
            motion[3 * k + i] = r[body, i]
            for j in range(3):
                motion[3 * n + 9 * k + 3 * i + j] = R[body, i, j]
        for i in range(6):
            motion[12 * n + 6 * k + i] = v[body, i]


@compiled
def adapter_powers(tables: LoadTables, v: Float, v_dot: Float, out: Float) -> None:
    """Write v . (g_e - M_a v') of every adapter after `adapter_loads`."""
    for a in range(tables.layout.shape[0]):
        at = tables.layout[a]
        index = tables.rows[at[_FIRST] : at[_FIRST] + at[_BODIES]]
        loads = tables.loads[at[_FIRST] : at[_FIRST] + at[_BODIES]]
        mass = tables.masses[at[_MASS] : at[_MASS] + at[_SIZE] ** 2]
        out[a] = load_power(index, loads, mass.reshape(at[_SIZE], at[_SIZE]), v, v_dot)
