r"""Motion of one body that somebody else prescribes, with its accelerations.

The path is that of :class:`~cosim.coupling.motion.Motion`: position by the cubic, attitude
:math:`R = e^{\tilde\varphi} R_0` with :math:`\varphi` cubic. With a, b the coefficients of
the left Jacobian :math:`J = 1 + a \tilde\varphi + b \tilde\varphi^2`,

.. math:: \dot\omega = J \ddot\varphi + \dot a\, \varphi \times \dot\varphi
    + \dot b\, \varphi \times (\varphi \times \dot\varphi)
    + b\, \dot\varphi \times (\varphi \times \dot\varphi).
"""

from __future__ import annotations

import math

import numpy as np

from cosim.algebra.compiled import compiled
from cosim.algebra.rotations import (
    inverse_left_jacobian,
    left_jacobian,
    quaternion_from_matrix,
    quaternion_from_vector,
    quaternion_product,
    rotation_from_vector,
    vector_from_quaternion,
)
from cosim.algebra.rows import get_matrix, get_vector, put_quaternion, quaternion, vector
from cosim.algebra.vectors import Vector, add, cross, dot, multiply, scale, transpose
from cosim.coupling.motion import Motion
from cosim.multibody.interface import Float, State

__all__ = ["Prescribed", "straight_on"]

_SMALL = 2e-3
"""Square of the angle, rad², below which a' and b' come from their series."""


class Prescribed:
    """Place, velocity and acceleration of one body along a motion.

    Parameters
    ----------
    motion : Motion
        Of that body alone; it may be asked beyond its ends.

    Attributes
    ----------
    place : (7,)
        Centre of gravity, m, world frame, and quaternion, after `at`.
    twist, acceleration : (6,)
        World axes, m/s, rad/s and per second, after `at`.
    """

    def __init__(self, motion: Motion) -> None:
        self.motion = motion
        start, end = motion.start, motion.end
        self._ends = (start.r, start.v, end.r, end.v)
        self._attitude = np.empty(10)
        _attitude(start.R, end.R, end.v, self._attitude)
        self.place = np.empty(7)
        self.twist = np.empty(6)
        self.acceleration = np.empty(6)

    def at(self, t: float) -> None:
        """Set the attributes to those at t, s."""
        start, length = self.motion.t0, self.motion.t1 - self.motion.t0
        out = (self.place, self.twist, self.acceleration)
        _follow((t - start) / length, length, self._ends, self._attitude, out)


def straight_on(state: State) -> Prescribed:
    """A body that keeps its velocity and its angular velocity.

    Parameters
    ----------
    state : State
        Of that body alone, where it begins.
    """
    length = 1.0 / max(1.0, float(np.linalg.norm(state.v[0, 3:])))  # at most a radian
    turn = np.array(rotation_from_vector(vector(length * state.v[0], 3))).reshape(1, 3, 3)
    end = State(state.t + length, state.r + length * state.v[:, :3], turn @ state.R, state.v)
    return Prescribed(Motion(state, end))


@compiled
def _attitude(R0: Float, R1: Float, v1: Float, out: Float) -> None:
    """Write the quaternion of R0, the turn from R0 to R1, and its rate at the end."""
    first = get_matrix(R0, 0)
    turn = multiply(get_matrix(R1, 0), transpose(first))
    phi = vector_from_quaternion(quaternion_from_matrix(turn))
    rate = inverse_left_jacobian(phi, get_vector(v1, 0, 3))
    put_quaternion(out, 0, quaternion_from_matrix(first))
    for i in range(3):
        out[4 + i] = phi[i]
        out[7 + i] = rate[i]


@compiled
def _follow(
    s: float,
    h: float,
    ends: tuple[Float, Float, Float, Float],
    attitude: Float,
    out: tuple[Float, Float, Float],
) -> None:
    """Write place, twist and acceleration at t0 + s h."""
    r0, v0, r1, v1 = ends
    place, twist, acceleration = out
    a, da, dda = s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s) / h, (6.0 - 12.0 * s) / (h * h)
    b, db, ddb = s * (1.0 - s) ** 2 * h, (1.0 - s) * (1.0 - 3.0 * s), (6.0 * s - 4.0) / h
    c, dc, ddc = s * s * (s - 1.0) * h, s * (3.0 * s - 2.0), (6.0 * s - 2.0) / h
    for i in range(3):
        step = r1[0, i] - r0[0, i]
        place[i] = r0[0, i] + a * step + b * v0[0, i] + c * v1[0, i]
        twist[i] = da * step + db * v0[0, i] + dc * v1[0, i]
        acceleration[i] = dda * step + ddb * v0[0, i] + ddc * v1[0, i]
    turn, w0, w1 = vector(attitude, 4), get_vector(v0, 0, 3), vector(attitude, 7)
    phi = add(scale(a, turn), add(scale(b, w0), scale(c, w1)))
    rate = add(scale(da, turn), add(scale(db, w0), scale(dc, w1)))
    change = add(scale(dda, turn), add(scale(ddb, w0), scale(ddc, w1)))
    p = quaternion_product(quaternion_from_vector(phi), quaternion(attitude, 0))
    put_quaternion(place, 3, p)
    w, w_dot = left_jacobian(phi, rate), _angular_acceleration(phi, rate, change)
    for i in range(3):
        twist[3 + i] = w[i]
        acceleration[3 + i] = w_dot[i]


@compiled
def _angular_acceleration(phi: Vector, rate: Vector, change: Vector) -> Vector:
    """Time derivative of J(φ) φ'."""
    x = dot(phi, phi)
    if x < _SMALL:
        b = 1.0 / 6.0 - x / 120.0 + x * x / 5040.0
        da = -1.0 / 12.0 + x / 180.0 - x * x / 6720.0
        db = -1.0 / 60.0 + x / 1260.0 - x * x / 60480.0
    else:
        angle = math.sqrt(x)
        a = (1.0 - math.cos(angle)) / x
        b = (angle - math.sin(angle)) / (x * angle)
        # derivatives by the angle, over the angle
        da = (math.sin(angle) / angle - 2.0 * a) / x
        db = (a - 3.0 * b) / x
    across = cross(phi, rate)
    along = dot(phi, rate)
    bent = add(scale(da * along, across), scale(db * along, cross(phi, across)))
    return add(left_jacobian(phi, change), add(bent, scale(b, cross(rate, across))))
