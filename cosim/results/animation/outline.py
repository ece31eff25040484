"""Flat shapes in the x-z plane: bodies, springs, joints."""

from __future__ import annotations

import numpy as np

from cosim.multibody.interface import Float
from cosim.results.solids import Solid

__all__ = ["coil", "outline"]

_ROUND = 24
"""Corners of half a circle."""


def outline(solid: Solid, ends: Float) -> Float:
    """Outline of a solid seen along y, (k, 2): x and z, m.

    Parameters
    ----------
    solid : Solid
    ends : (2, 3)
        Its ends in the world, m.
    """
    first, second = ends[:, [0, 2]]
    radii = 0.5 * solid.diameters
    length = float(np.linalg.norm(second - first))
    if solid.kind == "ball" or length < 1e-9 * float(radii.max()):
        return np.asarray(first + _arc(float(radii.max()), 0.0, 2.0 * np.pi))
    along = (second - first) / length
    side = np.array([-along[1], along[0]])
    if solid.kind == "stick":
        angle = float(np.arctan2(side[1], side[0]))
        left = first + _arc(float(radii[0]), angle, angle + np.pi)
        right = second + _arc(float(radii[1]), angle + np.pi, angle + 2.0 * np.pi)
        return np.concatenate([left, right])
    a, b = radii[0] * side, radii[1] * side
    return np.array([first + a, second + b, second - b, first - a])


def _arc(radius: float, start: float, end: float) -> Float:
    corners = round(_ROUND * (end - start) / np.pi)
    angle = np.linspace(start, end, corners + 1)
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def coil(ends: Float, width: float, *, rope: bool, turns: int = 6) -> Float:
    """Zigzag of a spring between two places, (k, d), d = 2 or 3; straight for a rope.

    Parameters
    ----------
    ends : (2, d)
        m.
    width : float
        Of the zigzag, m.
    rope : bool
    turns : int
    """
    first, second = ends
    length = float(np.linalg.norm(second - first))
    if rope or length == 0.0:
        return ends
    along = (second - first) / length
    side = np.zeros_like(along)
    if along.size == 2:
        side[:] = -along[1], along[0]
    else:
        side = np.cross(along, [0.0, 1.0, 0.0] if abs(along[1]) < 0.9 else [1.0, 0.0, 0.0])
        side /= np.linalg.norm(side)
    s = np.concatenate([[0.0, 0.15], np.linspace(0.15, 0.85, 2 * turns + 1)[1:-1], [0.85, 1.0]])
    swing = np.zeros_like(s)
    swing[2:-2] = np.where(np.arange(2 * turns - 1) % 2, -0.5, 0.5) * width
    return np.asarray(first + s[:, None] * (second - first) + swing[:, None] * side)
