"""Vectors and matrices in the rows of arrays, read to tuples and written back."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rotations import Quaternion
from cosim.algebra.types import Float
from cosim.algebra.vectors import Matrix, Symmetric, Vector

__all__ = [
    "accumulate",
    "add_vector",
    "clear",
    "get_matrix",
    "get_symmetric",
    "get_vector",
    "put_matrix",
    "put_quaternion",
    "put_vector",
    "quaternion",
    "vector",
]


@compiled
def vector(a: Float, at: int) -> Vector:
    """Entries at, at + 1, at + 2 of (n,)."""
    return (a[at], a[at + 1], a[at + 2])


@compiled
def quaternion(a: Float, at: int) -> Quaternion:
    """Four entries of (n,) from `at` on."""
    return (a[at], a[at + 1], a[at + 2], a[at + 3])


@compiled
def put_quaternion(a: Float, at: int, p: Quaternion) -> None:
    """Write p to the entries of (n,) from `at` on."""
    a[at], a[at + 1], a[at + 2], a[at + 3] = p


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
