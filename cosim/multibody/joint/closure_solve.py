r"""Linear algebra of closed loops: forbidden directions, projections, accelerations.

With M = L Lᵀ the loops forbid the columns of :math:`W = L^{-1} G^T`. Its singular value
decomposition :math:`W = U \Sigma V^T` shows which combinations of rows are independent, and
does not square the condition of G as :math:`G M^{-1} G^T` would. From it follow

.. math::

    \hat u &= L^{-T} (1 - U U^T) L^T u, \\
    \dot u &= L^{-T} \bigl( (1 - U U^T) L^{-1} Q + U \Sigma^{-1} V^T \gamma \bigr), \\
    \lambda &= V \Sigma^{-1} ( \Sigma^{-1} V^T \gamma - U^T L^{-1} Q ),

the solution of :math:`[M\ G^T; G\ 0] [\dot u; -\lambda] = [Q; \gamma]` with the smallest
:math:`\lambda` where rows depend on each other.

Source of the decomposition: one-sided rotations, M. R. Hestenes, J. SIAM 6 (1958) 51; small
singular values come out with high relative accuracy.
"""

from __future__ import annotations

import numpy as np

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import clear
from cosim.multibody.interface import Float
from cosim.multibody.joint.closure_arrays import (
    COEFFICIENT,
    GAP,
    MULTIPLIER,
    NEEDED,
    RANK,
    SINGULAR,
    SPARE,
    Loops,
)
from cosim.multibody.joint.dense import backward, forward

__all__ = [
    "constrain",
    "decompose",
    "gap_step",
    "is_singular",
    "multipliers",
    "project_speeds",
    "weak_below",
]

# a direction weaker than this beside the strongest one is the shadow of others
_RANK = 1e-9
# of the usual ratio of singular values: nearer to a singular configuration
_WEAK = 0.03
# rows this parallel, and as small beside the largest as this squared, are rotated no more
_ORTHOGONAL = 1e-15
_SWEEPS = 40


@compiled
def decompose(loops: Loops) -> None:
    """Write directions, mixture and singular values of W from G and L."""
    W, V, squares = loops.direction, loops.mixture, loops.row[:, SINGULAR]
    clear(V)
    largest = 0.0
    for k in range(W.shape[0]):
        V[k, k] = 1.0
        for j in range(W.shape[1]):
            W[k, j] = loops.jacobian[k, j]
        forward(loops.factor, W[k])
        squares[k] = _product(W[k], W[k])
        largest = max(largest, squares[k])
    negligible = largest * _ORTHOGONAL**2
    for _ in range(_SWEEPS):
        if not _sweep(W, V, squares, negligible):
            break
    strongest = 0.0
    for k in range(W.shape[0]):
        squares[k] = np.sqrt(squares[k])
        strongest = max(strongest, squares[k])
    for k in range(W.shape[0]):
        if squares[k] <= _RANK * strongest:
            squares[k] = 0.0
        else:
            for j in range(W.shape[1]):
                W[k, j] /= squares[k]


@compiled
def _sweep(W: Float, V: Float, squares: Float, negligible: float) -> bool:
    """Rotate every pair of rows until they are perpendicular; False if all were.

    `squares` are those of the rows' lengths.
    """
    turned = False
    for p in range(W.shape[0] - 1):
        for q in range(p + 1, W.shape[0]):
            a, b = squares[p], squares[q]
            if min(a, b) <= negligible:
                continue
            c = _product(W[p], W[q])
            if abs(c) <= _ORTHOGONAL * np.sqrt(a * b):
                continue
            turned = True
            ratio = (b - a) / (2.0 * c)
            sign = 1.0 if ratio >= 0.0 else -1.0
            tangent = sign / (abs(ratio) + np.sqrt(1.0 + ratio * ratio))
            cosine = 1.0 / np.sqrt(1.0 + tangent * tangent)
            _turn(W[p], W[q], cosine, cosine * tangent)
            _turn(V[p], V[q], cosine, cosine * tangent)
            squares[p], squares[q] = _product(W[p], W[p]), _product(W[q], W[q])
    return turned


@compiled
def _turn(x: Float, y: Float, cosine: float, sine: float) -> None:
    for j in range(x.size):
        x[j], y[j] = cosine * x[j] - sine * y[j], sine * x[j] + cosine * y[j]


@compiled
def _product(x: Float, y: Float) -> float:
    total = 0.0
    for j in range(x.size):
        total += x[j] * y[j]
    return total


@compiled
def is_singular(loops: Loops) -> bool:
    """Whether a direction that the loops usually forbid is all but free."""
    weakest, kept = np.inf, 0
    for k in range(loops.row.shape[0]):
        s = loops.row[k, SINGULAR]
        if s > 0.0:
            kept += 1
            weakest = min(weakest, s)
    return bool(weakest < weak_below(loops) or kept < loops.status[RANK])


@compiled
def weak_below(loops: Loops) -> float:
    """Singular values below this are those of directions near a singular configuration."""
    strongest = 0.0
    for k in range(loops.row.shape[0]):
        strongest = max(strongest, loops.row[k, SINGULAR])
    return float(_WEAK * loops.firmness[0] * strongest)


@compiled
def gap_step(loops: Loops, damping: float, out: Float) -> None:
    """Write the displacement that closes the gaps to first order.

    The damping, relative to the square of the strongest singular value, keeps directions out
    that only the gap itself makes look independent (Levenberg-Marquardt).
    """
    strongest = 0.0
    for k in range(loops.row.shape[0]):
        strongest = max(strongest, loops.row[k, SINGULAR])
    for j in range(out.size):
        out[j] = 0.0
    for k in range(loops.row.shape[0]):
        s = loops.row[k, SINGULAR]
        if s > 0.0:
            along = _product(loops.mixture[k], loops.row[:, GAP])
            factor = -along * s / (s * s + damping * strongest * strongest)
            for j in range(out.size):
                out[j] += factor * loops.direction[k, j]
    backward(loops.factor, out)


@compiled
def project_speeds(loops: Loops, u: Float, above: float) -> None:
    """Take out of u what the loops forbid; the kinetic energy of the change is the smallest.

    Directions whose singular value is not greater than `above` are left alone.
    """
    x, n = loops.speed[SPARE], u.size
    for j in range(n):  # x = Lᵀ u
        x[j] = 0.0
        for i in range(j, n):
            x[j] += loops.factor[i, j] * u[i]
    for k in range(loops.row.shape[0]):
        if loops.row[k, SINGULAR] > above:
            forbidden = _product(loops.direction[k], x)
            for j in range(n):
                x[j] -= forbidden * loops.direction[k, j]
    backward(loops.factor, x)
    for j in range(n):
        u[j] = x[j]


@compiled
def constrain(loops: Loops, x: Float) -> None:
    """Replace the generalised force x by u' that keeps the loops closed; see `multipliers`."""
    forward(loops.factor, x)
    for k in range(loops.row.shape[0]):
        s = loops.row[k, SINGULAR]
        loops.row[k, COEFFICIENT] = 0.0
        if s > 0.0:
            needed = _product(loops.mixture[k], loops.row[:, NEEDED]) / s
            loops.row[k, COEFFICIENT] = needed - _product(loops.direction[k], x)
    for k in range(loops.row.shape[0]):
        for j in range(x.size):
            x[j] += loops.row[k, COEFFICIENT] * loops.direction[k, j]
    backward(loops.factor, x)


@compiled
def multipliers(loops: Loops, force: Float) -> None:
    """Write the smallest multipliers of the rows whose Gᵀ times them is `force`, overwritten."""
    forward(loops.factor, force)
    for i in range(loops.row.shape[0]):
        loops.row[i, MULTIPLIER] = 0.0
    for k in range(loops.row.shape[0]):
        s = loops.row[k, SINGULAR]
        if s > 0.0:
            coefficient = _product(loops.direction[k], force) / s
            for i in range(loops.row.shape[0]):
                loops.row[i, MULTIPLIER] += coefficient * loops.mixture[k, i]
