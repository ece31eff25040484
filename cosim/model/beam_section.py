"""Cross-sections of beams: stiffness and mass per length."""

from __future__ import annotations

import math

from pydantic import model_validator

from cosim.model.base import NonNegative, Positive, Strict

__all__ = ["BeamSection", "RoundSection"]


class BeamSection(Strict):
    """A section by its stiffness and mass per length, the same along the beam.

    Parameters
    ----------
    EI : float
        Bending stiffness about the beam's `normal`, N m².
    EI2 : float or None
        About the other transverse axis, N m²; that of the first by default.
    GJ : float or None
        Twisting stiffness, N m²; None for a beam that does not twist.
    mass_per_length : float
        kg/m.
    rotary_inertia, rotary_inertia2 : float
        Moments of inertia of the section's mass about the axes of EI and EI2, kg m²/m; the
        second is that of the first by default, their sum that about the beam's own axis. 0
        is the Euler-Bernoulli beam, for motion in a plane only.
    """

    EI: Positive
    EI2: Positive | None = None
    GJ: Positive | None = None
    mass_per_length: Positive
    rotary_inertia: NonNegative = 0.0
    rotary_inertia2: NonNegative | None = None

    def inertias(self) -> tuple[float, float, float]:
        """Of the section's mass about the beam and about the axes of EI and EI2, kg m²/m."""
        first = self.rotary_inertia
        second = first if self.rotary_inertia2 is None else self.rotary_inertia2
        return first + second, first, second


class RoundSection(Strict):
    """A round bar or tube of one material.

    Parameters
    ----------
    E : float
        Young's modulus, Pa.
    G : float or None
        Shear modulus, Pa; None for a beam that does not twist.
    density : float
        kg/m³.
    diameter : float
        Outer, m.
    wall : float or None
        Thickness of a tube, m; None for a solid bar.
    """

    E: Positive
    G: Positive | None = None
    density: Positive
    diameter: Positive
    wall: Positive | None = None

    @model_validator(mode="after")
    def _wall_fits(self) -> RoundSection:
        if self.wall is not None and self.wall > 0.5 * self.diameter:
            raise ValueError(
                f"'wall' = {self.wall:g} m is more than half the diameter of {self.diameter:g} m"
            )
        return self

    def section(self) -> BeamSection:
        """``A = pi (D² - d²) / 4`` and ``I = pi (D⁴ - d⁴) / 64`` times the material's numbers."""
        outer = self.diameter
        inner = 0.0 if self.wall is None else outer - 2.0 * self.wall
        area = 0.25 * math.pi * (outer**2 - inner**2)
        moment = math.pi * (outer**4 - inner**4) / 64.0
        return BeamSection(
            EI=self.E * moment,
            GJ=None if self.G is None else 2.0 * self.G * moment,
            mass_per_length=self.density * area,
            rotary_inertia=self.density * moment,
        )
