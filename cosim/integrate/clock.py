"""Communication instants on integer ticks."""

from __future__ import annotations

import math

__all__ = ["TICKS", "Clock"]

TICKS = 64
"""Ticks of the default communication step; halving stays on them."""
_SNAP = 1e-6


class Clock:
    """Communication instants t = start + k tick, by one multiplication, tick = H/64.

    A step may be cut short at an instant between ticks (an event, the end of the run);
    the next one ends on a multiple of the present step again.

    Parameters
    ----------
    start, end : float
        s.
    step : float
        Communication step H, s.

    Attributes
    ----------
    ticks : int
        Length of the present step, a power of two of at most 64 ticks.
    """

    def __init__(self, start: float, end: float, step: float) -> None:
        self.start, self.end = start, end
        self.tick = step / TICKS
        self.ticks = TICKS
        self._k = 0

    def time(self, k: int) -> float:
        """Instant of tick k, s."""
        return self.start + k * self.tick

    def target(self) -> float:
        """End of the next communication step, s."""
        t = self.time((self._k // self.ticks + 1) * self.ticks)
        return self.end if t > self.end - _SNAP * self.tick else t

    def reached(self, t: float) -> None:
        """Time is t now; a step that was halved may grow again where the ticks allow."""
        self._k = math.floor((t - self.start) / self.tick + _SNAP)
        on_tick = abs(self.time(self._k) - t) <= _SNAP * self.tick
        if self.ticks < TICKS and on_tick and self._k % (2 * self.ticks) == 0:
            self.ticks *= 2

    def halve(self) -> bool:
        """Take half the step; False if it is one tick already."""
        if self.ticks == 1:
            return False
        self.ticks //= 2
        return True
