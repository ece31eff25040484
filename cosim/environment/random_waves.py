"""Seas drawn at random from a spectrum."""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import cached_property
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from cosim.algebra.types import Float
from cosim.environment.sea_state import SeaState
from cosim.environment.spectra import (
    dnv_gamma,
    draw_components,
    jonswap_energies,
    table_energies,
)
from cosim.environment.tables import read_columns
from cosim.environment.wave_base import CasePath, WaveBase, as_value_error
from cosim.errors import ModelError
from cosim.model.base import Integer, NonNegative, Number, Positive

__all__ = ["JonswapWaves", "PiersonMoskowitzWaves", "RandomWaves", "SpectrumWaves"]

Seed = Annotated[Integer, Field(ge=0)]
ComponentCount = Annotated[Integer, Field(ge=1, le=20_000)]


class RandomWaves(WaveBase):
    """Parameters of a sea drawn from a spectrum.

    The range of frequencies is cut into equal bands. Each gives one component with the
    energy of the band, a random frequency inside it and a random phase, so that the record
    does not repeat itself.

    Parameters
    ----------
    seed : int
        Of the generator PCG64.
    components : int
        Number of bands.
    omega_min, omega_max : float or None
        Range, rad/s; None for the default of the spectrum.
    """

    seed: Seed = 1
    components: ComponentCount = 200
    omega_min: Positive | None = None
    omega_max: Positive | None = None

    @model_validator(mode="after")
    def _range_is_a_range(self) -> RandomWaves:
        low, high = as_value_error(self._range)
        if low >= high:
            raise ValueError(
                f"the lowest wave frequency, {low:g} rad/s, must be below the highest, "
                f"{high:g} rad/s; change omega_min or omega_max"
            )
        return self

    @abstractmethod
    def _range(self) -> tuple[float, float]: ...

    @abstractmethod
    def _energies(self, edges: Float) -> Float: ...

    def sea_state(self, *, depth: float, gravity: float) -> SeaState:
        """One component per band."""
        edges = np.linspace(*self._range(), self.components + 1)
        omega, amplitude = draw_components(edges, self._energies(edges), self.seed)
        return SeaState.of(
            omega, amplitude, self.heading, depth=depth, gravity=gravity, ramp=self.ramp
        )


class _PeakedWaves(RandomWaves):
    """A sea given by height and period, from 0.5 to 5 times the peak frequency.

    Parameters
    ----------
    hs : float
        Significant wave height, m; the components have m0 = Hs^2/16.
    tp : float
        Peak period, s.
    """

    hs: Positive
    tp: Positive

    def _range(self) -> tuple[float, float]:
        peak = 2.0 * math.pi / self.tp
        return self.omega_min or 0.5 * peak, self.omega_max or 5.0 * peak


class PiersonMoskowitzWaves(_PeakedWaves):
    """A Pierson-Moskowitz sea: `hs`, `tp` and the parameters of all random waves."""

    type: Literal["pierson_moskowitz"] = "pierson_moskowitz"

    def _energies(self, edges: Float) -> Float:
        return jonswap_energies(edges, hs=self.hs, tp=self.tp, gamma=1.0)


class JonswapWaves(_PeakedWaves):
    """A JONSWAP sea: `hs`, `tp`, `gamma` and the parameters of all random waves.

    Parameters
    ----------
    gamma : float or "auto"
        Peak enhancement; "auto" takes the one that DNV-RP-C205 gives for this steepness.
    """

    type: Literal["jonswap"] = "jonswap"
    gamma: Annotated[Number, Field(ge=1)] | Literal["auto"] = 3.3

    def _energies(self, edges: Float) -> Float:
        gamma = dnv_gamma(self.hs, self.tp) if self.gamma == "auto" else self.gamma
        return jonswap_energies(edges, hs=self.hs, tp=self.tp, gamma=gamma)


class SpectrumWaves(RandomWaves):
    """A sea from a table of the spectrum, linear between its points and zero outside.

    Parameters
    ----------
    omega : sequence of float, or None
        Angular frequencies, rad/s, rising.
    density : sequence of float, or None
        One-sided spectrum, m^2 s/rad.
    file : path or None
        Instead of both: a text file with these two columns, or an HDF5 file with datasets
        ``omega`` and ``density``.
    """

    type: Literal["spectrum"] = "spectrum"
    omega: tuple[Positive, ...] | None = None
    density: tuple[NonNegative, ...] | None = None
    file: CasePath | None = None

    @cached_property
    def spectrum(self) -> tuple[Float, Float]:
        """Frequencies, rad/s, and density, m^2 s/rad."""
        if self.file is not None and self.omega is None and self.density is None:
            omega, density = read_columns(self.file, (("omega",), ("density",)))
        elif self.file is None and self.omega is not None and self.density is not None:
            omega, density = np.array(self.omega), np.array(self.density)
        else:
            raise ModelError("waves of type spectrum need 'file', or 'omega' and 'density'")
        if len(omega) != len(density) or len(omega) < 2:
            raise ModelError(
                f"a spectrum needs two or more pairs, not {len(omega)} frequencies and "
                f"{len(density)} densities"
            )
        if omega[0] <= 0.0 or np.any(np.diff(omega) <= 0.0):
            raise ModelError("the frequencies of a spectrum must be positive and rise")
        if np.any(density < 0.0) or not density.any():
            raise ModelError("the densities of a spectrum must not be negative or all zero")
        return omega, density

    def _range(self) -> tuple[float, float]:
        omega = self.spectrum[0]
        low, high = self.omega_min or omega[0], self.omega_max or omega[-1]
        return max(low, float(omega[0])), min(high, float(omega[-1]))

    def _energies(self, edges: Float) -> Float:
        return table_energies(*self.spectrum, edges)
