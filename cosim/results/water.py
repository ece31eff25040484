"""The water surface of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cosim.multibody.interface import Float

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Water", "Waves", "waves_of"]


@dataclass(frozen=True)
class Water:
    """The water surface at one instant.

    Attributes
    ----------
    wavenumber, amplitude, phase, heading : (n,)
        Of the components at this instant, ramp included.
    """

    wavenumber: Float
    amplitude: Float
    phase: Float
    heading: Float

    def elevation(self, x: Float, y: Float) -> Float:
        """Elevation, m, at points of any one shape."""
        out = np.zeros(np.shape(x))
        for k, a, phase, heading in zip(
            self.wavenumber, self.amplitude, self.phase, self.heading, strict=True
        ):
            out += a * np.cos(k * (np.cos(heading) * x + np.sin(heading) * y) + phase)
        return out


@dataclass(frozen=True)
class Waves:
    """Components of the sea, a_j cos(k_j x - w_j t + phase_j) along their headings.

    Attributes
    ----------
    omega, wavenumber, amplitude, phase, heading : (n,)
        rad/s, rad/m, m, rad, rad; none in still water.
    ramp : float
        Duration of the cosine ramp, s.
    """

    omega: Float
    wavenumber: Float
    amplitude: Float
    phase: Float
    heading: Float
    ramp: float

    @classmethod
    def still(cls) -> Waves:
        """Water at rest."""
        nothing = np.zeros(0)
        return cls(nothing, nothing, nothing, nothing, nothing, ramp=0.0)

    def at(self, t: float) -> Water:
        """The surface at t, s."""
        done = min(1.0, max(0.0, t / self.ramp)) if self.ramp > 0.0 else 1.0
        return Water(
            wavenumber=self.wavenumber,
            amplitude=self.amplitude * 0.5 * (1.0 - np.cos(np.pi * done)),
            phase=self.phase - self.omega * t,
            heading=self.heading,
        )

    def strongest(self, most: int, left_out: float) -> Waves:
        """The `most` strongest components, fewer if the others have `left_out` of the energy."""
        order = np.argsort(-self.amplitude)
        energy = np.cumsum(self.amplitude[order] ** 2)
        if not energy.size:
            return self
        count = int(np.searchsorted(energy, (1.0 - left_out) * energy[-1])) + 1
        kept = np.sort(order[: min(count, most)])
        return Waves(
            omega=self.omega[kept],
            wavenumber=self.wavenumber[kept],
            amplitude=self.amplitude[kept],
            phase=self.phase[kept],
            heading=self.heading[kept],
            ramp=self.ramp,
        )


def waves_of(dataset: xr.Dataset) -> Waves | None:
    """The sea of a run; None where no body is loaded by anything but its elements."""
    if "wave_omega" not in dataset:
        return Waves.still() if dataset.sizes.get("source", 0) > 0 else None
    return Waves(
        omega=dataset["wave_omega"].values,
        wavenumber=dataset["wave_number"].values,
        amplitude=dataset["wave_amplitude"].values,
        phase=dataset["wave_phase"].values,
        heading=dataset["wave_heading"].values,
        ramp=float(dataset.attrs.get("wave_ramp", 0.0)),
    )
