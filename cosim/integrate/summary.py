"""What a run cost, and how well its books balance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cosim.integrate.stability import Stability

__all__ = ["Summary"]


@dataclass(frozen=True)
class Summary:
    """What a run cost, and how well its books balance.

    Counters of a resumed run hold what was done before it was resumed as well.

    Attributes
    ----------
    start, end : float
        Simulated time, s; `start` of a resumed run is where it was resumed.
    wall : float
        Elapsed time, s.
    communication_step : float or None
        H, s; None without communication instants.
    communications : int
        Communication steps taken.
    passes : int
        Integrations over communication steps; per step, the iterations of `iterated`.
    steps, rejected, evaluations : int
        Accepted and rejected steps of the method, evaluations of the equations.
    adapter_seconds : mapping
        Elapsed time inside each adapter, s; without what compiled stages spend there.
    balance : float or None
        Last value of the ledger's `balance`.
    stability : Stability or None
        Of an explicit scheme, measured before it ran; None for a resumed run.
    """

    start: float
    end: float
    wall: float
    communication_step: float | None
    communications: int
    passes: int
    steps: int
    rejected: int
    evaluations: int
    adapter_seconds: Mapping[str, float]
    balance: float | None
    stability: Stability | None

    @property
    def speed(self) -> float:
        """Simulated over elapsed time."""
        return (self.end - self.start) / self.wall if self.wall > 0.0 else float("inf")
