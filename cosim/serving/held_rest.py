"""A system at rest with one body held where somebody else wants it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cosim.analysis.static_loads import StaticBalance
from cosim.coupling.template import TemplateInterface
from cosim.errors import EquilibriumError
from cosim.multibody.interface import Float, MultibodyModel

__all__ = ["rest_with_held"]

_TOLERANCE = 1e-10
"""Newton step, m or rad, below which the pose has converged."""
_SETTLED_TOLERANCE = 1e-5
"""The same where a load is known only to the tolerance of a solver that settles."""
_LONGEST_STEP = 0.5
"""Bound on one Newton step, m or rad."""
_STEPS = 60


def rest_with_held(
    model: MultibodyModel,
    adapters: Mapping[str, TemplateInterface],
    place: tuple[float, Float],
    held: slice,
) -> tuple[Float, Float]:
    """Where the rest of a tree comes to rest, and the load that holds the held body.

    Parameters
    ----------
    model : MultibodyModel
        Without closed loops.
    adapters : mapping of name to adapter
        Those with StaticLoads take part.
    place : float, (nq,)
        Instant, s, and where the search begins; the held body stays there.
    held : slice
        Speeds of the held body, a floating one.

    Returns
    -------
    q : (nq,)
    load : (6,)
        Wrench that the system exerts on the held body at its centre of gravity, world axes.

    Raises
    ------
    EquilibriumError
    """
    t, q = place
    free = np.setdiff1d(np.arange(model.nu), np.arange(model.nu)[held])
    for _ in range(_STEPS):
        balance = StaticBalance(model, adapters, q, t)
        none = np.zeros(model.nu)
        force = balance(none)
        if not free.size:
            return q, force[held]
        stiffness = balance.fast_stiffness(none) + balance.settled_stiffness(none)
        step = _newton_step(stiffness[np.ix_(free, free)], force[free])
        if np.abs(step).max() < (_SETTLED_TOLERANCE if balance.settles else _TOLERANCE):
            return q, force[held]
        moved = none.copy()
        moved[free] = step
        q = model.retract(q, moved)
    raise EquilibriumError(
        "the served case comes to no rest while its interface is held; start it as described, "
        "'start: {from: reference}'"
    )


def _newton_step(stiffness: Float, force: Float) -> Float:
    try:
        step = np.linalg.solve(stiffness, force)
    except np.linalg.LinAlgError:
        step = np.full_like(force, np.inf)
    if not np.isfinite(step).all():
        raise EquilibriumError(
            "nothing holds a part of the served case in its place while its interface is held; "
            "start it as described, 'start: {from: reference}'"
        )
    longest = max(float(np.abs(step).max()), _LONGEST_STEP)
    return np.asarray(step * (_LONGEST_STEP / longest))
