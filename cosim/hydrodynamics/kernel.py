r"""Radiation kernel, and the added mass that belongs to the damping.

.. math:: K(t) = \frac{2}{\pi} \int_0^\infty B(\omega) \cos \omega t\, d\omega, \qquad
    A(\omega) - A_\infty = \frac{2}{\pi} \mathrm{P}\!\!\int_0^\infty
        \frac{B(\nu)}{\nu^2 - \omega^2}\, d\nu

(Ogilvie 1964; the second is the Kramers-Kronig relation of the first).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.interpolate import PchipInterpolator

from cosim.hydrodynamics.rigid import Float

__all__ = ["causal_added_mass", "estimate_added_mass_inf", "radiation_kernel"]

_TAIL = np.array([1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 3.5])
_END = 4.0
_REFINEMENT = 8


def _refined(omega: Float, B: Float) -> tuple[Float, Float]:
    """Damping on a finer grid that starts and ends at zero, (n,) and (n, columns).

    B is even in ω. Above the last frequency it falls like 1/ω³, as surge and pitch of floating
    bodies do, to zero at four times that frequency, so that the end of the data does not ring.
    """
    flat = B.reshape(omega.size, -1)
    last, end = omega[-1], _END * omega[-1]
    zero = np.zeros((1, flat.shape[1]))
    fall = (_TAIL**-3.0 - _END**-3.0) / (1.0 - _END**-3.0)
    knots = np.concatenate([[-omega[0], 0.0], omega, _TAIL * last, [end, 2.0 * end]])
    values = np.concatenate([flat[:1], zero, flat, np.outer(fall, flat[-1]), zero, zero])
    intervals = np.diff(knots[1:-1])
    parts = [
        a + h * np.arange(_REFINEMENT) / _REFINEMENT
        for a, h in zip(knots[1:-2], intervals, strict=True)
    ]
    grid = np.concatenate([*parts, [end]])
    return grid, PchipInterpolator(knots, values, axis=0)(grid)


def radiation_kernel(omega: Float, B: Float, t: Float) -> Float:
    """Kernel K at the times t.

    Parameters
    ----------
    omega : (nw,)
        rad/s.
    B : (nw, ...)
        Damping.
    t : (n,)
        s.

    Returns
    -------
    (n, ...)
    """
    w, values = _refined(omega, B)
    slopes = np.diff(values, axis=0) / np.diff(w)[:, None]
    out = np.empty((t.size, values.shape[1]))
    small = t < 1e-9
    out[small] = np.trapezoid(values, w, axis=0)
    later = t[~small]
    # exact for piecewise linear B; the boundary terms vanish because B does at both ends
    cosines = np.diff(np.cos(np.outer(later, w)), axis=1)
    out[~small] = (cosines @ slopes) / later[:, None] ** 2
    return (2.0 / math.pi * out).reshape(t.shape + B.shape[1:])


def causal_added_mass(omega: Float, B: Float) -> Float:
    """Added mass minus A_inf that belongs to the damping, at the frequencies of the data.

    Parameters
    ----------
    omega : (nw,)
        rad/s.
    B : (nw, ...)
        Damping.

    Returns
    -------
    (nw, ...)
    """
    x, values = _refined(omega, B)
    w = omega[:, None]
    # at a node that is ω itself the logarithms of both sides cancel
    gap = np.abs(x - w)
    near = np.log(np.where(gap < 1e-12 * omega[-1], 1.0, gap))
    far = np.log(x + w)
    constant = np.diff((near - far) / (2.0 * w), axis=1)
    linear = np.diff((near + far) / 2.0, axis=1)
    h = np.diff(x)
    weight = np.zeros((omega.size, x.size))
    weight[:, :-1] += (x[1:] * constant - linear) / h
    weight[:, 1:] += (linear - x[:-1] * constant) / h
    return (2.0 / math.pi * (weight @ values)).reshape(B.shape)


def estimate_added_mass_inf(omega: Float, A: Float, B: Float) -> Float:
    """A_inf that belongs to A and B: the median over the frequencies with most damping.

    Parameters
    ----------
    omega : (nw,)
        rad/s.
    A, B : (nw, n, n)

    Returns
    -------
    (n, n)
    """
    difference = A - causal_added_mass(omega, B)
    size = np.abs(np.einsum("wii->wi", B))
    peak = size.max(axis=0)
    strength = np.max(size / np.where(peak > 0.0, peak, 1.0), axis=1)
    return np.asarray(np.median(difference[strength > 0.1], axis=0))
