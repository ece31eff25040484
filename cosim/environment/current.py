"""Steady current: direction going-to, horizontal, changing with depth only."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Annotated, Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from cosim.algebra.types import Float
from cosim.model.base import NonNegative, Number, Positive, Strict

__all__ = ["Current", "CurrentBase", "PowerLawCurrent", "TableCurrent", "UniformCurrent"]


class CurrentBase(Strict, ABC):
    """What all currents share; above the still-water level the value of z = 0 holds."""

    @abstractmethod
    def horizontal(self, below: Float, water_depth: float) -> Float:
        """Components (m, 2) along x and y, m/s, at (m,) depths below the surface, m."""

    def velocity(self, points: ArrayLike, water_depth: float = math.inf) -> Float:
        """Velocity of the water, world frame.

        Parameters
        ----------
        points : (m, 3) array
            m, world frame.
        water_depth : float
            m.

        Returns
        -------
        (m, 3) array
            m/s; the current goes to its heading and has no vertical part.
        """
        places = np.asarray(points, dtype=np.float64)
        out = np.zeros_like(places)
        out[:, :2] = self.horizontal(np.maximum(0.0, -places[:, 2]), water_depth)
        return out


class UniformCurrent(CurrentBase):
    """The same speed at every depth.

    Parameters
    ----------
    speed : float
        m/s.
    heading_deg : float
        Direction that the current goes to, degrees counter-clockwise from +x.
    """

    type: Literal["uniform"] = "uniform"
    speed: NonNegative
    heading_deg: Number = 0.0

    def horizontal(self, below: Float, water_depth: float) -> Float:
        """The same two components everywhere."""
        return _towards(np.full_like(below, self.speed), self.heading_deg)


class PowerLawCurrent(CurrentBase):
    """Speed that falls to zero with depth: U = U0 (1 - d / D)^n.

    Parameters
    ----------
    speed : float
        U0 at the surface, m/s.
    heading_deg : float
        Direction that the current goes to, degrees counter-clockwise from +x.
    exponent : float
        n; 1/7 for a tidal current, 1 for a linear wind-driven one (DNV-RP-C205, 4.1.4).
    layer : float or None
        D, depth at which the current ends, m; None for the water depth.
    """

    type: Literal["power_law"] = "power_law"
    speed: NonNegative
    heading_deg: Number = 0.0
    exponent: Positive = 1.0 / 7.0
    layer: Positive | None = None

    def horizontal(self, below: Float, water_depth: float) -> Float:
        """Components at depths below the surface."""
        share = np.maximum(0.0, 1.0 - below / (self.layer or water_depth))
        return _towards(self.speed * share**self.exponent, self.heading_deg)


class TableCurrent(CurrentBase):
    """Speed, and direction if it turns, by depth.

    The two components are linear between the rows and constant beyond the first and last.

    Parameters
    ----------
    depth : (n,) sequence
        Below the still-water level, m, rising.
    speed : (n,) sequence
        m/s.
    heading_deg : float or (n,) sequence
        Direction that the current goes to, degrees counter-clockwise from +x.
    """

    type: Literal["table"] = "table"
    depth: Annotated[tuple[NonNegative, ...], Field(min_length=1)]
    speed: tuple[NonNegative, ...]
    heading_deg: Number | tuple[Number, ...] = 0.0

    @model_validator(mode="after")
    def _rows_match(self) -> TableCurrent:
        for name in ("speed", "heading_deg"):
            column = getattr(self, name)
            if isinstance(column, tuple) and len(column) != len(self.depth):
                raise ValueError(
                    f"a current table needs as many values of '{name}' ({len(column)}) as of "
                    f"'depth' ({len(self.depth)})"
                )
        if np.any(np.diff(self.depth) <= 0.0):
            raise ValueError("the depths of a current table must rise, the surface first")
        return self

    def horizontal(self, below: Float, water_depth: float) -> Float:
        """Components at depths below the surface."""
        rows = _towards(np.array(self.speed), self.heading_deg)
        columns = [np.interp(below, self.depth, rows[:, axis]) for axis in (0, 1)]
        return np.column_stack(columns)


def _towards(speed: Float, heading_deg: float | tuple[float, ...]) -> Float:
    heading = np.radians(heading_deg)
    return np.column_stack((speed * np.cos(heading), speed * np.sin(heading)))


CurrentKind = UniformCurrent | PowerLawCurrent | TableCurrent
Current = Annotated[CurrentKind, Field(discriminator="type")]
