"""Vectors and matrices of fixed size as tuples, for compiled kernels.

A vector is (x, y, z), a matrix its nine entries row by row, a symmetric matrix
(xx, yy, zz, xy, xz, yz). Tuples of numbers live in registers: nothing is allocated and
nothing can alias.
"""

from __future__ import annotations

import math

from cosim.algebra.compiled import compiled

__all__ = [
    "IDENTITY",
    "ZERO",
    "Matrix",
    "Symmetric",
    "Vector",
    "add",
    "apply",
    "apply_symmetric",
    "apply_transposed",
    "cross",
    "dot",
    "multiply",
    "norm",
    "scale",
    "subtract",
    "transpose",
    "turn_symmetric",
]

Vector = tuple[float, float, float]
Matrix = tuple[float, float, float, float, float, float, float, float, float]
Symmetric = tuple[float, float, float, float, float, float]

ZERO: Vector = (0.0, 0.0, 0.0)
IDENTITY: Matrix = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


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
def norm(a: Vector) -> float:
    """Length of a."""
    return math.sqrt(dot(a, a))


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
def transpose(m: Matrix) -> Matrix:
    """Mᵀ."""
    return (m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8])


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
