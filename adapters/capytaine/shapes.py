"""Parametric hulls: exact hydrostatics in closed form, panels with the same volume and waterplane.

Heights are in the world frame of the reference configuration (still water at z = 0); what lies
above the water is cut off. The axis goes through the body's centre of gravity unless `at` says
otherwise.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import pairwise
from typing import Literal

import numpy as np
from pydantic import Field, model_validator
from scipy.optimize import brentq

from adapters.capytaine.panels import Float, PanelMesh
from adapters.capytaine.revolution import (
    capped,
    cone_volume,
    lid_panels,
    revolve,
    subdivided,
    waterline_size,
    wetted_profile,
)
from adapters.capytaine.submerged import Submerged
from cosim.model.base import NonNegative, Number, Positive, Strict

__all__ = ["ParametricHull", "Revolution", "Sphere", "VerticalCylinder"]


class ParametricHull(Strict):
    """What every parametric hull has in common.

    Attributes
    ----------
    at : (2,) sequence, optional
        Position of the axis, m; default that of the centre of gravity.
    panel_size : float, optional
        Length of the panels at edges, m; those at the waterline are a third as high.
    """

    at: tuple[Number, Number] | None = None
    panel_size: Positive | None = None

    @property
    def yaw(self) -> float:
        """Rotation about the vertical axis, rad."""
        return 0.0

    @abstractmethod
    def submerged(self) -> Submerged:
        """Exact volume and waterplane, axis at the origin."""

    @abstractmethod
    def panels(self) -> tuple[PanelMesh, PanelMesh | None]:
        """Wetted panels and lid (None where the body is submerged), axis at the origin."""


class Revolution(ParametricHull):
    """Body of revolution about a vertical axis, for instance a spar.

    Attributes
    ----------
    profile : sequence of (radius, z)
        m, from bottom to top; straight in between. Ends away from the axis are closed flat.
    sectors : int
        Flat sides around the axis.
    """

    shape: Literal["revolution"] = "revolution"
    profile: tuple[tuple[NonNegative, Number], ...] = Field(min_length=2)
    sectors: int = Field(default=32, ge=8)

    @model_validator(mode="after")
    def _ordered(self) -> Revolution:
        heights = [z for _, z in self.profile]
        if any(above < below for below, above in pairwise(heights)):
            raise ValueError("the points of 'profile' must go upwards (z not decreasing)")
        if heights[0] >= 0.0:
            raise ValueError(f"the lowest point is at z = {heights[0]:g} m: the hull is dry")
        if not any(r for r, z in self.profile if z <= 0.0):
            raise ValueError("every wetted point of 'profile' has radius 0")
        return self

    def submerged(self) -> Submerged:
        """Exact volume and waterplane, axis at the origin."""
        points, waterline = wetted_profile(self.profile)
        r, z = points.T
        a, b, h = r[:-1], r[1:], np.diff(z)
        volume = cone_volume(points)
        # integral of z pi r^2 dz over each cone
        bottom = z[:-1] * h * (a * a + a * b + b * b) / 3.0
        height = h * h * (a * a + 2.0 * a * b + 3.0 * b * b) / 12.0
        centre = np.pi * float(np.sum(bottom + height)) / volume
        return Submerged(volume, np.array([0.0, 0.0, centre]), disc(waterline))

    def panels(self) -> tuple[PanelMesh, PanelMesh | None]:
        """Wetted panels and lid."""
        points, waterline = wetted_profile(self.profile)
        size = self.panel_size or 2.0 * np.pi * float(points[:, 0].max()) / self.sectors
        hull = revolve(subdivided(points, size), self.sectors)
        return hull, lid_panels(waterline, size, self.sectors)


class VerticalCylinder(ParametricHull):
    """Vertical circular cylinder.

    Attributes
    ----------
    radius : float
        m.
    bottom, top : float
        Heights of its ends, m.
    sectors : int
        Flat sides around the axis.
    """

    shape: Literal["vertical_cylinder"] = "vertical_cylinder"
    radius: Positive
    bottom: Number = Field(lt=0)
    top: Number = 0.0
    sectors: int = Field(default=32, ge=8)

    @model_validator(mode="after")
    def _ordered(self) -> VerticalCylinder:
        if self.top <= self.bottom:
            raise ValueError("'top' must be above 'bottom'")
        return self

    def _revolution(self) -> Revolution:
        return Revolution(
            profile=((self.radius, self.bottom), (self.radius, self.top)),
            sectors=self.sectors,
            panel_size=self.panel_size,
        )

    def submerged(self) -> Submerged:
        """Exact volume and waterplane, axis at the origin."""
        return self._revolution().submerged()

    def panels(self) -> tuple[PanelMesh, PanelMesh | None]:
        """Wetted panels and lid."""
        return self._revolution().panels()


class Sphere(ParametricHull):
    """Sphere, floating or submerged.

    Attributes
    ----------
    radius : float
        m.
    z : float
        Height of its centre, m.
    sectors : int
        Flat sides around the vertical axis.
    """

    shape: Literal["sphere"] = "sphere"
    radius: Positive
    z: Number = 0.0
    sectors: int = Field(default=32, ge=8)

    @model_validator(mode="after")
    def _wet(self) -> Sphere:
        if self.z >= self.radius:
            raise ValueError(f"the lowest point is at z = {self.z - self.radius:g} m: it is dry")
        return self

    def submerged(self) -> Submerged:
        """Exact volume and waterplane, axis at the origin."""
        R, u = self.radius, min(-self.z, self.radius)
        volume = np.pi * (R * R * (u + R) - (u**3 + R**3) / 3.0)
        moment = np.pi * (R * R * (u * u - R * R) / 2.0 - (u**4 - R**4) / 4.0)
        centre = np.array([0.0, 0.0, self.z + moment / volume])
        return Submerged(float(volume), centre, disc(self._rim()))

    def _rim(self) -> float:
        """Radius of the waterline, zero where the sphere is submerged."""
        return float(np.sqrt(self.radius**2 - self.z**2)) if self.z > -self.radius else 0.0

    def panels(self) -> tuple[PanelMesh, PanelMesh | None]:
        """Wetted panels and lid; the chords stand out far enough to keep the volume."""
        R, rim = self.radius, self._rim()
        size = self.panel_size or 2.0 * np.pi * R / self.sectors
        top = np.pi if rim == 0.0 else float(np.arccos(self.z / R))
        theta = top * capped(top * R, size, size if rim == 0.0 else waterline_size(size))
        arc = R * np.column_stack([np.sin(theta), -np.cos(theta)])
        arc[0, 0] = 0.0
        if rim == 0.0:
            arc[-1, 0] = 0.0
        true = self.submerged().volume

        def meridian(scale: float) -> Float:
            points = scale * arc + np.array([0.0, self.z])
            if rim > 0.0:
                points[-1] = rim, 0.0
            return np.asarray(points)

        scale = brentq(lambda s: cone_volume(meridian(s)) - true, 1.0, 1.5, xtol=1e-15)
        return revolve(meridian(scale), self.sectors), lid_panels(rim, size, self.sectors)


def disc(radius: float) -> Float:
    """Moments (3, 3) of a circular waterplane about its centre."""
    area = np.pi * radius * radius
    return np.asarray(np.diag(area * np.array([1.0, radius**2 / 4.0, radius**2 / 4.0])))
