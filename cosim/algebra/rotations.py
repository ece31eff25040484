"""Rotations as vectors, unit quaternions (scalar first) and matrices, for compiled kernels."""

from __future__ import annotations

import math

from cosim.algebra.compiled import compiled
from cosim.algebra.vectors import Matrix, Vector, add, cross, dot, norm, scale, subtract

__all__ = [
    "Quaternion",
    "inverse_left_jacobian",
    "left_jacobian",
    "quaternion_from_matrix",
    "quaternion_from_vector",
    "quaternion_matrix",
    "quaternion_product",
    "rotation_from_vector",
    "turn_about",
    "twist",
    "vector_from_quaternion",
]

Quaternion = tuple[float, float, float, float]

_SMALL = 1e-8


@compiled
def turn_about(axis: Vector, angle: float) -> Matrix:
    """Rotation matrix of an angle about a unit vector (Rodrigues)."""
    sine, cosine = math.sin(angle), math.cos(angle)
    x, y, z = axis
    a, b, c = sine * x, sine * y, sine * z
    u, v, w = (1.0 - cosine) * x, (1.0 - cosine) * y, (1.0 - cosine) * z
    return (
        *(cosine + u * x, u * y - c, u * z + b),
        *(v * x + c, cosine + v * y, v * z - a),
        *(w * x - b, w * y + a, cosine + w * z),
    )


@compiled
def quaternion_matrix(p: Quaternion) -> Matrix:
    """Rotation matrix of p / |p|."""
    s, x, y, z = p
    k = 2.0 / (s * s + x * x + y * y + z * z)
    return (
        *(1.0 - k * (y * y + z * z), k * (x * y - s * z), k * (x * z + s * y)),
        *(k * (x * y + s * z), 1.0 - k * (x * x + z * z), k * (y * z - s * x)),
        *(k * (x * z - s * y), k * (y * z + s * x), 1.0 - k * (x * x + y * y)),
    )


@compiled
def rotation_from_vector(phi: Vector) -> Matrix:
    """Rotation matrix exp(φ~) of a rotation vector."""
    x, y, z = phi
    angle2 = dot(phi, phi)
    if angle2 < _SMALL:
        a, b = 1.0 - angle2 / 6.0, 0.5 - angle2 / 24.0
    else:
        angle = math.sqrt(angle2)
        a, b = math.sin(angle) / angle, (1.0 - math.cos(angle)) / angle2
    c = 1.0 - b * angle2
    return (
        *(c + b * x * x, b * x * y - a * z, b * x * z + a * y),
        *(b * x * y + a * z, c + b * y * y, b * y * z - a * x),
        *(b * x * z - a * y, b * y * z + a * x, c + b * z * z),
    )


@compiled
def quaternion_from_matrix(m: Matrix) -> Quaternion:
    """Unit quaternion of a rotation matrix; scalar part >= 0.

    The largest of the four components is taken from the diagonal, so that no angle loses
    digits.
    """
    xx, yy, zz = m[0], m[4], m[8]
    a, b, c = m[7] - m[5], m[2] - m[6], m[3] - m[1]
    d, e, f = m[3] + m[1], m[2] + m[6], m[7] + m[5]
    trace = xx + yy + zz
    if trace >= max(xx, yy, zz):
        p = (1.0 + trace, a, b, c)
    elif xx >= max(yy, zz):
        p = (a, 1.0 + xx - yy - zz, d, e)
    elif yy >= zz:
        p = (b, d, 1.0 + yy - xx - zz, f)
    else:
        p = (c, e, f, 1.0 + zz - xx - yy)
    size = math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
    factor = 1.0 / size if p[0] >= 0.0 else -1.0 / size
    return (factor * p[0], factor * p[1], factor * p[2], factor * p[3])


@compiled
def quaternion_from_vector(phi: Vector) -> Quaternion:
    """Unit quaternion of a rotation vector."""
    angle = norm(phi)
    factor = 0.5 - angle * angle / 48.0 if angle < 1e-4 else math.sin(0.5 * angle) / angle
    return (math.cos(0.5 * angle), factor * phi[0], factor * phi[1], factor * phi[2])


@compiled
def vector_from_quaternion(p: Quaternion) -> Vector:
    """Shortest rotation vector of a quaternion of any length; at most half a turn."""
    sign = -1.0 if p[0] < 0.0 else 1.0
    scalar, axis = sign * p[0], (p[1], p[2], p[3])
    size = norm(axis)
    if size < _SMALL * scalar:
        return scale(2.0 * sign / scalar, axis)
    return scale(2.0 * sign * math.atan2(size, scalar) / size, axis)


@compiled
def quaternion_product(a: Quaternion, b: Quaternion) -> Quaternion:
    """A b: the rotation b followed by a."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
        a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1],
    )


@compiled
def left_jacobian(phi: Vector, rate: Vector) -> Vector:
    """Angular velocity J(φ) φ' of the rate of a rotation vector."""
    angle2 = dot(phi, phi)
    if angle2 < _SMALL:
        b, c = 0.5 - angle2 / 24.0, 1.0 / 6.0 - angle2 / 120.0
    else:
        angle = math.sqrt(angle2)
        b, c = (1.0 - math.cos(angle)) / angle2, (angle - math.sin(angle)) / (angle2 * angle)
    across = cross(phi, rate)
    return add(rate, add(scale(b, across), scale(c, cross(phi, across))))


@compiled
def inverse_left_jacobian(phi: Vector, omega: Vector) -> Vector:
    """Time derivative J⁻¹(φ) ω of the rotation vector of R for R' = ω~ R.

    φ' = ω - φ × ω / 2 + c φ × (φ × ω), c = (1 - (a/2) cot(a/2)) / a²; finite up to, not
    including, a whole turn.
    """
    angle2 = dot(phi, phi)
    if angle2 < 1e-4:
        c = 1.0 / 12.0 + angle2 / 720.0 + angle2 * angle2 / 30240.0
    else:
        half = 0.5 * math.sqrt(angle2)
        c = (1.0 - half / math.tan(half)) / angle2
    across = cross(phi, omega)
    return add(subtract(omega, scale(0.5, across)), scale(c, cross(phi, across)))


@compiled
def twist(p: Quaternion, axis: Vector) -> tuple[float, Vector]:
    """Twist angle about a unit axis, and the vector h with angle' = h · (relative rate).

    The rotation is split into a twist about the axis and a swing across it: with the vector
    part v, angle = 2 atan2(v · n, p0), in (-pi, pi] where p0 >= 0, and

        h = (p0² n + p0 v × n + (v · n) v) / (p0² + (v · n)²).

    A moment M on the angle is the moment M h on the body: exactly the one that does the work
    M angle'. At a swing of half a turn the twist is not defined; h is 0 there.
    """
    scalar, v = p[0], (p[1], p[2], p[3])
    along = dot(v, axis)
    size = scalar * scalar + along * along
    if size == 0.0:
        return 0.0, (0.0, 0.0, 0.0)
    h = add(scale(scalar * scalar, axis), scale(scalar, cross(v, axis)))
    h = add(h, scale(along, v))
    return 2.0 * math.atan2(along, scalar), scale(1.0 / size, h)
