"""Attitude of a body relative to its reference pose, as a rotation vector."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from cosim.hydrodynamics.rigid import Float

__all__ = ["inverse_left_jacobian", "rotation_vector", "yaw_matrix", "yaw_of"]

_SMALL = 1e-8


def yaw_matrix(psi: float) -> Float:
    """Rotation about the vertical by psi, (3, 3)."""
    c, s = math.cos(psi), math.sin(psi)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def yaw_of(R: Float) -> float:
    """Turn about the vertical of a rotation matrix (3, 3), rad.

    The twist of its swing-twist decomposition: unlike the heading of one body axis it does
    not depend on how the body's axes were chosen.
    """
    return math.atan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])


@njit(cache=True)
def rotation_vector(D: Float, out: Float) -> None:
    """Rotation vector of the matrix D, (3, 3), into `out`, (3,); below half a turn.

    Through the quaternion with its largest component taken first, which is stable up to half
    a turn.
    """
    trace = D[0, 0] + D[1, 1] + D[2, 2]
    if trace >= max(D[0, 0], D[1, 1], D[2, 2]):
        w = 1.0 + trace
        x, y, z = D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1]
    elif D[0, 0] >= max(D[1, 1], D[2, 2]):
        w, x = D[2, 1] - D[1, 2], 1.0 + D[0, 0] - D[1, 1] - D[2, 2]
        y, z = D[0, 1] + D[1, 0], D[0, 2] + D[2, 0]
    elif D[1, 1] >= D[2, 2]:
        w, y = D[0, 2] - D[2, 0], 1.0 + D[1, 1] - D[0, 0] - D[2, 2]
        x, z = D[0, 1] + D[1, 0], D[1, 2] + D[2, 1]
    else:
        w, z = D[1, 0] - D[0, 1], 1.0 + D[2, 2] - D[0, 0] - D[1, 1]
        x, y = D[0, 2] + D[2, 0], D[1, 2] + D[2, 1]
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    length = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 / w if length < _SMALL * w else 2.0 * math.atan2(length, w) / length
    out[0], out[1], out[2] = scale * x, scale * y, scale * z


def inverse_left_jacobian(theta: Float) -> Float:
    r"""Rate of the rotation vector per angular velocity, (3, 3).

    .. math:: J^{-1} = 1 - \tilde\theta / 2 + c\, \tilde\theta^2
    """
    angle2 = float(theta @ theta)
    if angle2 < _SMALL:
        c = 1.0 / 12.0 + angle2 / 720.0
    else:
        angle = math.sqrt(angle2)
        c = 1.0 / angle2 - (1.0 + math.cos(angle)) / (2.0 * angle * math.sin(angle))
    x, y, z = theta
    S = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) - 0.5 * S + c * (S @ S))
