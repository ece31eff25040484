"""Loads of the system's own force elements, evaluated with the positions."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import clear
from cosim.multibody.elements.evaluate import evaluate
from cosim.multibody.elements.machine import Programs
from cosim.multibody.elements.records import ElementArrays, Table
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import ELEMENT, Index, Work

__all__ = ["ElementTables", "JointCoordinates", "element_loads", "element_values", "tables_of"]

ElementTables = tuple[
    tuple[Float, Table, Table, Table, Table, Table], tuple[Index, Float, Index, Float]
]
"""Fields of `ElementArrays` and of its `Programs`, plain as in `Memory`."""

JointCoordinates = tuple[Index, Float]
"""Rows (2, m) in q and u of the coordinates that joint loads act on, and scratch (3, m)."""


def tables_of(elements: ElementArrays) -> ElementTables:
    """The arrays of the elements as a kernel's caller passes them."""
    programs = elements.programs
    return (
        (
            elements.weight,
            *(elements.forces, elements.joint_loads, elements.tensions),
            *(elements.torsions, elements.matrix_loads),
        ),
        (programs.opcode, programs.operand, programs.start, programs.stack),
    )


@compiled
def element_loads(
    work: Work,
    elements: ElementTables,
    joint: JointCoordinates,
    motion: tuple[float, Float, Float],
    energy: Float,
) -> None:
    """Write the element loads of `work`, potential and power.

    `motion` is (t, q, u); energy[0] becomes the potential, J, energy[1] the power, W, of
    everything that is not conservative.
    """
    t, q, u = motion
    rows, moved = joint
    for k in range(rows.shape[1]):
        moved[0, k], moved[1, k] = q[rows[0, k]], u[rows[1, k]]
    energy[0], energy[1] = _evaluate(work, elements, joint, t, work.element_load[:0])


@compiled
def element_values(
    work: Work, elements: ElementTables, joint: JointCoordinates, t: float, shown: Float
) -> None:
    """Write what the results show of the elements.

    The loads of the last `element_loads` are found once more, by the same instructions: what
    is shown is what was used.
    """
    _evaluate(work, elements, joint, t, shown)


@compiled
def _evaluate(
    work: Work, elements: ElementTables, joint: JointCoordinates, t: float, shown: Float
) -> tuple[float, float]:
    rows, (x, v, Q) = joint[0], (joint[1][0], joint[1][1], joint[1][2])
    clear(work.element_load)
    for j in range(work.speed.shape[0]):
        work.speed[j, ELEMENT] = 0.0
    for k in range(x.size):
        Q[k] = 0.0
    tables, programs = elements
    arrays = ElementArrays(*tables, Programs(*programs))
    g = work.element_load
    both = evaluate(arrays, t, work.r, work.R, work.v, x, v, g, Q, shown)
    for k in range(x.size):
        work.speed[rows[1, k], ELEMENT] += Q[k]
    return both
