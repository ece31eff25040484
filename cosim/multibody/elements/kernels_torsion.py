"""Torsion springs, dampers and laws on the twist between two bodies."""

from __future__ import annotations

from cosim.algebra.compiled import compiled

from cosim.multibody.elements.machine import NO_PROGRAM, Programs, run
from cosim.multibody.elements.records import Table
from cosim.algebra.rotations import twist
from cosim.multibody.elements.bodies import relative_quaternion
from cosim.algebra.rows import vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import Vector, dot, scale, subtract
from cosim.multibody.elements.bodies import Bodies, EARTH_ROW, rotation_rate, turn

__all__ = ["torsions"]


@compiled
def torsions(
    table: Table, programs: Programs, t: float, bodies: Bodies, g: Float
) -> tuple[float, float]:
    """Add the torsion moments; energy of the springs, J, and power of the rest, W."""
    potential = power = 0.0
    for i in range(table.size):
        e = table[i]
        scalar, p = relative_quaternion(bodies, e.first, e.second)
        angle, h = twist(scalar, p, vector(e.axis))
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
    return potential, power


@compiled
def _add_moment(g: Float, body: int, moment: Vector) -> None:
    if body != EARTH_ROW:
        for k in range(3):
            g[body, 3 + k] += moment[k]
