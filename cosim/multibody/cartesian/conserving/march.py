"""One step or many of a conserving method in compiled code.

Each method has functions of its own: who uses one does not wait for the compilation of the other.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.conserving.arrays import CONVERGED, Step
from cosim.multibody.cartesian.conserving.forces import begin_forces, wind
from cosim.multibody.cartesian.conserving.ggl import ggl_step
from cosim.multibody.cartesian.conserving.midpoint import midpoint_step
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.joint.loads import ElementTables

__all__ = ["march", "march_ggl", "one_ggl_step", "one_step"]


@compiled
def one_step(
    memory: Memory,
    elements: ElementTables,
    step: Step,
    times: tuple[float, float],
    loads: tuple[Float, Float],
) -> int:
    """From (x0, v0), `times[0]` on, over h = `times[1]`; `rate` holds the first guess."""
    t, h = times
    begin_forces(memory, elements, step, t)
    failed = midpoint_step(memory, elements, step, (t + 0.5 * h, h), loads)
    if failed == CONVERGED:
        wind(memory, step)
    return failed


@compiled
def one_ggl_step(
    memory: Memory,
    elements: ElementTables,
    step: Step,
    times: tuple[float, float],
    loads: tuple[Float, Float],
) -> int:
    """As :func:`one_step`, with constraints on velocities."""
    t, h = times
    begin_forces(memory, elements, step, t)
    failed = ggl_step(memory, elements, step, (t + 0.5 * h, h), loads)
    if failed == CONVERGED:
        wind(memory, step)
    return failed


@compiled
def march(
    memory: Memory, elements: ElementTables, step: Step, times: tuple[float, float], steps: int
) -> int:
    """Steps of h = `times[1]` from the state in (x1, v1) on; returns how many were taken."""
    t0, h = times
    nothing = (memory.wrench[:0], memory.wrench[:0])
    for number in range(steps):
        _start(step)
        if one_step(memory, elements, step, (t0 + number * h, h), nothing) != CONVERGED:
            return number
    return steps


@compiled
def march_ggl(
    memory: Memory, elements: ElementTables, step: Step, times: tuple[float, float], steps: int
) -> int:
    """As :func:`march`, with constraints on velocities."""
    t0, h = times
    nothing = (memory.wrench[:0], memory.wrench[:0])
    for number in range(steps):
        _start(step)
        if one_ggl_step(memory, elements, step, (t0 + number * h, h), nothing) != CONVERGED:
            return number
    return steps


@compiled
def _start(step: Step) -> None:
    """Let the end of the last step be the start of the next; guess its velocity."""
    for i in range(step.x0.shape[0]):
        for k in range(12):
            guess = 2.0 * step.v1[i, k] - step.rate[i, k]
            step.x0[i, k], step.v0[i, k] = step.x1[i, k], step.v1[i, k]
            step.rate[i, k] = guess
