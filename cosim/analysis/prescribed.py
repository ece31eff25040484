r"""Kinematic analysis and inverse dynamics of mechanisms whose motion is prescribed.

With as many drivers as there are degrees of freedom the constraints alone give the motion
(FCC-GRB eqs. 2 to 6),

.. math:: \Phi(q, t) = 0, \qquad \Phi_q \dot q = \nu, \qquad \Phi_q \ddot q = \gamma,

and the multipliers of :math:`M \ddot q + \Phi_q^T \lambda = f` tell what drivers and joints must do
for it. Positions are found by Newton's method from those of the instant before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.interface import Reactions, State

__all__ = ["Freedom", "PrescribedMotion", "freedom", "prescribed_motion"]

_RANK = 1e-9


@dataclass(frozen=True)
class Freedom:
    """Count of a system in one configuration.

    Attributes
    ----------
    coordinates, rows, rank : int
    redundant : tuple of str
        Rows that follow from those before them there.
    """

    coordinates: int
    rows: int
    rank: int
    redundant: tuple[str, ...]

    @property
    def degrees(self) -> int:
        """Degrees of freedom that are left."""
        return self.coordinates - self.rank


@dataclass(frozen=True)
class PrescribedMotion:
    """One instant of a prescribed motion.

    Attributes
    ----------
    t : float
        s.
    q, u, u_dot : (nq,), (nu,), (nu,)
    state : State
        Poses and twists.
    v_dot : (n, 6)
        Time derivatives of the twists.
    efforts : mapping of driver to array
        What each driver does: force or moment on its coordinate, N, N m.
    reactions : Reactions
    """

    t: float
    q: Float
    u: Float
    u_dot: Float
    state: State
    v_dot: Float
    efforts: Mapping[str, Float]
    reactions: Reactions


def freedom(model: CartesianModel, t: float, q: Float) -> Freedom:
    """Degrees of freedom in a configuration, and which constraints follow from others.

    Parameters
    ----------
    model : CartesianModel
    t : float
        s.
    q : (nq,)
    """
    model.kinematics(t, q, np.zeros(model.nu))
    G = model.constraint_jacobian()
    scale = np.linalg.norm(G, axis=1, keepdims=True)
    kept = np.zeros((0, model.nu))
    redundant = []
    for row, label in zip(
        G / np.where(scale > 0.0, scale, 1.0), model.constraints.labels, strict=True
    ):
        rest = row - kept.T @ (kept @ row)
        rest -= kept.T @ (kept @ rest)
        size = float(np.linalg.norm(rest))
        if size <= _RANK:
            redundant.append(label)
        else:
            kept = np.vstack([kept, rest / size])
    return Freedom(model.nu, len(G), len(kept), tuple(redundant))


def prescribed_motion(
    model: CartesianModel, times: Sequence[float], start: tuple[Float, Float] | None = None
) -> list[PrescribedMotion]:
    """Motion, driving efforts and reactions at some instants.

    Parameters
    ----------
    model : CartesianModel
        With drivers, constraints by projection.
    times : sequence of float
        s, ascending.
    start : ((nq,), (nu,)), optional
        Coordinates and speeds near those of the first instant; the reference configuration by
        default.

    Raises
    ------
    ModelError
        Degrees of freedom are left, or the drivers cannot be followed; names time and constraint.
    """
    if model.options.constraints != "projection":
        raise ModelError("a prescribed motion needs a model with 'constraints: projection'")
    q, u = start or model.initial()
    count = freedom(model, times[0], q)
    if count.degrees > 0:
        raise ModelError(
            f"the drivers leave {count.degrees} degrees of freedom; prescribe them too, or run the "
            "system forward in time"
        )
    found: list[PrescribedMotion] = []
    before, u_dot = times[0], np.zeros(model.nu)
    for t in times:
        h = t - before
        guess = model.retract(q, h * u + 0.5 * h * h * u_dot)
        found.append(_instant(model, t, guess, u + h * u_dot))
        before, q, u, u_dot = t, found[-1].q, found[-1].u, found[-1].u_dot
    return found


def _instant(model: CartesianModel, t: float, q: Float, u: Float) -> PrescribedMotion:
    model.constraints.set_time(t)
    q, u = model.closed(q, u)
    state = model.kinematics(t, q, u)
    u_dot, v_dot = model.accelerations(np.zeros(model.nu))
    efforts = model.driver_efforts()
    state = state.copy()
    reactions = model.reactions(np.zeros((len(model.bodies), 6)), v_dot)
    return PrescribedMotion(t, q, u, u_dot, state, v_dot, efforts, reactions)
