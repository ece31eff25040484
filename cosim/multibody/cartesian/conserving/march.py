"""Steps of a conserving method, one after the other, in compiled code.

Each method has a function of its own: who uses one does not wait for the compilation of the other.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.conserving.arrays import Step
from cosim.multibody.cartesian.conserving.forces import begin_forces, wind
from cosim.multibody.cartesian.conserving.ggl import ggl_step
from cosim.multibody.cartesian.conserving.midpoint import midpoint_step
from cosim.multibody.cartesian.conserving.newton import CONVERGED
from cosim.multibody.cartesian.memory import Memory

__all__ = ["march", "march_ggl"]


@compiled
def march(
    memory: Memory,
    step: Step,
    times: tuple[float, float],
    loads: tuple[Float, Float],
    steps: int,
) -> int:
    """Steps from (x0, v0), `times[0]` on, each over h = `times[1]`; returns how many were taken.

    `rate` holds the first guess of the first mean velocity; `loads` are as in
    :func:`~cosim.multibody.cartesian.conserving.forces.midpoint_forces`, the same in every step.
    """
    t0, h = times
    for number in range(steps):
        if number > 0:
            _go_on(step)
        t = t0 + number * h
        begin_forces(memory, step, t)
        if midpoint_step(memory, step, (t + 0.5 * h, h), loads) != CONVERGED:
            return number
        wind(memory, step)
    return steps


@compiled
def march_ggl(
    memory: Memory,
    step: Step,
    times: tuple[float, float],
    loads: tuple[Float, Float],
    steps: int,
) -> int:
    """As :func:`march`, with constraints on velocities."""
    t0, h = times
    for number in range(steps):
        if number > 0:
            _go_on(step)
        t = t0 + number * h
        begin_forces(memory, step, t)
        if ggl_step(memory, step, (t + 0.5 * h, h), loads) != CONVERGED:
            return number
        wind(memory, step)
    return steps


@compiled
def _go_on(step: Step) -> None:
    """Let the end of the last step be the start of the next; guess its velocity."""
    for i in range(step.x0.shape[0]):
        for k in range(12):
            guess = 2.0 * step.v1[i, k] - step.rate[i, k]
            step.x0[i, k], step.v0[i, k] = step.x1[i, k], step.v1[i, k]
            step.rate[i, k] = guess
