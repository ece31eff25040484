"""Attitude as people read it."""

from __future__ import annotations

import numpy as np

from cosim.multibody.interface import Float

__all__ = ["roll_pitch_yaw"]


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
