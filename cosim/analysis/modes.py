"""Natural periods and damping of a linearised system."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig

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
        Speed that moves most, measured by its share of the kinetic energy.
    shape : (nu,) complex
        Displacements, largest kinetic share scaled to 1.
    """

    period: float
    damping_ratio: float
    name: str
    shape: np.ndarray


def natural_modes(system: LinearSystem, *, longest: float = 3600.0) -> list[Mode]:
    """Modes with a period below `longest` (s), slowest first.

    Eigenvalues s of the state matrix with Im s > 0 whose eigenvector lives in the
    displacements; those of the radiation memory alone are overdamped or carry little
    kinetic energy and drop out.

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
    values, vectors = eig(system.state_matrix())
    oscillating = np.flatnonzero(values.imag > 2.0 * np.pi / longest)
    modes = [_mode(system, values[i], vectors[:nu, i]) for i in oscillating]
    modes.sort(key=lambda mode: mode.damping_ratio)
    return sorted(modes[:nu], key=lambda mode: -mode.period)


def _mode(system: LinearSystem, value: complex, shape: np.ndarray) -> Mode:
    share = np.abs(shape) ** 2 * np.diag(system.M)
    leading = int(np.argmax(share))
    return Mode(
        period=2.0 * np.pi / abs(value.imag),
        damping_ratio=-value.real / abs(value),
        name=system.speeds[leading],
        shape=shape / shape[leading],
    )
