"""How many constraints follow from others."""

from __future__ import annotations

import numpy as np

from cosim.algebra.types import Float
from cosim.multibody.cartesian.equations import put_system
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.cartesian.saddle.lu import factorise

__all__ = ["SOFTNESS", "dependent_rows"]

SOFTNESS = 1e-10
"""Regularisation of rows that may depend on each other, beside a compliance."""

# of a row, of its own compliance: between rounding over it and what an independent row keeps
_SHARE, _DEPENDENT = 1e-8, 1e-6
_NO_MASS = np.zeros((0, 6, 6))


def dependent_rows(memory: Memory, handle: Memory, x: Float) -> int:
    """Count the rows that others leave nothing to do in a configuration.

    With each row softened by a small share of its own compliance, the pivot of such a row is that
    share alone. In a singular configuration there are more than elsewhere, and bodies of very
    different mass blur the count: a quick one, for many rows.

    Parameters
    ----------
    memory, handle : Memory
        The arrays, and what kernels take for them.
    x : (n, 12)
    """
    saddle = memory.saddle
    matrix = saddle.matrix
    memory.space.x[:], memory.space.v[:] = x, 0.0
    put_system(handle, _NO_MASS)
    found = _compliances(memory)
    compliance = np.where(found > 0.0, found, 1.0)  # a row that asks for nothing depends too
    shift = np.zeros(saddle.shift.size)
    shift[saddle.multiplier] = _SHARE * compliance
    factorise(matrix, shift)
    pivots = np.abs(matrix.factor[matrix.diagonal[saddle.multiplier]])
    return int(np.count_nonzero(pivots <= _DEPENDENT * compliance))


def _compliances(memory: Memory) -> Float:
    """L A⁻¹ Uᵀ of every row by the diagonal of A, (m,): what its pivot would be alone."""
    saddle, matrix = memory.saddle, memory.saddle.matrix
    there = saddle.upper >= 0
    inertia = np.abs(matrix.value[matrix.diagonal[matrix.column[saddle.lower]]])
    products = np.abs(matrix.value[saddle.upper] * matrix.value[saddle.lower])
    found = np.where(there, products / np.where(inertia > 0.0, inertia, 1.0), 0.0)
    total: Float = found.sum(axis=(1, 2))
    return total
