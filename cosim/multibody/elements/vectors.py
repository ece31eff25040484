"""Three-vectors as tuples, and points of bodies, for the kernels of the elements."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from cosim.algebra.compiled import compiled
from numpy.typing import NDArray

__all__ = [
    "EARTH_ROW",
    "ZERO",
    "Bodies",
    "Float",
    "Vector",
    "add",
    "add_load",
    "cross",
    "dot",
    "norm",
    "place",
    "rotation_rate",
    "scale",
    "subtract",
    "turn",
    "turn_back",
    "vector",
    "velocity",
]

Float = NDArray[np.float64]
Vector = tuple[float, float, float]

ZERO: Vector = (0.0, 0.0, 0.0)

EARTH_ROW = -1
"""Row that stands for earth, which neither moves nor turns."""


class Bodies(NamedTuple):
    """Poses and twists of all bodies.

    Attributes
    ----------
    r : (n, 3)
        Centres of gravity, m, world frame.
    R : (n, 3, 3)
        Body axes to world axes.
    v : (n, 6)
        Twists at the centres of gravity, world axes.
    """

    r: Float
    R: Float
    v: Float


@compiled
def vector(a: Float) -> Vector:
    """The first three entries of an array."""
    return (a[0], a[1], a[2])


@compiled
def add(a: Vector, b: Vector) -> Vector:
    """Sum a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@compiled
def subtract(a: Vector, b: Vector) -> Vector:
    """Difference a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@compiled
def scale(factor: float, a: Vector) -> Vector:
    """Multiple of a."""
    return (factor * a[0], factor * a[1], factor * a[2])


@compiled
def dot(a: Vector, b: Vector) -> float:
    """Scalar product a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled
def norm(a: Vector) -> float:
    """Length of a."""
    return math.sqrt(dot(a, a))


@compiled
def cross(a: Vector, b: Vector) -> Vector:
    """Vector product a × b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@compiled
def turn(bodies: Bodies, body: int, a: Vector) -> Vector:
    """Body axes to world axes."""
    if body == EARTH_ROW:
        return a
    R = bodies.R
    return (
        R[body, 0, 0] * a[0] + R[body, 0, 1] * a[1] + R[body, 0, 2] * a[2],
        R[body, 1, 0] * a[0] + R[body, 1, 1] * a[1] + R[body, 1, 2] * a[2],
        R[body, 2, 0] * a[0] + R[body, 2, 1] * a[1] + R[body, 2, 2] * a[2],
    )


@compiled
def turn_back(bodies: Bodies, body: int, a: Vector) -> Vector:
    """World axes to body axes."""
    if body == EARTH_ROW:
        return a
    R = bodies.R
    return (
        R[body, 0, 0] * a[0] + R[body, 1, 0] * a[1] + R[body, 2, 0] * a[2],
        R[body, 0, 1] * a[0] + R[body, 1, 1] * a[1] + R[body, 2, 1] * a[2],
        R[body, 0, 2] * a[0] + R[body, 1, 2] * a[1] + R[body, 2, 2] * a[2],
    )


@compiled
def place(bodies: Bodies, body: int, arm: Vector) -> Vector:
    """World position of a point: r + R arm; for earth the arm is the position."""
    if body == EARTH_ROW:
        return arm
    r = bodies.r
    return add((r[body, 0], r[body, 1], r[body, 2]), turn(bodies, body, arm))


@compiled
def rotation_rate(bodies: Bodies, body: int) -> Vector:
    """Angular velocity, world axes."""
    if body == EARTH_ROW:
        return ZERO
    v = bodies.v
    return (v[body, 3], v[body, 4], v[body, 5])


@compiled
def velocity(bodies: Bodies, body: int, point: Vector) -> Vector:
    """Velocity of the particle of the body that is at `point` now, world axes."""
    if body == EARTH_ROW:
        return ZERO
    r, v = bodies.r, bodies.v
    lever = subtract(point, (r[body, 0], r[body, 1], r[body, 2]))
    return add((v[body, 0], v[body, 1], v[body, 2]), cross(rotation_rate(bodies, body), lever))


@compiled
def add_load(
    g: Float, bodies: Bodies, body: int, point: Vector, force: Vector, moment: Vector
) -> None:
    """Add a force at `point` and a free moment to the wrench at the centre of gravity."""
    if body == EARTH_ROW:
        return
    r = bodies.r
    lever = subtract(point, (r[body, 0], r[body, 1], r[body, 2]))
    total = add(moment, cross(lever, force))
    for k in range(3):
        g[body, k] += force[k]
        g[body, 3 + k] += total[k]
