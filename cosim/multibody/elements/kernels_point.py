"""Weight, and forces and moments at points of bodies."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import put_vector, vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import dot
from cosim.multibody.elements.bodies import Bodies, add_load, place, rotation_rate, turn, velocity
from cosim.multibody.elements.machine import Programs, run_or
from cosim.multibody.elements.records import Table

__all__ = ["point_forces", "weights"]


@compiled
def weights(weight: Float, bodies: Bodies, g: Float) -> float:
    """Add the weights; potential energy W z, J."""
    potential = 0.0
    for i in range(weight.size):
        g[i, 2] -= weight[i]
        potential += weight[i] * bodies.r[i, 2]
    return potential


@compiled
def point_forces(
    table: Table, programs: Programs, t: float, bodies: Bodies, out: tuple[Float, Float]
) -> float:
    """Add forces and free moments at points; their power, W.

    `out` is the wrenches and, where they are wanted, rows for force, moment and power.
    """
    g, shown = out
    total = 0.0
    for i in range(table.size):
        e = table[i]
        force = (
            run_or(programs, e.program[0], e.value[0], t),
            run_or(programs, e.program[1], e.value[1], t),
            run_or(programs, e.program[2], e.value[2], t),
        )
        moment = (
            run_or(programs, e.program[3], e.value[3], t),
            run_or(programs, e.program[4], e.value[4], t),
            run_or(programs, e.program[5], e.value[5], t),
        )
        if e.in_body_axes:
            force = turn(bodies, e.body, force)
            moment = turn(bodies, e.body, moment)
        point = place(bodies, e.body, vector(e.arm, 0))
        add_load(g, bodies, e.body, point, force, moment)
        power = dot(force, velocity(bodies, e.body, point))
        power += dot(moment, rotation_rate(bodies, e.body))
        total += power
        if shown.size:
            put_vector(shown, i, 0, force)
            put_vector(shown, i, 3, moment)
            shown[i, 6] = power
    return total
