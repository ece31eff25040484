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


def rotation_vector(relative: sp.Matrix) -> sp.Matrix:
    """Rotation vector of a rotation matrix, less than half a turn.

    theta = a phi / |a| with a the axial vector of R - R^T, |a| = 2 sin(phi) and
    phi = atan2(|a|, tr R - 1); near R = 1, where this is 0/0, theta = a f / 2 with the series
    f = sum (2 e)^k (k!)²/(2k + 1)!, e = (3 - tr R)/2 = 1 - cos(phi), which has the right
    derivatives there.
    """
    a = _axial(relative)
    size = sp.sqrt(a.dot(a))
    trace = relative.trace()
    e = (3 - trace) / 2
    series = sum(
        sp.Rational(2**k * math.factorial(k) ** 2, math.factorial(2 * k + 1)) * e**k
        for k in range(_SERIES_TERMS)
    )
    factor = sp.Piecewise((series / 2, e < _SERIES_BELOW), (sp.atan2(size, trace - 1) / size, True))
    return a * factor


def _axial(R: sp.Matrix) -> sp.Matrix:
    return sp.Matrix([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
