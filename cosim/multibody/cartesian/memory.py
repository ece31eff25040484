"""All arrays of a model in Cartesian coordinates, as its kernels pass them on."""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numba.core import types
from numba.experimental import structref

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.arrays import Frames, Index, Rows, Space, new_space
from cosim.multibody.cartesian.coordinates import Coordinates
from cosim.multibody.cartesian.saddle.system import Saddle
from cosim.multibody.joint.loads import ElementTables

__all__ = ["GAMMA", "GAP", "MULTIPLIER", "WANTED", "Memory", "handle_of", "new_memory"]

# rows of `Memory.row`: Φ; ν; γ, or what is asked of G u' in its place; λ
GAP, WANTED, GAMMA, MULTIPLIER = range(4)


Forces = tuple[ElementTables, Index]


class Memory(NamedTuple):
    """Constants and results of n bodies, m constraints and nu coordinates.

    Attributes
    ----------
    frames, rows, space, coordinates, saddle
        See there.
    elements : ElementTables
    chosen : (k,)
        Joint coordinates that elements act on, as rows of `coordinates`.
    joint : (3, k)
        Their values, rates and generalised forces.
    gradient : (m, 2, 12)
        Gradients of the constraints by the coordinates of either side.
    row : (4, m)
        `GAP`, `WANTED`, `GAMMA`, `MULTIPLIER`.
    wrench : (n, 6)
        Loads of the force elements.
    force : (n, 12)
        Forces on positions and directors.
    speed : (3, nu)
        Generalised forces, accelerations, and changes by a projection.
    block : (2, 12, 12)
        Scratch.
    energy : (2,)
        Potential, J, and power, W, of the elements.
    """

    frames: Frames
    rows: Rows
    space: Space
    coordinates: Coordinates
    saddle: Saddle
    elements: ElementTables
    chosen: Index
    joint: Float
    gradient: Float
    row: Float
    wrench: Float
    force: Float
    speed: Float
    block: Float
    energy: Float


def new_memory(
    frames: Frames, rows: Rows, coordinates: Coordinates, saddle: Saddle, forces: Forces
) -> Memory:
    """Constants with all results zero; `forces` are elements and chosen coordinates."""
    elements, chosen = forces
    n, m, nu = len(frames.kind), len(rows.law), int(frames.start[-1])
    return Memory(
        *(frames, rows, new_space(n), coordinates, saddle, elements, chosen),
        joint=np.zeros((3, len(chosen))),
        gradient=np.zeros((m, 2, 12)),
        row=np.zeros((4, m)),
        wrench=np.zeros((n, 6)),
        force=np.zeros((n, 12)),
        speed=np.zeros((3, nu)),
        block=np.zeros((2, 12, 12)),
        energy=np.zeros(2),
    )


def handle_of(memory: Memory) -> Memory:
    """The same arrays behind one pointer: what Python hands to kernels as their `Memory`.

    As plain arguments, some sixty arrays would be unpacked at every call, and copied from every
    kernel to the next.
    """
    return cast(Memory, _handle(memory))


@structref.register
class _HandleType(types.StructRef):
    """Type of the handle, in kernels."""


class _Handle(structref.StructRefProxy):
    """The handle, in Python."""


structref.define_proxy(_Handle, _HandleType, list(Memory._fields))  # type: ignore[no-untyped-call]


@compiled
def _handle(record: Memory) -> object:
    return _Handle(*record)  # type: ignore[no-untyped-call]
