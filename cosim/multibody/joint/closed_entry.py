r"""Accelerations and loads of closed loops, beside :mod:`cosim.multibody.joint.entry`.

Call order of one evaluation: :func:`~cosim.multibody.joint.closing.close` with the solver's
point, which it replaces by the closed one; `entry.move` or `entry.move_loaded` with that; then
any other.

Where a mechanism passes a singular configuration at a distance :math:`\delta`, the rounding
:math:`\epsilon` of a gap becomes :math:`\epsilon / \delta` in the pose, :math:`\epsilon /
\delta^2` in the direction of the speeds and :math:`\epsilon / \delta^3` in the accelerations,
although these are smooth along the motion. There they are interpolated between points on both
sides, reached along the speeds, where they are exact.
"""

from __future__ import annotations

import numpy as np

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import accumulate, clear, get_vector, put_vector
from cosim.algebra.vectors import Vector, add, cross, scale, subtract
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import (
    BIAS,
    ELEMENT,
    LOAD,
    MOMENT,
    TORQUE,
    Memory,
    Tree,
    Work,
    named,
)
from cosim.multibody.joint.articulated import SOLVED, add_bias
from cosim.multibody.joint.closing import PULL, copy, factorise_mass, look, shut
from cosim.multibody.joint.closure_arrays import (
    BESIDE,
    CLOSED,
    FAILED,
    HERE,
    MISSING,
    MULTIPLIER,
    SPARE,
    SUM,
    THERE,
    WRENCH,
    LoopMemory,
    Loops,
    named_loops,
)
from cosim.multibody.joint.closure_rows import closure_point, needed_accelerations
from cosim.multibody.joint.closure_solve import (
    constrain,
    decompose,
    is_singular,
    multipliers,
    project_speeds,
)
from cosim.multibody.joint.dense import add_mass_matrix, project_mass
from cosim.multibody.joint.entry import Coupled, add_wrenches, prepare
from cosim.multibody.joint.projection import expand, project
from cosim.multibody.joint.reactions import inertial_forces
from cosim.multibody.joint.tangent import displaced
from cosim.multibody.joint.twists import twists

__all__ = ["Given", "accelerate_closed", "closure_loads"]

Given = tuple[Float, Float, tuple[Float, Float], Float, Coupled]
"""Generalised force and added mass (nu, nu); M_a of single bodies as inertia, and for its B' u
term where that is not in the force; wrenches (n, 6); M_a that couples bodies. Any may be empty."""

# points on both sides and their weights: the polynomial of order 7 through them at 0
_STRIDE = 0.05
_WEIGHTS = (4.0 / 5.0, -2.0 / 5.0, 4.0 / 35.0, -1.0 / 70.0)
# speeds, m/s or rad/s, without a direction to go
_STILL = 1e-6


@compiled
def accelerate_closed(
    memory: Memory, closing: LoopMemory, given: Given, u_dot: Float, v_dot: Float
) -> int:
    """Write u' of the solver's speeds, and v'; returns as :mod:`entry`'s functions."""
    tree, work = named(memory)
    loops = named_loops(closing)
    bridged = False
    if loops.status[FAILED] == 0 and is_singular(loops):
        bridged = _bridge(tree, work, loops, given)
        # back to where the solver is
        look(tree, work, loops, loops.coordinates[HERE])
        twists(tree, work, loops.speed[CLOSED])
    failed = _solve(tree, work, loops, given, u_dot)
    if failed != SOLVED:
        return failed
    if bridged:
        copy(loops.speed[SUM], u_dot)
    expand(tree, work, u_dot, v_dot)
    add_bias(work, v_dot)
    for j in range(u_dot.size):
        u_dot[j] += PULL * loops.speed[MISSING, j]
        if loops.status[FAILED] == 1:
            u_dot[j] = np.nan  # no integrator accepts a step through such a point
    return SOLVED


@compiled
def _solve(tree: Tree, work: Work, loops: Loops, given: Given, u_dot: Float) -> int:
    """Write u' that keeps the loops closed at the last positions and twists."""
    Q, mass, (inertia, biased), g, coupled = given
    bodies, Ma, _ = coupled
    prepare(tree, work, Q, inertia)
    add_wrenches(work, g, biased)
    for a in range(6 * bodies.size):
        for b in range(6 * bodies.size):
            bias = work.body[bodies[b // 6], BIAS + b % 6]
            work.body[bodies[a // 6], LOAD + a % 6] -= Ma[a, b] * bias
    clear(loops.factor)
    if bodies.size > 0:
        project_mass(tree, work, coupled, loops.factor)
    for i in range(mass.shape[0]):
        for j in range(i + 1):
            loops.factor[i, j] += mass[i, j]
    add_mass_matrix(tree, work, loops.factor)
    failed = factorise_mass(loops)
    if failed != SOLVED:
        return failed
    decompose(loops)
    needed_accelerations(work, loops)
    for j in range(u_dot.size):
        u_dot[j] = work.speed[j, TORQUE]
    project(tree, work, u_dot)
    constrain(loops, u_dot)
    return SOLVED


@compiled
def _bridge(tree: Tree, work: Work, loops: Loops, given: Given) -> bool:
    """Write accelerations from both sides to row SUM; False where there is no way.

    Loads are those of the elements and adapters here; they enter with the weights' sum, one.
    """
    here, there = loops.coordinates[HERE], loops.coordinates[THERE]
    u, way, total = loops.speed[BESIDE], loops.speed[SPARE], loops.speed[SUM]
    fastest = 0.0
    for j in range(u.size):
        fastest = max(fastest, abs(loops.speed[CLOSED, j]))
        total[j] = 0.0
    found = fastest > _STILL
    for k in range(2 * len(_WEIGHTS)):
        if not found:
            break
        sign = 1.0 if k % 2 == 0 else -1.0
        stride = sign * (k // 2 + 1) * _STRIDE / fastest
        for j in range(u.size):
            u[j] = loops.speed[CLOSED, j]
            way[j] = stride * u[j]
        displaced(tree.joints, here, way, there)
        found = shut(tree, work, loops, there)
        project_speeds(loops, u, 0.0)
        twists(tree, work, u)
        found = found and _solve(tree, work, loops, given, u) == SOLVED
        for j in range(u.size):
            total[j] += _WEIGHTS[k // 2] * u[j]
    return found


@compiled
def closure_loads(
    memory: Memory, closing: LoopMemory, g: Float, v_dot: Float, out: tuple[Float, Float]
) -> None:
    """Write point and wrench of every cut joint, and add what they do to the bodies to g.

    g - what acts on the bodies from outside - and v' must belong to the closed system.
    """
    tree, work = named(memory)
    loops = named_loops(closing)
    inertial_forces(tree, work, v_dot)
    accumulate(work.body, LOAD, work.element_load, -1.0)
    accumulate(work.body, LOAD, g, -1.0)
    force = loops.speed[SPARE]
    for j in range(force.size):
        force[j] = -work.speed[j, ELEMENT]
    project(tree, work, force)
    multipliers(loops, force)
    point, wrench = out
    clear(wrench)
    for k in range(loops.equations.shape[0]):
        c = loops.equations[k, 0]
        for a in range(6):
            wrench[c, a] += loops.row[k, MULTIPLIER] * loops.row[k, WRENCH + a]
    for c in range(loops.ends.shape[0]):
        place = closure_point(work, loops, c)
        put_vector(point, c, 0, place)
        for end in range(2):
            body = loops.ends[c, end]
            if body >= 0:
                _load(work, g, body, -1.0 if end == 0 else 1.0, (place, wrench[c]))


@compiled
def _load(work: Work, g: Float, body: int, sign: float, applied: tuple[Vector, Float]) -> None:
    """Add a wrench, applied at a place, to that of a body."""
    place, wrench = applied
    force = scale(sign, (wrench[0], wrench[1], wrench[2]))
    moment = scale(sign, (wrench[3], wrench[4], wrench[5]))
    arm = subtract(place, get_vector(work.r, body, 0))
    put_vector(g, body, 0, add(get_vector(g, body, 0), force))
    moment = add(moment, cross(arm, force))
    put_vector(g, body, MOMENT, add(get_vector(g, body, MOMENT), moment))
