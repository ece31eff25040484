"""How a case describes its waves; each kind becomes a :class:`SeaState`."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from cosim.environment.dispersion import wavenumber
from cosim.environment.random_waves import JonswapWaves, PiersonMoskowitzWaves, SpectrumWaves
from cosim.environment.record import WaveRecord
from cosim.environment.sea_state import SeaState
from cosim.environment.tables import read_columns
from cosim.environment.wave_base import CasePath, WaveBase, as_value_error
from cosim.model.base import Number, Positive, Strict

__all__ = [
    "ElevationWaves",
    "JonswapWaves",
    "PiersonMoskowitzWaves",
    "RegularWaves",
    "SpectrumWaves",
    "StillWater",
    "Waves",
]


class StillWater(Strict):
    """No waves."""

    type: Literal["still"] = "still"

    def sea_state(self, *, depth: float, gravity: float) -> SeaState:
        """Water at rest."""
        return SeaState.still(depth=depth, gravity=gravity)


class RegularWaves(WaveBase):
    """One component: eta = H/2 cos(k (x cos b + y sin b) - w t + phase).

    Parameters
    ----------
    height : float
        H, crest to trough, m.
    period : float
        s.
    phase_deg : float
        Degrees; 0 is a crest at the origin at t = 0.
    """

    type: Literal["regular"] = "regular"
    height: Positive
    period: Positive
    phase_deg: Number = 0.0

    def sea_state(self, *, depth: float, gravity: float) -> SeaState:
        """One component."""
        amplitude = 0.5 * self.height * np.exp(1j * math.radians(self.phase_deg))
        omega = 2.0 * math.pi / self.period
        return SeaState.of(
            omega, amplitude, self.heading, depth=depth, gravity=gravity, ramp=self.ramp
        )


class ElevationWaves(WaveBase):
    """Waves whose elevation at one place is given by a record.

    Kinematics need components: the Fourier components of the record up to a cut-off. The run
    cannot go beyond the record.

    Parameters
    ----------
    file : path
        Two columns, time in s and elevation in m, as text; or HDF5 with datasets ``t`` (or
        ``time``) and ``eta`` (or ``elevation``). Even steps.
    at : (2,) sequence
        x, y of the wave gauge, m.
    start : float
        Time of the record at which the run has t = 0, s.
    omega_max : float or None
        Highest frequency of the components, rad/s; None keeps 99.9 % of the variance.
    """

    type: Literal["elevation"] = "elevation"
    file: CasePath
    at: tuple[Number, Number] = (0.0, 0.0)
    start: Number = 0.0
    omega_max: Positive | None = None

    @cached_property
    def record(self) -> WaveRecord:
        """The record in the time of the run."""
        time, eta = read_columns(self.file, (("t", "time"), ("eta", "elevation")))
        return WaveRecord(time - self.start, eta, position=self.at, heading=self.heading)

    @model_validator(mode="after")
    def _record_is_readable(self) -> ElevationWaves:
        record = as_value_error(lambda: self.record)
        if record.time[0] > 0.0 or record.time[-1] <= 0.0:
            raise ValueError(
                f"the elevation record covers {record.time[0]:g} to {record.time[-1]:g} s of the "
                "run and must cover t = 0; change 'start'"
            )
        if not np.ptp(record.eta) > 0.0:
            raise ValueError("the elevation record is constant: there are no waves in it")
        if record.components(self.omega_max)[0].size == 0:
            raise ValueError(
                f"no component of the elevation record lies below omega_max = {self.omega_max:g} "
                "rad/s; raise it"
            )
        return self

    def sea_state(self, *, depth: float, gravity: float) -> SeaState:
        """Fourier components, moved from the gauge to the origin."""
        omega, amplitude = self.record.components(self.omega_max)
        along = self.at[0] * math.cos(self.heading) + self.at[1] * math.sin(self.heading)
        k = wavenumber(omega, depth=depth, gravity=gravity)
        return SeaState.of(
            omega,
            amplitude * np.exp(-1j * k * along),
            self.heading,
            depth=depth,
            gravity=gravity,
            ramp=self.ramp,
            record=self.record,
        )


WaveKind = (
    StillWater
    | RegularWaves
    | JonswapWaves
    | PiersonMoskowitzWaves
    | SpectrumWaves
    | ElevationWaves
)
Waves = Annotated[WaveKind, Field(discriminator="type")]
