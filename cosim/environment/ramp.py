r"""The start of the waves: one cosine ramp for elevation, excitation and kinematics.

.. math::  r(t) = \tfrac12 (1 - \cos(\pi t / T)), \quad 0 \le t \le T

It is 0 before t = 0 and 1 after T; its slope is continuous.
"""

from __future__ import annotations

import math

from numba import njit

__all__ = ["ramp_factor", "ramp_rate"]


@njit(cache=True)
def ramp_factor(t: float, duration: float) -> float:
    """Factor r(t) of all waves, callable from compiled code.

    Parameters
    ----------
    t : float
        Time, s.
    duration : float
        T, s. 0 means no ramp: r = 1 at all times.

    Returns
    -------
    float
        Between 0 and 1.
    """
    if t >= duration or duration <= 0.0:
        return 1.0
    if t <= 0.0:
        return 0.0
    return 0.5 * (1.0 - math.cos(math.pi * t / duration))


@njit(cache=True)
def ramp_rate(t: float, duration: float) -> float:
    """Time derivative r'(t) of :func:`ramp_factor`, 1/s.

    Parameters
    ----------
    t, duration : float
        As in :func:`ramp_factor`.

    Returns
    -------
    float
    """
    if t >= duration or t <= 0.0 or duration <= 0.0:
        return 0.0
    return 0.5 * math.pi / duration * math.sin(math.pi * t / duration)
