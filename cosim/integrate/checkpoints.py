"""When a run is saved on its way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Checkpoints"]

_SNAP = 1e-9


@dataclass(frozen=True)
class Checkpoints:
    """Instants start + j interval, whatever the end of the run, and who keeps the states.

    Runs without communication instants end a step there; others are saved at the first
    communication instant at or after.

    Parameters
    ----------
    start : float
        Of the run, s.
    interval : float
        s.
    output_step : float
        s; where the interval is a whole number of them, the instants are output instants to
        the last bit.
    keep : callable
        Is given the time, s, and the state of the run.
    """

    start: float
    interval: float
    output_step: float
    keep: Callable[[float, bytes], None]

    def after(self, t: float) -> float:
        """First instant after t, s."""
        number = math.floor((t - self.start) / self.interval + 2.0 * _SNAP) + 1
        while self._instant(number) - self.margin <= t:  # far from 0, t is rounded coarsely
            number += 1
        return self._instant(number)

    @property
    def margin(self) -> float:
        """How near an instant counts as reached, s."""
        return _SNAP * self.interval

    def _instant(self, number: int) -> float:
        outputs = self.interval / self.output_step
        if abs(outputs - round(outputs)) <= _SNAP * outputs:
            return self.start + number * round(outputs) * self.output_step
        return self.start + number * self.interval
