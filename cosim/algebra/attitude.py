"""Rotation matrices of plain numpy arrays, as input, output and set-up need them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from cosim.algebra.types import Float

__all__ = ["roll_pitch_yaw", "rotation_from_rpy", "skew", "yaw_matrix", "yaw_of"]


def skew(a: ArrayLike) -> Float:
    """Matrix a~ with a~ b = a × b, (3, 3)."""
    x, y, z = np.asarray(a, dtype=np.float64)
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def yaw_matrix(psi: float) -> Float:
    """Rotation about the vertical by psi, rad, (3, 3)."""
    c, s = math.cos(psi), math.sin(psi)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def yaw_of(R: Float) -> float:
    """Turn about the vertical of a rotation matrix (3, 3), rad.

    The twist of its swing-twist decomposition: unlike the heading of one body axis it does
    not depend on how the body's axes were chosen.
    """
    return math.atan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])


def rotation_from_rpy(rpy: Float) -> Float:
    """Rotation matrix Rz(yaw) Ry(pitch) Rx(roll), (3, 3); angles in radians."""
    (sx, sy, sz), (cx, cy, cz) = np.sin(rpy), np.cos(rpy)
    return np.array(
        [
            [cz * cy, cz * sy * sx - sz * cx, cz * sy * cx + sz * sx],
            [sz * cy, sz * sy * sx + cz * cx, sz * sy * cx - cz * sx],
            [-sy, cy * sx, cy * cx],
        ]
    )


def roll_pitch_yaw(R: Float) -> Float:
    """Angles of R = Rz(yaw) Ry(pitch) Rx(roll).

    Parameters
    ----------
    R : (..., 3, 3)
        Rotation matrices.

    Returns
    -------
    (..., 3)
        Roll, pitch, yaw, rad; pitch within a quarter turn.
    """
    roll = np.arctan2(R[..., 2, 1], R[..., 2, 2])
    pitch = np.arcsin(np.clip(-R[..., 2, 0], -1.0, 1.0))
    yaw = np.arctan2(R[..., 1, 0], R[..., 0, 0])
    return np.stack([roll, pitch, yaw], axis=-1)
