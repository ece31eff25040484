"""A measured or imported surface elevation at one place."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from cosim.algebra.types import Complex, Float
from cosim.environment.ramp import ramp_factor
from cosim.errors import ModelError

__all__ = ["WaveRecord"]


_UNEVENNESS = 1e-3  # of a step
_BRIDGE = 0.01  # of the record's length


@dataclass(frozen=True, eq=False)  # arrays have no truth value
class WaveRecord:
    """Evenly spaced surface elevation at one place, without the ramp.

    Attributes
    ----------
    time : (n,) array
        Time of the run, s.
    eta : (n,) array
        Elevation above the still-water level, m, not ramped.
    position : (2,) tuple
        x, y of the place, m, world frame.
    heading : float
        Direction that the waves go to, rad, counter-clockwise from +x.
    ramp_duration : float
        Of :func:`cosim.environment.ramp_factor`, s.

    Raises
    ------
    ModelError
        Fewer than 8 samples, or time does not rise in even steps.
    """

    time: Float
    eta: Float
    position: tuple[float, float] = (0.0, 0.0)
    heading: float = 0.0
    ramp_duration: float = 0.0

    def __post_init__(self) -> None:
        if len(self.time) < 8 or self.time.shape != self.eta.shape:
            raise ModelError(
                f"an elevation record needs at least 8 pairs of time and elevation, this one has "
                f"{len(self.time)} times and {len(self.eta)} elevations"
            )
        usual = float(np.median(np.diff(self.time)))
        uneven = np.abs(np.diff(self.time) - usual) > _UNEVENNESS * abs(usual)
        if usual <= 0.0 or uneven.any():
            row = int(np.argmax(uneven)) + 1
            raise ModelError(
                f"the times of an elevation record must rise in even steps of {usual:g} s; "
                f"row {row + 1} goes from {self.time[row - 1]:g} to {self.time[row]:g} s; "
                "resample the record"
            )
        for array in (self.time, self.eta):
            array.setflags(write=False)

    @property
    def step(self) -> float:
        """Sampling interval, s."""
        return float((self.time[-1] - self.time[0]) / (len(self.time) - 1))

    def ramp(self) -> Float:
        """Ramp factor at every sample."""
        return np.array([ramp_factor(t, self.ramp_duration) for t in self.time])

    def components(self, omega_max: float | None = None) -> tuple[Float, Complex]:
        """Fourier components of the record at its own place.

        The record is closed into a period by a cubic of 1 % of its length, so that the jump
        between its ends does not leak into all frequencies. The mean is left out: it is
        not a wave.

        Parameters
        ----------
        omega_max : float or None
            Highest frequency kept, rad/s; None keeps 99.9 % of the variance.

        Returns
        -------
        omega : (n,) array
            rad/s.
        amplitude : (n,) complex array
            m; eta = Re sum a exp(-i omega t), t the time of the run.
        """
        closed = np.concatenate((self.eta, self._bridge()))
        spectrum = np.fft.rfft(closed)[1 : (len(closed) + 1) // 2]
        lowest = 2.0 * math.pi / (len(closed) * self.step)
        omega: Float = lowest * np.arange(1, len(spectrum) + 1, dtype=np.float64)
        if omega_max is None:
            energy = np.cumsum(np.abs(spectrum) ** 2)
            count = int(np.searchsorted(energy, 0.999 * energy[-1])) + 1
        else:
            count = int(np.searchsorted(omega, omega_max, side="right"))
        omega, spectrum = omega[:count], spectrum[:count]
        amplitude: Complex = (
            2.0 / len(closed) * np.conj(spectrum) * np.exp(1j * omega * self.time[0])
        )
        return omega, amplitude

    def _bridge(self) -> Float:
        count = max(8, round(_BRIDGE * len(self.eta)))
        s = np.arange(1, count) / count
        slope0, slope1 = self.eta[-1] - self.eta[-2], self.eta[1] - self.eta[0]
        return np.asarray(
            self.eta[-1] * (1.0 + 2.0 * s) * (1.0 - s) ** 2
            + self.eta[0] * s**2 * (3.0 - 2.0 * s)
            + count * (slope0 * s * (1.0 - s) ** 2 - slope1 * s**2 * (1.0 - s))
        )
