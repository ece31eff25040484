"""Motion of some bodies over one communication step."""

from __future__ import annotations

import numba as nb
import numpy as np

from cosim.multibody.interface import Float, State
from cosim.multibody.rotations import (
    inverse_left_jacobian,
    left_jacobian,
    rotation_from_vector,
    vector_from_rotation,
)

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
    D = np.empty((3, 3))
    for body in range(R0.shape[0]):
        for i in range(3):
            for j in range(3):
                D[i, j] = (
                    R1[body, i, 0] * R0[body, j, 0]
                    + R1[body, i, 1] * R0[body, j, 1]
                    + R1[body, i, 2] * R0[body, j, 2]
                )
        vector_from_rotation(D, phi1[body])
        inverse_left_jacobian(phi1[body], v1[body, 3:], rate1[body])


@nb.njit(cache=True)
def _sample(s: Float, h: float, start: _Start, end: _End, out: _Start) -> None:
    r0, R0, v0 = start
    r1, v1, phi1, rate1 = end
    r, R, v = out
    phi, rate, E = np.empty(3), np.empty(3), np.empty((3, 3))
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
                w0, w1 = v0[body, 3 + i], rate1[body, i]
                phi[i] = a * phi1[body, i] + b * w0 + c * w1
                rate[i] = da * phi1[body, i] + db * w0 + dc * w1
            rotation_from_vector(phi, E)
            for i in range(3):
                for j in range(3):
                    R[m, body, i, j] = (
                        E[i, 0] * R0[body, 0, j]
                        + E[i, 1] * R0[body, 1, j]
                        + E[i, 2] * R0[body, 2, j]
                    )
            left_jacobian(phi, rate, v[m, body, 3:])
