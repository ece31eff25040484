r"""Linear hydrostatics: buoyancy only, about any point.

The core applies the weight, so nothing here contains it. About a point P, for heave
:math:`\zeta` and the small rotation :math:`\theta` from the reference pose,

.. math:: F = (0, 0, \rho g V) - C_F, \qquad M = d_B \times (0, 0, \rho g V) - C_M,

with C acting on (x, y, :math:`\zeta`, :math:`\theta`) and d_B the centre of buoyancy
minus P.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from cosim.hydrodynamics.rigid import Float, transfer

__all__ = [
    "buoyancy_stiffness",
    "lever_stiffness",
    "load_at_rest",
    "move_stiffness",
    "remove_weight",
]


def lever_stiffness(force: float, d: Float) -> Float:
    """Stiffness about a point of a vertical force of constant size that turns with the body.

    .. math:: C_M = F (d_z 1 - d z^T)
    """
    C = np.zeros((6, 6))
    C[3:, 3:] = force * (d[2] * np.eye(3) - np.outer(d, [0.0, 0.0, 1.0]))
    return C


def remove_weight(stiffness: Float, *, mass: float, centre: ArrayLike, gravity: float) -> Float:
    """Buoyancy-only stiffness from one that contains the weight.

    ``C44, C55 += m g z_G; C46 -= m g x_G; C56 -= m g y_G``.

    Parameters
    ----------
    stiffness : (6, 6)
        As Capytaine, WAMIT and BEMIO give it, about their reference point.
    mass : float
        Mass the source used, kg (mostly the displaced one).
    centre : (3,)
        Centre of gravity minus the reference point, m.
    gravity : float
        m/s².
    """
    return stiffness + lever_stiffness(mass * gravity, np.asarray(centre, dtype=np.float64))


def move_stiffness(stiffness: Float, shift: ArrayLike, *, buoyancy: float) -> Float:
    r"""Buoyancy-only stiffness about another point.

    .. math:: C_G = T^T C_P T + \mathrm{blkdiag}(0, \rho g V (d_z 1 - d z^T))

    Parameters
    ----------
    stiffness : (6, 6)
        About the old point.
    shift : (3,)
        d, old point minus new point, m.
    buoyancy : float
        ρ g V, N.

    Notes
    -----
    The congruence alone would leave out that the buoyancy of a submerged body acts above or
    below the new point: it capsizes a spar.
    """
    T = transfer(shift)
    moved = T.T @ stiffness @ T
    return moved + lever_stiffness(buoyancy, np.asarray(shift, dtype=np.float64))


def buoyancy_stiffness(
    *, waterplane: Float, volume: float, centre: ArrayLike, weight_density: float
) -> Float:
    r"""Buoyancy-only stiffness about a point from moments of the waterplane.

    Parameters
    ----------
    waterplane : (3, 3)
        :math:`\int (1, x, y)^T (1, x, y)\, dA` over the waterplane, x and y from the
        point, m² to m⁴.
    volume : float
        Displaced volume, m³.
    centre : (3,)
        Centre of buoyancy minus the point, m.
    weight_density : float
        ρ g, N/m³.

    Returns
    -------
    (6, 6)
    """
    # a waterplane element at (x, y) sinks by -(zeta + y theta_x - x theta_y)
    modes = np.zeros((3, 6))
    modes[0, 2] = 1.0
    modes[1, 4] = -1.0
    modes[2, 3] = 1.0
    C = weight_density * (modes.T @ waterplane @ modes)
    return C + lever_stiffness(weight_density * volume, np.asarray(centre, dtype=np.float64))


def load_at_rest(*, buoyancy: float, centre: ArrayLike) -> Float:
    """Wrench (6,) of the buoyancy in the reference pose about a point; `centre` is d_B, m."""
    x, y, _ = np.asarray(centre, dtype=np.float64)
    return np.array([0.0, 0.0, buoyancy, y * buoyancy, -x * buoyancy, 0.0])
