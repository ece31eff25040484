"""Saddle systems with room for the added masses that turn up in a run."""

from __future__ import annotations

import numpy as np

from cosim.algebra.types import Float
from cosim.multibody.cartesian.arrays import FULL, Frames
from cosim.multibody.cartesian.memory import Memory, handle_of
from cosim.multibody.cartesian.saddle.system import Saddle, new_saddle

__all__ = ["Room", "flat_bodies"]


class Room:
    """Makes one saddle system for every set of bodies with added mass, and keeps it.

    Parameters
    ----------
    memory : Memory
        Of a model without added mass.
    rigid : int
        Number of rows that keep bodies rigid.
    """

    def __init__(self, memory: Memory, rigid: int) -> None:
        self._memory, self._rigid = memory, rigid
        self._plain = handle_of(memory), memory.saddle
        self._made: dict[object, tuple[Memory, Saddle]] = {}

    def for_masses(self, mass: Float | None, body_mass: Float | None) -> tuple[Memory, Saddle]:
        """Handle of the memory whose saddle system has entries for these masses, and that system.

        Parameters
        ----------
        mass : (nu, nu) or None
        body_mass : (n, 6, 6) or None
        """
        dense: list[int] = []
        pairs: list[tuple[int, int]] = []
        if body_mass is not None:
            dense += np.flatnonzero(np.abs(body_mass).max(axis=(1, 2))).tolist()
        if mass is not None:
            start = self._memory.frames.start
            blocks = np.add.reduceat(np.abs(mass), start[:-1], axis=0)
            filled = np.argwhere(np.add.reduceat(blocks, start[:-1], axis=1)).tolist()
            dense += [i for i, j in filled if i == j]
            pairs += [(i, j) for i, j in filled if i < j]
        if not dense:
            return self._plain
        key = (tuple(sorted(set(dense))), tuple(pairs))
        if key not in self._made:
            memory = self._memory
            saddle = new_saddle(
                *(memory.frames, memory.rows, self._rigid),
                dense=sorted({*dense, *flat_bodies(memory.frames)}),
                couplings=pairs,
                softness=float(memory.saddle.softness[0]),
            )
            self._made[key] = handle_of(memory._replace(saddle=saddle)), saddle
        return self._made[key]


def flat_bodies(frames: Frames) -> list[int]:
    """Bodies with three directors and no inertia along one of them."""
    flat = (frames.inertia[:, 1:].min(axis=1) <= 0.0) & (frames.kind == FULL)
    return [int(i) for i in np.flatnonzero(flat)]
