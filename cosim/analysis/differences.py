r"""Derivatives of smooth functions to rounding, by central differences of checked step.

With :math:`\Delta_k = f(k h) - f(-k h)` a derivative of order eight is

.. math:: f' \approx \frac1h \left( 2 \Delta_1 - \tfrac{11}7 \Delta_2 + \tfrac{17}{21} \Delta_3
    - \tfrac{13}{56} \Delta_4 + \tfrac1{35} \Delta_5 \right).

The weights make the terms in h³, h⁵ and h⁷ of a power series vanish, and that of ``|x| x``, the
drag of still water, too. Four differences give one of order six. What the two differ by tells the
error of truncation, and the step is shortened until that is below the error of rounding. A
function that is linear is so differentiated with a long step, exactly; a kink within reach shows
as a difference that only shorter steps remove. What stays in differences of order eight and ten
however short the step is, is noise of the values (sums of large numbers, loops closed to
rounding): part of the error, and no reason for shorter steps.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.types import Float
from cosim.errors import ModelError

__all__ = ["jacobian", "relative_error"]

_EIGHTH = np.array([2.0, -11.0 / 7.0, 17.0 / 21.0, -13.0 / 56.0, 1.0 / 35.0])
_SIXTH = np.array([9.0 / 5.0, -6.0 / 5.0, 7.0 / 15.0, -3.0 / 40.0, 0.0])
_STEPS = 0.25 ** np.arange(1, 11)
_SERIES = 1e-5
"""Difference of the two orders, relative to the change, up to which the series converges."""
_ROUNDING = 4.0 * float(np.finfo(float).eps)
_GAINS = np.sqrt([12870.0, 48620.0, 184756.0])
"""What differences of order eight, nine and ten make of equal noise."""
_ALIKE = 6.0
"""What the noise seen in orders eight and nine differs by at most, if it is noise."""
_LOUD = 25.0
"""Error of the derivative, times the step, beside the noise of one value: it has 3.8 times its
standard deviation, which eleven values show to a factor of a few."""
_FAINT = 1e-9
"""Largest noise, relative to the largest value, that no shorter step is tried against."""


@dataclass(frozen=True)
class _Trial:
    """Derivative with one step, its error, whether truncation shows in it, and noise; by row."""

    slope: Float
    error: Float
    truncated: NDArray[np.bool_]
    noise: Float
    size: float


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
    base = np.ravel(function(np.zeros(size)))
    rows = base.size

    def reachable(y: Float) -> Float:
        """Not a number where a long step leaves what loops can close; shorter ones follow."""
        try:
            return function(y)
        except ModelError:
            return np.full(rows, np.nan)

    J, error = np.zeros((rows, size)), np.zeros((rows, size))
    for k in range(size):
        J[:, k], error[:, k] = _slope(reachable, base, np.eye(1, size, k)[0])
    return J, error


def relative_error(J: Float, error: Float) -> float:
    """Worst error of an entry relative to the largest of its row; 0 for rows of zeros."""
    largest = np.abs(J).max(axis=1, initial=0.0)
    worst = error.max(axis=1, initial=0.0)[largest > 0.0] / largest[largest > 0.0]
    return float(worst.max(initial=0.0))


def _slope(
    function: Callable[[Float], Float], base: Float, direction: Float
) -> tuple[Float, Float]:
    """Derivative along a direction, every row with the step that suits it best."""
    best, least = np.zeros_like(base), np.full_like(base, np.inf)
    noise, left = np.full_like(base, np.inf), np.ones(base.size, dtype=bool)
    for step in _STEPS:
        trial = _try(function, base, direction, step)
        better = trial.error <= least
        best, least = np.where(better, trial.slope, best), np.where(better, trial.error, least)
        # noise does not shrink with the step, as truncation and kinks do
        faint = (trial.noise > 0.5 * noise) & (trial.noise <= _FAINT * trial.size)
        left &= trial.truncated & ~faint
        if not np.any(left):
            break
        noise = trial.noise
    return best, least


def _try(function: Callable[[Float], Float], base: Float, direction: Float, step: float) -> _Trial:
    with np.errstate(all="ignore"):
        values = _values(function, base, step * direction)
        forth, back = values[6:], values[4::-1]
        change = (forth - back) / step
        slope = _EIGHTH @ change
        difference = np.abs(slope - _SIXTH @ change)
        size = np.abs(change).max(axis=0)
        share = difference / np.where(size > 0.0, size, 1.0)
        # where the series converges, the error of order eight is that of order six to the 4/3rd
        truncation = np.where(share < _SERIES, difference * np.cbrt(share), size)
        largest = np.abs(values).max(axis=0)
        rounding = _ROUNDING * largest / step
        noise = _noise(values)
        error = truncation + rounding + _LOUD * noise / step
    wrong = ~np.isfinite(slope)
    slope[wrong], error[wrong], noise[wrong] = 0.0, np.inf, np.inf
    return _Trial(slope, error, wrong | (truncation > rounding), noise, float(largest.max()))


def _values(function: Callable[[Float], Float], base: Float, step: Float) -> Float:
    """Values at -5 ... 5 steps, (11, m); the outermost first, for they may be out of reach."""
    values = np.full((11, base.size), np.nan)
    values[5] = base
    for k in (5, -5, 4, -4, 3, -3, 2, -2, 1, -1):
        values[5 + k] = function(k * step)
        if np.all(np.isnan(values[5 + k])):
            break
    return values


def _noise(values: Float) -> Float:
    """Standard deviation of the noise in 11 equally spaced values, by column.

    It shows in high differences, as a smooth function does not. Source: R. W. Hamming,
    Introduction to Applied Numerical Analysis (1971), section on difference tables.
    """
    eighth, ninth, tenth = (
        np.sqrt(np.mean(np.diff(values, order, axis=0) ** 2, axis=0)) / gain
        for order, gain in zip((8, 9, 10), _GAINS, strict=True)
    )
    found: Float = np.where(eighth <= _ALIKE * ninth, eighth, np.minimum(eighth, tenth))
    return found
