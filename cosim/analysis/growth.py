"""Directions in which a system does not stay at rest."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig

from cosim.analysis.linear_system import LinearSystem

__all__ = ["Growth", "growing"]


@dataclass(frozen=True)
class Growth:
    """One motion that grows by itself.

    Attributes
    ----------
    time : float
        In which it grows by the factor e, 1 / Re s, s.
    name : str
        Speed with the largest share of its kinetic energy.
    """

    time: float
    name: str


def growing(system: LinearSystem, *, longest: float = 3600.0) -> list[Growth]:
    """Motions of a linearised system that grow, fastest first.

    Parameters
    ----------
    system : LinearSystem
    longest : float
        Those that need more than ``longest / (2 pi)`` (s) count as free directions, whose
        double zero comes with rounding.

    Returns
    -------
    list of Growth
    """
    nu = len(system.speeds)
    if nu == 0:
        return []
    values, vectors = eig(system.state_matrix())
    grow = (values.real > 2.0 * np.pi / longest) & (values.imag >= 0.0)
    share = np.abs(vectors[:nu]) ** 2 * np.diag(system.M)[:, None]
    found = [
        Growth(1.0 / values[k].real, system.speeds[int(np.argmax(share[:, k]))])
        for k in np.flatnonzero(grow)
    ]
    return sorted(found, key=lambda growth: growth.time)
