r"""Panels of bodies of revolution that keep the true volume and waterplane.

A ring of n flat sides has the area of the circle when its corners lie at

.. math:: r' = r \sqrt{\frac{2\pi/n}{\sin(2\pi/n)}};

frusta between such rings then have the volume of the cones between the circles. Without it a
spar of 24 sides would float metres too deep.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from adapters.capytaine.panels import Float, PanelMesh, welded
from cosim.algebra.attitude import yaw_matrix

__all__ = [
    "capped",
    "cone_volume",
    "graded",
    "lid_panels",
    "revolve",
    "subdivided",
    "toward_edge",
    "waterline_size",
    "wetted_profile",
]

GROWTH = 0.1


def wetted_profile(profile: Sequence[tuple[float, float]]) -> tuple[Float, float]:
    """Meridian of the wetted surface, from the axis up the outside to the water or the axis.

    Parameters
    ----------
    profile : sequence of (radius, z)
        m, from bottom to top, z not decreasing.

    Returns
    -------
    points : (n, 2)
        Radius and z; flat ends are added where the profile does not reach the axis.
    waterline : float
        Radius at z = 0, zero where the body is submerged.
    """
    points = [np.array(p, dtype=np.float64) for p in profile]
    wet = [points[0]]
    for below, above in pairwise(points):
        if above[1] <= 0.0:
            wet.append(above)
        elif below[1] < 0.0:
            share = -below[1] / (above[1] - below[1])
            wet.append(np.array([below[0] + share * (above[0] - below[0]), 0.0]))
    if wet[0][0] > 0.0:
        wet.insert(0, np.array([0.0, wet[0][1]]))
    waterline = float(wet[-1][0]) if wet[-1][1] == 0.0 else 0.0
    if wet[-1][0] > 0.0 and wet[-1][1] < 0.0:
        wet.append(np.array([0.0, wet[-1][1]]))
    return np.array(wet), waterline


def graded(length: float, start: float, end: float) -> Float:
    """Positions in [0, 1] whose spacing is `start` and `end` (m) at the ends and grows inwards.

    The pressure varies fastest at edges and at the waterline; the spacing grows by 10 % of the
    distance from them.
    """
    # spacing h(s) = start + GROWTH s from one end and end + GROWTH s from the other meet at
    # `middle`; the number of intervals is the integral of 1 / h
    middle = float(np.clip((length + (end - start) / GROWTH) / 2.0, 0.0, length))
    first = np.log1p(GROWTH * middle / start) / GROWTH
    second = np.log1p(GROWTH * (length - middle) / end) / GROWTH
    u = np.linspace(0.0, first + second, max(1, int(np.ceil(first + second))) + 1)
    rising = np.expm1(GROWTH * np.minimum(u, first)) * start / GROWTH
    falling = np.expm1(GROWTH * np.minimum(first + second - u, second)) * end / GROWTH
    positions = np.where(u <= first, rising, length - falling) / length
    positions[0], positions[-1] = 0.0, 1.0
    return np.asarray(positions)


def capped(length: float, size: float, end: float) -> Float:
    """Positions in [0, 1] whose spacing is `size` (m), and falls to `end` at 1."""
    fine = min(length, (size - end) / GROWTH)
    rest = length - fine
    even = np.linspace(0.0, rest, max(1, int(np.ceil(rest / size))) + 1)
    last = rest + fine * graded(fine, size, end)[1:] if fine > 0.0 else np.empty(0)
    return np.concatenate([even, last]) / length


def toward_edge(length: float, size: float) -> Float:
    """Positions in [0, 1] whose spacing is `size` (m) at 1 and grows towards 0."""
    end = np.log1p(GROWTH * length / size) / GROWTH
    s = np.linspace(end, 0.0, max(1, int(np.ceil(end))) + 1)
    positions = 1.0 - np.expm1(GROWTH * s) * size / (GROWTH * length)
    positions[0] = 0.0
    return np.asarray(positions)


def subdivided(points: Float, size: float) -> Float:
    """Subdivide each straight part of a meridian (n, 2) by :func:`graded`; corners are kept.

    `size` (m) is the spacing at corners, at the waterline it is :func:`waterline_size`.
    """
    sizes = np.where(points[:, 1] == 0.0, waterline_size(size), size)
    pieces = [points[:1]]
    for i in range(len(points) - 1):
        start, end = points[i], points[i + 1]
        length = float(np.hypot(*(end - start)))
        if length > 0.0:
            share = graded(length, float(sizes[i]), float(sizes[i + 1]))
            pieces.append(start + share[1:, None] * (end - start))
    return np.vstack(pieces)


def waterline_size(size: float) -> float:
    """Height of the panels that touch the water, m.

    Damping and diffraction of short waves depend on them: with a third of the width, the energy
    balance of a spar closes to 1 % up to twice the frequency it does with square panels.
    """
    return size / 3.0


def cone_volume(points: Float) -> float:
    """Volume of the cones between circles on a meridian (n, 2), m³."""
    r, z = points.T
    return float(np.pi / 3.0 * np.sum(np.diff(z) * (r[1:] ** 2 + r[1:] * r[:-1] + r[:-1] ** 2)))


def revolve(meridian: Float, sectors: int) -> PanelMesh:
    """Panels of the surface that a meridian (n, 2) sweeps; normals point out of the body."""
    angle = 2.0 * np.pi / sectors
    corner = np.sqrt(angle / np.sin(angle))
    ring = np.column_stack([corner * meridian[:, 0], np.zeros(len(meridian)), meridian[:, 1]])
    vertices = np.vstack([ring @ yaw_matrix(-angle / 2.0).T, ring @ yaw_matrix(angle / 2.0).T])
    i = np.arange(len(meridian) - 1)
    n = len(meridian)
    faces = np.column_stack([i, i + n, i + n + 1, i + 1])
    part = welded(vertices, faces)
    return PanelMesh(part.vertices, part.faces, sectors=sectors)


def lid_panels(waterline: float, size: float, sectors: int) -> PanelMesh | None:
    """Panels of the waterplane inside a circular waterline, normals down; None if submerged."""
    if waterline == 0.0:
        return None
    count = max(2, int(np.ceil(waterline / size)))
    radii = np.linspace(0.0, waterline, count + 1)
    return revolve(np.column_stack([radii, np.zeros(count + 1)]), sectors)
