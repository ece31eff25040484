"""Motion of some bodies over one communication step."""

from __future__ import annotations

import numba as nb
import numpy as np

from cosim.algebra.rotations import (
    inverse_left_jacobian,
    left_jacobian,
    quaternion_from_matrix,
    rotation_from_vector,
    vector_from_quaternion,
)
from cosim.algebra.rows import get_matrix, get_vector, put_matrix, put_vector
from cosim.algebra.vectors import add, multiply, scale, transpose
from cosim.multibody.interface import Float, State

__all__ = ["Motion", "MotionSamples"]

_Start = tuple[Float, Float, Float]
_End = tuple[Float, Float, Float, Float]


class MotionSamples:
    """Poses and twists of k bodies at m instants.

    Attributes
    ----------
    t : (m,)
        s.
    r : (m, k, 3)
        Centres of gravity, m, world frame.
    R : (m, k, 3, 3)
        Rotation matrices.
    v : (m, k, 6)
        Twists, world axes.
    """

    __slots__ = ("R", "r", "t", "v")

    def __init__(self, t: Float, bodies: int) -> None:
        self.t = t
        self.r = np.empty((t.size, bodies, 3))
        self.R = np.empty((t.size, bodies, 3, 3))
        self.v = np.empty((t.size, bodies, 6))


class Motion:
    """Cubic Hermite motion between two states of the same bodies.

    Positions follow the cubic through both end positions with both end velocities.
    Attitudes follow R(s) = exp(φ(s)~) R0 with φ the cubic between 0 and
    φ1 = log(R1 R0ᵀ) whose end rates give the end angular velocities:
    φ'(t0) = ω0 and φ'(t1) = J⁻¹(φ1) ω1, J the left Jacobian of SO(3).

    Parameters
    ----------
    start, end : State
        Copies are kept by reference: the caller does not change them afterwards.
    """

    __slots__ = ("_phi1", "_rate1", "end", "start")

    def __init__(self, start: State, end: State) -> None:
        self.start = start
        self.end = end
        self._phi1 = np.empty((len(start.r), 3))
        self._rate1 = np.empty((len(start.r), 3))
        _attitude_ends(start.R, end.R, end.v, self._phi1, self._rate1)

    @property
    def t0(self) -> float:
        """Start, s."""
        return self.start.t

    @property
    def t1(self) -> float:
        """End, s."""
        return self.end.t

    def sample(self, t: Float) -> MotionSamples:
        """Poses and twists at the instants t, (m,), all at once."""
        samples = MotionSamples(t, len(self.start.r))
        _sample(
            (t - self.t0) / (self.t1 - self.t0),
            self.t1 - self.t0,
            (self.start.r, self.start.R, self.start.v),
            (self.end.r, self.end.v, self._phi1, self._rate1),
            (samples.r, samples.R, samples.v),
        )
        return samples

    def at(self, t: float) -> State:
        """State at one instant t0 <= t <= t1."""
        samples = self.sample(np.array([t]))
        return State(t, samples.r[0], samples.R[0], samples.v[0])


@nb.njit(cache=True)
def _attitude_ends(R0: Float, R1: Float, v1: Float, phi1: Float, rate1: Float) -> None:
    for body in range(R0.shape[0]):
        D = multiply(get_matrix(R1, body), transpose(get_matrix(R0, body)))
        phi = vector_from_quaternion(quaternion_from_matrix(D))
        put_vector(phi1, body, 0, phi)
        put_vector(rate1, body, 0, inverse_left_jacobian(phi, get_vector(v1, body, 3)))


@nb.njit(cache=True)
def _sample(s: Float, h: float, start: _Start, end: _End, out: _Start) -> None:
    r0, R0, v0 = start
    r1, v1, phi1, rate1 = end
    r, R, v = out
    for m in range(s.size):
        x = s[m]
        a, da = x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x) / h
        b, db = x * (1.0 - x) ** 2 * h, (1.0 - x) * (1.0 - 3.0 * x)
        c, dc = x * x * (x - 1.0) * h, x * (3.0 * x - 2.0)
        for body in range(r0.shape[0]):
            for i in range(3):
                step = r1[body, i] - r0[body, i]
                r[m, body, i] = r0[body, i] + a * step + b * v0[body, i] + c * v1[body, i]
                v[m, body, i] = da * step + db * v0[body, i] + dc * v1[body, i]
            turn, w0, w1 = (
                get_vector(phi1, body, 0),
                get_vector(v0, body, 3),
                get_vector(rate1, body, 0),
            )
            phi = add(scale(a, turn), add(scale(b, w0), scale(c, w1)))
            rate = add(scale(da, turn), add(scale(db, w0), scale(dc, w1)))
            put_matrix(R[m], body, multiply(rotation_from_vector(phi), get_matrix(R0, body)))
            put_vector(v[m], body, 3, left_jacobian(phi, rate))
