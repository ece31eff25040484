"""Points, axes and loads of bodies, for the kernels of the elements."""

from __future__ import annotations

from typing import NamedTuple

from cosim.algebra.compiled import compiled
from cosim.algebra.rotations import Quaternion, quaternion_from_matrix
from cosim.algebra.rows import add_vector, get_matrix, get_vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import (
    IDENTITY,
    ZERO,
    Matrix,
    Vector,
    add,
    apply,
    apply_transposed,
    cross,
    multiply,
    subtract,
    transpose,
)

__all__ = [
    "EARTH_ROW",
    "Bodies",
    "add_load",
    "place",
    "relative_quaternion",
    "rotation_rate",
    "turn",
    "turn_back",
    "velocity",
]

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
def _axes(bodies: Bodies, body: int) -> Matrix:
    return IDENTITY if body == EARTH_ROW else get_matrix(bodies.R, body)


@compiled
def turn(bodies: Bodies, body: int, a: Vector) -> Vector:
    """Body axes to world axes."""
    return apply(_axes(bodies, body), a)


@compiled
def turn_back(bodies: Bodies, body: int, a: Vector) -> Vector:
    """World axes to body axes."""
    return apply_transposed(_axes(bodies, body), a)


@compiled
def relative_quaternion(bodies: Bodies, first: int, second: int) -> Quaternion:
    """Rotation of the second body against the first, in the first's axes."""
    back = transpose(_axes(bodies, first))
    return quaternion_from_matrix(multiply(back, _axes(bodies, second)))


@compiled
def place(bodies: Bodies, body: int, arm: Vector) -> Vector:
    """World position of a point: r + R arm; for earth the arm is the position."""
    if body == EARTH_ROW:
        return arm
    return add(get_vector(bodies.r, body, 0), turn(bodies, body, arm))


@compiled
def rotation_rate(bodies: Bodies, body: int) -> Vector:
    """Angular velocity, world axes."""
    return ZERO if body == EARTH_ROW else get_vector(bodies.v, body, 3)


@compiled
def velocity(bodies: Bodies, body: int, point: Vector) -> Vector:
    """Velocity of the particle of the body that is at `point` now, world axes."""
    if body == EARTH_ROW:
        return ZERO
    lever = subtract(point, get_vector(bodies.r, body, 0))
    return add(get_vector(bodies.v, body, 0), cross(rotation_rate(bodies, body), lever))


@compiled
def add_load(
    g: Float, bodies: Bodies, body: int, point: Vector, force: Vector, moment: Vector
) -> None:
    """Add a force at `point` and a free moment to the wrench at the centre of gravity."""
    if body == EARTH_ROW:
        return
    lever = subtract(point, get_vector(bodies.r, body, 0))
    add_vector(g, body, 0, force)
    add_vector(g, body, 3, add(moment, cross(lever, force)))
