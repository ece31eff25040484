"""Gravity, water, sea state and current: data and kinematics, no loads."""

import cosim.model.base  # noqa: F401  (cosim.model needs Environment: its package goes first)
from cosim.environment.current import Current, PowerLawCurrent, TableCurrent, UniformCurrent
from cosim.environment.dispersion import group_speed, wavenumber
from cosim.environment.environment import Environment
from cosim.environment.ramp import ramp_factor, ramp_rate
from cosim.environment.record import WaveRecord
from cosim.environment.sea_state import SeaState
from cosim.environment.waves import (
    ElevationWaves,
    JonswapWaves,
    PiersonMoskowitzWaves,
    RegularWaves,
    SpectrumWaves,
    StillWater,
    Waves,
)

__all__ = [
    "Current",
    "ElevationWaves",
    "Environment",
    "JonswapWaves",
    "PiersonMoskowitzWaves",
    "PowerLawCurrent",
    "RegularWaves",
    "SeaState",
    "SpectrumWaves",
    "StillWater",
    "TableCurrent",
    "UniformCurrent",
    "WaveRecord",
    "Waves",
    "group_speed",
    "ramp_factor",
    "ramp_rate",
    "wavenumber",
]
