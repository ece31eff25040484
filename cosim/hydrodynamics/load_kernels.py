"""Compiled parts of the time-domain load: turns between H and the world, hydrostatics."""

from __future__ import annotations

import math

from numba import njit

from cosim.algebra.rotations import (
    quaternion_from_matrix,
    quaternion_product,
    turn_about,
    vector_from_quaternion,
)
from cosim.algebra.rows import get_matrix
from cosim.algebra.vectors import Matrix, Vector, multiply
from cosim.hydrodynamics.rigid import Float

__all__ = [
    "add_turning_load",
    "hydrostatic_load",
    "into_frame",
    "tilt_and_turn",
    "to_world",
    "turn_mass",
]

_UP = (0.0, 0.0, 1.0)


@njit(cache=True)
def into_frame(yaw: float, v: Float, out: Float) -> None:
    """Twists (k, 6) in the axes of H."""
    c, s = math.cos(yaw), math.sin(yaw)
    for b in range(v.shape[0]):
        for i in (0, 3):
            x, y = v[b, i], v[b, i + 1]
            out[b, i], out[b, i + 1], out[b, i + 2] = c * x + s * y, c * y - s * x, v[b, i + 2]


@njit(cache=True)
def to_world(yaw: float, parts: tuple[Float, Float, Float], out: Float) -> None:
    """Sum of three loads (k, 6) in the axes of H, turned to world axes."""
    c, s = math.cos(yaw), math.sin(yaw)
    first, second, third = parts
    for b in range(out.shape[0]):
        for i in (0, 3):
            x = first[b, i] + second[b, i] + third[b, i]
            y = first[b, i + 1] + second[b, i + 1] + third[b, i + 1]
            out[b, i], out[b, i + 1] = c * x - s * y, s * x + c * y
            out[b, i + 2] = first[b, i + 2] + second[b, i + 2] + third[b, i + 2]


@njit(cache=True)
def tilt_and_turn(D: Matrix) -> Vector:
    """Rotation D as the vector of its tilt about a horizontal axis, and its turn about z.

    D = exp((x, y, 0)~) Rz(turn), the turn first. The rotation vector of D would mix roll and
    pitch where the body has also turned, by half the turn.
    """
    p = quaternion_from_matrix(D)
    half = math.atan2(p[3], p[0])
    tilt = quaternion_product(p, (math.cos(half), 0.0, 0.0, -math.sin(half)))
    x, y, _ = vector_from_quaternion(tilt)
    return (x, y, 2.0 * half)


@njit(cache=True)
def hydrostatic_load(
    yaws: tuple[float, float],
    pose: tuple[Float, Float],
    buoyancy: tuple[Float, Float, Float],
    out: Float,
) -> None:
    """Buoyancy in the axes of H: rest - C (0, 0, zeta, theta), theta of `tilt_and_turn`."""
    r, R = pose
    height, rest, C = buoyancy
    back, there = turn_about(_UP, -yaws[0]), turn_about(_UP, yaws[1])
    for b in range(r.shape[0]):
        D = multiply(multiply(back, get_matrix(R, b)), there)
        theta = tilt_and_turn(D)
        zeta = r[b, 2] - height[b]
        for i in range(6):
            total = C[b, i, 2] * zeta
            for j in range(3):
                total += C[b, i, 3 + j] * theta[j]
            out[b, i] = rest[b, i] - total


@njit(cache=True)
def turn_mass(yaw: float, inside: Float, out: Float) -> None:
    """Rz M Rzᵀ for every 3x3 block."""
    c, s = math.cos(yaw), math.sin(yaw)
    n = inside.shape[0]
    for i in range(0, n, 3):
        for j in range(n):
            x, y = inside[i, j], inside[i + 1, j]
            out[i, j], out[i + 1, j], out[i + 2, j] = c * x - s * y, s * x + c * y, inside[i + 2, j]
    for i in range(n):
        for j in range(0, n, 3):
            x, y = out[i, j], out[i, j + 1]
            out[i, j], out[i, j + 1] = c * x - s * y, s * x + c * y
    for i in range(n):
        for j in range(i):
            mean = 0.5 * (out[i, j] + out[j, i])
            out[i, j] = mean
            out[j, i] = mean


@njit(cache=True)
def add_turning_load(rate: float, M: Float, v: Float, load: Float) -> None:
    """Add -(S M - M S) v / 2 with S = blkdiag(W~), W = (0, 0, rate)."""
    n = M.shape[0]
    for i in range(n):
        b, k = i // 6, i % 3
        total = 0.0
        for j in range(n):
            w = v[j // 6, j % 6]
            # row i of S M
            if k == 0:
                total -= rate * M[i + 1, j] * w
            elif k == 1:
                total += rate * M[i - 1, j] * w
            # minus row i of M S: column j of S
            if j % 3 == 0:
                total -= rate * M[i, j + 1] * w
            elif j % 3 == 1:
                total += rate * M[i, j - 1] * w
        load[b, i % 6] -= 0.5 * total
