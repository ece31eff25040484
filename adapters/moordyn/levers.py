"""Compiled kinematics and statics of fairleads on rigid bodies."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import add_vector, clear, get_matrix, get_vector, put_vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import Vector, add, apply, cross, subtract

__all__ = ["end_mass", "place_points", "step_inputs", "wrenches"]

Index = NDArray[np.intp]
_Poses = tuple[Float, Float, Float]


@compiled
def _arm(R: Float, body: int, lever: Float, point: int) -> Vector:
    """From the centre of gravity to a fairlead, world axes."""
    return apply(get_matrix(R, body), get_vector(lever, point, 0))


@compiled
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
            i = owner[p]
            s = _arm(R[m], i, lever, p)
            w = get_vector(v[m], i, 3)
            put_vector(x, m, 3 * p, add(get_vector(r[m], i, 0), s))
            put_vector(u, m, 3 * p, add(get_vector(v[m], i, 0), cross(w, s)))


@compiled
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


@compiled
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
    clear(out)
    for p in range(owner.size):
        i = owner[p]
        s, w = _arm(R, i, lever, p), get_vector(v, i, 3)
        inertia = apply(get_matrix(mass, p), cross(w, cross(w, s)))
        f = subtract(get_vector(force, p, 0), inertia)
        add_vector(out, i, 0, f)
        add_vector(out, i, 3, cross(s, f))


@compiled
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
    clear(out)
    J = np.zeros((3, 6))
    for p in range(owner.size):
        i = owner[p]
        x, y, z = _arm(R, i, lever, p)
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
