r"""Derivatives of smooth functions to rounding, by central differences of checked step.

With :math:`\Delta_k = f(k h) - f(-k h)` a derivative of order eight is

.. math:: f' \approx \frac1h \left( 2 \Delta_1 - \tfrac{11}7 \Delta_2 + \tfrac{17}{21} \Delta_3
    - \tfrac{13}{56} \Delta_4 + \tfrac1{35} \Delta_5 \right).

The weights make the terms in h³, h⁵ and h⁷ of a power series vanish, and that of ``|x| x``, the
drag of still water, too. Four differences give one of order six. What the two differ by tells the
error of truncation, and the step is shortened until that is below the error of rounding. A
function that is linear is so differentiated with a long step, exactly; a kink within reach shows
as a difference that only shorter steps remove.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cosim.algebra.types import Float
from cosim.errors import ModelError

__all__ = ["jacobian", "relative_error"]

_EIGHTH = np.array([2.0, -11.0 / 7.0, 17.0 / 21.0, -13.0 / 56.0, 1.0 / 35.0])
_SIXTH = np.array([9.0 / 5.0, -6.0 / 5.0, 7.0 / 15.0, -3.0 / 40.0, 0.0])
_STEPS = 0.25 ** np.arange(1, 11)
_SERIES = 1e-5
"""Difference of the two orders, relative to the change, up to which the series converges."""
_ROUNDING = 4.0 * float(np.finfo(float).eps)


def jacobian(function: Callable[[Float], Float], size: int) -> tuple[Float, Float]:
    """Jacobian of `function` at the origin.

    Parameters
    ----------
    function : callable
        Takes (size,), returns (m,); units such that 1 is a fair step in every direction.
    size : int

    Returns
    -------
    J : (m, size)
    error : (m, size)
        Estimate of truncation and rounding together.
    """
    rows = np.size(function(np.zeros(size)))

    def reachable(y: Float) -> Float:
        """Not a number where a long step leaves what loops can close; shorter ones follow."""
        try:
            return function(y)
        except ModelError:
            return np.full(rows, np.nan)

    J, error = np.zeros((rows, size)), np.zeros((rows, size))
    for k in range(size):
        J[:, k], error[:, k] = _slope(reachable, np.eye(1, size, k)[0])
    return J, error


def relative_error(J: Float, error: Float) -> float:
    """Worst error of an entry relative to the largest of its row; 0 for rows of zeros."""
    largest = np.abs(J).max(axis=1, initial=0.0)
    worst = error.max(axis=1, initial=0.0)[largest > 0.0] / largest[largest > 0.0]
    return float(worst.max(initial=0.0))


def _slope(function: Callable[[Float], Float], direction: Float) -> tuple[Float, Float]:
    """Derivative along a direction, every row with the step that suits it best."""
    best, least, truncated = _try(function, direction, _STEPS[0])
    for step in _STEPS[1:]:
        if not truncated:
            break
        slope, error, truncated = _try(function, direction, step)
        better = error <= least
        best, least = np.where(better, slope, best), np.where(better, error, least)
    return best, least


def _try(
    function: Callable[[Float], Float], direction: Float, step: float
) -> tuple[Float, Float, bool]:
    """Derivative with one step, its error, and whether truncation shows in it."""
    with np.errstate(all="ignore"):
        forth = np.array([function(k * step * direction) for k in range(1, 6)])
        back = np.array([function(-k * step * direction) for k in range(1, 6)])
        change = (forth - back) / step
        slope = _EIGHTH @ change
        difference = np.abs(slope - _SIXTH @ change)
        size = np.abs(change).max(axis=0)
        share = difference / np.where(size > 0.0, size, 1.0)
        # where the series converges, the error of order eight is that of order six to the 4/3rd
        truncation = np.where(share < _SERIES, difference * np.cbrt(share), size)
        rounding = _ROUNDING * np.maximum(np.abs(forth), np.abs(back)).max(axis=0) / step
        error = truncation + rounding
    wrong = ~np.isfinite(slope)
    slope[wrong], error[wrong] = 0.0, np.inf
    return slope, error, bool(np.any(wrong | (truncation > rounding)))
