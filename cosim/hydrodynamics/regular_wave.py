"""Load of a regular wave of unit amplitude."""

from __future__ import annotations

import numpy as np

from cosim.algebra.attitude import yaw_matrix
from cosim.algebra.types import Complex, Float
from cosim.hydrodynamics.database import HydroDatabase
from cosim.hydrodynamics.transfer_function import ExcitationTransfer

__all__ = ["regular_excitation"]


def regular_excitation(
    database: HydroDatabase,
    water: tuple[float, float],
    pose: Float,
    omega: Float,
    heading: float,
) -> Complex:
    """Complex load per metre of wave amplitude, (nw, 6k), world axes, with exp(-i w t).

    Parameters
    ----------
    database : HydroDatabase
        About the centres of gravity.
    water : (depth, gravity)
        m and m/s².
    pose : (3,)
        x, y, yaw of the frame H, m and rad.
    omega : (nw,)
        rad/s.
    heading : float
        Direction that the wave goes to, rad; its crest passes the world's origin at t = 0.

    Raises
    ------
    DatabaseError
        The database lacks this heading.
    """
    transfer = ExcitationTransfer(database, water)
    beta = np.full(omega.size, heading - pose[2])
    transfer.headings.require(beta, "a wave")
    turn = yaw_matrix(float(pose[2]))
    origin = turn[:2, :2].T @ -pose[:2]
    X = transfer.along(omega, beta, origin=(float(origin[0]), float(origin[1])))
    turned = X.reshape(omega.size, -1, 3) @ turn.T
    return np.asarray(turned.reshape(omega.size, -1))
