r"""Vectors and rotations in symbols.

Vectors are triples and matrices triples of rows: products of these skip what SymPy's
matrices check at every call, which counts when 60 bodies are assembled.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

__all__ = [
    "EYE",
    "UNIT",
    "ZERO",
    "Rows",
    "Vector",
    "add",
    "apply",
    "column",
    "cross",
    "dot",
    "matrix",
    "multiply",
    "quaternion_rates",
    "quaternion_rotation",
    "scale",
    "skew",
    "subtract",
    "transpose",
    "turn_about",
    "turn_about_y",
    "vector",
]

Vector = tuple[sp.Expr, sp.Expr, sp.Expr]
Rows = tuple[Vector, Vector, Vector]

_0, _1 = sp.Integer(0), sp.Integer(1)
ZERO: Vector = (_0, _0, _0)
EYE: Rows = ((_1, _0, _0), (_0, _1, _0), (_0, _0, _1))
UNIT = EYE
"""The three unit vectors."""


def vector(values: Sequence[sp.Expr]) -> Vector:
    """A triple of three expressions or numbers."""
    x, y, z = (sp.sympify(value) for value in values)
    return x, y, z


def matrix(rows: Rows) -> sp.Matrix:
    """The matrix of SymPy."""
    return sp.Matrix(3, 3, [entry for row in rows for entry in row])


def column(triple: Vector) -> sp.Matrix:
    """The column of SymPy."""
    return sp.Matrix(3, 1, list(triple))


def add(a: Vector, b: Vector) -> Vector:
    """Sum a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def subtract(a: Vector, b: Vector) -> Vector:
    """Difference a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scale(factor: sp.Expr, a: Vector) -> Vector:
    """Product of a number and a vector."""
    return _times(factor, a[0]), _times(factor, a[1]), _times(factor, a[2])


def dot(a: Vector, b: Vector) -> sp.Expr:
    """Scalar product."""
    return sp.Add(*(_times(x, y) for x, y in zip(a, b, strict=True)))


def cross(a: Vector, b: Vector) -> Vector:
    """Vector product a × b."""
    return (
        _times(a[1], b[2]) - _times(a[2], b[1]),
        _times(a[2], b[0]) - _times(a[0], b[2]),
        _times(a[0], b[1]) - _times(a[1], b[0]),
    )


def apply(rows: Rows, a: Vector) -> Vector:
    """Product of a matrix and a vector."""
    return dot(rows[0], a), dot(rows[1], a), dot(rows[2], a)


def transpose(rows: Rows) -> Rows:
    """Rows for columns."""
    a, b, c = rows
    return (a[0], b[0], c[0]), (a[1], b[1], c[1]), (a[2], b[2], c[2])


def multiply(a: Rows, b: Rows) -> Rows:
    """Product of two matrices."""
    x, y, z = transpose(b)
    first, second, third = ((dot(row, x), dot(row, y), dot(row, z)) for row in a)
    return first, second, third


def skew(a: Vector) -> Rows:
    """The matrix a~ with a~ b = a × b."""
    x, y, z = a
    return (_0, -z, y), (z, _0, -x), (-y, x, _0)


def turn_about(axis: Vector, sine: sp.Expr, cosine: sp.Expr) -> Rows:
    """Rotation of an angle about a unit vector: cos 1 + sin n~ + (1 - cos) n nᵀ."""
    twist = skew(axis)
    rows = [
        tuple(
            cosine * EYE[i][j] + sine * twist[i][j] + (1 - cosine) * axis[i] * axis[j]
            for j in range(3)
        )
        for i in range(3)
    ]
    return _rows(rows)


def turn_about_y(sine: sp.Expr, cosine: sp.Expr) -> Rows:
    """Rotation about +y, the one of planar systems: x = c ξ + s η, z = -s ξ + c η."""
    return (cosine, _0, sine), (_0, _1, _0), (-sine, _0, cosine)


def quaternion_rotation(p: Sequence[sp.Expr], factor: sp.Expr) -> Rows:
    """Rotation of p / |p|, scalar first, with the factor 2 / (p · p)."""
    s, x, y, z = p
    k = factor
    return (
        (1 - k * (y * y + z * z), k * (x * y - s * z), k * (x * z + s * y)),
        (k * (x * y + s * z), 1 - k * (x * x + z * z), k * (y * z - s * x)),
        (k * (x * z - s * y), k * (y * z + s * x), 1 - k * (x * x + y * y)),
    )


def quaternion_rates(p: Sequence[sp.Expr], w: Sequence[sp.Expr]) -> tuple[sp.Expr, ...]:
    """Product p' = (0, w) p / 2 for the angular velocity w in the parent's axes."""
    s, x, y, z = p
    a, b, c = w
    return (
        (-a * x - b * y - c * z) / 2,
        (a * s + b * z - c * y) / 2,
        (b * s + c * x - a * z) / 2,
        (c * s + a * y - b * x) / 2,
    )


def _times(x: sp.Expr, y: sp.Expr) -> sp.Expr:
    """Product; most factors of planar systems are 0 or 1, and SymPy is slow to see it."""
    if x is _0 or y is _0:
        return _0
    return y if x is _1 else x * y


def _rows(rows: Sequence[Sequence[sp.Expr]]) -> Rows:
    first, second, third = (vector(row) for row in rows)
    return first, second, third
