"""Sparse LU factorisation with a pattern and an order that are known beforehand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.arrays import Index
from cosim.multibody.cartesian.saddle.order import fill

__all__ = ["Matrix", "factorise", "new_matrix", "solve_factorised", "times"]


class Matrix(NamedTuple):
    """A square matrix of n rows and its factors, rows compressed, in the order of elimination.

    Attributes
    ----------
    place : (n,)
        Where each unknown is in the order of elimination.
    start : (n + 1,)
    column : (nnz,)
        Ascending in each row.
    diagonal : (n,)
        Address of the diagonal entry of each row.
    value : (nnz,)
        The matrix.
    factor : (nnz,)
        L below the diagonal (with unit diagonal) and U.
    scratch : (n,)
    """

    place: Index
    start: Index
    column: Index
    diagonal: Index
    value: Float
    factor: Float
    scratch: Float


def new_matrix(entries: Iterable[tuple[int, int]], order: Index) -> Matrix:
    """A matrix of zeros with the fill of its factors.

    Parameters
    ----------
    entries : iterable of (int, int)
        Rows and columns that may differ from zero; the pattern is made symmetric.
    order : (n,)
        Unknowns in the order of elimination.
    """
    size = len(order)
    place = np.empty(size, dtype=np.int64)
    place[order] = np.arange(size)
    right = fill(((int(place[i]), int(place[j])) for i, j in entries), size)
    rows: list[list[int]] = [[] for _ in range(size)]
    for i, columns in enumerate(right):
        for j in columns:
            rows[j].append(i)
    diagonal = np.array([len(row) for row in rows], dtype=np.int64)
    for i, row in enumerate(rows):
        row += [i, *right[i]]
    start = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    column = np.array([j for row in rows for j in row], dtype=np.int64)
    zeros = np.zeros(column.size)
    return Matrix(place, start, column, start[:-1] + diagonal, zeros, zeros.copy(), np.zeros(size))


@compiled
def factorise(matrix: Matrix, shift: Float) -> None:
    """Factor the matrix, less `shift` (n,) on the diagonal, rows in the order of elimination."""
    start, column, diagonal = matrix.start, matrix.column, matrix.diagonal
    factor, row = matrix.factor, matrix.scratch
    for i in range(row.size):
        for k in range(start[i], start[i + 1]):
            row[column[k]] = matrix.value[k]
        row[i] -= shift[i]
        for k in range(start[i], diagonal[i]):
            c = column[k]
            share = row[c] / factor[diagonal[c]]
            row[c] = share
            if share != 0.0:
                for j in range(diagonal[c] + 1, start[c + 1]):
                    row[column[j]] -= share * factor[j]
        for k in range(start[i], start[i + 1]):
            factor[k] = row[column[k]]


@compiled
def solve_factorised(matrix: Matrix, x: Float) -> None:
    """Replace the right-hand side x, in the order of elimination, by the solution."""
    start, column, diagonal, factor = matrix.start, matrix.column, matrix.diagonal, matrix.factor
    for i in range(x.size):
        total = x[i]
        for k in range(start[i], diagonal[i]):
            total -= factor[k] * x[column[k]]
        x[i] = total
    for i in range(x.size - 1, -1, -1):
        total = x[i]
        for k in range(diagonal[i] + 1, start[i + 1]):
            total -= factor[k] * x[column[k]]
        x[i] = total / factor[diagonal[i]]


@compiled
def times(matrix: Matrix, x: Float, out: Float) -> None:
    """Write the matrix times x, both in the order of elimination."""
    for i in range(x.size):
        total = 0.0
        for k in range(matrix.start[i], matrix.start[i + 1]):
            total += matrix.value[k] * x[matrix.column[k]]
        out[i] = total
