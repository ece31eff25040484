"""The linear dispersion relation of water waves over a flat bottom."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["group_speed", "wavenumber"]

_RELATIVE_TOLERANCE = 1e-14
_MAX_ITERATIONS = 20
_SHAPE = 2.4901  # exponent of Guo's fit


def wavenumber(
    omega: NDArray[np.float64] | float, *, depth: float, gravity: float
) -> NDArray[np.float64]:
    r"""Wavenumber k of the propagating wave.

    .. math::  \omega^2 = g k \tanh(k h)

    Newton's method from Guo's closed-form fit (0.75 %), which is inside the region of
    quadratic convergence for every k h.

    Parameters
    ----------
    omega : float or array
        Angular frequencies, rad/s, positive.
    depth : float
        h, m; `inf` for deep water.
    gravity : float
        g, m/s^2.

    Returns
    -------
    array
        k, rad/m, with the shape of `omega`; relative error below 1e-12.

    References
    ----------
    J. Guo, "Simple and explicit solution of wave dispersion equation", Coastal
    Engineering 45 (2002) 71-74.
    """
    deep = np.asarray(omega, dtype=np.float64) ** 2 / gravity
    if np.isinf(depth):
        return deep
    y = deep * depth
    saturation = -np.expm1(-(y ** (_SHAPE / 2.0)))
    x = y / saturation ** (1.0 / _SHAPE)
    for _ in range(_MAX_ITERATIONS):
        tanh = np.tanh(x)
        step = (x * tanh - y) / (tanh + x * (1.0 - tanh) * (1.0 + tanh))
        x = x - step
        if np.all(np.abs(step) <= _RELATIVE_TOLERANCE * x):
            break
    return np.asarray(x / depth)


def group_speed(
    omega: NDArray[np.float64] | float, *, depth: float, gravity: float
) -> NDArray[np.float64]:
    r"""Speed of the wave energy.

    .. math::  c_g = \frac{\omega}{2k} \left(1 + \frac{2kh}{\sinh 2kh}\right)

    Parameters
    ----------
    omega, depth, gravity
        As in :func:`wavenumber`.

    Returns
    -------
    array
        m/s.
    """
    k = wavenumber(omega, depth=depth, gravity=gravity)
    phase_speed = np.asarray(omega, dtype=np.float64) / k
    if np.isinf(depth):
        return 0.5 * phase_speed
    twice = 2.0 * k * depth
    # x / sinh(x) in a form that does not overflow in deep water
    share = 2.0 * twice * np.exp(-twice) / -np.expm1(-2.0 * twice)
    return np.asarray(0.5 * phase_speed * (1.0 + share))
