"""Springs, dampers and laws between points, over a step of a conserving method."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import add_vector, get_vector, vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import ZERO, Vector, add, dot, norm, scale, subtract
from cosim.multibody.cartesian.arrays import Frames
from cosim.multibody.cartesian.conserving.arrays import Step
from cosim.multibody.elements.machine import NO_PROGRAM, Programs, run
from cosim.multibody.elements.records import Record, Table

__all__ = ["add_tensions"]


@compiled
def add_tensions(
    frames: Frames, table: Table, programs: Programs, step: Step, t: float
) -> tuple[float, float]:
    """Add the tensions of a step to ``step.force``.

    Returns the change of the springs' energy, J, and the power of the rest, W.
    """
    gained = power = 0.0
    for i in range(table.size):
        e = table[i]
        old, new, way = (
            _span(frames, e, step.x0, 1.0),
            _span(frames, e, step.x1, 1.0),
            _span(frames, e, step.xm, 1.0),
        )
        share, stored = _quotient(e, norm(old), norm(new))
        length = norm(way)
        n = scale(1.0 / length, way) if length > 0.0 else ZERO
        rate = dot(n, _span(frames, e, step.rate, 0.0))
        spring = 2.0 * share * length
        rest = e.damping * rate
        if e.law != NO_PROGRAM:
            rest += run(programs, e.law, length - e.length, rate, length, t)
        if e.slack:
            rest = max(rest, -spring)
        pull = add(scale(2.0 * share, way), scale(rest, n))
        _add_force(frames, step.force, (e.first, vector(e.first_arm, 0)), pull)
        _add_force(frames, step.force, (e.second, vector(e.second_arm, 0)), scale(-1.0, pull))
        gained += stored
        power -= rest * rate
    return gained, power


@compiled
def _quotient(e: Record, old: float, new: float) -> tuple[float, float]:
    """(V_+ - V) / (s_+ - s) with s the squared length, and V_+ - V."""
    a, b = old, new
    if e.slack:
        a, b = max(old, e.length), max(new, e.length)
    stored = 0.5 * e.stiffness * (b - a) * (a + b - 2.0 * e.length)
    if a == old and b == new:
        total = old + new
        half = 0.5 * e.stiffness
        return (half * (1.0 - 2.0 * e.length / total) if total > 0.0 else 0.0), stored
    if a == b:
        return 0.0, 0.0
    return stored / ((new - old) * (new + old)), stored


@compiled
def _span(frames: Frames, e: Record, x: Float, constant: float) -> Vector:
    """From the first point to the second; for velocities `constant` is 0."""
    first = _point(frames, (e.first, vector(e.first_arm, 0)), x, constant)
    return subtract(_point(frames, (e.second, vector(e.second_arm, 0)), x, constant), first)


@compiled
def _point(frames: Frames, place: tuple[int, Vector], x: Float, constant: float) -> Vector:
    body, arm = place
    if body < 0:
        return scale(constant, arm)
    c = _components(frames, body, arm)
    point = get_vector(x, body, 0)
    for k in range(3):
        point = add(point, scale(c[k], get_vector(x, body, 3 + 3 * k)))
    return point


@compiled
def _add_force(frames: Frames, force: Float, place: tuple[int, Vector], F: Vector) -> None:
    body, arm = place
    if body < 0:
        return
    c = _components(frames, body, arm)
    add_vector(force, body, 0, F)
    for k in range(3):
        add_vector(force, body, 3 + 3 * k, scale(c[k], F))


@compiled
def _components(frames: Frames, body: int, arm: Vector) -> Vector:
    """An arm by its components along the directors: D0ᵀ arm."""
    a = frames.axes[body]
    return (
        a[0] * arm[0] + a[3] * arm[1] + a[6] * arm[2],
        a[1] * arm[0] + a[4] * arm[1] + a[7] * arm[2],
        a[2] * arm[0] + a[5] * arm[1] + a[8] * arm[2],
    )
