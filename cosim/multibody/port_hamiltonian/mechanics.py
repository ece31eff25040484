r"""Mechanical systems with constant mass and constraints that are at most quadratic.

With x = (q, v, λ), :math:`H = \tfrac12 v^T M v + V(q)` and z = (∇V, v, λ) (PH paper, section 3.3)

.. math::

    E = \mathrm{diag}(1, M, 0), \quad
    J = \begin{bmatrix} 0 & 1 & 0 \\ -1 & 0 & -G^T \\ 0 & G & 0 \end{bmatrix}, \quad
    R = \mathrm{diag}(0, C, 0), \quad B = \begin{bmatrix} 0 \\ B_v \\ 0 \end{bmatrix}.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from cosim.algebra.types import Float
from cosim.multibody.port_hamiltonian.quadratic import Quadratic
from cosim.multibody.port_hamiltonian.system import PortHamiltonianSystem

__all__ = ["ConstrainedMechanics", "Potential"]


@dataclass(frozen=True)
class Potential:
    """Energy V(q), J, and its gradient."""

    value: Callable[[Float], float]
    gradient: Callable[[Float], Float]

    def __add__(self, other: Potential) -> Potential:
        return Potential(
            lambda q: self.value(q) + other.value(q),
            lambda q: self.gradient(q) + other.gradient(q),
        )


@dataclass(frozen=True)
class ConstrainedMechanics(PortHamiltonianSystem):
    """Masses, a potential, constraints, dampers and ports.

    Parameters
    ----------
    M : (n, n)
        Constant mass matrix.
    potential : Potential
    constraints : Quadratic
    inputs : callable
        B_v(q), (n, ports): what an input does to the momenta.
    ports : tuple of str
    damping : (n, n), optional
        C, symmetric, not negative.
    """

    M: Float
    potential: Potential
    constraints: Quadratic
    inputs: Callable[[Float], Float]
    ports: tuple[str, ...]
    damping: Float = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return len(self.M)

    @property
    def size(self) -> int:  # type: ignore[override]  # an attribute there, computed here
        """Coordinates, velocities and multipliers."""
        return 2 * self.n + len(self.constraints.c)

    def split(self, x: Float) -> tuple[Float, Float, Float]:
        """(q, v, λ)."""
        return x[: self.n], x[self.n : 2 * self.n], x[2 * self.n :]

    def E(self, x: Float) -> Float:  # noqa: N802
        """See :class:`PortHamiltonianSystem`."""
        E = np.zeros((self.size, self.size))
        n = self.n
        E[:n, :n], E[n : 2 * n, n : 2 * n] = np.eye(n), self.M
        return E

    def J(self, x: Float) -> Float:  # noqa: N802
        """See :class:`PortHamiltonianSystem`."""
        n, J = self.n, np.zeros((self.size, self.size))
        G = self.constraints.jacobian(x[:n])
        J[:n, n : 2 * n], J[n : 2 * n, :n] = np.eye(n), -np.eye(n)
        J[n : 2 * n, 2 * n :], J[2 * n :, n : 2 * n] = -G.T, G
        return J

    def R(self, x: Float) -> Float:  # noqa: N802
        """See :class:`PortHamiltonianSystem`."""
        n, R = self.n, np.zeros((self.size, self.size))
        if self.damping.size:
            R[n : 2 * n, n : 2 * n] = self.damping
        return R

    def z(self, x: Float) -> Float:
        """See :class:`PortHamiltonianSystem`."""
        q, v, multipliers = self.split(x)
        return np.concatenate([self.potential.gradient(q), v, multipliers])

    def B(self, x: Float) -> Float:  # noqa: N802
        """See :class:`PortHamiltonianSystem`."""
        B = np.zeros((self.size, len(self.ports)))
        B[self.n : 2 * self.n] = self.inputs(x[: self.n])
        return B

    def hamiltonian(self, x: Float) -> float:
        """See :class:`PortHamiltonianSystem`."""
        q, v, _ = self.split(x)
        return float(0.5 * v @ self.M @ v + self.potential.value(q))
