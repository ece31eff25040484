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
    start : float
        s.
    step : float
        Communication step H, s; inf for a run without communication instants.

    Attributes
    ----------
    ticks : int
        Length of the present step, a power of two of at most 64 ticks.
    """

    def __init__(self, start: float, step: float) -> None:
        self.start = start
        self.tick = step / TICKS
        self.ticks = TICKS
        self._k = 0

    def time(self, k: int) -> float:
        """Instant of tick k, s."""
        return self.start + k * self.tick

    def target(self, t_end: float) -> float:
        """End of the next communication step, s, not beyond t_end."""
        if math.isinf(self.tick):
            return t_end
        t = self._next()
        return t_end if t > t_end - _SNAP * self.tick else t

    def cuts(self, t_end: float) -> bool:
        """Whether the next communication step ends at t_end only because all ends there."""
        return math.isfinite(self.tick) and self.target(t_end) != self._next()

    @property
    def memory(self) -> tuple[int, int]:
        """What `recall` puts back."""
        return self._k, self.ticks

    def recall(self, memory: tuple[int, int]) -> None:
        """Stand where `memory` was taken."""
        self._k, self.ticks = memory

    def reached(self, t: float) -> None:
        """Time is t now; a step that was halved may grow again where the ticks allow."""
        if math.isinf(self.tick):
            return
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

    def _next(self) -> float:
        return self.time((self._k // self.ticks + 1) * self.ticks)
