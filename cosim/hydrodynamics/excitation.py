"""Wave excitation in time: a sum over wave components, or a convolved elevation record."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np
from numba import njit

from cosim.algebra.attitude import yaw_matrix
from cosim.environment.ramp import ramp_factor
from cosim.environment.sea_state import SeaState
from cosim.hydrodynamics.headings import bracket, hermite
from cosim.hydrodynamics.rigid import Float
from cosim.hydrodynamics.transfer_function import ExcitationTransfer

__all__ = [
    "Excitation",
    "FixedExcitation",
    "MovingExcitation",
    "StillExcitation",
    "component_sum",
]


class Excitation(ABC):
    """Load of the waves on all bodies of a database, in the axes of the frame H."""

    @abstractmethod
    def force_into(self, t: float, pose: Float, out: Float) -> None:
        """Ramped load at time t.

        Parameters
        ----------
        t : float
            s.
        pose : (3,)
            x, y, yaw of H, m and rad.
        out : (6k,)
            Overwritten with N and N m about the reference points of the database.
        """


class StillExcitation(Excitation):
    """No waves."""

    def force_into(self, t: float, pose: Float, out: Float) -> None:
        """Zero."""
        out[:] = 0.0


class FixedExcitation(Excitation):
    r"""Sum over components with H at rest.

    .. math:: f(t) = r(t)\, \Re \sum_j X_j a_j e^{i k_j p_H \cdot d_j} e^{-i \omega_j t}

    Parameters
    ----------
    transfer : ExcitationTransfer
    sea : SeaState
    pose : (3,)
        x, y, yaw of H.

    Attributes
    ----------
    omega : (m,)
        rad/s.
    force : two of (m, 6k)
        Real and imaginary amplitudes, X_j a_j with the phase of H.
    ramp : float
        Duration, s.

    Raises
    ------
    DatabaseError
        The database lacks the headings of the sea.
    """

    def __init__(self, transfer: ExcitationTransfer, sea: SeaState, pose: Float) -> None:
        beta = sea.heading - pose[2]
        transfer.headings.require(beta, "waves")
        to_world = yaw_matrix(float(pose[2]))[:2, :2]
        # the crest passes the world's origin at t = 0
        origin = to_world.T @ -pose[:2]
        X = transfer.along(sea.omega, beta, origin=(float(origin[0]), float(origin[1])))
        force = X * sea.amplitude[:, None]
        self.omega = sea.omega
        self.force = (np.ascontiguousarray(force.real), np.ascontiguousarray(force.imag))
        self.ramp = sea.ramp_duration

    def force_into(self, t: float, pose: Float, out: Float) -> None:
        """Sum at time t; `pose` is the one of the constructor."""
        component_sum(t, self.omega, self.force, self.ramp, out)


class MovingExcitation(Excitation):
    """Sum over components with heading and phase of the present H.

    Parameters
    ----------
    transfer : ExcitationTransfer
    sea : SeaState
    """

    def __init__(self, transfer: ExcitationTransfer, sea: SeaState) -> None:
        values, slopes = (part * sea.amplitude[:, None, None] for part in transfer.local(sea.omega))
        self._waves = (sea.omega, sea.wavenumber, sea.heading)
        self._grid = transfer.headings.grid
        self._values = (np.ascontiguousarray(values.real), np.ascontiguousarray(values.imag))
        self._slopes = (np.ascontiguousarray(slopes.real), np.ascontiguousarray(slopes.imag))
        self._points = transfer.points
        self._ramp = sea.ramp_duration

    def force_into(self, t: float, pose: Float, out: Float) -> None:
        """Sum at time t; headings outside the database use its nearest one."""
        places = self._grid, self._points
        _moving_sum((t, self._ramp), pose, self._waves, places, (self._values, self._slopes), out)


@njit(cache=True)
def component_sum(
    t: float, omega: Float, force: tuple[Float, Float], duration: float, out: Float
) -> None:
    """Ramped sum over components with real and imaginary amplitudes, (m, 6k), into out."""
    out[:] = 0.0
    factor = ramp_factor(t, duration)
    if factor == 0.0:
        return
    real, imag = force
    for j in range(omega.size):
        c, s = factor * math.cos(omega[j] * t), factor * math.sin(omega[j] * t)
        for i in range(out.size):
            out[i] += real[j, i] * c + imag[j, i] * s


@njit(cache=True)
def _moving_sum(
    clock: tuple[float, float],
    pose: Float,
    waves: tuple[Float, Float, Float],
    places: tuple[Float, Float],
    table: tuple[tuple[Float, Float], tuple[Float, Float]],
    out: Float,
) -> None:
    t, duration = clock
    omega, wavenumber, heading = waves
    grid, points = places
    (real, imag), (real_slope, imag_slope) = table
    out[:] = 0.0
    factor = ramp_factor(t, duration)
    if factor == 0.0:
        return
    cos_yaw, sin_yaw = math.cos(pose[2]), math.sin(pose[2])
    for j in range(omega.size):
        lo, weight, _ = bracket(grid, heading[j] - pose[2])
        up = min(lo + 1, grid.size - 1)
        p, q, r, w = hermite(weight, grid[up] - grid[lo])
        dx, dy = math.cos(heading[j]), math.sin(heading[j])
        for b in range(points.shape[0]):
            x = pose[0] + cos_yaw * points[b, 0] - sin_yaw * points[b, 1]
            y = pose[1] + sin_yaw * points[b, 0] + cos_yaw * points[b, 1]
            angle = wavenumber[j] * (x * dx + y * dy) - omega[j] * t
            c, s = factor * math.cos(angle), factor * math.sin(angle)
            for i in range(6 * b, 6 * b + 6):
                re = p * real[j, lo, i] + q * real_slope[j, lo, i]
                re += r * real[j, up, i] + w * real_slope[j, up, i]
                im = p * imag[j, lo, i] + q * imag_slope[j, lo, i]
                im += r * imag[j, up, i] + w * imag_slope[j, up, i]
                out[i] += re * c - im * s
