"""The saddle system by dense algebra, where few passes of the sparse solver do not suffice.

Beside a singular configuration a row is all but dependent: softened, it is followed too slowly. The
singular values of the whole matrix tell such rows from those that depend on others.
"""

from __future__ import annotations

import numpy as np

from cosim.algebra.types import Float
from cosim.multibody.cartesian.saddle.system import Saddle

__all__ = ["solve_dense"]

_DEPENDENT = 1e-12


def solve_dense(saddle: Saddle, force: Float, wanted: Float) -> tuple[Float, Float]:
    """Solution (x, λ) of A x + Uᵀ λ = force, L x = wanted; the smallest of several.

    Parameters
    ----------
    saddle : Saddle
        Filled; factors are not used.
    force, wanted : (nu,), (m,)
    """
    matrix = saddle.matrix
    size = len(matrix.diagonal)
    dense, right = np.zeros((size, size)), np.empty(size)
    dense[np.repeat(np.arange(size), np.diff(matrix.start)), matrix.column] = matrix.value
    right[saddle.coordinate], right[saddle.multiplier] = force, wanted
    solution = np.asarray(np.linalg.lstsq(dense, right, rcond=_DEPENDENT)[0], dtype=np.float64)
    return solution[saddle.coordinate], solution[saddle.multiplier]
