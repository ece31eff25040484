"""Matrices of a linearised coupled system, radiation states included."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from cosim.algebra.types import Complex
from cosim.analysis.adapter_terms import Contribution
from cosim.analysis.kinematics import BodyMotion
from cosim.multibody.interface import Float

__all__ = ["LinearSystem"]


@dataclass(frozen=True)
class LinearSystem:
    r"""First-order motion about a point, in the tangent space.

    .. math::

        \dot d = N d + \delta u, \qquad
        M \dot{\delta u} + C\,\delta u + K d = C_x x + f, \qquad
        \dot x = A_x x + B_v\,\delta u + B_d d.

    Attributes
    ----------
    speeds : tuple of str
        Names of the nu directions of d; of a system with closed loops, of the independent ones.
    M, C, K : (nu, nu)
        Mass with added mass at infinite frequency, damping, stiffness.
    Ax : (m, m)
    Bv : (m, nu)
    Cx : (nu, m)
        States of the adapters (radiation memory).
    N : (nu, nu)
        Zero about rest.
    Bd : (m, nu)
        Zero for adapters that know their linearisation, about rest.
    basis : (speeds of the model, nu)
        Displacements of the whole model per unit of d: the identity without closed loops.
    settled : (nu, nu)
        The part of K from adapters that enter by their loads at rest.
    motion : BodyMotion or None
        What points of bodies do.
    contributions : tuple of Contribution
        How each adapter entered.
    error : float
        Estimated relative error of the multibody part.
    """

    speeds: tuple[str, ...]
    M: Float
    C: Float
    K: Float
    Ax: Float
    Bv: Float
    Cx: Float
    N: Float = field(default_factory=lambda: np.zeros((0, 0)))
    Bd: Float = field(default_factory=lambda: np.zeros((0, 0)))
    basis: Float = field(default_factory=lambda: np.zeros((0, 0)))
    settled: Float = field(default_factory=lambda: np.zeros((0, 0)))
    motion: BodyMotion | None = None
    contributions: tuple[Contribution, ...] = ()
    error: float = 0.0

    def __post_init__(self) -> None:
        nu, m = len(self.speeds), len(self.Ax)
        square = np.zeros((nu, nu))
        defaults = {"N": square, "settled": square, "Bd": np.zeros((m, nu)), "basis": np.eye(nu)}
        for name, value in defaults.items():
            if getattr(self, name).size == 0:
                object.__setattr__(self, name, value)

    @property
    def size(self) -> int:
        """Number of states, 2 nu + m."""
        return 2 * len(self.speeds) + len(self.Ax)

    def descriptor(self) -> tuple[Float, Float]:
        """E and F of ``E y' = F y`` with y = (d, u, x); E = diag(1, M, 1)."""
        nu, m = len(self.speeds), len(self.Ax)
        E, F = np.eye(2 * nu + m), np.zeros((2 * nu + m, 2 * nu + m))
        E[nu : 2 * nu, nu : 2 * nu] = self.M
        F[:nu, :nu], F[:nu, nu : 2 * nu] = self.N, np.eye(nu)
        F[nu : 2 * nu] = np.hstack([-self.K, -self.C, self.Cx])
        F[2 * nu :] = np.hstack([self.Bd, self.Bv, self.Ax])
        return E, F

    def state_matrix(self) -> Float:
        """A of ``y' = A y`` with y = (d, u, x), (2 nu + m, 2 nu + m)."""
        nu = len(self.speeds)
        _, A = self.descriptor()
        A[nu : 2 * nu] = np.linalg.solve(self.M, A[nu : 2 * nu])
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
        nu = len(self.speeds)
        E, F = self.descriptor()
        load = np.zeros((len(omega), self.size), dtype=complex)
        load[:, nu : 2 * nu] = force
        pencil = -1j * np.asarray(omega)[:, None, None] * E - F
        return np.asarray(np.linalg.solve(pencil, load[..., None])[:, :nu, 0], dtype=complex)
