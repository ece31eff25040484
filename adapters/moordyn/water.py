r"""Motion of the water along the lines during one advance.

The waves are evaluated at the nodes' places at the start of the advance, at its ends and at
most a quarter of a second apart. Between these instants velocity follows the cubic through
velocity and acceleration at both ends, and acceleration is its derivative: for waves of 2
rad/s the error is (ω h)⁴/384 = 1.6e-4 of the velocity. MoorDyn holds each value over at most
`interval`, whose middle it is taken from. Evaluating hundreds of components at every step of
MoorDyn would cost more than MoorDyn.
"""

from __future__ import annotations

import math

import numpy as np

from cosim.environment import Environment
from cosim.multibody.interface import Float

__all__ = ["Water"]

_LONGEST_KNOT = 0.25
"""Longest time between evaluations of the waves, s."""


class Water:
    """Velocity and acceleration of the water by waves and current of the environment.

    Parameters
    ----------
    environment : Environment

    Attributes
    ----------
    moves : bool
        False in still water without current.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._waves = not environment.sea_state.is_still
        self.moves = self._waves or environment.current is not None
        self._span = (math.nan, math.nan)
        self._points = np.empty((0, 3))
        self._times = np.empty(0)
        self._motions: tuple[list[list[float]], list[list[float]]] = ([], [])

    def current(self, points: Float) -> Float:
        """Velocity of the current alone, (w, 3), m/s."""
        return self._environment.current_velocity(points)

    def at(self, t: float, points: Float) -> tuple[list[float], list[float]]:
        """Velocity and acceleration, (3w,) each, at one instant."""
        velocity, acceleration = np.zeros((2, *points.shape))
        if self._waves:
            self._environment.sea_state.kinematics_into(t, points, velocity, acceleration)
        velocity += self.current(points)
        return velocity.ravel().tolist(), acceleration.ravel().tolist()

    def during(
        self, span: tuple[float, float], points: Float, times: Float
    ) -> tuple[list[list[float]], list[list[float]]]:
        """Velocities and accelerations, m rows of (3w,), m/s and m/s², at m instants.

        A repeated call with the same arguments, as iterations make them, costs nothing.

        Parameters
        ----------
        span : (2,) tuple
            Start and end of the advance, s.
        points : (w, 3) array
            m, at the start.
        times : (m,) array
            s, within the span.
        """
        known = span == self._span and np.array_equal(times, self._times)
        if not (known and np.array_equal(points, self._points)):
            self._span, self._times, self._points = span, times.copy(), points.copy()
            self._motions = self._evaluate(span, points, times)
        return self._motions

    def _evaluate(
        self, span: tuple[float, float], points: Float, times: Float
    ) -> tuple[list[list[float]], list[list[float]]]:
        steady = self.current(points).ravel()
        if not self._waves:
            still = np.zeros_like(steady).tolist()
            return [steady.tolist()] * times.size, [still] * times.size
        knots = np.linspace(*span, math.ceil((span[1] - span[0]) / _LONGEST_KNOT) + 1)
        velocity, acceleration = np.empty((2, knots.size, *points.shape))
        sea = self._environment.sea_state
        for knot, u, a in zip(knots, velocity, acceleration, strict=True):
            sea.kinematics_into(float(knot), points, u, a)
        u, a = _hermite(knots, _flat(velocity), _flat(acceleration), times)
        return (u + steady).tolist(), a.tolist()


def _flat(values: Float) -> Float:
    return values.reshape(len(values), -1)


def _hermite(knots: Float, u: Float, a: Float, times: Float) -> tuple[Float, Float]:
    """Cubic through values and slopes at the knots, and its derivative."""
    i = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, knots.size - 2)
    h = (knots[i + 1] - knots[i])[:, None]
    s = (times - knots[i])[:, None] / h
    step = u[i + 1] - u[i]
    start, end = h * a[i], h * a[i + 1]
    value = u[i] + s * start + s * s * ((3.0 - 2.0 * s) * step - (2.0 - s) * start)
    value += s * s * (s - 1.0) * end
    slope = 6.0 * s * (1.0 - s) * step + (1.0 - s) * (1.0 - 3.0 * s) * start
    slope += s * (3.0 * s - 2.0) * end
    return value, slope / h
