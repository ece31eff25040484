"""Added mass of all adapters that stays as it is, as the compiled equations take it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cosim.coupling.entry import Entry
from cosim.coupling.kernels import add_blocks, inspect_mass
from cosim.multibody.interface import Float

__all__ = ["ConstantMass", "constant_mass"]


class ConstantMass(NamedTuple):
    """Sum over adapters: by single bodies, or between bodies where any of them couples.

    Attributes
    ----------
    blocks : (n, 6, 6)
        Empty where bodies are coupled, or nothing has added mass.
    bodies : (k,)
        Rows of the coupled bodies; empty without coupling.
    coupled : (6k, 6k)
    scratch : (2, 6k, nu)
    M : (nu, nu)
        Overwritten by the generalised mass.
    """

    blocks: Float
    bodies: NDArray[np.int64]
    coupled: Float
    scratch: Float
    M: Float


def constant_mass(
    entries: Sequence[Entry], masses: Sequence[Float], bodies: int, speeds: int
) -> ConstantMass:
    """Sum of the added masses of `entries`, (6k, 6k) or empty, on a system of `bodies`."""
    massive = [(e.index, m) for e, m in zip(entries, masses, strict=True) if m.size]
    if any(inspect_mass(mass)[1] for _, mass in massive):
        rows = np.unique(np.concatenate([index for index, _ in massive]))
        coupled = np.zeros((6 * rows.size, 6 * rows.size))
        for index, mass in massive:
            places = (6 * np.searchsorted(rows, index)[:, None] + np.arange(6)).ravel()
            coupled[np.ix_(places, places)] += mass
        blocks = np.zeros((0, 6, 6))
    else:
        rows, coupled = np.zeros(0, dtype=np.int64), np.zeros((0, 0))
        blocks = np.zeros((bodies if massive else 0, 6, 6))
        for index, mass in massive:
            add_blocks(blocks, index, mass)
    scratch = np.zeros((2, len(coupled), speeds))
    return ConstantMass(blocks, rows.astype(np.int64), coupled, scratch, np.zeros((speeds, speeds)))
