r"""The port-Hamiltonian form of differential-algebraic equations.

.. math::

    E(x)\,\dot x = (J(x) - R(x))\,z(x) + B(x)\,u, \qquad y = B^T z, \qquad E^T z = \nabla H,

with J skew and R symmetric and not negative, so that :math:`\dot H = y^T u - z^T R z`
(PH paper, sections 2 and 3).
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from cosim.algebra.types import Float

__all__ = ["PortHamiltonianSystem"]

_SAME = 1e-9
_STEP = 1e-6


class PortHamiltonianSystem(ABC):
    """A system that exchanges power through its ports only, and loses it in R only.

    Attributes
    ----------
    size : int
        Entries of the state x.
    ports : tuple of str
        One name for each entry of u and y.
    """

    size: int
    ports: tuple[str, ...]

    @abstractmethod
    def E(self, x: Float) -> Float:  # noqa: N802 - the letter of the form
        """E, (size, size)."""

    @abstractmethod
    def J(self, x: Float) -> Float:  # noqa: N802
        """J, (size, size), skew."""

    def R(self, x: Float) -> Float:  # noqa: N802
        """R, (size, size), symmetric, not negative; zero unless a system says otherwise."""
        return np.zeros((self.size, self.size))

    @abstractmethod
    def z(self, x: Float) -> Float:
        """Efforts z, (size,)."""

    @abstractmethod
    def B(self, x: Float) -> Float:  # noqa: N802
        """B, (size, ports)."""

    @abstractmethod
    def hamiltonian(self, x: Float) -> float:
        """Energy H, J."""

    def output(self, x: Float) -> Float:
        """Collocated output y = Bᵀ z, (ports,): y . u is the power that comes in, W."""
        return np.asarray(self.B(x).T @ self.z(x))

    def power_balance(self, x: Float, u: Float) -> tuple[float, float]:
        """Power through the ports yᵀ u and what is lost zᵀ R z, W."""
        z = self.z(x)
        return float(self.output(x) @ u), float(z @ self.R(x) @ z)

    def check_structure(self, x: Float) -> list[str]:
        """Sentences about what breaks the form at x; none where it holds.

        The gradient of H is found by central differences.
        """
        found = []
        J, R = self.J(x), self.R(x)
        if np.abs(J + J.T).max(initial=0.0) > _SAME * max(1.0, np.abs(J).max(initial=0.0)):
            found.append("J is not skew: the interconnection makes or loses power")
        if np.abs(R - R.T).max(initial=0.0) > _SAME * max(1.0, np.abs(R).max(initial=0.0)):
            found.append("R is not symmetric")
        elif np.linalg.eigvalsh(R).min(initial=0.0) < -_SAME * np.abs(R).max(initial=1.0):
            found.append("R is negative for some efforts: it makes power")
        lack = np.abs(self.E(x).T @ self.z(x) - self._gradient(x)).max(initial=0.0)
        scale = max(1.0, np.abs(self._gradient(x)).max(initial=0.0))
        if lack > 1e3 * _SAME * scale:
            found.append(f"E^T z differs from the gradient of H by {lack:.2g}")
        return found

    def _gradient(self, x: Float) -> Float:
        steps = _STEP * np.maximum(1.0, np.abs(x))
        slopes = [
            (self.hamiltonian(x + h * e) - self.hamiltonian(x - h * e)) / (2.0 * h)
            for h, e in zip(steps, np.eye(self.size), strict=True)
        ]
        return np.array(slopes)
