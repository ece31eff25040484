"""What all descriptions of waves share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import AfterValidator, ValidationInfo

from cosim.environment.sea_state import SeaState
from cosim.errors import ModelError
from cosim.model.base import NonNegative, Number, Strict

__all__ = ["CasePath", "WaveBase", "as_value_error"]

T = TypeVar("T")


def _beside_the_case(path: Path, info: ValidationInfo) -> Path:
    return Path((info.context or {}).get("folder", ".")) / path


CasePath = Annotated[Path, AfterValidator(_beside_the_case)]


def as_value_error(read: Callable[[], T]) -> T:
    """Call `read`; its ModelError becomes the ValueError that a validator may raise."""
    try:
        return read()
    except ModelError as error:
        raise ValueError(str(error)) from None


class WaveBase(Strict, ABC):
    """Parameters of all waves.

    Parameters
    ----------
    heading_deg : float
        Direction that the waves go to, degrees counter-clockwise from +x.
    ramp : float or None
        Duration of the cosine ramp of elevation, excitation and kinematics, s; 0 for none,
        None for five energy periods.
    """

    heading_deg: Number = 0.0
    ramp: NonNegative | None = None

    @property
    def heading(self) -> float:
        """Direction that the waves go to, rad."""
        return math.radians(self.heading_deg)

    @abstractmethod
    def sea_state(self, *, depth: float, gravity: float) -> SeaState:
        """Components of these waves in water of this depth, m, under gravity, m/s^2."""
