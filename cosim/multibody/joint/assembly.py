"""Start of a closed system: coordinates and speeds that keep its loops closed."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from cosim.errors import ModelError
from cosim.model.system import System
from cosim.multibody.interface import Float
from cosim.multibody.joint.closure_arrays import TRANSLATION
from cosim.multibody.joint.initial import initial_values
from cosim.multibody.joint.loops import ClosedLoops
from cosim.multibody.joint.topology import Topology
from cosim.multibody.start_values import given_values

__all__ = ["assemble", "start_near"]

LOG = logging.getLogger(__name__)

Mask = NDArray[np.bool_]

_STRIDE = 0.1
"""How far the held coordinates go between two closings, rad or m."""
_CLOSED = 1e-12
"""Gap of a closed loop, m and rad, beside the size of what it is a part of."""
_ROUNDING, _PROGRESS = 1e-15, 0.999
"""Gap that no step makes smaller, and how much a step must do to be followed by another."""
_LONGEST = 0.2
"""Bound on one Newton step, rad or m."""
_PASSES = 50
_RANK = 1e-9
_REPAIR = 1e-2
"""How much start values that miss by their last digits may be changed, m, rad; speeds: beside
the largest."""


def start_near(
    system: System,
    tree: Topology,
    loops: ClosedLoops | None,
    pose: Mapping[str, float],
    conditions: Mapping[str, float],
) -> tuple[Float, Float]:
    """Coordinates and speeds; see :meth:`MultibodyModel.initial_near`."""
    held = given_values(system, tree.speeds, conditions)
    kept = {name: pose[name] for name in pose if not held[0][tree.speeds.index(name)]}
    wanted = initial_values(system, tree, {**kept, **conditions})
    if loops is None or not (pose or conditions):
        return wanted
    origin, _ = initial_values(system, tree, pose)
    return assemble(loops, origin, wanted, held)


def assemble(
    loops: ClosedLoops,
    origin: Float,
    wanted: tuple[Float, Float],
    held: tuple[Mask, Mask],
) -> tuple[Float, Float]:
    """Close the loops near start values that need not fit.

    The held coordinates go from `origin` to what is wanted in small strides, and the others
    follow, so that a mechanism stays on the branch of its closed pose. Where more are held
    than there is freedom, all may change by a hundredth, for values of few digits. Speeds that
    are not held get the least kinetic energy.

    Parameters
    ----------
    loops : ClosedLoops
    origin : (nq,)
        A closed pose.
    wanted : ((nq,), (nu,))
        Coordinates and speeds as given.
    held : ((nu,), (nu,)) of bool
        Which coordinates and speeds are to be kept.

    Raises
    ------
    ModelError
        Names the joint that stays open, and by how much.
    """
    q = _close_pose(loops, origin, wanted[0], held[0])
    return q, _close_speeds(loops, q, wanted[1], held[1])


def _close_pose(loops: ClosedLoops, origin: Float, wanted: Float, held: Mask) -> Float:
    if _is_closed(loops, wanted):
        return wanted
    way = np.where(held, loops.difference(wanted, origin), 0.0)
    followed = _follow(loops, origin, way, ~held)
    if _is_closed(loops, followed):
        return followed
    repaired = _newton(loops, followed, np.ones(held.size, dtype=bool))
    change = np.abs(loops.difference(repaired, followed))[held].max(initial=0.0)
    if change > _REPAIR or not _is_closed(loops, repaired):
        raise ModelError(
            "the loops cannot be closed with these start values: "
            f"{_widest(loops, loops.survey(followed))}; give fewer of them, or values that fit"
        )
    LOG.warning("start values are changed by up to %.1g to close the loops", change)
    return repaired


def _follow(loops: ClosedLoops, q: Float, way: Float, free: Mask) -> Float:
    """The pose with held coordinates changed by `way` in strides, as closed as they allow."""
    strides = max(1, math.ceil(np.abs(way).max(initial=0.0) / _STRIDE))
    for _ in range(strides):
        q = _newton(loops, loops.retract(q, way / strides), free)
    return q


def _newton(loops: ClosedLoops, q: Float, free: Mask) -> Float:
    """The pose near q with the smallest gaps that differs in `free` coordinates only."""
    before = math.inf
    for _ in range(_PASSES):
        gaps = loops.survey(q)
        worst = float(np.linalg.norm(gaps))
        if worst <= _ROUNDING * loops.size or worst > _PROGRESS * before:
            break
        step = np.zeros(free.size)
        step[free] = np.linalg.lstsq(loops.jacobian[:, free], -gaps, rcond=_RANK)[0]
        longest = np.abs(step).max(initial=0.0)
        if longest == 0.0:
            break
        q = loops.retract(q, step * min(1.0, _LONGEST / longest))
        before = worst
    return q


def _is_closed(loops: ClosedLoops, q: Float) -> bool:
    return bool(np.abs(loops.survey(q)).max() <= _CLOSED * loops.size)


def _close_speeds(loops: ClosedLoops, q: Float, wanted: Float, held: Mask) -> Float:
    loops.survey(q)
    G, M = loops.jacobian, loops.mass
    u, free = np.where(held, wanted, 0.0), ~held
    u[free] = np.linalg.lstsq(G[:, free], -G @ u, rcond=_RANK)[0]
    spare = _null_space(G[:, free])
    inertia = spare.T @ M[np.ix_(free, free)] @ spare
    u[free] -= spare @ np.linalg.solve(inertia, spare.T @ (M @ u)[free])
    scale = max(1.0, float(np.abs(wanted).max(initial=0.0)))
    opening = np.abs(G @ u).max()
    if opening <= 1e-9 * scale * max(1.0, float(np.abs(G).max())):
        return u
    given = wanted.copy()
    repaired = wanted.copy()
    loops.close(q.copy(), repaired)
    change = np.abs(repaired - given)[held].max(initial=0.0)
    if change <= _REPAIR * scale:
        LOG.warning("start speeds are changed by up to %.1g to keep the loops closed", change)
        return repaired
    raise ModelError(
        f"the loops do not stay closed with these start speeds: {_widest(loops, G @ u, '/s')}; "
        "give fewer of them, or values that fit"
    )


def _null_space(G: Float) -> Float:
    _, singular, rows = np.linalg.svd(G)
    rank = int(np.sum(singular > _RANK * singular.max(initial=0.0)))
    space: Float = rows[rank:].T
    return space


def _widest(loops: ClosedLoops, gaps: Float, per: str = "") -> str:
    """The joint with the largest gap, in words."""
    worst = int(np.argmax(np.abs(gaps)))
    equation, gap = loops.equations[worst], abs(gaps[worst])
    if equation.kind == TRANSLATION:
        amount = f"{gap:.3g} m{per}"
    else:
        amount = f"{math.degrees(gap):.3g} degrees{per}"
    return f"joint '{equation.joint}' is open by {amount}"
