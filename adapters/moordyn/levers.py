"""Compiled kinematics and statics of fairleads on rigid bodies."""

from __future__ import annotations

import numba as nb
import numpy as np
from numpy.typing import NDArray

from cosim.multibody.interface import Float

__all__ = ["end_mass", "place_points", "step_inputs", "wrenches"]

Index = NDArray[np.intp]
_Poses = tuple[Float, Float, Float]


@nb.njit(cache=True)
def _point(pose: _Poses, lever: Float, x: Float, u: Float) -> None:
    """Position x and velocity u, (3,), of a point of a body, lever in body axes."""
    r, R, v = pose
    a = R[0, 0] * lever[0] + R[0, 1] * lever[1] + R[0, 2] * lever[2]
    b = R[1, 0] * lever[0] + R[1, 1] * lever[1] + R[1, 2] * lever[2]
    c = R[2, 0] * lever[0] + R[2, 1] * lever[1] + R[2, 2] * lever[2]
    x[0], x[1], x[2] = r[0] + a, r[1] + b, r[2] + c
    u[0] = v[0] + v[4] * c - v[5] * b
    u[1] = v[1] + v[5] * a - v[3] * c
    u[2] = v[2] + v[3] * b - v[4] * a


@nb.njit(cache=True)
def place_points(poses: _Poses, owner: Index, lever: Float, x: Float, u: Float) -> None:
    """Positions and velocities of the fairleads at several instants.

    Parameters
    ----------
    poses : arrays (m, k, 3), (m, k, 3, 3), (m, k, 6)
        Centres of gravity, attitudes and twists, world axes.
    owner : (p,) array
        Body of each fairlead.
    lever : (p, 3) array
        From the centre of gravity, m, body axes.
    x, u : (m, 3p) arrays
        Filled with m and m/s, world frame.
    """
    r, R, v = poses
    for m in range(r.shape[0]):
        for p in range(owner.size):
            i, j = owner[p], 3 * p
            pose = r[m, i], R[m, i], v[m, i]
            _point(pose, lever[p], x[m, j : j + 3], u[m, j : j + 3])


@nb.njit(cache=True)
def step_inputs(x: Float, u: Float, dt: float, closing: float, out: tuple[Float, Float]) -> None:
    """Start positions and velocities of MoorDyn's steps that follow given instants.

    During each of the first n steps MoorDyn moves along the chord, so that it is where the
    body is at the end of each; the closing step ends with the body's true velocity.

    Parameters
    ----------
    x, u : (n + 2, 3p) arrays
        Fairleads at t0, t0 + dt, ..., t1 - closing, t1, m and m/s.
    dt, closing : float
        s.
    out : two (n + 1, 3p) arrays
        Filled with m and m/s.
    """
    start, speed = out
    n = x.shape[0] - 2
    for j in range(x.shape[1]):
        for m in range(n):
            start[m, j] = x[m, j]
            speed[m, j] = (x[m + 1, j] - x[m, j]) / dt
        speed[n, j] = u[n + 1, j]
        start[n, j] = x[n + 1, j] - closing * u[n + 1, j]


@nb.njit(cache=True)
def wrenches(
    poses: _Poses, owner: Index, lever: Float, load: tuple[Float, Float], out: Float
) -> None:
    """Load of the lines on the bodies, (k, 6), at the centres of gravity, world axes.

    The mass of the line ends is carried by the body: of its inertia force
    -m (v' + w' x s + w x (w x s)) the last part belongs here, the rest to the added mass.

    Parameters
    ----------
    poses : arrays (k, 3), (k, 3, 3), (k, 6)
    owner, lever : (p,), (p, 3) arrays
    load : arrays (p, 3), (p, 3, 3)
        Forces, N, and masses, kg, of the points.
    out : (k, 6) array
        Filled.
    """
    _, R, v = poses
    force, mass = load
    out[:] = 0.0
    s, f, a = np.empty(3), np.empty(3), np.empty(3)
    for p in range(owner.size):
        i = owner[p]
        for k in range(3):
            s[k] = R[i, k, 0] * lever[p, 0] + R[i, k, 1] * lever[p, 1] + R[i, k, 2] * lever[p, 2]
        w = v[i, 3:]
        along = w[0] * s[0] + w[1] * s[1] + w[2] * s[2]
        square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
        for k in range(3):
            a[k] = along * w[k] - square * s[k]
        for k in range(3):
            inertia = mass[p, k, 0] * a[0] + mass[p, k, 1] * a[1] + mass[p, k, 2] * a[2]
            f[k] = force[p, k] - inertia
            out[i, k] += f[k]
        out[i, 3] += s[1] * f[2] - s[2] * f[1]
        out[i, 4] += s[2] * f[0] - s[0] * f[2]
        out[i, 5] += s[0] * f[1] - s[1] * f[0]


@nb.njit(cache=True)
def end_mass(R: Float, owner: Index, lever: Float, mass: Float, out: Float) -> None:
    """Mass of the line ends on the bodies, sum of J^T m J with J = [1, -s~].

    Parameters
    ----------
    R : (k, 3, 3) array
    owner, lever : (p,), (p, 3) arrays
    mass : (p, 3, 3) array
        kg, world axes.
    out : (6k, 6k) array
        Filled; symmetric.
    """
    out[:] = 0.0
    J = np.zeros((3, 6))
    for p in range(owner.size):
        i = owner[p]
        x = R[i, 0, 0] * lever[p, 0] + R[i, 0, 1] * lever[p, 1] + R[i, 0, 2] * lever[p, 2]
        y = R[i, 1, 0] * lever[p, 0] + R[i, 1, 1] * lever[p, 1] + R[i, 1, 2] * lever[p, 2]
        z = R[i, 2, 0] * lever[p, 0] + R[i, 2, 1] * lever[p, 1] + R[i, 2, 2] * lever[p, 2]
        J[0, 0] = J[1, 1] = J[2, 2] = 1.0
        J[0, 4], J[0, 5] = z, -y
        J[1, 3], J[1, 5] = -z, x
        J[2, 3], J[2, 4] = y, -x
        for a in range(6):
            for b in range(a + 1):
                total = 0.0
                for k in range(3):
                    for n in range(3):
                        total += J[k, a] * 0.5 * (mass[p, k, n] + mass[p, n, k]) * J[n, b]
                out[6 * i + a, 6 * i + b] += total
                if a != b:
                    out[6 * i + b, 6 * i + a] += total
