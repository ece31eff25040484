"""Torsion springs, dampers and laws on the twist between two bodies."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rotations import twist
from cosim.algebra.rows import add_vector, vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import Vector, dot, scale, subtract
from cosim.multibody.elements.bodies import (
    EARTH_ROW,
    Bodies,
    relative_quaternion,
    rotation_rate,
    turn,
)
from cosim.multibody.elements.machine import NO_PROGRAM, Programs, run
from cosim.multibody.elements.records import Table

__all__ = ["torsions"]


@compiled
def torsions(
    table: Table, programs: Programs, t: float, bodies: Bodies, out: tuple[Float, Float]
) -> tuple[float, float]:
    """Add the torsion moments; energy of the springs, J, and power of the rest, W.

    `out` is the wrenches and, where they are wanted, rows for moment, angle and power.
    """
    g, shown = out
    potential = power = 0.0
    for i in range(table.size):
        e = table[i]
        angle, h = twist(relative_quaternion(bodies, e.first, e.second), vector(e.axis, 0))
        direction = turn(bodies, e.first, h)
        relative = subtract(rotation_rate(bodies, e.second), rotation_rate(bodies, e.first))
        x, rate = angle - e.rest, dot(direction, relative)
        rest_of_moment = -e.damping * rate
        if e.law != NO_PROGRAM:
            rest_of_moment += run(programs, e.law, x, rate, 0.0, t)
        potential += 0.5 * e.stiffness * x * x
        power += rest_of_moment * rate
        moment = rest_of_moment - e.stiffness * x
        _add_moment(g, e.second, scale(moment, direction))
        _add_moment(g, e.first, scale(-moment, direction))
        if shown.size:
            shown[i, 0], shown[i, 1], shown[i, 2] = moment, angle, moment * rate
    return potential, power


@compiled
def _add_moment(g: Float, body: int, moment: Vector) -> None:
    if body != EARTH_ROW:
        add_vector(g, body, 3, moment)
