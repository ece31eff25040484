"""Loads of the force elements where the bodies of a memory are."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import clear
from cosim.algebra.types import Float
from cosim.multibody.cartesian.coordinates import add_coordinate_forces
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.elements.bodies import Bodies
from cosim.multibody.elements.evaluate import evaluate
from cosim.multibody.elements.machine import Programs
from cosim.multibody.elements.records import ElementArrays

__all__ = ["element_loads"]


@compiled
def element_loads(memory: Memory, t: float, shown: Float, tensions: bool) -> None:
    """Write wrenches, potential and power of the elements; joint coordinates must be measured.

    Parameters
    ----------
    memory : Memory
    t : float
        s.
    shown : (k, 4)
        As in :func:`~cosim.multibody.elements.evaluate.evaluate`.
    tensions : bool
        Whether springs between points are among them.
    """
    space, joint = memory.space, memory.joint
    clear(memory.wrench)
    for k in range(memory.chosen.size):
        joint[0, k] = memory.coordinates.value[memory.chosen[k]]
        joint[1, k] = memory.coordinates.rate[memory.chosen[k]]
        joint[2, k] = 0.0
    (weight, forces, loads, springs, torsions, matrices), programs = memory.elements
    if not tensions:
        springs = springs[:0]
    arrays = ElementArrays(weight, forces, loads, springs, torsions, matrices, Programs(*programs))
    memory.energy[0], memory.energy[1] = evaluate(
        arrays,
        t,
        space.r,
        space.R,
        space.twist,
        joint[0],
        joint[1],
        memory.wrench,
        joint[2],
        shown,
    )
    bodies = Bodies(space.r, space.R, space.twist)
    add_coordinate_forces(memory.coordinates, memory.chosen, joint[2], bodies, memory.wrench)
