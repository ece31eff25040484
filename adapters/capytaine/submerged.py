r"""What hydrostatics needs to know of a wetted surface.

With the triangulated surface closed by the still water plane,

.. math:: V = \sum \tfrac16\, a \cdot (b \times c), \qquad
    W = \int (1, x, y)^T (1, x, y)\, dA = -\int (1, x, y)^T (1, x, y)\, n_z\, dS,

both exact for flat triangles (the integrands are polynomials of degree two).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from adapters.capytaine.panels import Float, PanelMesh, triangles
from cosim.hydrodynamics.hydrostatics import buoyancy_stiffness

__all__ = ["Submerged", "submerged_of_panels"]


@dataclass(frozen=True)
class Submerged:
    """Volume below still water and its waterplane, world frame.

    Attributes
    ----------
    volume : float
        m³.
    centre : (3,)
        Centre of buoyancy, m.
    waterplane : (3, 3)
        ∫ (1, x, y)ᵀ (1, x, y) dA, x and y from the world's z axis, m² to m⁴.
    """

    volume: float
    centre: Float
    waterplane: Float

    @property
    def area(self) -> float:
        """Waterplane area, m²."""
        return float(self.waterplane[0, 0])

    def moved(self, x: float, y: float, yaw: float = 0.0) -> Submerged:
        """Turn about the z axis by `yaw` (rad), then move horizontally by (x, y), m."""
        c, s = np.cos(yaw), np.sin(yaw)
        T = np.array([[1.0, 0.0, 0.0], [x, c, -s], [y, s, c]])
        place = T @ np.array([1.0, *self.centre[:2]])
        centre = np.array([place[1], place[2], self.centre[2]])
        return Submerged(self.volume, centre, T @ self.waterplane @ T.T)

    def stiffness(self, point: ArrayLike, *, rho: float, g: float) -> Float:
        """Buoyancy-only hydrostatic stiffness (6, 6) about a point.

        Parameters
        ----------
        point : (3,)
            m, world frame.
        rho, g : float
            Density of water, kg/m³; gravity, m/s².
        """
        point = np.asarray(point, dtype=np.float64)
        seen = self.moved(-point[0], -point[1])
        return buoyancy_stiffness(
            waterplane=seen.waterplane,
            volume=self.volume,
            centre=self.centre - point,
            weight_density=rho * g,
        )


def submerged_of_panels(mesh: PanelMesh) -> Submerged:
    """Integrate over the wetted panels (open or closed at z = 0, nothing above)."""
    t = triangles(mesh.whole())
    a, b, c = t[:, 0], t[:, 1], t[:, 2]
    parts = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    volume = float(parts.sum())
    moment = (parts[:, None] * (a + b + c) / 4.0).sum(axis=0)
    centre = moment / volume if volume else np.full(3, np.nan)
    return Submerged(volume, centre, _waterplane(t[t[:, :, 2].min(axis=1) < 0.0]))


def _waterplane(t: Float) -> Float:
    u, v = t[:, 1, :2] - t[:, 0, :2], t[:, 2, :2] - t[:, 0, :2]
    projected = 0.5 * (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    middle = 0.5 * (t + np.roll(t, 1, axis=1))[:, :, :2]
    p = np.concatenate([np.ones((len(t), 3, 1)), middle], axis=2)
    return np.asarray(-np.einsum("t,tki,tkj->ij", projected / 3.0, p, p))
