"""Relative rotation of two bodies: quaternion, twist angle, rotation vector."""

from __future__ import annotations

import math

from cosim.algebra.compiled import compiled

from cosim.algebra.vectors import Vector, add, cross, dot, norm, scale, subtract
from cosim.multibody.elements.bodies import Bodies, turn, turn_back

__all__ = ["inverse_left_jacobian", "relative_quaternion", "rotation_vector", "twist"]


@compiled
def relative_quaternion(bodies: Bodies, first: int, second: int) -> tuple[float, Vector]:
    """Scalar part p0 >= 0 and vector part of the rotation of the second against the first.

    In the first's axes. The largest of the four components is taken from the diagonal, so
    that no angle loses digits.
    """
    a = turn_back(bodies, first, turn(bodies, second, (1.0, 0.0, 0.0)))
    b = turn_back(bodies, first, turn(bodies, second, (0.0, 1.0, 0.0)))
    c = turn_back(bodies, first, turn(bodies, second, (0.0, 0.0, 1.0)))
    trace = a[0] + b[1] + c[2]
    if trace >= max(a[0], b[1], c[2]):
        q = (1.0 + trace, b[2] - c[1], c[0] - a[2], a[1] - b[0])
    elif a[0] >= max(b[1], c[2]):
        q = (b[2] - c[1], 1.0 + a[0] - b[1] - c[2], a[1] + b[0], c[0] + a[2])
    elif b[1] >= c[2]:
        q = (c[0] - a[2], a[1] + b[0], 1.0 + b[1] - a[0] - c[2], b[2] + c[1])
    else:
        q = (a[1] - b[0], c[0] + a[2], b[2] + c[1], 1.0 + c[2] - a[0] - b[1])
    size = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    factor = 1.0 / size if q[0] >= 0.0 else -1.0 / size
    return factor * q[0], (factor * q[1], factor * q[2], factor * q[3])


@compiled
def twist(scalar: float, p: Vector, axis: Vector) -> tuple[float, Vector]:
    """Twist angle about a unit axis, and the vector h with angle' = h · (relative rate).

    The rotation is split into a twist about the axis and a swing across it:
    angle = 2 atan2(p · n, p0) in (-pi, pi], and

        h = (p0² n + p0 p × n + (p · n) p) / (p0² + (p · n)²).

    A moment M on the angle is the moment M h on the body: exactly the one that does the work
    M angle'. At a swing of half a turn the twist is not defined; h is 0 there.
    """
    along = dot(p, axis)
    size = scalar * scalar + along * along
    if size == 0.0:
        return 0.0, (0.0, 0.0, 0.0)
    h = add(scale(scalar * scalar, axis), scale(scalar, cross(p, axis)))
    h = add(h, scale(along, p))
    return 2.0 * math.atan2(along, scalar), scale(1.0 / size, h)


@compiled
def rotation_vector(scalar: float, p: Vector) -> Vector:
    """Rotation vector, rad, of a unit quaternion with p0 >= 0; its length is at most pi."""
    size = norm(p)
    if size < 1e-6:
        return scale(2.0 + size * size / 3.0, p)  # 2 asin(s)/s to 1e-25
    return scale(2.0 * math.atan2(size, scalar) / size, p)


@compiled
def inverse_left_jacobian(theta: Vector, rate: Vector) -> Vector:
    """Time derivative of the rotation vector of R for R' = rate~ R.

    theta' = w - theta × w / 2 + c theta × (theta × w), c = (1 - (a/2) cot(a/2)) / a².
    """
    square = dot(theta, theta)
    if square < 1e-4:
        c = 1.0 / 12.0 + square / 720.0 + square * square / 30240.0
    else:
        half = 0.5 * math.sqrt(square)
        c = (1.0 - half / math.tan(half)) / square
    across = cross(theta, rate)
    return add(subtract(rate, scale(0.5, across)), scale(c, cross(theta, across)))
