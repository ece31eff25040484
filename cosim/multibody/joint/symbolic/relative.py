"""Relative rotation of two bodies in symbols: twist about an axis, rotation vector."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import sympy as sp

if TYPE_CHECKING:
    from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["rotation_vector", "twist"]

_SERIES_BELOW = sp.Rational(1, 100)
_SERIES_TERMS = 8


def twist(kin: Kinematics, bodies: tuple[str, str], axis: sp.Matrix) -> tuple[sp.Expr, sp.Matrix]:
    """Twist of the second body against the first about an axis n of the first, and h.

    With n1 = R1 n, n2 = R2 n, R = R1^T R2 and a the axial vector of R - R^T,

        angle = atan2(a·n, tr R - n·R n),   angle' = h·(w2 - w1),
        h = (n1 + n2) / (1 + n1·n2):

    the moment acts along the line halfway between the two places of the axis. At a swing of
    half a turn, n2 = -n1, there is no twist and no value.

    Parameters
    ----------
    kin : Kinematics
    bodies : (first, second)
    axis : (3, 1)
        Unit vector, axes of the first body.

    Returns
    -------
    angle : Expr
    h : (3, 1)
        World axes.
    """
    first, second = (kin.rotation(body) for body in bodies)
    relative = first.T * second
    n1, n2 = first * axis, second * axis
    turned = relative * axis
    sine = _axial(relative).dot(axis)
    angle = sp.atan2(sine, relative.trace() - axis.dot(turned))
    return angle, (n1 + n2) / (1 + axis.dot(turned))


def rotation_vector(relative: sp.Matrix, spin: sp.Matrix) -> tuple[sp.Matrix, sp.Matrix]:
    """Rotation vector of a rotation matrix R with R' = w~ R, and its rate.

    theta = a f/2 with the axial vector a of R - R^T and f = phi / sin(phi), where
    2 sin(phi) = |a| and 2 cos(phi) = tr R - 1. With e = 1 - cos(phi),

        theta' = (a' f + a f_e e')/2,  a' = tr(R) w - R w,  e' = a·w/2,
        f_e = (1 - f cos(phi)) / sin(phi)².

    Near R = 1, where these are 0/0, f is the series sum (2 e)^k (k!)²/(2k + 1)!, which has the
    right derivatives there. Divisors are never 0, because generated functions may divide before
    they branch.

    Parameters
    ----------
    relative : (3, 3)
        R, less than half a turn.
    spin : (3, 1)
        w.

    Returns
    -------
    theta, theta_dot : (3, 1)
    """
    a, trace = _axial(relative), relative.trace()
    square = a.dot(a)
    cosine = (trace - 1) / 2
    e = 1 - cosine
    near = e < _SERIES_BELOW
    divisor = sp.Piecewise((1, near), (square, True))
    size = sp.sqrt(divisor)
    coefficients = [
        sp.Rational(2**k * math.factorial(k) ** 2, math.factorial(2 * k + 1))
        for k in range(_SERIES_TERMS)
    ]
    series = sum(value * e**k for k, value in enumerate(coefficients))
    slope = sum(k * value * e ** (k - 1) for k, value in enumerate(coefficients) if k)
    far = 2 * sp.atan2(size, trace - 1) / size
    f = sp.Piecewise((series, near), (far, True))
    f_e = sp.Piecewise((slope, near), (4 * (1 - far * cosine) / divisor, True))
    turning = trace * spin - relative * spin
    return a * f / 2, (turning * f + a * f_e * a.dot(spin) / 2) / 2


def _axial(R: sp.Matrix) -> sp.Matrix:
    return sp.Matrix([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
