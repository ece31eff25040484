"""Watches an explicit coupling scheme for the onset of instability."""

from __future__ import annotations

import numpy as np

from cosim.coupling.held import HeldLoads
from cosim.errors import StabilityError
from cosim.multibody.interface import Float

__all__ = ["PredictionGuard"]

_STEPS = 8


class PredictionGuard:
    """Stops a run whose prediction errors alternate in sign and grow over 8 steps.

    Errors below 1e-6 of a component's own magnitude do not count.

    Parameters
    ----------
    held : HeldLoads
    """

    def __init__(self, held: HeldLoads) -> None:
        self._is_load = held.is_load
        size = int(held.is_load.sum())
        self._last = np.zeros(size)
        self._run = np.zeros(size, dtype=int)
        self._largest = np.zeros(size)

    @property
    def memory(self) -> Float:
        """What `recall` puts back, (3, loads)."""
        return np.array([self._last, self._run, self._largest])

    def recall(self, memory: Float) -> None:
        """Know the errors that `memory` holds."""
        self._last, self._run = memory[0].copy(), memory[1].astype(int)
        self._largest[:] = memory[2]

    def check(self, t: float, error: Float, returned: Float) -> None:
        """Look at returned minus predicted loads of one step.

        Raises
        ------
        StabilityError
        """
        error = error[self._is_load]
        np.maximum(self._largest, np.abs(returned[self._is_load]), out=self._largest)
        grows = (error * self._last < 0.0) & (np.abs(error) > np.abs(self._last))
        grows &= np.abs(error) > 1e-6 * self._largest.max()
        self._run = np.where(grows, self._run + 1, 0)
        self._last = error
        if self._run.max() >= _STEPS:
            raise StabilityError(
                f"the explicit coupling is unstable: at t = {t:g} s the loads predicted for the "
                f"Steppers have alternated about the returned ones and grown for {_STEPS} "
                "communication steps; use scheme 'iterated' or a shorter communication_step"
            )
