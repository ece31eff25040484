r"""Fill, factorise and solve the saddle system.

Rows that depend on each other make the matrix singular. Then a multiple δ of the unit matrix is
taken off the block of the multipliers before factorising, and the solution is corrected with the
residual of the true system,

.. math:: \begin{bmatrix} A & U^T \\ L & -\delta \end{bmatrix} \Delta = r,

from zero multipliers on: the method of multipliers, whose multipliers stay in the range of L and
so come to the smallest that do (Bayo's augmented Lagrangian with the penalty 1/δ).
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.types import Float
from cosim.multibody.cartesian.arrays import Index
from cosim.multibody.cartesian.saddle.lu import factorise, solve_factorised, times
from cosim.multibody.cartesian.saddle.system import Saddle

__all__ = [
    "add_block",
    "add_couplings",
    "begin",
    "factor",
    "improve",
    "put_rows",
    "regularise",
    "solve",
]

_MANY, _FEW = (2, 60), (1, 2)
"""Passes where all rows are independent, and where some may not be."""
_SETTLED = 1e-15


@compiled
def begin(saddle: Saddle) -> None:
    """Set the matrix to zero."""
    value = saddle.matrix.value
    for k in range(value.size):
        value[k] = 0.0


@compiled
def add_block(saddle: Saddle, body: int, block: Float, factor: float) -> None:
    """Add factor * block, (12, 12), to the block of one body, where it has entries."""
    for a in range(12):
        for b in range(12):
            at = saddle.block[body, a, b]
            if at >= 0:
                saddle.matrix.value[at] += factor * block[a, b]


@compiled
def add_couplings(saddle: Saddle, blocks: Float, factor: float) -> None:
    """Add factor * blocks, (p, 2, 12, 12), to those of the pairs."""
    at, value = saddle.coupling, saddle.matrix.value
    for p in range(blocks.shape[0]):
        for side in range(2):
            for a in range(12):
                for b in range(12):
                    if at[p, side, a, b] >= 0:
                        value[at[p, side, a, b]] += factor * blocks[p, side, a, b]


@compiled
def put_rows(saddle: Saddle, upper: Float, lower: Float) -> None:
    """Set U and L, (m, 2, 12)."""
    value = saddle.matrix.value
    for row in range(upper.shape[0]):
        for side in range(2):
            for k in range(12):
                at = saddle.upper[row, side, k]
                if at >= 0:
                    value[at] = upper[row, side, k]
                    value[saddle.lower[row, side, k]] = lower[row, side, k]


@compiled
def factor(saddle: Saddle) -> None:
    """Factorise what has been put in."""
    if saddle.softness[0] > 0.0:
        regularise(saddle)
    factorise(saddle.matrix, saddle.shift)


@compiled
def solve(saddle: Saddle, force: Float, wanted: Float, x: Float, multipliers: Float) -> float:
    """Solve A x + Uᵀ λ = force, L x = wanted; returns what remains of the latter, at most.

    Parameters
    ----------
    saddle : Saddle
        Factorised.
    force : (nu,)
    wanted : (m,)
    x : (nu,)
        Written.
    multipliers : (m,)
        Written: λ.
    """
    return float(_solve(saddle, (force, wanted), (x, multipliers), _MANY))


@compiled
def improve(saddle: Saddle, force: Float, wanted: Float, x: Float, multipliers: Float) -> None:
    """As :func:`solve`, for a Newton method that corrects what few passes leave."""
    _solve(saddle, (force, wanted), (x, multipliers), _FEW)


@compiled
def _solve(
    saddle: Saddle,
    given: tuple[Float, Float],
    found: tuple[Float, Float],
    passes: tuple[int, int],
) -> float:
    right, total = saddle.work[0], saddle.work[1]
    for k in range(saddle.coordinate.size):
        right[saddle.coordinate[k]] = given[0][k]
    for k in range(saddle.multiplier.size):
        right[saddle.multiplier[k]] = given[1][k]
    remains = _correct(saddle, passes[1] if saddle.softness[0] > 0.0 else passes[0])
    for k in range(saddle.coordinate.size):
        found[0][k] = total[saddle.coordinate[k]]
    for k in range(saddle.multiplier.size):
        found[1][k] = total[saddle.multiplier[k]]
    return remains


@compiled
def _correct(saddle: Saddle, passes: int) -> float:
    """Solve, and correct with what remains of the true system, at most `passes` times in all."""
    right, total, step, rest = saddle.work[0], saddle.work[1], saddle.work[2], saddle.work[3]
    for k in range(right.size):
        total[k], rest[k] = 0.0, right[k]
    before = -1.0
    for _ in range(passes):
        for k in range(right.size):
            step[k] = rest[k]
        solve_factorised(saddle.matrix, step)
        change = largest = 0.0
        for k in range(right.size):
            total[k] += step[k]
            change, largest = max(change, abs(step[k])), max(largest, abs(total[k]))
        times(saddle.matrix, total, rest)
        for k in range(right.size):
            rest[k] = right[k] - rest[k]
        if change <= _SETTLED * largest or (0.0 <= before <= change):
            break
        before = change
    return _largest(saddle.multiplier, rest)


@compiled
def _largest(at: Index, values: Float) -> float:
    largest = 0.0
    for k in range(at.size):
        largest = max(largest, abs(values[at[k]]))
    return largest


@compiled
def regularise(saddle: Saddle) -> None:
    """Set the shift of the multipliers from the largest compliance L A⁻¹ Uᵀ of a row."""
    value, diagonal = saddle.matrix.value, saddle.matrix.diagonal
    largest = 0.0
    for row in range(saddle.multiplier.size):
        compliance = 0.0
        for side in range(2):
            for k in range(12):
                at = saddle.upper[row, side, k]
                if at >= 0:
                    column = saddle.matrix.column[saddle.lower[row, side, k]]
                    inertia = value[diagonal[column]]
                    if inertia > 0.0:
                        product = value[at] * value[saddle.lower[row, side, k]]
                        compliance += abs(product) / inertia
        largest = max(largest, compliance)
    for row in range(saddle.multiplier.size):
        saddle.shift[saddle.multiplier[row]] = saddle.softness[0] * largest
