"""The one source of gravity, water, waves and current."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from pydantic import Field, model_validator

from cosim.environment.current import Current, PowerLawCurrent, TableCurrent
from cosim.environment.sea_state import SeaState
from cosim.environment.waves import StillWater, Waves
from cosim.model.base import Depth, NonNegative, Positive, Strict

__all__ = ["Environment"]


class Environment(Strict):
    """Gravity, water, sea state and current of a case.

    Parameters
    ----------
    gravity : float
        m/s^2, along -z. 0 is allowed where there are no waves.
    water_density : float
        kg/m^3.
    water_depth : float
        Below the still-water level, m; `inf` for deep water.
    waves : description of one kind of waves
        Still water by default.
    current : description of one kind of current, or None
        None for no current. It is not ramped and does not change the waves.
    """

    gravity: NonNegative = 9.81
    water_density: Positive = 1025.0
    water_depth: Depth = math.inf
    waves: Waves = Field(default_factory=StillWater)
    current: Current | None = None

    @model_validator(mode="after")
    def _parts_agree(self) -> Environment:
        if self.gravity == 0.0 and not isinstance(self.waves, StillWater):
            raise ValueError("waves need gravity; gravity is 0")
        match self.current:
            case PowerLawCurrent(layer=None) if math.isinf(self.water_depth):
                raise ValueError("a power-law current in infinite water depth needs 'layer'")
            case PowerLawCurrent(layer=float(layer)) if layer > self.water_depth:
                raise ValueError(_too_deep("layer", layer, self.water_depth))
            case TableCurrent(depth=depth) if depth[-1] > self.water_depth:
                raise ValueError(_too_deep("last depth", depth[-1], self.water_depth))
        return self

    @cached_property
    def sea_state(self) -> SeaState:
        """Components of the waves in this water; the same object at every call."""
        return self.waves.sea_state(depth=self.water_depth, gravity=self.gravity)

    def current_velocity(self, points: ArrayLike) -> NDArray[np.float64]:
        """Velocity of the current, (m, 3), m/s, at (m, 3) points, m, world frame."""
        if self.current is None:
            return np.zeros(np.shape(points))
        return self.current.velocity(points, self.water_depth)


def _too_deep(what: str, value: float, depth: float) -> str:
    return f"the current's {what}, {value:g} m, is below the bottom at {depth:g} m"
