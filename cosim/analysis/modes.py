"""Natural periods and damping of a linearised system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eig, qr
from scipy.optimize import linear_sum_assignment

from cosim.algebra.types import Complex, Float
from cosim.analysis.linear_system import LinearSystem

__all__ = ["Mode", "natural_modes"]

_TOGETHER = 1e-4
"""Relative distance up to which eigenvalues are taken for one."""
_CLEAR = 1e3
"""Condition number up to which coordinates tell the shapes of a group apart."""


@dataclass(frozen=True)
class Mode:
    """One oscillating mode.

    Attributes
    ----------
    value : complex
        Eigenvalue s, 1/s; the motion goes with exp(s t).
    name : str
        Speed that the mode belongs to: each mode gets another one, such that the shares of
        kinetic energy in them add up to the most.
    shape : (nu,) complex
        Displacements, largest kinetic share scaled to 1.
    shares : (nu,)
        Parts of the kinetic energy in the speeds, by the diagonal of the mass matrix.
    """

    value: complex
    name: str
    shape: Complex
    shares: Float

    @property
    def period(self) -> float:
        """Damped period 2 pi / |Im s|, s."""
        return 2.0 * np.pi / abs(self.value.imag)

    @property
    def frequency(self) -> float:
        """Damped frequency, Hz."""
        return abs(self.value.imag) / (2.0 * np.pi)

    @property
    def undamped_period(self) -> float:
        """2 pi / |s|, s."""
        return 2.0 * np.pi / abs(self.value)

    @property
    def damping_ratio(self) -> float:
        """-Re s / |s|."""
        return -self.value.real / abs(self.value)


def natural_modes(system: LinearSystem, *, longest: float = 3600.0) -> list[Mode]:
    """Modes with a period below `longest` (s), slowest first.

    Of all eigenvalues s of the state matrix, those 2 nu in which displacements and speeds
    participate most belong to the bodies; modes are those of them with Im s > 0. The
    participation is the share of displacements and speeds in lᴴ r, left times right
    eigenvector, which no choice of units changes. So the radiation memory drops out, also
    where it is less damped than the bodies, and a free direction has no mode.

    Of modes whose eigenvalues agree to 1e-4 (surge and sway of a symmetric mooring) any mix is as
    good a mode: they are shown by shapes that have one coordinate each to themselves.

    Parameters
    ----------
    system : LinearSystem
    longest : float
        Slower ones count as free directions.

    Returns
    -------
    list of Mode
    """
    nu = len(system.speeds)
    if nu == 0:
        return []
    values, left, vectors = eig(system.state_matrix(), left=True)
    chosen = _of_bodies(values, left.conj() * vectors, nu, 2.0 * np.pi / longest)
    shapes = _untangled(values[chosen], vectors[:nu, chosen], np.sqrt(np.diag(system.M)))
    share = np.abs(shapes) ** 2 * np.diag(system.M)[:, None]
    share /= share.sum(axis=0)
    speeds, columns = linear_sum_assignment(-share)
    modes = [
        Mode(
            value=complex(values[chosen[k]]),
            name=system.speeds[speed],
            shape=shapes[:, k] / shapes[np.argmax(share[:, k]), k],
            shares=share[:, k],
        )
        for speed, k in zip(speeds, columns, strict=True)
    ]
    return sorted(modes, key=lambda mode: -mode.period)


def _of_bodies(values: Complex, products: Complex, nu: int, slowest: float) -> NDArray[np.intp]:
    """Oscillations of the bodies among all eigenvalues; `products` are lᴴ r by state."""
    with np.errstate(divide="ignore", invalid="ignore"):  # a double zero has lᴴ r = 0
        participation = np.abs(products[: 2 * nu].sum(axis=0) / products.sum(axis=0))
    participation[np.abs(values) < slowest] = np.inf  # free directions, slower than any memory
    of_bodies = np.argsort(-participation, kind="stable")[: 2 * nu]
    return of_bodies[values[of_bodies].imag > slowest]


def _untangled(values: Complex, shapes: Complex, scale: Float) -> Complex:
    """Shapes of nearly equal eigenvalues, each without the coordinate that leads another."""
    shapes = shapes.copy()
    left = list(range(len(values)))
    while left:
        near = np.abs(values[left] - values[left[0]]) <= _TOGETHER * abs(values[left[0]])
        group = [k for k, together in zip(left, near, strict=True) if together]
        left = [k for k, together in zip(left, near, strict=True) if not together]
        weighted = scale[:, None] * shapes[:, group]
        leading = qr(weighted.conj().T, pivoting=True, mode="r")[1][: len(group)]
        own = weighted[leading] / np.linalg.norm(weighted, axis=0)
        if len(group) > 1 and np.linalg.cond(own) < _CLEAR:
            mixed = shapes[:, group] @ np.linalg.inv(shapes[np.ix_(leading, group)])
            # the shape nearest to each of the old ones keeps its eigenvalue
            overlap = np.abs((scale[:, None] * mixed).conj().T @ weighted)
            rows, columns = linear_sum_assignment(-overlap / np.linalg.norm(weighted, axis=0))
            shapes[:, [group[k] for k in columns]] = mixed[:, rows]
    return shapes
