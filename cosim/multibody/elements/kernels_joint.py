"""Springs, dampers, preloads, end stops and laws on coordinates of joints."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.elements.machine import NO_PROGRAM, Programs, run
from cosim.multibody.elements.records import Record, Table

__all__ = ["joint_loads"]


@compiled
def joint_loads(
    table: Table,
    programs: Programs,
    t: float,
    motion: tuple[Float, Float],
    out: tuple[Float, Float],
) -> tuple[float, float]:
    """Add the generalised forces; energy of springs, preloads and stops, J, and other power, W.

    `motion` is the coordinates and their rates, `out` the generalised forces and, where they
    are wanted, rows for force, coordinate, rate and power.
    """
    Q, shown = out
    potential = power = 0.0
    for i in range(table.size):
        e = table[i]
        x, v = motion[0][e.coordinate], motion[1][e.coordinate]
        stretch = x - e.rest
        conservative = e.preload - e.stiffness * stretch
        potential += 0.5 * e.stiffness * stretch * stretch - e.preload * x
        other = -(e.damping + e.quadratic_damping * abs(v)) * v
        if e.law != NO_PROGRAM:
            other += run(programs, e.law, x, v, 0.0, t)
        for side in (-1.0, 1.0):
            depth = x - e.upper if side > 0.0 else e.lower - x
            if depth > 0.0:
                spring, total, energy = _stop(e, depth, side * v)
                conservative -= side * spring
                other -= side * (total - spring)
                potential += energy
        power += other * v
        force = conservative + other
        Q[e.coordinate] += force
        if shown.size:
            shown[i, 0], shown[i, 1], shown[i, 2], shown[i, 3] = force, x, v, force * v
    return potential, power


@compiled
def _stop(e: Record, depth: float, rate: float) -> tuple[float, float, float]:
    """Force of the spring alone, of spring and damper, and energy, of one stop."""
    w = e.smoothing
    if depth < w:
        share, slope = depth * depth / (2.0 * w), depth / w
        energy = depth**3 / (6.0 * w)
    else:
        share, slope = depth - 0.5 * w, 1.0
        energy = 0.5 * share * share + w * w / 24.0
    spring = e.stop_stiffness * share
    total = max(spring + e.stop_damping * slope * rate, 0.0)
    return spring, total, e.stop_stiffness * energy
