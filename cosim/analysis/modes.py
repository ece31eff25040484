"""Natural periods and damping of a linearised system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig
from scipy.optimize import linear_sum_assignment

from cosim.analysis.linear import LinearSystem

__all__ = ["Mode", "natural_modes"]


@dataclass(frozen=True)
class Mode:
    """One oscillating mode.

    Attributes
    ----------
    period : float
        Damped period 2 pi / |Im s|, s.
    damping_ratio : float
        -Re s / |s|.
    name : str
        Speed that the mode belongs to: each mode gets another one, such that the shares of
        kinetic energy in them add up to the most.
    shape : (nu,) complex
        Displacements, largest kinetic share scaled to 1.
    """

    period: float
    damping_ratio: float
    name: str
    shape: np.ndarray


def natural_modes(system: LinearSystem, *, longest: float = 3600.0) -> list[Mode]:
    """Modes with a period below `longest` (s), slowest first.

    Of all eigenvalues s of the state matrix, those 2 nu in which displacements and speeds
    participate most belong to the bodies; modes are those of them with Im s > 0. The
    participation is the share of displacements and speeds in lᴴ r, left times right
    eigenvector, which no choice of units changes. So the radiation memory drops out, also
    where it is less damped than the bodies, and a free direction has no mode.

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
    shares = left.conj() * vectors
    with np.errstate(divide="ignore", invalid="ignore"):  # a double zero has lᴴ r = 0
        participation = np.abs(shares[: 2 * nu].sum(axis=0) / shares.sum(axis=0))
    slowest = 2.0 * np.pi / longest
    participation[np.abs(values) < slowest] = np.inf  # free directions, slower than any memory
    of_bodies = np.argsort(-participation, kind="stable")[: 2 * nu]
    chosen = of_bodies[values[of_bodies].imag > slowest]
    shapes = vectors[:nu, chosen]
    share = np.abs(shapes) ** 2 * np.diag(system.M)[:, None]
    speeds, columns = linear_sum_assignment(-share / share.sum(axis=0))
    modes = [
        Mode(
            period=2.0 * np.pi / abs(values[chosen[k]].imag),
            damping_ratio=-values[chosen[k]].real / abs(values[chosen[k]]),
            name=system.speeds[speed],
            shape=shapes[:, k] / shapes[np.argmax(share[:, k]), k],
        )
        for speed, k in zip(speeds, columns, strict=True)
    ]
    return sorted(modes, key=lambda mode: -mode.period)
