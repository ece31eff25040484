"""The coupled system linearised about a pose at rest, radiation states included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.linalg import block_diag

from cosim.algebra.types import Complex
from cosim.analysis.static_loads import StaticBalance, structural_mass
from cosim.coupling.capabilities import ContinuousStates, Linearisable
from cosim.coupling.template import TemplateInterface
from cosim.multibody.interface import Float, MultibodyModel

__all__ = ["LinearSystem", "linearise"]


_RATE_STEP = 1e-4
"""Speed, m/s or rad/s, for the damping of elements by central differences."""


@dataclass(frozen=True)
class LinearSystem:
    """``M d'' + C d' + K d = Cx x + f``, ``x' = Ax x + Bv d'``.

    Attributes
    ----------
    speeds : tuple of str
        Names of the nu directions of d.
    M, C, K : (nu, nu)
        Mass with added mass at infinite frequency, damping, stiffness.
    Ax : (m, m)
    Bv : (m, nu)
    Cx : (nu, m)
        States of the adapters (radiation memory).
    """

    speeds: tuple[str, ...]
    M: Float
    C: Float
    K: Float
    Ax: Float
    Bv: Float
    Cx: Float

    def state_matrix(self) -> Float:
        """A of ``y' = A y`` with y = (d, d', x), (2 nu + m, 2 nu + m)."""
        nu, m = len(self.speeds), len(self.Ax)
        solve = np.linalg.solve
        A = np.zeros((2 * nu + m, 2 * nu + m))
        A[:nu, nu : 2 * nu] = np.eye(nu)
        A[nu : 2 * nu, :nu] = -solve(self.M, self.K)
        A[nu : 2 * nu, nu : 2 * nu] = -solve(self.M, self.C)
        A[nu : 2 * nu, 2 * nu :] = solve(self.M, self.Cx)
        A[2 * nu :, nu : 2 * nu] = self.Bv
        A[2 * nu :, 2 * nu :] = self.Ax
        return A

    def response(self, omega: Float, force: Complex) -> Complex:
        """Complex amplitude d of ``d exp(-i w t)`` under ``force exp(-i w t)``.

        Parameters
        ----------
        omega : (nw,)
            rad/s.
        force : (nw, nu)
            Complex amplitudes, N and N m.

        Returns
        -------
        (nw, nu) complex
        """
        response = np.empty_like(force)
        unit = np.eye(len(self.Ax))
        for k, w in enumerate(omega):
            s = -1j * w
            memory = self.Cx @ np.linalg.solve(s * unit - self.Ax, self.Bv * s)
            dynamic = s**2 * self.M + s * self.C + self.K - memory
            response[k] = np.linalg.solve(dynamic, force[k])
        return response


def linearise(
    model: MultibodyModel,
    adapters: Mapping[str, TemplateInterface],
    q: Float,
    *,
    t: float = 0.0,
    stiffness: Float | None = None,
) -> LinearSystem:
    """Linearise about the pose q at rest.

    Stiffness comes from differences of the static loads of all sources; added mass,
    damping and states from the adapters' own exact linearisation; damping of elements
    from differences.

    Parameters
    ----------
    model : MultibodyModel
    adapters : mapping of name to adapter
    q : (nq,)
    t : float
        s.
    stiffness : (nu, nu), optional
        From an equilibrium search at the same pose, to save its cost.
    """
    if stiffness is None:
        stiffness = StaticBalance(model, adapters, q, t).stiffness(np.zeros(model.nu))
    rest = np.zeros(model.nu)
    state = model.kinematics(t, q, rest).copy()
    mass = structural_mass(model, state)
    damping = _element_damping(model, q, t, mass)
    model.kinematics(t, q, rest)
    B = model.velocity_transformation()
    blocks: list[tuple[Float, Float, Float]] = []
    for adapter in adapters.values():
        if not isinstance(adapter, Linearisable):
            continue
        index = model.index(adapter.bodies)
        Bk = B.reshape(len(model.bodies), 6, model.nu)[index].reshape(6 * index.size, model.nu)
        x = (
            adapter.initial_states(t, state.select(index))
            if isinstance(adapter, ContinuousStates)
            else np.zeros(0)
        )
        linear = adapter.linearise(state.select(index), x)
        mass = mass + Bk.T @ linear.Ma @ Bk
        damping = damping + Bk.T @ linear.C @ Bk
        blocks.append((linear.Ax, linear.Bv @ Bk, Bk.T @ linear.Cx))
    return LinearSystem(
        speeds=model.speeds,
        M=mass,
        C=damping,
        K=stiffness,
        Ax=block_diag(*(b[0] for b in blocks)) if blocks else np.zeros((0, 0)),
        Bv=np.vstack([np.zeros((0, model.nu)), *(b[1] for b in blocks)]),
        Cx=np.hstack([np.zeros((model.nu, 0)), *(b[2] for b in blocks)]),
    )


def _element_damping(model: MultibodyModel, q: Float, t: float, mass: Float) -> Float:
    damping = np.empty((model.nu, model.nu))
    none = np.zeros(model.nu)
    for k in range(model.nu):
        change = np.zeros(model.nu)
        for sign in (1.0, -1.0):
            u = np.zeros(model.nu)
            u[k] = sign * _RATE_STEP
            model.kinematics(t, q, u)
            acceleration, _ = model.accelerations(none)
            change += sign * acceleration
        damping[:, k] = -mass @ change / (2.0 * _RATE_STEP)
    return damping
