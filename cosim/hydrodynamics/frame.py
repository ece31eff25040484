r"""The horizontal frame H to which all coefficients of one database belong.

x, y and yaw with z on still water. At rest by default; or it follows the slow motion of one
body through

.. math:: h'' = \omega_c^2 (h_{body} - h) - 2 \zeta \omega_c h'
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np

from cosim.algebra.attitude import yaw_matrix, yaw_of
from cosim.hydrodynamics.rigid import Float

__all__ = ["FixedFrame", "HydroFrame", "SlowFrame"]

_DAMPING = 1.0 / math.sqrt(2.0)


class HydroFrame(ABC):
    """Pose of H.

    Attributes
    ----------
    pose : (3,)
        x, y, m, and yaw, rad, of the last `evaluate`.
    rate : (3,)
        Their time derivatives.
    n_states : int
    reference_yaw : float
        Yaw in the reference configuration, rad.
    moves : bool
    """

    n_states: int
    moves: bool

    def __init__(self, reference: Float) -> None:
        self.pose = np.array(reference, dtype=np.float64)
        self.rate = np.zeros(3)
        self.reference_yaw = float(reference[2])

    def initial(self, r: Float, R: Float) -> Float:
        """States at the start, (n_states,)."""
        return np.zeros(0)

    @abstractmethod
    def settled(self, r: Float, R: Float) -> Float:
        """Pose of H, (3,), when the bodies rest at r, (k, 3), with attitudes R, (k, 3, 3)."""

    @abstractmethod
    def evaluate(self, x: Float, r: Float, R: Float, out: Float) -> None:
        """Set `pose` and `rate` from the states x and write their derivatives to `out`."""


class FixedFrame(HydroFrame):
    """H at rest in the reference configuration."""

    n_states = 0
    moves = False

    def settled(self, r: Float, R: Float) -> Float:
        """Reference pose."""
        return self.pose

    def evaluate(self, x: Float, r: Float, R: Float, out: Float) -> None:
        """Nothing changes."""


class SlowFrame(HydroFrame):
    """H that follows a body slowly; its states are pose and rate.

    Parameters
    ----------
    reference : (3,)
        Pose in the reference configuration.
    body : int
        Row of the followed body.
    centre : (2,)
        Its centre of gravity in the axes of the database, m.
    period : float
        Cut-off period 2 π / ω_c, s.
    """

    n_states = 6
    moves = True

    def __init__(self, reference: Float, *, body: int, centre: Float, period: float) -> None:
        super().__init__(reference)
        self._body = body
        self._centre = np.array(centre, dtype=np.float64)
        self._cut = 2.0 * math.pi / period

    def initial(self, r: Float, R: Float) -> Float:
        """H under the body, at rest."""
        return np.concatenate([self.settled(r, R), np.zeros(3)])

    def settled(self, r: Float, R: Float) -> Float:
        """Under the body."""
        return self._target(r, R, self.reference_yaw)

    def evaluate(self, x: Float, r: Float, R: Float, out: Float) -> None:
        """Second-order filter of the pose of the body."""
        self.pose[:] = x[:3]
        self.rate[:] = x[3:]
        target = self._target(r, R, float(x[2]))
        out[:3] = x[3:]
        out[3:] = self._cut**2 * (target - x[:3]) - 2.0 * _DAMPING * self._cut * x[3:]

    def _target(self, r: Float, R: Float, near: float) -> Float:
        """Pose that keeps the body where the database has it; yaw within half a turn."""
        yaw = self.reference_yaw + yaw_of(R[self._body])
        yaw = near + math.remainder(yaw - near, 2.0 * math.pi)
        origin = r[self._body, :2] - yaw_matrix(yaw)[:2, :2] @ self._centre
        return np.array([origin[0], origin[1], yaw])
