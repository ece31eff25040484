"""The saddle system with every unknown twice: a block of 2 by 2 numbers for each entry.

Pattern, addresses and order of elimination are those of a
:class:`~cosim.multibody.cartesian.saddle.system.Saddle`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.arrays import Index
from cosim.multibody.cartesian.saddle.lu import Matrix

__all__ = ["Twofold", "factorise_twofold", "improve_twofold", "new_twofold"]

_SETTLED = 1e-15

Block = tuple[float, float, float, float]
"""Entries (1, 1), (1, 2), (2, 1), (2, 2)."""


class Twofold(NamedTuple):
    """A square matrix of n rows of blocks, as :class:`Matrix`.

    Attributes
    ----------
    start, column, diagonal : (n + 1,), (nnz,), (n,)
    value, factor : (nnz, 2, 2)
    scratch : (n, 2, 2)
    work : (4, n, 2)
        Right-hand side, solution, step and residual.
    """

    start: Index
    column: Index
    diagonal: Index
    value: Float
    factor: Float
    scratch: Float
    work: Float


def new_twofold(matrix: Matrix | None) -> Twofold:
    """A matrix of zeros with the pattern of `matrix`, or one without rows."""
    none = np.zeros(0, dtype=np.int64)
    start, column, diagonal = (none, none, none)
    if matrix is not None:
        start, column, diagonal = matrix.start, matrix.column, matrix.diagonal
    entries, size = len(column), len(diagonal)
    return Twofold(
        *(start, column, diagonal),
        value=np.zeros((entries, 2, 2)),
        factor=np.zeros((entries, 2, 2)),
        scratch=np.zeros((size, 2, 2)),
        work=np.zeros((4, size, 2)),
    )


@compiled
def factorise_twofold(matrix: Twofold, shift: Float) -> None:
    """Factor the matrix, less `shift` (n,) on its diagonal; U's diagonal blocks inverted."""
    start, column, diagonal = matrix.start, matrix.column, matrix.diagonal
    factor, row = matrix.factor, matrix.scratch
    for i in range(shift.size):
        for k in range(start[i], start[i + 1]):
            _put(row, column[k], _get(matrix.value, k))
        row[i, 0, 0] -= shift[i]
        row[i, 1, 1] -= shift[i]
        for k in range(start[i], diagonal[i]):
            c = column[k]
            share = _product(_get(row, c), _get(factor, diagonal[c]))
            _put(row, c, share)
            if share != (0.0, 0.0, 0.0, 0.0):
                for j in range(diagonal[c] + 1, start[c + 1]):
                    p = _product(share, _get(factor, j))
                    n = column[j]
                    row[n, 0, 0] -= p[0]
                    row[n, 0, 1] -= p[1]
                    row[n, 1, 0] -= p[2]
                    row[n, 1, 1] -= p[3]
        for k in range(start[i], start[i + 1]):
            _put(factor, k, _get(row, column[k]))
        _put(factor, diagonal[i], _inverse(_get(row, i)))


@compiled
def improve_twofold(matrix: Twofold, passes: int) -> None:
    """Solve for ``work[1]`` with the right-hand side ``work[0]``, corrected `passes` - 1 times."""
    right, total, step, rest = matrix.work[0], matrix.work[1], matrix.work[2], matrix.work[3]
    for i in range(right.shape[0]):
        for k in range(2):
            total[i, k], rest[i, k] = 0.0, right[i, k]
    for _ in range(passes):
        _solve(matrix, rest, step)
        change = largest = 0.0
        for i in range(right.shape[0]):
            for k in range(2):
                total[i, k] += step[i, k]
                change = max(change, abs(step[i, k]))
                largest = max(largest, abs(total[i, k]))
        if change <= _SETTLED * largest:
            break
        _remains(matrix, right, total, rest)


@compiled
def _solve(matrix: Twofold, right: Float, x: Float) -> None:
    start, column, diagonal, factor = matrix.start, matrix.column, matrix.diagonal, matrix.factor
    for i in range(x.shape[0]):
        x[i, 0], x[i, 1] = right[i, 0], right[i, 1]
        for k in range(start[i], diagonal[i]):
            _subtract(x, i, factor, (k, column[k]))
    for i in range(x.shape[0] - 1, -1, -1):
        for k in range(diagonal[i] + 1, start[i + 1]):
            _subtract(x, i, factor, (k, column[k]))
        a, b, c, d = _get(factor, diagonal[i])
        x[i, 0], x[i, 1] = a * x[i, 0] + b * x[i, 1], c * x[i, 0] + d * x[i, 1]


@compiled
def _remains(matrix: Twofold, right: Float, x: Float, out: Float) -> None:
    """Write right - A x."""
    for i in range(x.shape[0]):
        first, second = right[i, 0], right[i, 1]
        for k in range(matrix.start[i], matrix.start[i + 1]):
            a, b, c, d = _get(matrix.value, k)
            n = matrix.column[k]
            first -= a * x[n, 0] + b * x[n, 1]
            second -= c * x[n, 0] + d * x[n, 1]
        out[i, 0], out[i, 1] = first, second


@compiled
def _subtract(x: Float, i: int, blocks: Float, at: tuple[int, int]) -> None:
    """Take block `at[0]` times x of row `at[1]` off row i."""
    a, b, c, d = _get(blocks, at[0])
    n = at[1]
    x[i, 0] -= a * x[n, 0] + b * x[n, 1]
    x[i, 1] -= c * x[n, 0] + d * x[n, 1]


@compiled
def _get(blocks: Float, k: int) -> Block:
    return (blocks[k, 0, 0], blocks[k, 0, 1], blocks[k, 1, 0], blocks[k, 1, 1])


@compiled
def _put(blocks: Float, k: int, block: Block) -> None:
    blocks[k, 0, 0], blocks[k, 0, 1], blocks[k, 1, 0], blocks[k, 1, 1] = block


@compiled
def _product(a: Block, b: Block) -> Block:
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
    )


@compiled
def _inverse(a: Block) -> Block:
    scale = 1.0 / (a[0] * a[3] - a[1] * a[2])
    return (scale * a[3], -scale * a[1], -scale * a[2], scale * a[0])
