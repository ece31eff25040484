"""What Python calls for trees with cut joints, beside :mod:`cosim.multibody.joint.entry`.

Call order of one evaluation: `close` with the solver's point, which it replaces by the closed
one; `entry.move` or `entry.move_loaded` with that; then any other.
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
from cosim.multibody.joint.closure_arrays import (
    CLOSED,
    FAILED,
    MISSING,
    MULTIPLIER,
    SHIFT,
    SPARE,
    WRENCH,
    LoopMemory,
    Loops,
    named_loops,
)
from cosim.multibody.joint.closure_rows import (
    closure_gaps,
    closure_jacobian,
    closure_point,
    needed_accelerations,
)
from cosim.multibody.joint.closure_solve import (
    constrain,
    decompose,
    gap_step,
    multipliers,
    project_speeds,
)
from cosim.multibody.joint.dense import add_mass_matrix, factorise, project_mass
from cosim.multibody.joint.entry import Coupled, add_wrenches, prepare
from cosim.multibody.joint.inertia import body_inertias
from cosim.multibody.joint.positions import positions
from cosim.multibody.joint.projection import expand, project
from cosim.multibody.joint.reactions import inertial_forces
from cosim.multibody.joint.tangent import displaced, displacement_between
from cosim.multibody.joint.twists import coordinate_rates

__all__ = [
    "accelerate_closed",
    "close",
    "closed_rates",
    "closure_loads",
    "derive_closed",
    "survey",
]

# the rounding of a gap, and the largest that counts as closed, relative to 1 m and to how far
# from the origin it is
_ROUNDING, _CLOSED = 2e-16, 1e-12
_PASSES = 40
# how fast the solver's own coordinates follow the closed ones, 1/s: as with the norm of
# quaternions, slow beside any motion and fast beside the errors that add up
_PULL = 1.0


@compiled
def close(memory: Memory, closing: LoopMemory, q: Float, u: Float) -> None:
    """Replace q and u by the nearest that close the loops; remembers how far they were.

    Iterates with the closed pose, so that the singular directions that are dropped are those
    of the mechanism and not of the gap.
    """
    tree, work = named(memory)
    loops = named_loops(closing)
    solver, trial = loops.coordinates[0], loops.coordinates[1]
    _copy(q, solver)
    before, loops.status[FAILED] = np.inf, 1
    for _ in range(_PASSES):
        worst, reach = _survey(tree, work, loops, q)
        if not np.isfinite(worst) or loops.factor[0, 0] <= 0.0:
            break
        stuck = worst > 0.5 * before and worst <= _CLOSED * reach
        if worst <= _ROUNDING * reach or stuck:
            loops.status[FAILED] = 0
            break
        gap_step(loops, min(1.0, worst), loops.speed[SPARE])
        displaced(tree.joints, q, loops.speed[SPARE], trial)
        _copy(trial, q)
        before = worst
    displacement_between(tree.joints, q, solver, loops.speed[SHIFT])
    for j in range(u.size):
        loops.speed[MISSING, j] = -u[j]
    project_speeds(loops, u)
    for j in range(u.size):
        loops.speed[CLOSED, j] = u[j]
        loops.speed[MISSING, j] += u[j]


@compiled
def _copy(a: Float, out: Float) -> None:
    for j in range(a.size):
        out[j] = a[j]


@compiled
def survey(memory: Memory, closing: LoopMemory, q: Float) -> float:
    """Gaps, G and its decomposition at q as it is; returns the largest gap."""
    tree, work = named(memory)
    return _survey(tree, work, named_loops(closing), q)[0]


@compiled
def _survey(tree: Tree, work: Work, loops: Loops, q: Float) -> tuple[float, float]:
    """The largest gap, and the size that its rounding is measured by."""
    positions(tree, work, q)
    worst = closure_gaps(work, loops)
    closure_jacobian(tree, work, loops)
    body_inertias(tree, work)
    clear(loops.factor)
    add_mass_matrix(tree, work, loops.factor)
    if factorise(loops.factor) != SOLVED:
        loops.factor[0, 0] = 0.0
        return worst, 1.0
    decompose(loops)
    reach = 1.0
    for c in range(loops.ends.shape[0]):
        x, y, z = closure_point(work, loops, c)
        reach = max(reach, abs(x), abs(y), abs(z))
    return worst, reach


@compiled
def closed_rates(memory: Memory, closing: LoopMemory, out: Float) -> None:
    """Write q' of the solver's coordinates at the last `close`."""
    tree, _ = named(memory)
    loops = named_loops(closing)
    rate = loops.speed[SPARE]
    for j in range(rate.size):
        rate[j] = loops.speed[CLOSED, j] + _PULL * loops.speed[SHIFT, j]
    coordinate_rates(tree, loops.coordinates[0], rate, out)


@compiled
def accelerate_closed(
    memory: Memory,
    closing: LoopMemory,
    Q: Float,
    masses: tuple[Float, Float],
    out: tuple[Float, Float],
) -> int:
    """Write u' of the solver's speeds and v'; `masses` as in `entry.accelerate_coupled`."""
    tree, work = named(memory)
    loops = named_loops(closing)
    prepare(tree, work, Q, masses[1])
    for i in range(Q.size):
        for j in range(i + 1):
            loops.factor[i, j] = masses[0][i, j]
    return _solve(tree, work, loops, out[0], out[1])


@compiled
def derive_closed(
    memory: Memory,
    closing: LoopMemory,
    loads: tuple[Float, Float],
    coupled: Coupled,
    out: tuple[Float, Float],
) -> int:
    """As `entry.derive_coupled`; `coupled` may hold no bodies."""
    tree, work = named(memory)
    loops = named_loops(closing)
    bodies, Ma, _ = coupled
    prepare(tree, work, out[0][:0], loads[1])
    add_wrenches(work, loads[0], loads[1])
    for a in range(6 * bodies.size):
        for b in range(6 * bodies.size):
            bias = work.body[bodies[b // 6], BIAS + b % 6]
            work.body[bodies[a // 6], LOAD + a % 6] -= Ma[a, b] * bias
    if bodies.size > 0:
        project_mass(tree, work, coupled, loops.factor)
    else:
        clear(loops.factor)
    return _solve(tree, work, loops, out[0], out[1])


@compiled
def _solve(tree: Tree, work: Work, loops: Loops, u_dot: Float, v_dot: Float) -> int:
    """From inertias and loads of `work`, and added mass where L will be."""
    add_mass_matrix(tree, work, loops.factor)
    failed = factorise(loops.factor)
    if failed != SOLVED:
        return failed
    decompose(loops)
    needed_accelerations(work, loops)
    for j in range(u_dot.size):
        u_dot[j] = work.speed[j, TORQUE]
    project(tree, work, u_dot)
    constrain(loops, u_dot)
    expand(tree, work, u_dot, v_dot)
    add_bias(work, v_dot)
    for j in range(u_dot.size):
        u_dot[j] += _PULL * loops.speed[MISSING, j]
        if loops.status[FAILED] == 1:
            u_dot[j] = np.nan  # no integrator accepts a step through such a point
    return SOLVED


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
                _load(work, g, body, place, wrench[c], -1.0 if end == 0 else 1.0)


@compiled
def _load(
    work: Work,
    g: Float,
    body: int,
    place: Vector,
    wrench: Float,
    sign: float,
) -> None:
    """Add a wrench at `place` to that of a body."""
    force = scale(sign, (wrench[0], wrench[1], wrench[2]))
    moment = scale(sign, (wrench[3], wrench[4], wrench[5]))
    arm = subtract(place, get_vector(work.r, body, 0))
    put_vector(g, body, 0, add(get_vector(g, body, 0), force))
    moment = add(moment, cross(arm, force))
    put_vector(g, body, MOMENT, add(get_vector(g, body, MOMENT), moment))
