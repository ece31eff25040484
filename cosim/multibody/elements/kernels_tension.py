"""Springs, dampers, ropes and laws along the line between two points."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import ZERO, Vector, dot, norm, scale, subtract
from cosim.multibody.elements.bodies import Bodies, add_load, place, velocity
from cosim.multibody.elements.machine import NO_PROGRAM, Programs, run
from cosim.multibody.elements.records import Table

__all__ = ["tensions"]


@compiled
def tensions(
    table: Table, programs: Programs, t: float, bodies: Bodies, out: tuple[Float, Float]
) -> tuple[float, float]:
    """Add the tensions; energy of the springs, J, and power of everything else, W.

    With the unit vector n from the first to the second point, the first gets T n and the
    second -T n; the spring alone stores k (L - l0)² / 2 (a slack one nothing), and the rest
    of the tension has the power -(T - T_spring) L'. `out` is the wrenches and, where they are
    wanted, rows for tension, length, its rate and power.
    """
    g, shown = out
    potential = power = 0.0
    for i in range(table.size):
        e = table[i]
        first = place(bodies, e.first, vector(e.first_arm, 0))
        second = place(bodies, e.second, vector(e.second_arm, 0))
        approach = subtract(velocity(bodies, e.second, second), velocity(bodies, e.first, first))
        span = subtract(second, first)
        length = norm(span)
        n = _direction(span, length, approach)
        x, rate = length - e.length, dot(n, approach)
        spring = e.stiffness * x
        tension = spring + e.damping * rate
        if e.law != NO_PROGRAM:
            tension += run(programs, e.law, x, rate, length, t)
        if e.slack:
            spring, tension = max(spring, 0.0), max(tension, 0.0)
        potential += 0.5 * spring * x
        power -= (tension - spring) * rate
        add_load(g, bodies, e.first, first, scale(tension, n), ZERO)
        add_load(g, bodies, e.second, second, scale(-tension, n), ZERO)
        if shown.size:
            shown[i, 0], shown[i, 1], shown[i, 2] = tension, length, rate
            shown[i, 3] = -tension * rate
    return potential, power


@compiled
def _direction(span: Vector, length: float, approach: Vector) -> Vector:
    """Unit vector along the span; of coincident points, the one in which they separate."""
    if length > 0.0:
        return scale(1.0 / length, span)
    speed = norm(approach)
    if speed > 0.0:
        return scale(1.0 / speed, approach)
    return ZERO
