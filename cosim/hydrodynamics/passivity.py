r"""Passivity of a symmetric rational matrix, checked and enforced.

Radiation can only take energy out of a body: :math:`H(\omega) = \Re T(i\omega)` must be
positive semidefinite at all frequencies. Where a fit breaks this, its coefficients get the
smallest change (least squares over the fitted frequencies) that restores it; poles stay.

The bound on the smallest eigenvalue is met by cutting planes: every violation
:math:`u^T H u < 0` found on a dense grid becomes a linear constraint, and the least-distance
problem is solved again from the unchanged fit. Large groups get one scalar function added to
every diagonal entry instead: a little more damping than the least change needs.

References
----------
C. L. Lawson, R. J. Hanson, "Solving Least Squares Problems" (1974), ch. 23 (least distance
programming through non-negative least squares).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from cosim.hydrodynamics.rigid import Complex, Float
from cosim.hydrodynamics.vector_fit import basis, free_directions

__all__ = ["Passive", "dense_frequencies", "enforce_passivity", "evaluate"]

_ROUNDS = 30
_LARGE = 2000
_MARGIN = 1e-6


@dataclass(frozen=True)
class Passive:
    """Result of :func:`enforce_passivity`.

    Attributes
    ----------
    coefficients : (m, m, n)
    violation_before, violation_after : float
        Largest -λ_min(H) over the largest eigenvalue of H anywhere; 0 where passive.
    """

    coefficients: Float
    violation_before: float
    violation_after: float


def dense_frequencies(poles: Complex, highest: float) -> Float:
    """Frequencies on which passivity is checked, rad/s; the tails far beyond the data too."""
    lowest = 1e-3 * float(np.abs(poles).min())
    near = np.abs(poles.imag[poles.imag > 0.0])
    width = np.linspace(-2.0, 2.0, 9)
    around = np.abs(near[:, None] + width * np.abs(poles.real[poles.imag > 0.0])[:, None])
    grid = np.concatenate(
        [
            np.geomspace(lowest, 100.0 * highest, 500),
            np.linspace(0.01, 1.2, 400) * highest,
            around.ravel(),
        ]
    )
    return np.unique(grid[grid >= lowest])


def evaluate(coefficients: Float, poles: Complex, omega: Float) -> Complex:
    """T(iω) of a fit, (nw, m, m)."""
    iw = np.asarray(1j * omega, dtype=np.complex128)
    T: Complex = np.moveaxis(coefficients @ basis(poles, iw).T, 2, 0)
    return T


def enforce_passivity(coefficients: Float, poles: Complex, omega: Float) -> Passive:
    """Small change of the coefficients that makes a symmetric fit passive.

    Groups that are not too large get the smallest change; what is left, and all of it for
    large groups, is closed by the smallest equal addition to every diagonal entry.

    Parameters
    ----------
    coefficients : (m, m, n)
        Of :func:`~cosim.hydrodynamics.vector_fit.basis`, symmetric, scaled so that the
        entries are comparable; functions vanish at ω = 0.
    poles : (n,) complex
    omega : (nw,)
        Fitted frequencies, rad/s.
    """
    grid = _Grid(coefficients, poles, dense_frequencies(poles, float(omega[-1])))
    before = grid.violation(coefficients)
    current = coefficients
    if coefficients.size <= _LARGE:
        current = _cutting_planes(current, grid, omega)
    # between the points a kink of the smallest eigenvalue may still dip below zero
    fine = grid.refined(current)
    current = _lifted(current, fine, omega)
    return Passive(current, before, fine.violation(current))


class _Grid:
    """Frequencies at which a fit is held to be passive, and how it compares there."""

    def __init__(self, coefficients: Float, poles: Complex, omega: Float) -> None:
        self.poles = poles
        self.omega = omega
        values = np.linalg.eigvalsh(evaluate(coefficients, poles, self.omega).real)
        self.peak = float(values.max())
        # H falls like ω² and 1/ω² at the ends: the level brings all frequencies to one size
        centre = float(self.omega[np.argmax(values[:, -1])])
        ratio = self.omega / centre
        self.level = self.peak / (0.5 * (ratio + 1.0 / ratio)) ** 2

    def refined(self, coefficients: Float) -> _Grid:
        """Four times as many frequencies."""
        parts = np.arange(4) / 4.0
        inner = self.omega[:-1, None] + np.diff(self.omega)[:, None] * parts
        return _Grid(coefficients, self.poles, np.append(inner.ravel(), self.omega[-1]))

    def real_part(self, coefficients: Float) -> Float:
        return np.asarray(evaluate(coefficients, self.poles, self.omega).real)

    def violation(self, coefficients: Float) -> float:
        smallest = float(np.linalg.eigvalsh(self.real_part(coefficients)).min())
        return max(0.0, -smallest / self.peak)


def _cutting_planes(start: Float, grid: _Grid, omega: Float) -> Float:
    problem = _LeastDistance(start, grid.poles, omega)
    current = start
    for _ in range(_ROUNDS):
        H = grid.real_part(current) / grid.level[:, None, None]
        values, vectors = np.linalg.eigh(H)
        if values[:, 0].min() >= 0.0:
            break
        for w in _local_minima(values[:, 0]):
            level = float(grid.level[w])
            for i in np.flatnonzero(values[w] < 0.0):
                problem.require(float(grid.omega[w]), vectors[w][:, i], _MARGIN * level, level)
        current = problem.solve()
    return current


def _lifted(start: Float, grid: _Grid, omega: Float) -> Float:
    """Add one scalar function to the diagonal that outweighs every violation left."""
    missing = _MARGIN * grid.level - np.linalg.eigvalsh(grid.real_part(start))[:, 0]
    if missing.max() <= _MARGIN * grid.peak:
        return start
    nothing = np.zeros((1, 1, grid.poles.size))
    problem = _LeastDistance(nothing, grid.poles, omega)
    needed = np.flatnonzero(missing > 0.0)
    for w in needed:
        problem.require(float(grid.omega[w]), np.ones(1), float(missing[w]), float(grid.level[w]))
    lift = problem.solve()[0, 0]
    return np.asarray(start + np.eye(len(start))[:, :, None] * lift)


def _local_minima(values: Float) -> list[int]:
    left = np.concatenate([[np.inf], values[:-1]])
    right = np.concatenate([values[1:], [np.inf]])
    return [int(i) for i in np.flatnonzero((values < 0.0) & (values <= left) & (values <= right))]


class _LeastDistance:
    """min ‖y‖ subject to G y >= h, y the change of the fit in orthonormal coordinates."""

    def __init__(self, coefficients: Float, poles: Complex, omega: Float) -> None:
        self.start = coefficients
        self.poles = poles
        self.upper = np.triu_indices(len(coefficients))
        self.weight = np.where(self.upper[0] == self.upper[1], 1.0, np.sqrt(2.0))
        Z = free_directions(poles)
        phi = basis(poles, np.asarray(1j * omega, dtype=np.complex128)) @ Z
        density = np.sqrt(np.gradient(omega))[:, None]
        R = np.linalg.qr(np.concatenate([density * phi.real, density * phi.imag]), mode="r")
        self.back = Z @ np.linalg.inv(R)
        self.rows: list[Float] = []
        self.bounds: list[float] = []

    def require(self, omega: float, u: Float, target: float, scale: float) -> None:
        """Add uᵀ H(ω) u >= target for all later solutions."""
        phi = basis(self.poles, np.array([1j * omega], dtype=np.complex128)).real[0]
        i, j = self.upper
        pair = u[i] * u[j] * np.where(i == j, 1.0, 2.0)
        row = np.outer(pair / self.weight, phi @ self.back).ravel()
        now = float(u @ (self.start @ phi) @ u)
        self.rows.append(row / scale)
        self.bounds.append((target - now) / scale)

    def solve(self) -> Float:
        """Coefficients nearest to the start that meet all requirements."""
        G, h = np.array(self.rows), np.array(self.bounds)
        size = np.linalg.norm(G, axis=1)
        G, h = G / size[:, None], h / size
        reach = float(np.abs(h).max())
        E = np.vstack([G.T, h[None] / reach])
        f = np.zeros(len(E))
        f[-1] = 1.0
        dual, _ = nnls(E, f, maxiter=50 * E.shape[1])
        residual = E @ dual - f
        # what does not bind now may go: the distance to the start can only grow
        binding = np.flatnonzero(dual > 0.0)
        self.rows = [self.rows[i] for i in binding]
        self.bounds = [self.bounds[i] for i in binding]
        y = -reach * residual[:-1] / residual[-1]
        change = (y.reshape(len(self.weight), -1) / self.weight[:, None]) @ self.back.T
        out = self.start.copy()
        i, j = self.upper
        out[i, j] += change
        off = i != j
        out[j[off], i[off]] = out[i[off], j[off]]
        return out
