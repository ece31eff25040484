"""Poses and speeds that close the loops of a tree with cut joints."""

from __future__ import annotations

import numpy as np

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import clear
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import Memory, Tree, Work, named
from cosim.multibody.joint.articulated import SOLVED
from cosim.multibody.joint.closure_arrays import (
    CLOSED,
    FAILED,
    HERE,
    MISSING,
    SHIFT,
    SOLVER,
    SPARE,
    TRIAL,
    LoopMemory,
    Loops,
    named_loops,
)
from cosim.multibody.joint.closure_rows import closure_gaps, closure_jacobian, closure_point
from cosim.multibody.joint.closure_solve import (
    decompose,
    gap_step,
    project_speeds,
    weak_below,
)
from cosim.multibody.joint.dense import add_mass_matrix, factorise
from cosim.multibody.joint.inertia import body_inertias
from cosim.multibody.joint.positions import positions
from cosim.multibody.joint.tangent import displaced, displacement_between
from cosim.multibody.joint.twists import coordinate_rates

__all__ = ["PULL", "close", "closed_rates", "copy", "factorise_mass", "look", "shut", "survey"]

PULL = 1.0
"""How fast the solver's own coordinates follow the closed ones, 1/s.

As with the norm of quaternions: slow beside any motion, fast beside the errors that add up.
"""
# the rounding of a gap, and the largest that counts as closed, relative to 1 m and to how far
# from the origin it is
_ROUNDING, _CLOSED = 2e-16, 1e-12
_PASSES = 40


@compiled
def close(memory: Memory, closing: LoopMemory, q: Float, u: Float) -> None:
    """Replace q and u by the nearest that close the loops; remembers how far they were.

    At a distance δ from a singular configuration G knows the forbidden directions no better than
    rounding / δ²; the solver's speeds, which follow smooth accelerations, are kept along them.
    """
    tree, work = named(memory)
    loops = named_loops(closing)
    solver = loops.coordinates[SOLVER]
    copy(q, solver)
    loops.status[FAILED] = 0 if shut(tree, work, loops, q) else 1
    copy(q, loops.coordinates[HERE])
    displacement_between(tree.joints, q, solver, loops.speed[SHIFT])
    for j in range(u.size):
        loops.speed[MISSING, j] = -u[j]
    project_speeds(loops, u, weak_below(loops))
    for j in range(u.size):
        loops.speed[CLOSED, j] = u[j]
        loops.speed[MISSING, j] += u[j]


@compiled
def shut(tree: Tree, work: Work, loops: Loops, q: Float) -> bool:
    """Replace q by the nearest pose that closes the loops; False where there is none near.

    Ends with G and its directions at that pose, so that what counts as singular belongs to the
    mechanism and not to the gap.
    """
    before = np.inf
    for _ in range(_PASSES):
        worst, reach = look(tree, work, loops, q)
        if not np.isfinite(worst) or loops.factor[0, 0] <= 0.0:
            break
        stuck = worst > 0.5 * before and worst <= _CLOSED * reach
        if worst <= _ROUNDING * reach or stuck:
            return True
        gap_step(loops, min(1.0, worst), loops.speed[SPARE])
        displaced(tree.joints, q, loops.speed[SPARE], loops.coordinates[TRIAL])
        copy(loops.coordinates[TRIAL], q)
        before = worst
    return False


@compiled
def copy(a: Float, out: Float) -> None:
    """Write a to `out`."""
    for j in range(a.size):
        out[j] = a[j]


@compiled
def survey(memory: Memory, closing: LoopMemory, q: Float) -> float:
    """Gaps, G and its decomposition at q as it is; returns the largest gap."""
    tree, work = named(memory)
    return look(tree, work, named_loops(closing), q)[0]


@compiled
def look(tree: Tree, work: Work, loops: Loops, q: Float) -> tuple[float, float]:
    """Write gaps, G and its directions at q as it is.

    Returns
    -------
    worst : float
        The largest gap.
    reach : float
        Size that its rounding is measured by.
    """
    positions(tree, work, q)
    worst = closure_gaps(work, loops)
    closure_jacobian(tree, work, loops)
    body_inertias(tree, work)
    clear(loops.factor)
    add_mass_matrix(tree, work, loops.factor)
    if factorise_mass(loops) != SOLVED:
        loops.factor[0, 0] = 0.0
        return worst, 1.0
    decompose(loops)
    reach = 1.0
    for c in range(loops.ends.shape[0]):
        x, y, z = closure_point(work, loops, c)
        reach = max(reach, abs(x), abs(y), abs(z))
    return worst, reach


@compiled
def factorise_mass(loops: Loops) -> int:
    """Replace the mass matrix by its factor; see :func:`~cosim.multibody.joint.dense.factorise`."""
    if loops.speed.shape[1] == 0:
        loops.factor[0, 0] = 1.0
    return factorise(loops.factor)


@compiled
def closed_rates(memory: Memory, closing: LoopMemory, out: Float) -> None:
    """Write q' of the solver's coordinates at the last `close`."""
    tree, _ = named(memory)
    loops = named_loops(closing)
    rate = loops.speed[SPARE]
    for j in range(rate.size):
        rate[j] = loops.speed[CLOSED, j] + PULL * loops.speed[SHIFT, j]
    coordinate_rates(tree, loops.coordinates[SOLVER], rate, out)
