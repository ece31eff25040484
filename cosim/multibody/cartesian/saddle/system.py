"""The saddle system of a set of bodies and constraints, ready for the kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cosim.algebra.types import Float
from cosim.multibody.cartesian.arrays import SIZES, Frames, Index, Rows
from cosim.multibody.cartesian.saddle.lu import Matrix, new_matrix
from cosim.multibody.cartesian.saddle.pattern import Pair, Pattern, pairs_of

__all__ = ["ABSENT", "Saddle", "new_saddle"]

ABSENT = -1
"""Address of an entry that is always zero."""


class Saddle(NamedTuple):
    """Arrays of the system [[A, Uᵀ], [L, 0]] of n bodies, p pairs of them and m rows.

    Attributes
    ----------
    matrix : Matrix
    pairs : (p, 2)
        Bodies that A couples, the lower first.
    block : (n, 12, 12)
        Addresses of the entries of every body's own block in ``matrix.value``.
    coupling : (p, 2, 12, 12)
        Those of the blocks A_ij and A_ji of the pairs.
    upper, lower : (m, 2, 12)
        Those of U and L.
    multiplier : (m,)
        Place of each multiplier in the order of elimination.
    coordinate : (nu,)
        Likewise of each coordinate.
    shift : (nu + m,)
        What is taken off the diagonal before factorising: regularises dependent rows.
    work : (4, nu + m)
    softness : (1,)
        Regularisation of the rows beside the largest compliance of a row; 0 without any.
    """

    matrix: Matrix
    pairs: Index
    block: Index
    coupling: Index
    upper: Index
    lower: Index
    multiplier: Index
    coordinate: Index
    shift: Float
    work: Float
    softness: Float


def new_saddle(
    frames: Frames,
    rows: Rows,
    rigid: int,
    *,
    dense: Sequence[int] = (),
    couplings: Sequence[Pair] = (),
    curved: bool = False,
    softness: float = 0.0,
) -> Saddle:
    """Analyse the pattern once.

    Parameters
    ----------
    frames : Frames
    rows : Rows
    rigid : int
        Number of rows that keep bodies rigid; they come first.
    dense : sequence of int
        Bodies with a full block of their own: added mass, stiffness, no inertia about an axis.
    couplings : sequence of (int, int)
        Pairs of bodies with full common blocks.
    curved : bool
        Whether A holds second derivatives of the rows.
    softness : float
        Above 0 for systems whose rows may depend on each other.
    """
    pattern = Pattern(frames, rows, rigid, dense, couplings, curved)
    matrix = new_matrix(pattern.entries(), pattern.order())
    pairs = np.array(_pairs(pattern), dtype=np.int64).reshape(-1, 2)
    nu, m, place = int(frames.start[-1]), len(rows.law), matrix.place
    addresses = _Addresses(matrix)
    where = _coordinates(frames)
    own = addresses.of(where[:, :, None], where[:, None, :])
    i, j = where[pairs[:, 0]], where[pairs[:, 1]]
    coupling = np.stack(
        [
            addresses.of(i[:, :, None], j[:, None, :]),
            addresses.of(j[:, :, None], i[:, None, :]),
        ],
        axis=1,
    )
    sides = np.where(rows.body[:, :, None] >= 0, where[rows.body], ABSENT)
    rowed = np.broadcast_to((nu + np.arange(m))[:, None, None], sides.shape)
    return Saddle(
        matrix=matrix,
        pairs=pairs,
        block=own,
        coupling=coupling.reshape(-1, 2, 12, 12),
        upper=addresses.of(sides, rowed),
        lower=addresses.of(rowed, sides),
        multiplier=place[nu:].copy(),
        coordinate=place[:nu].copy(),
        shift=np.zeros(nu + m),
        work=np.zeros((4, nu + m)),
        softness=np.array([softness]),
    )


def _pairs(pattern: Pattern) -> list[Pair]:
    if pattern.curved:
        return pairs_of(pattern.rows, pattern.couplings)
    return sorted({(min(i, j), max(i, j)) for i, j in pattern.couplings})


def _coordinates(frames: Frames) -> Index:
    """Number of each of the twelve coordinates of every body, (n, 12); `ABSENT` beyond nine."""
    where = frames.start[:-1, None] + np.arange(12)[None]
    sizes = np.array([SIZES[kind] for kind in frames.kind])
    return np.where(np.arange(12)[None] < sizes[:, None], where, ABSENT)


class _Addresses:
    """Finds entries of a matrix by their unknowns."""

    def __init__(self, matrix: Matrix) -> None:
        size = len(matrix.place)
        rows = np.repeat(np.arange(size), np.diff(matrix.start))
        self._keys = rows * size + matrix.column
        self._place, self._size = matrix.place, size

    def of(self, row: Index, column: Index) -> Index:
        """Address of each entry, `ABSENT` where there is none."""
        row, column = np.broadcast_arrays(row, column)
        keys = self._place[row] * self._size + self._place[column]
        found = np.searchsorted(self._keys, keys)
        found = np.minimum(found, len(self._keys) - 1)
        present = (row >= 0) & (column >= 0) & (self._keys[found] == keys)
        return np.where(present, found, ABSENT).astype(np.int64)
