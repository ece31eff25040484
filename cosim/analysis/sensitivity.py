r"""How eigenvalues change with a parameter, exactly from the change of the matrices.

With right and left eigenvectors r and l of the pencil ``(F - s E) r = 0`` (see
:meth:`~cosim.analysis.linear_system.LinearSystem.descriptor`),

.. math:: \frac{ds}{dp} = \frac{l^H (F' - s E')\,r}{l^H E\,r},

which for a system without states of adapters is
:math:`-l^H (s^2 M' + s C' + K')\,\phi \,/\, l^H (2 s M + C)\,\phi`. The derivatives E' and F' are
total: they are differences of systems rebuilt with another parameter and linearised about their
own equilibrium. Eigenvalues that coincide split by the eigenvalues of the same expression on
their common space.

Source: R. L. Fox and M. P. Kapoor, AIAA Journal 6 (1968) 2426-2429; for pencils with damping,
S. Adhikari, AIAA Journal 37 (1999) 1452-1458.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig

from cosim.algebra.types import Complex, Float
from cosim.analysis.linear_system import LinearSystem
from cosim.analysis.modes import Mode, natural_modes
from cosim.errors import ModelError

__all__ = ["ModeChange", "PencilChange", "mode_changes", "pencil_change"]

_COINCIDE = 1e-7
"""Relative distance at which eigenvalues count as one."""


@dataclass(frozen=True)
class PencilChange:
    """Derivatives of E and F with respect to a parameter.

    Attributes
    ----------
    E, F : (n, n)
    error : float
        Estimated error relative to the largest entry.
    """

    E: Float
    F: Float
    error: float


@dataclass(frozen=True)
class ModeChange:
    """Derivative of a mode with respect to a parameter p.

    Attributes
    ----------
    mode : Mode
    value : complex
        ds/dp.
    """

    mode: Mode
    value: complex

    @property
    def frequency(self) -> float:
        """Derivative of the damped frequency, Hz per unit of p."""
        return float(np.sign(self.mode.value.imag)) * self.value.imag / (2.0 * np.pi)

    @property
    def period(self) -> float:
        """Derivative of the damped period, s per unit of p."""
        return -self.frequency * self.mode.period**2

    @property
    def damping_ratio(self) -> float:
        """Derivative of -Re s / |s|."""
        s, ds = self.mode.value, self.value
        size = abs(s)
        return -ds.real / size + s.real * (s.real * ds.real + s.imag * ds.imag) / size**3


def pencil_change(
    build: Callable[[float], LinearSystem], value: float, step: float
) -> PencilChange:
    """Differentiate the matrices of a system that is rebuilt for four values of a parameter.

    Central differences with `step` and half of it, extrapolated to order four; what the two
    differ by is the error.

    Parameters
    ----------
    build : callable
        Takes the parameter, returns the system about its own equilibrium.
    value : float
    step : float

    Raises
    ------
    ModelError
        The number of states changes with the parameter.
    """

    def slope(h: float) -> tuple[Float, Float]:
        above, below = build(value + h).descriptor(), build(value - h).descriptor()
        if above[0].shape != below[0].shape:
            raise ModelError(
                "the number of states of the linear system changes with the parameter "
                "(the fit of a radiation memory took another order); fix its order in the adapter"
            )
        return (above[0] - below[0]) / (2.0 * h), (above[1] - below[1]) / (2.0 * h)

    (E1, F1), (E2, F2) = slope(step), slope(0.5 * step)
    E, F = E2 + (E2 - E1) / 3.0, F2 + (F2 - F1) / 3.0
    size = max(np.abs(E).max(), np.abs(F).max(), 1e-300)
    # what the two differ by is the error of the longer step, 15 times that of both together
    error = max(np.abs(E2 - E1).max(), np.abs(F2 - F1).max()) / (15.0 * size)
    return PencilChange(E, F, float(error))


def mode_changes(system: LinearSystem, change: PencilChange) -> list[ModeChange]:
    """Derivatives of all natural modes, slowest mode first.

    Parameters
    ----------
    system : LinearSystem
    change : PencilChange

    Raises
    ------
    ModelError
        The change is of another system.
    """
    E, F = system.descriptor()
    if change.E.shape != E.shape:
        raise ModelError(
            f"the change has {len(change.E)} states and the system {len(E)}; differentiate the "
            "system that the modes are of"
        )
    values, left, right = eig(F, E, left=True)
    derivatives = np.zeros_like(values)
    for group in _groups(values):
        L, R = left[:, group].conj().T, right[:, group]
        s = values[group].mean()
        split = np.linalg.solve(L @ E @ R, L @ (change.F - s * change.E) @ R)
        derivatives[group] = np.linalg.eigvals(split)
    return [
        ModeChange(mode, complex(derivatives[int(np.argmin(np.abs(values - mode.value)))]))
        for mode in natural_modes(system)
    ]


def _groups(values: Complex) -> list[list[int]]:
    """Oscillating eigenvalues with those that coincide with them."""
    waiting = [int(k) for k in np.flatnonzero(values.imag > 0.0)]
    groups = []
    while waiting:
        first = waiting[0]
        near = np.abs(values[waiting] - values[first]) <= _COINCIDE * abs(values[first])
        groups.append([k for k, together in zip(waiting, near, strict=True) if together])
        waiting = [k for k, together in zip(waiting, near, strict=True) if not together]
    return groups
