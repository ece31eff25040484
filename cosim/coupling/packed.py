"""Arrays of different lengths in one block of float64, for compiled loads.

The block begins with the places of its parts: part i lies between the entries i and i + 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from ctypes import c_void_p

import numpy as np
from numba import njit
from numba.np.numpy_support import carray
from numpy.typing import NDArray

from cosim.multibody.interface import Float

__all__ = ["pack", "part", "unpack"]


def pack(arrays: Sequence[NDArray[np.float64] | NDArray[np.int64]]) -> Float:
    """One block of all arrays, flattened; integers keep their bits (read them by `view`)."""
    flat = [np.ascontiguousarray(a).ravel().view(np.float64) for a in arrays]
    places = len(flat) + 1 + np.cumsum([0, *(a.size for a in flat)])
    return np.concatenate([places.astype(np.float64), *flat])


@njit(cache=True)
def unpack(pointer: c_void_p, parts: int) -> Float:
    """The whole block as an array, from its address and the number of its parts."""
    end = int(carray(pointer, parts + 1, np.float64)[parts])
    return carray(pointer, end, np.float64)


@njit(cache=True)
def part(block: Float, i: int) -> Float:
    """View of part i, (size,)."""
    return block[int(block[i]) : int(block[i + 1])]
