"""Rotation vectors, rotation matrices and unit quaternions (scalar first)."""

from __future__ import annotations

import numba as nb
import numpy as np

from cosim.multibody.interface import Float

__all__ = [
    "inverse_left_jacobian",
    "left_jacobian",
    "quaternion_from_matrix",
    "quaternion_from_vector",
    "quaternion_product",
    "rotation_from_vector",
    "vector_from_quaternion",
    "vector_from_rotation",
]

_SMALL = 1e-8


@nb.njit(cache=True)
def rotation_from_vector(phi: Float, out: Float) -> None:
    """Write the rotation matrix exp(φ~), (3, 3), of a rotation vector, (3,)."""
    x, y, z = phi[0], phi[1], phi[2]
    angle2 = x * x + y * y + z * z
    if angle2 < _SMALL:
        a, b = 1.0 - angle2 / 6.0, 0.5 - angle2 / 24.0
    else:
        angle = np.sqrt(angle2)
        a, b = np.sin(angle) / angle, (1.0 - np.cos(angle)) / angle2
    c = 1.0 - b * angle2
    out[0, 0], out[0, 1], out[0, 2] = c + b * x * x, b * x * y - a * z, b * x * z + a * y
    out[1, 0], out[1, 1], out[1, 2] = b * x * y + a * z, c + b * y * y, b * y * z - a * x
    out[2, 0], out[2, 1], out[2, 2] = b * x * z - a * y, b * y * z + a * x, c + b * z * z


@nb.njit(cache=True)
def quaternion_from_matrix(D: Float, out: Float) -> None:
    """Write the unit quaternion, (4,), of a rotation matrix, (3, 3); scalar part >= 0."""
    trace = D[0, 0] + D[1, 1] + D[2, 2]
    largest = 0
    best = trace
    # dividing by the largest component keeps all digits at every angle
    for i in range(3):
        if D[i, i] > best:
            best = D[i, i]
            largest = i + 1
    if largest == 0:
        out[0] = 1.0 + trace
        out[1], out[2], out[3] = D[2, 1] - D[1, 2], D[0, 2] - D[2, 0], D[1, 0] - D[0, 1]
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        out[1 + i] = 1.0 + D[i, i] - D[j, j] - D[k, k]
        out[1 + j] = D[i, j] + D[j, i]
        out[1 + k] = D[i, k] + D[k, i]
        out[0] = D[k, j] - D[j, k]
    norm = np.sqrt(out[0] ** 2 + out[1] ** 2 + out[2] ** 2 + out[3] ** 2)
    scale = -1.0 / norm if out[0] < 0.0 else 1.0 / norm
    for i in range(4):
        out[i] *= scale


@nb.njit(cache=True)
def quaternion_from_vector(phi: Float, out: Float) -> None:
    """Write the unit quaternion, (4,), of a rotation vector, (3,)."""
    angle = np.sqrt(phi[0] ** 2 + phi[1] ** 2 + phi[2] ** 2)
    scale = 0.5 - angle * angle / 48.0 if angle < 1e-4 else np.sin(0.5 * angle) / angle
    out[0] = np.cos(0.5 * angle)
    for i in range(3):
        out[1 + i] = scale * phi[i]


@nb.njit(cache=True)
def vector_from_quaternion(p: Float, out: Float) -> None:
    """Write the shortest rotation vector, (3,), of a quaternion of any length, (4,)."""
    sign = -1.0 if p[0] < 0.0 else 1.0
    scalar = sign * p[0]
    vector = np.sqrt(p[1] ** 2 + p[2] ** 2 + p[3] ** 2)
    if vector < _SMALL * scalar:
        scale = 2.0 * sign / scalar
    else:
        scale = 2.0 * sign * np.arctan2(vector, scalar) / vector
    for i in range(3):
        out[i] = scale * p[1 + i]


@nb.njit(cache=True)
def vector_from_rotation(D: Float, out: Float) -> None:
    """Write the shortest rotation vector log(D), (3,), of a rotation matrix, (3, 3)."""
    p = np.empty(4)
    quaternion_from_matrix(D, p)
    vector_from_quaternion(p, out)


@nb.njit(cache=True)
def quaternion_product(a: Float, b: Float, out: Float) -> None:
    """Write a b, (4,): the rotation b followed by a. `out` may not be a or b."""
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    out[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3]
    out[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]


@nb.njit(cache=True)
def _cross(a: Float, b: Float, out: Float) -> None:
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@nb.njit(cache=True)
def left_jacobian(phi: Float, rate: Float, out: Float) -> None:
    """Write the angular velocity J(φ) φ', (3,), of the rate of a rotation vector."""
    angle2 = phi[0] ** 2 + phi[1] ** 2 + phi[2] ** 2
    if angle2 < _SMALL:
        b, c = 0.5 - angle2 / 24.0, 1.0 / 6.0 - angle2 / 120.0
    else:
        angle = np.sqrt(angle2)
        b, c = (1.0 - np.cos(angle)) / angle2, (angle - np.sin(angle)) / (angle2 * angle)
    first, second = np.empty(3), np.empty(3)
    _cross(phi, rate, first)
    _cross(phi, first, second)
    for i in range(3):
        out[i] = rate[i] + b * first[i] + c * second[i]


@nb.njit(cache=True)
def inverse_left_jacobian(phi: Float, omega: Float, out: Float) -> None:
    """Write the rate J⁻¹(φ) ω, (3,), of the rotation vector for an angular velocity."""
    angle2 = phi[0] ** 2 + phi[1] ** 2 + phi[2] ** 2
    if angle2 < _SMALL:
        c = 1.0 / 12.0 + angle2 / 720.0
    else:
        angle = np.sqrt(angle2)
        # half angles: finite up to, not including, a whole turn
        c = 1.0 / angle2 - np.cos(0.5 * angle) / (2.0 * angle * np.sin(0.5 * angle))
    first, second = np.empty(3), np.empty(3)
    _cross(phi, omega, first)
    _cross(phi, first, second)
    for i in range(3):
        out[i] = omega[i] - 0.5 * first[i] + c * second[i]
