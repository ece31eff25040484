"""How large the Steppers' loads are, to judge when they agree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cosim.coupling.entry import Entry
from cosim.coupling.held import HeldLoads
from cosim.multibody.interface import Float

__all__ = ["DynamicLoads"]

_TINY = 1e-30


class DynamicLoads:
    """Range of the Steppers' loads over the run so far.

    The scale of a component is the largest half range among the three forces (or moments)
    on its body, but at least `floor` times the largest force (or moment) of its Stepper;
    a moment also counts what that force makes at 1 m.

    Parameters
    ----------
    steppers : sequence of Entry
    held : HeldLoads
        With the loads at the start.
    floor : float
    """

    def __init__(self, steppers: Sequence[Entry], held: HeldLoads, *, floor: float) -> None:
        self._is_load = held.is_load
        self._floor = floor
        self._sizes = [entry.load.size for entry in steppers]
        self._low = held.latest[held.is_load].copy()
        self._high = self._low.copy()

    def note(self, z: Float) -> None:
        """Take note of returned loads."""
        loads = z[self._is_load]
        np.minimum(self._low, loads, out=self._low)
        np.maximum(self._high, loads, out=self._high)

    @property
    def memory(self) -> list[Float]:
        """What `recall` puts back."""
        return [self._low.copy(), self._high.copy()]

    def recall(self, memory: list[Float]) -> None:
        """Know the range that `memory` holds."""
        self._low[:], self._high[:] = memory

    def scale(self, z: Float) -> Float:
        """Magnitude of the dynamic part of every load, z included, (6k,), positive."""
        loads = z[self._is_load]
        low, high = np.minimum(self._low, loads), np.maximum(self._high, loads)
        half = 0.5 * (high - low)
        size = np.maximum(np.abs(high), np.abs(low))
        scale = np.repeat(half.reshape(-1, 3).max(axis=1), 3)
        offset = 0
        for count in self._sizes:
            part = slice(offset, offset + count)
            by_kind = size[part].reshape(-1, 2, 3).max(axis=(0, 2))
            by_kind[1] = max(by_kind[1], by_kind[0])
            least = np.tile(np.repeat(self._floor * by_kind, 3), count // 6)
            scale[part] = np.maximum(scale[part], least)
            offset += count
        return np.asarray(np.maximum(scale, _TINY))
