r"""Motion of the water along the lines during one advance.

The waves are evaluated at the end of each advance and at most a quarter of a second apart,
where the nodes are at its start; what was found for its end is the start of the next one, so
that the water moves without jumps. Between these instants velocity follows the cubic through
velocity and acceleration at both ends, and acceleration is its derivative: for waves of 2
rad/s the error is (ω h)⁴/384 = 1.6e-4 of the velocity. MoorDyn holds each value for a while;
it is taken from the middle. Evaluating hundreds of components at every step of MoorDyn would
cost more than MoorDyn.
"""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from cosim.environment import Environment
from cosim.multibody.interface import Float

__all__ = ["Water", "WaterMotion"]

WaterMotion = tuple[list[list[float]], list[list[float]]]
"""Velocities and accelerations at m instants, m rows of (3w,) each, m/s and m/s²."""

_LONGEST_KNOT = 0.25
"""Longest time between evaluations of the waves, s."""
_Key = tuple[tuple[float, float], bytes, bytes, bytes]


class Water:
    """Velocity and acceleration of the water by waves and current of the environment.

    Parameters
    ----------
    environment : Environment

    Attributes
    ----------
    moves : bool
        False in still water without current.
    memory : (1 + 6w,) array
        Time, velocity and acceleration at the end of the last advance: part of the state of
        whoever uses this; empty before `begin` and without waves.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._waves = not environment.sea_state.is_still
        self.moves = self._waves or environment.current is not None
        self.memory = np.empty(0)
        self._key: _Key | None = None
        self._known: tuple[WaterMotion, Float] = (([], []), self.memory)

    def current(self, points: Float) -> Float:
        """Velocity of the current alone, (w, 3), m/s."""
        return self._environment.current_velocity(points)

    def begin(self, t: float, points: Float) -> tuple[list[float], list[float]]:
        """Start at t, s, at (w, 3) points, m; velocity and acceleration, (3w,) each."""
        steady = self.current(points).ravel()
        if not self._waves:
            return steady.tolist(), np.zeros_like(steady).tolist()
        self.memory = np.empty(1 + 2 * points.size)
        self._key = None
        self._remember(t, *self._environment.sea_state.kinematics(t, points))
        velocity, acceleration = self.memory[1:].reshape(2, -1)
        return (velocity + steady).tolist(), acceleration.tolist()

    def during(self, span: tuple[float, float], points: Float, times: Float) -> WaterMotion:
        """Motion at m instants of an advance.

        A repeated call with the same arguments and memory, as iterations make them, does not
        evaluate again.

        Parameters
        ----------
        span : (2,) tuple
            Start and end of the advance, s.
        points : (w, 3) array
            m, at the start.
        times : (m,) array
            s, rising, within the span.
        """
        if not self._waves:
            steady = self.current(points).ravel()
            still = np.zeros_like(steady).tolist()
            return [steady.tolist()] * times.size, [still] * times.size
        key = span, points.tobytes(), times.tobytes(), self.memory.tobytes()
        if key != self._key:
            motion = self._evaluate(span, points, times)
            self._key, self._known = key, (motion, self.memory.copy())
        self.memory[:] = self._known[1]
        return self._known[0]

    def _evaluate(self, span: tuple[float, float], points: Float, times: Float) -> WaterMotion:
        sea = self._environment.sea_state
        knots = np.linspace(*span, math.ceil((span[1] - span[0]) / _LONGEST_KNOT) + 1)
        u, a = np.empty((2, knots.size, *points.shape))
        if self.memory[0] == span[0]:
            u[0], a[0] = self.memory[1:].reshape(2, *points.shape)
        else:
            sea.kinematics_into(span[0], points, u[0], a[0])
        for i in range(1, knots.size):
            sea.kinematics_into(knots[i], points, u[i], a[i])
        self._remember(span[1], u[-1], a[-1])
        velocity, acceleration = np.empty((2, times.size, points.size))
        at_knots = u.reshape(knots.size, -1), a.reshape(knots.size, -1)
        _interpolate(knots, at_knots, times, (velocity, acceleration))
        if self._environment.current is not None:
            velocity += self.current(points).ravel()
        return velocity.tolist(), acceleration.tolist()

    def _remember(self, t: float, velocity: Float, acceleration: Float) -> None:
        half = velocity.size
        self.memory[0] = t
        self.memory[1 : 1 + half] = velocity.ravel()
        self.memory[1 + half :] = acceleration.ravel()


@nb.njit(cache=True)
def _interpolate(
    knots: Float, given: tuple[Float, Float], times: Float, out: tuple[Float, Float]
) -> None:
    """Cubics through values and slopes at the knots, (k, n) each; values and slopes, (m, n)."""
    u, a = given
    value, slope = out
    i = 0
    for m in range(times.size):
        while i < knots.size - 2 and times[m] > knots[i + 1]:
            i += 1
        h = knots[i + 1] - knots[i]
        s = (times[m] - knots[i]) / h
        w, dw = s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s) / h
        w0, dw0 = h * s * (1.0 - s) ** 2, (1.0 - s) * (1.0 - 3.0 * s)
        w1, dw1 = h * s * s * (s - 1.0), s * (3.0 * s - 2.0)
        for n in range(u.shape[1]):
            step = u[i + 1, n] - u[i, n]
            value[m, n] = u[i, n] + w * step + w0 * a[i, n] + w1 * a[i + 1, n]
            slope[m, n] = dw * step + dw0 * a[i, n] + dw1 * a[i + 1, n]
