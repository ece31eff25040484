"""Vectors and matrices of fixed size as tuples, for compiled kernels.

A vector is (x, y, z), a matrix its nine entries row by row, a symmetric matrix
(xx, yy, zz, xy, xz, yz). Tuples of numbers live in registers: nothing is allocated and
nothing can alias.
"""

from __future__ import annotations

import numba as nb
import numpy as np

from cosim.multibody.interface import Float

__all__ = [
    "IDENTITY",
    "ZERO",
    "Matrix",
    "Symmetric",
    "Vector",
    "accumulate",
    "add",
    "add_vector",
    "apply",
    "apply_symmetric",
    "apply_transposed",
    "clear",
    "compiled",
    "cross",
    "dot",
    "get_matrix",
    "get_symmetric",
    "get_vector",
    "multiply",
    "put_matrix",
    "put_vector",
    "quaternion_matrix",
    "scale",
    "subtract",
    "turn_about",
    "turn_symmetric",
]

Vector = tuple[float, float, float]
Matrix = tuple[float, float, float, float, float, float, float, float, float]
Symmetric = tuple[float, float, float, float, float, float]

ZERO: Vector = (0.0, 0.0, 0.0)
IDENTITY: Matrix = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)

# fused multiply-add only: no reordering, so that a sum is the same on every call
compiled = nb.njit(cache=True, error_model="numpy", fastmath={"contract"})


@compiled
def get_vector(a: Float, i: int, at: int) -> Vector:
    """Entries at, at + 1, at + 2 of row i."""
    return (a[i, at], a[i, at + 1], a[i, at + 2])


@compiled
def put_vector(a: Float, i: int, at: int, v: Vector) -> None:
    """Write v to the entries at, at + 1, at + 2 of row i."""
    a[i, at], a[i, at + 1], a[i, at + 2] = v


@compiled
def add_vector(a: Float, i: int, at: int, v: Vector) -> None:
    """Add v to the entries at, at + 1, at + 2 of row i."""
    a[i, at] += v[0]
    a[i, at + 1] += v[1]
    a[i, at + 2] += v[2]


@compiled
def get_symmetric(a: Float, i: int, at: int) -> Symmetric:
    """Six entries of row i from `at` on."""
    return (a[i, at], a[i, at + 1], a[i, at + 2], a[i, at + 3], a[i, at + 4], a[i, at + 5])


@compiled
def get_matrix(a: Float, i: int) -> Matrix:
    """a[i], (3, 3), as a tuple."""
    return (
        *(a[i, 0, 0], a[i, 0, 1], a[i, 0, 2]),
        *(a[i, 1, 0], a[i, 1, 1], a[i, 1, 2]),
        *(a[i, 2, 0], a[i, 2, 1], a[i, 2, 2]),
    )


@compiled
def put_matrix(a: Float, i: int, m: Matrix) -> None:
    """Write m to a[i], (3, 3)."""
    a[i, 0, 0], a[i, 0, 1], a[i, 0, 2] = m[0], m[1], m[2]
    a[i, 1, 0], a[i, 1, 1], a[i, 1, 2] = m[3], m[4], m[5]
    a[i, 2, 0], a[i, 2, 1], a[i, 2, 2] = m[6], m[7], m[8]


@compiled
def clear(a: Float) -> None:
    """Set all entries of (n, k) to zero."""
    # loops compile in a tenth of the time that numba takes for assignments to slices
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            a[i, k] = 0.0


@compiled
def accumulate(a: Float, at: int, b: Float, factor: float) -> None:
    """Add factor * b, (n, k), to the columns of a from `at` on."""
    for i in range(b.shape[0]):
        for k in range(b.shape[1]):
            a[i, at + k] += factor * b[i, k]


@compiled
def add(a: Vector, b: Vector) -> Vector:
    """A + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@compiled
def subtract(a: Vector, b: Vector) -> Vector:
    """A - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@compiled
def scale(factor: float, a: Vector) -> Vector:
    """A times a number."""
    return (factor * a[0], factor * a[1], factor * a[2])


@compiled
def dot(a: Vector, b: Vector) -> float:
    """A . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@compiled
def cross(a: Vector, b: Vector) -> Vector:
    """A x b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@compiled
def apply(m: Matrix, v: Vector) -> Vector:
    """M v."""
    return (
        m[0] * v[0] + m[1] * v[1] + m[2] * v[2],
        m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
        m[6] * v[0] + m[7] * v[1] + m[8] * v[2],
    )


@compiled
def apply_transposed(m: Matrix, v: Vector) -> Vector:
    """Mᵀ v."""
    return (
        m[0] * v[0] + m[3] * v[1] + m[6] * v[2],
        m[1] * v[0] + m[4] * v[1] + m[7] * v[2],
        m[2] * v[0] + m[5] * v[1] + m[8] * v[2],
    )


@compiled
def apply_symmetric(s: Symmetric, v: Vector) -> Vector:
    """S v."""
    return (
        s[0] * v[0] + s[3] * v[1] + s[4] * v[2],
        s[3] * v[0] + s[1] * v[1] + s[5] * v[2],
        s[4] * v[0] + s[5] * v[1] + s[2] * v[2],
    )


@compiled
def multiply(a: Matrix, b: Matrix) -> Matrix:
    """A b."""
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )


@compiled
def turn_symmetric(m: Matrix, s: Symmetric) -> Symmetric:
    """M s Mᵀ."""
    x = apply_symmetric(s, (m[0], m[1], m[2]))
    y = apply_symmetric(s, (m[3], m[4], m[5]))
    z = apply_symmetric(s, (m[6], m[7], m[8]))
    first, second, third = (m[0], m[1], m[2]), (m[3], m[4], m[5]), (m[6], m[7], m[8])
    return (
        *(dot(first, x), dot(second, y), dot(third, z)),
        *(dot(first, y), dot(first, z), dot(second, z)),
    )


@compiled
def turn_about(axis: Vector, angle: float) -> Matrix:
    """Rotation matrix of an angle about a unit vector (Rodrigues)."""
    sine, cosine = np.sin(angle), np.cos(angle)
    x, y, z = axis
    a, b, c = sine * x, sine * y, sine * z
    u, v, w = (1.0 - cosine) * x, (1.0 - cosine) * y, (1.0 - cosine) * z
    return (
        *(cosine + u * x, u * y - c, u * z + b),
        *(v * x + c, cosine + v * y, v * z - a),
        *(w * x - b, w * y + a, cosine + w * z),
    )


@compiled
def quaternion_matrix(s: float, x: float, y: float, z: float) -> Matrix:
    """Rotation matrix of p / |p|, p = (s, x, y, z) with the scalar first."""
    k = 2.0 / (s * s + x * x + y * y + z * z)
    return (
        *(1.0 - k * (y * y + z * z), k * (x * y - s * z), k * (x * z + s * y)),
        *(k * (x * y + s * z), 1.0 - k * (x * x + z * z), k * (y * z - s * x)),
        *(k * (x * z - s * y), k * (y * z + s * x), 1.0 - k * (x * x + y * y)),
    )
