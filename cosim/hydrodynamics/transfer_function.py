r"""Excitation of a database at any frequency.

The phase of the wave at each body's own reference point is taken out before interpolation,

.. math:: X_{local} = X e^{-i k p \cdot d(\beta)},

so that what is interpolated, by cubic splines, is smooth in frequency and heading even for
bodies far from the origin, and put back exactly afterwards. p is the reference point minus the
phase reference, d the direction of the wave.
"""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline

from cosim.environment.dispersion import wavenumber
from cosim.hydrodynamics.database import HydroDatabase
from cosim.hydrodynamics.headings import HeadingGrid, hermite
from cosim.hydrodynamics.rigid import Complex, Float

__all__ = ["ExcitationTransfer"]

_BLOCK = 1024
"""Frequencies at a time: bounds the memory that all headings take."""


class ExcitationTransfer:
    """Excitation per metre of wave amplitude, phases local to the bodies.

    Parameters
    ----------
    database : HydroDatabase
        Moments about the points where the loads are wanted.
    water : (depth, gravity), optional
        Water in which the waves travel to the bodies, m and m/s²; that of the database by
        default.

    Attributes
    ----------
    headings : HeadingGrid
    points : (k, 2)
        Reference points of the bodies, m, in the axes of the database.
    omega_min, omega_max : float
        First and last frequency of the database, rad/s. Below the first the excitation is
        interpolated to that of the longest waves, above the last it counts as zero.
    """

    def __init__(self, database: HydroDatabase, water: tuple[float, float] | None = None) -> None:
        self.headings = HeadingGrid(database.headings)
        self.points = np.array([b.reference_point[:2] for b in database.bodies])
        self.omega_min, self.omega_max = float(database.omega[0]), float(database.omega[-1])
        self._depth, self._gravity = water or (database.water_depth, database.gravity)
        omega = np.concatenate([[0.0], database.omega])
        local = self._local(database)[:, self.headings.rows]
        self._spline = CubicSpline(omega, local, axis=0)
        self._slope = CubicSpline(omega, self.headings.slopes(local), axis=0)

    def _local(self, database: HydroDatabase) -> Complex:
        k = wavenumber(database.omega, depth=database.water_depth, gravity=database.gravity)
        direction = np.array([np.cos(database.headings), np.sin(database.headings)])
        along = (self.points - database.phase_reference) @ direction
        phase = np.repeat(np.exp(-1j * k[:, None, None] * along), 6, axis=1)
        finite = database.excitation * phase.transpose(0, 2, 1)
        # the longest wave lifts the water without slope: hydrostatics tell its load
        still = np.concatenate([body.stiffness[:, 2] for body in database.bodies])
        first = np.broadcast_to(still, (1, *finite.shape[1:]))
        return np.concatenate([first, finite])

    def local(self, omega: Float) -> tuple[Complex, Complex]:
        """X_local at frequencies, and its slope by heading, (n, m headings of the grid, 6k)."""
        at, beyond = np.minimum(omega, self.omega_max), omega > self.omega_max
        values, slopes = self._spline(at), self._slope(at)
        values[beyond] = slopes[beyond] = 0.0
        return values, slopes

    def along(self, omega: Float, beta: Float, *, origin: tuple[float, float]) -> Complex:
        """X for one heading, phases for a crest at `origin` at t = 0, (n, 6k).

        Parameters
        ----------
        omega : (n,)
            rad/s.
        beta : (n,)
            Headings relative to the database, rad.
        origin : (2,)
            m, in the axes of the database.
        """
        X = np.concatenate(
            [
                self._toward(omega[n : n + _BLOCK], beta[n : n + _BLOCK])
                for n in range(0, omega.size, _BLOCK)
            ]
        )
        k = wavenumber(np.maximum(omega, 1e-9), depth=self._depth, gravity=self._gravity)
        direction = np.array([np.cos(beta), np.sin(beta)])
        distance = (self.points - np.asarray(origin)) @ direction
        phase: Complex = np.exp(1j * k * distance)
        return np.asarray(X * np.repeat(phase.T, 6, axis=1))

    def _toward(self, omega: Float, beta: Float) -> Complex:
        """X_local for one heading at each frequency, (n, 6k)."""
        lower, weight = self.headings.weights(beta)
        rows, grid = np.arange(omega.size), self.headings.grid
        upper = np.minimum(lower + 1, grid.size - 1)
        values, slopes = self.local(omega)
        a, b, c, d = np.array(
            [hermite(s, h) for s, h in zip(weight, grid[upper] - grid[lower], strict=True)]
        ).T[..., None]
        X = a * values[rows, lower] + b * slopes[rows, lower]
        return np.asarray(X + c * values[rows, upper] + d * slopes[rows, upper])
