"""What Python calls: one compiled function per phase of an evaluation."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import clear
from cosim.algebra.types import Float
from cosim.multibody.cartesian.coordinates import measure
from cosim.multibody.cartesian.directors import add_wrenches, expand, poses, reduce_forces, twists
from cosim.multibody.cartesian.element_loads import element_loads
from cosim.multibody.cartesian.equations import (
    accelerations_wanted,
    forces,
    put_system,
    solve_system,
    twist_rates,
    velocity_bias,
)
from cosim.multibody.cartesian.mass import add_generalised_mass
from cosim.multibody.cartesian.memory import GAMMA, GAP, Memory
from cosim.multibody.cartesian.projection import close
from cosim.multibody.cartesian.rows import values
from cosim.multibody.cartesian.saddle.kernels import factor
from cosim.multibody.elements.bodies import Bodies

__all__ = [
    "accelerate",
    "close_state",
    "load",
    "move",
    "project_wrenches",
    "rates_of_twists",
]


@compiled
def move(memory: Memory, q: Float, u: Float, project: bool, no_mass: Float) -> float:
    """Poses, twists and joint coordinates; with `project` q and u are closed first.

    Returns the largest gap of a constraint.
    """
    nu = u.size
    if project:
        close(memory, q[:nu], u, no_mass)
    expand(memory.frames, q[:nu], u, memory.space)
    values(memory.rows, memory.space.x, memory.row[GAP])
    poses(memory.frames, memory.space)
    twists(memory.space)
    space = memory.space
    measure(memory.coordinates, Bodies(space.r, space.R, space.twist), q[nu:])
    largest = 0.0
    for k in range(memory.row.shape[1]):
        largest = max(largest, abs(memory.row[GAP, k]))
    return largest


@compiled
def close_state(memory: Memory, q: Float, u: Float, no_mass: Float) -> float:
    """Change q, (nu,), and u to the nearest closed ones; returns the largest gap left."""
    return float(close(memory, q, u, no_mass))


@compiled
def load(memory: Memory, t: float, shown: Float) -> None:
    """Loads of the elements after `move`; `shown` is as in the elements' `evaluate`."""
    element_loads(memory, t, shown, True)


@compiled
def accelerate(
    memory: Memory, u: Float, Q: Float, masses: tuple[Float, Float], rates: tuple[float, float]
) -> float:
    """Accelerations to ``memory.speed[1]``, multipliers to ``memory.row``.

    `masses` are added ones of single bodies, (n, 6, 6), and of all coordinates, (nu, nu), either
    may be empty; `rates` are Baumgarte's α and β, 1/s. Returns by how much the constraints are
    missed.
    """
    put_system(memory, masses[0])
    add_generalised_mass(memory.frames, memory.saddle, masses[1])
    factor(memory.saddle)
    forces(memory, Q)
    accelerations_wanted(memory, u, memory.row[GAP], rates)
    return float(solve_system(memory, memory.row[GAMMA], memory.speed[1]))


@compiled
def project_wrenches(memory: Memory, g: Float, out: Float) -> None:
    """Write Bᵀ g."""
    clear(memory.force)
    add_wrenches(memory.space, g, memory.force)
    reduce_forces(memory.frames, memory.space, memory.force, out)


@compiled
def rates_of_twists(memory: Memory, u_dot: Float, out: Float) -> None:
    """Write the time derivatives of the twists, (n, 6)."""
    velocity_bias(memory, out)
    twist_rates(memory, u_dot, out)
