"""Frames of Chrono's bodies in the assembled system."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cosim.algebra.attitude import rotation_from_rpy
from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.readers.chrono_records import ChronoBody

__all__ = ["Frame", "frame_of", "rotation", "vector"]


@dataclass(frozen=True)
class Frame:
    """The frame of a body at its centre of mass, which its inertia is written in.

    Attributes
    ----------
    cog : (3,)
        m, world frame.
    R : (3, 3)
        Its axes to world axes.
    """

    cog: Float
    R: Float


def frame_of(body: ChronoBody, *, degrees: bool) -> Frame:
    """Reference frame, then centre of mass and axes in it."""
    R = rotation(body.orientation, degrees=degrees)
    return Frame(
        cog=np.asarray(body.location) + R @ np.asarray(body.com.location),
        R=R @ rotation(body.com.orientation, degrees=degrees),
    )


def rotation(orientation: Sequence[float], *, degrees: bool) -> Float:
    """Rotation matrix, (3, 3), of three angles or a quaternion.

    The angles turn about z, then the new y, then the new x: R = Rz(a) Ry(b) Rx(c) of
    (a, b, c). Quaternions have their scalar first.

    Raises
    ------
    ModelError
        A quaternion without length.
    """
    if len(orientation) == 3:
        a, b, c = np.radians(orientation) if degrees else np.asarray(orientation)
        return rotation_from_rpy(np.array([c, b, a]))
    p = np.asarray(orientation, dtype=float)
    length = float(np.linalg.norm(p))
    if length < 1e-12:
        raise ModelError("the quaternion has no length")
    w, x, y, z = p / length
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + 2.0 * w * cross + 2.0 * cross @ cross)


def vector(values: Sequence[float] | Float) -> list[float]:
    """As a case file holds it."""
    return [float(v) + 0.0 for v in values]
