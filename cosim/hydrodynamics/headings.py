"""Interpolation between the wave headings of a database."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from scipy.interpolate import CubicSpline

from cosim.errors import DatabaseError
from cosim.hydrodynamics.rigid import Complex, Float

__all__ = ["HeadingGrid", "bracket", "hermite"]

_COVERED = 1e-6
_FULL = 2.0 * math.pi


class HeadingGrid:
    """Headings of a database on the circle.

    Parameters
    ----------
    headings : (nh,)
        rad, increasing.

    Attributes
    ----------
    grid : (m,)
        rad; closed over the full circle where the headings cover it.
    rows : (m,) int
        Heading of the database at every point of the grid.
    """

    def __init__(self, headings: Float) -> None:
        self.grid = headings.copy()
        self.rows = np.arange(headings.size)
        if headings.size > 2:
            gap = headings[0] + _FULL - headings[-1]
            if abs(gap) < _COVERED:
                self.rows[-1] = 0
                return
            if gap <= 1.01 * float(np.diff(headings).max()):
                self.grid = np.concatenate([headings, [headings[0] + _FULL]])
                self.rows = np.concatenate([self.rows, [0]])

    @property
    def closed(self) -> bool:
        """Whether every direction is covered."""
        return bool(self.grid[-1] - self.grid[0] > _FULL - _COVERED)

    def require(self, beta: Float, what: str) -> None:
        """Refuse headings, rad, relative to the database, that it does not cover.

        Raises
        ------
        DatabaseError
        """
        for value in np.unique(beta):
            _, _, outside = bracket(self.grid, float(value))
            if outside > _COVERED:
                listed = ", ".join(f"{math.degrees(h):.4g}" for h in self.grid)
                raise DatabaseError(
                    f"{what} come at {math.degrees(float(value)):.4g} deg to the database, which "
                    f"holds the headings {listed} deg; compute it for more headings "
                    "('headings_deg', where 'hulls' are computed)"
                )

    def slopes(self, values: Complex) -> Complex:
        """Derivatives by heading, 1/rad, of values (n, m, ...) at the points of the grid.

        Of the cubic spline through them, periodic where the headings close.
        """
        if self.grid.size == 1:
            return np.zeros_like(values)
        kind = "periodic" if self.closed else "not-a-knot"
        spline = CubicSpline(self.grid, values, axis=1, bc_type=kind)
        return np.asarray(spline(self.grid, 1))

    def widest(self, beta: Float) -> float:
        """Widest interval of the grid that headings beta, rad, fall inside of, rad."""
        lower, weight = self.weights(beta)
        inside = (weight > _COVERED) & (weight < 1.0 - _COVERED)
        if not inside.any():
            return 0.0
        return float(np.diff(self.grid)[lower[inside]].max())

    def weights(self, beta: Float) -> tuple[np.ndarray, Float]:
        """Lower grid point and how far towards the upper one, 0 to 1, (n,) each."""
        found = [bracket(self.grid, float(value)) for value in beta]
        return np.array([f[0] for f in found], dtype=np.int64), np.array([f[1] for f in found])


@njit(cache=True)
def bracket(grid: Float, beta: float) -> tuple[int, float, float]:
    """Interval of the grid that holds beta (mod a full turn).

    Returns
    -------
    lower : int
        Index of its lower end.
    weight : float
        How far towards its upper end, 0 to 1.
    outside : float
        How far beta lies outside the grid, rad; the nearest end is used then.
    """
    first, last = grid[0], grid[-1]
    turned = first + (beta - first) % (2.0 * math.pi)
    if turned > last:
        above, below = turned - last, first + 2.0 * math.pi - turned
        if below < above:
            return 0, 0.0, below
        return max(0, grid.size - 2), (1.0 if grid.size > 1 else 0.0), above
    if grid.size == 1:
        return 0, 0.0, 0.0
    lower = min(max(np.searchsorted(grid, turned, side="right") - 1, 0), grid.size - 2)
    return lower, (turned - grid[lower]) / (grid[lower + 1] - grid[lower]), 0.0


@njit(cache=True)
def hermite(s: float, width: float) -> tuple[float, float, float, float]:
    """Weights of value and slope at the lower end, value and slope at the upper one."""
    t = 1.0 - s
    return t * t * (1.0 + 2.0 * s), width * s * t * t, s * s * (3.0 - 2.0 * s), -width * s * s * t
