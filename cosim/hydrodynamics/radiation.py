r"""Radiation memory as a passive state space.

.. math:: \int_0^t K(t-\tau) v(\tau) d\tau \approx C x, \quad x' = A x + B v, \quad
    T(i\omega) = B(\omega) + i\omega (A(\omega) - A_\infty)

T is built from the damping alone (its added mass follows by causality), made symmetric, and
split into groups of degrees of freedom that radiate into each other. Every group gets
common poles; the order grows until the fit is within the tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from cosim.errors import DatabaseError
from cosim.hydrodynamics.kernel import causal_added_mass
from cosim.hydrodynamics.passivity import Passive, enforce_passivity, evaluate
from cosim.hydrodynamics.rigid import DOFS, Complex, Float
from cosim.hydrodynamics.state_space import RadiationStates, join_groups, realise
from cosim.hydrodynamics.vector_fit import RationalFit, fit_rational

__all__ = ["FitOptions", "FitQuality", "RadiationFit", "fit_radiation", "radiation_transfer"]

_SIGNIFICANT = 1e-3
_SILENT = 1e-4
_STALLED = 0.7
_NEARLY = 5.0
_ATTEMPTS = 3
_LOW_FREQUENCY_WEIGHT = 10.0


@dataclass(frozen=True)
class FitOptions:
    """How to fit.

    Parameters
    ----------
    tolerance : float
        Root mean square error over the largest value, of every entry; scaled by the
        diagonal entries of its row and column.
    max_order : int
        Largest number of poles of a group.
    """

    tolerance: float = 3e-3
    max_order: int = 24


@dataclass(frozen=True)
class FitQuality:
    """Quality of one group.

    Attributes
    ----------
    dofs : tuple of int
        Rows of the database that the group holds.
    order : int
        Number of poles.
    error : float
        Largest scaled root mean square error of its entries.
    r2 : float
        Smallest coefficient of determination of its diagonal entries.
    violation_before, violation_after : float
        Passivity violation of the raw and of the final fit over the largest damping.
    """

    dofs: tuple[int, ...]
    order: int
    error: float
    r2: float
    violation_before: float
    violation_after: float

    def sentence(self, bodies: tuple[str, ...]) -> str:
        """One line for a report."""
        names = ", ".join(f"{bodies[d // 6]}.{DOFS[d % 6]}" for d in self.dofs)
        return (
            f"radiation of {names}: {self.order} poles, error {100 * self.error:.2g} %, "
            f"R2 {self.r2:.5f}, passivity violation {self.violation_before:.1e} before and "
            f"{self.violation_after:.1e} after enforcement"
        )


@dataclass(frozen=True)
class RadiationFit:
    """State space of all degrees of freedom and the quality of each group."""

    states: RadiationStates
    quality: tuple[FitQuality, ...]

    @property
    def r2(self) -> float:
        """Smallest coefficient of determination; 1 without radiation."""
        return min((group.r2 for group in self.quality), default=1.0)


def radiation_transfer(omega: Float, damping: Float) -> Complex:
    """Symmetric causal transfer function T(iω) of the damping, (nw, n, n)."""
    B = 0.5 * (damping + damping.transpose(0, 2, 1))
    T: Complex = B + 1j * omega[:, None, None] * causal_added_mass(omega, B)
    return T


def fit_radiation(omega: Float, damping: Float, options: FitOptions | None = None) -> RadiationFit:
    """Fit the memory of n degrees of freedom.

    Parameters
    ----------
    omega : (nw,)
        rad/s.
    damping : (nw, n, n)
    options : FitOptions, optional
    """
    options = options or FitOptions()
    T = radiation_transfer(omega, damping)
    size = np.sqrt(_diagonal(np.abs(T)).max(axis=0))
    parts, quality = [], []
    for dofs in _groups(T, size):
        scale = size[dofs]
        scaled = T[:, dofs[:, None], dofs] / np.outer(scale, scale)
        group = _fit_group(omega, scaled, options)
        parts.append(realise(group.poles, group.passive.coefficients, dofs=dofs, scale=scale))
        quality.append(group.quality(omega, scaled, dofs))
    return RadiationFit(join_groups(parts, damping.shape[1]), tuple(quality))


def _diagonal(T: Float) -> Float:
    return np.asarray(np.diagonal(T, axis1=1, axis2=2))


def _groups(T: Complex, size: Float) -> list[NDArray[np.intp]]:
    """Degrees of freedom that radiate, in coupled groups."""
    radiates = _radiates(size)
    linked = np.abs(T).max(axis=0) > _SIGNIFICANT * np.outer(size, size)
    linked &= np.outer(radiates, radiates)
    count, label = connected_components(linked, directed=False)
    groups = [np.flatnonzero(label == i) for i in range(count)]
    return [g for g in groups if radiates[g].all()]


def _radiates(size: Float) -> NDArray[np.bool_]:
    """Which degrees of freedom radiate at all; yaw of an axisymmetric body does not."""
    rotates = np.arange(size.size) % 6 >= 3
    out = size > 0.0
    for kind in (rotates, ~rotates):
        out[kind] &= size[kind] > _SILENT * size[kind].max(initial=0.0)
    return out


@dataclass(frozen=True)
class _Group:
    """Passive fit of one group, scaled."""

    poles: Complex
    passive: Passive
    error: float

    def quality(self, omega: Float, T: Complex, dofs: NDArray[np.intp]) -> FitQuality:
        lost = _diagonal(np.abs(evaluate(self.passive.coefficients, self.poles, omega) - T) ** 2)
        total = _diagonal(np.abs(T) ** 2)
        return FitQuality(
            dofs=tuple(int(d) for d in dofs),
            order=self.poles.size,
            error=self.error,
            r2=float(np.min(1.0 - lost.sum(axis=0) / total.sum(axis=0))),
            violation_before=self.passive.violation_before,
            violation_after=self.passive.violation_after,
        )


def _fit_group(omega: Float, T: Complex, options: FitOptions) -> _Group:
    """Smallest passive fit within the tolerance, else one nearly as good as the best."""
    raw: list[tuple[float, RationalFit]] = []
    passive: list[_Group] = []
    # more poles than frequencies are not determined
    for order in range(2, min(options.max_order, omega.size) + 1, 2):
        fit = _raw_fit(omega, T, order)
        raw.append((_error(omega, _full(fit.coefficients, T.shape[1]), fit.poles, T), fit))
        if raw[-1][0] <= options.tolerance:
            passive.append(_passive(omega, T, fit))
            if passive[-1].error <= options.tolerance or len(passive) == _ATTEMPTS:
                break
        elif _stalled([error for error, _ in raw], options.tolerance):
            break
    if not raw:
        raise DatabaseError(
            f"a radiation fit needs 2 poles or more, not {options.max_order}, and as many "
            f"frequencies; there are {omega.size}"
        )
    if not passive:
        passive.append(_passive(omega, T, min(raw, key=lambda pair: pair[0])[1]))
    best = min(group.error for group in passive)
    return next(g for g in passive if g.error * _STALLED <= best)


def _stalled(errors: list[float], tolerance: float) -> bool:
    """Whether two more pairs of poles no longer help a fit that is good already."""
    if len(errors) < 4 or errors[-1] > _NEARLY * tolerance:
        return False
    return min(errors) > _STALLED * min(errors[:-2])


def _raw_fit(omega: Float, T: Complex, order: int) -> RationalFit:
    i, j = np.triu_indices(T.shape[1])
    entries = np.ascontiguousarray(T[:, i, j].T)
    weight = np.broadcast_to(_weight(omega, T), entries.shape)
    iw = np.asarray(1j * omega, dtype=np.complex128)
    return fit_rational(iw, entries, order=order, weight=weight)


def _full(coefficients: Float, m: int) -> Float:
    i, j = np.triu_indices(m)
    full = np.empty((m, m, coefficients.shape[1]))
    full[i, j] = full[j, i] = coefficients
    return full


def _passive(omega: Float, T: Complex, fit: RationalFit) -> _Group:
    passive = enforce_passivity(_full(fit.coefficients, T.shape[1]), fit.poles, omega)
    return _Group(fit.poles, passive, _error(omega, passive.coefficients, fit.poles, T))


def _error(omega: Float, coefficients: Float, poles: Complex, T: Complex) -> float:
    difference = evaluate(coefficients, poles, omega) - T
    power = np.trapezoid(np.abs(difference) ** 2, omega, axis=0).max()
    return float(np.sqrt(power / (omega[-1] - omega[0])))


def _weight(omega: Float, T: Complex) -> Complex:
    """Even weight per rad/s; the slow end also has to get its added mass right."""
    peak = omega[np.argmax(_diagonal(T.real).sum(axis=1))]
    density = np.sqrt(np.gradient(omega))
    slow = np.clip(peak / omega, 1.0, _LOW_FREQUENCY_WEIGHT)
    return np.asarray(density * (1.0 + 1j * slow), dtype=np.complex128)
