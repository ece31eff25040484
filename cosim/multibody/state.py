"""What a model tells of one instant: positions and velocities, energy, loads in joints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.types import Float

__all__ = ["Energy", "Reactions", "State"]


@dataclass(frozen=True)
class State:
    """Positions and velocities of some bodies at one instant; read-only.

    Attributes
    ----------
    t : float
        Time, s.
    r : (k, 3)
        Centres of gravity, m, world frame.
    R : (k, 3, 3)
        Rotation matrices, body axes to world axes; identity in the reference configuration.
    v : (k, 6)
        Twists [vx vy vz wx wy wz] at the centres of gravity, world axes, m/s and rad/s.

    Notes
    -----
    The arrays are views into a model's memory and hold until its next `kinematics`; an
    adapter that keeps one copies it.
    """

    t: float
    r: Float
    R: Float
    v: Float

    def select(self, index: NDArray[np.intp]) -> State:
        """State of the bodies `index` only (copies)."""
        return State(self.t, self.r[index], self.R[index], self.v[index])

    def copy(self) -> State:
        """A state that outlives the next `kinematics`."""
        return State(self.t, self.r.copy(), self.R.copy(), self.v.copy())


@dataclass(frozen=True)
class Energy:
    """Energy of the last `kinematics`, J.

    `potential` is that of the weight plus all conservative elements.
    """

    kinetic: float
    potential: float

    @property
    def total(self) -> float:
        """Kinetic plus potential energy, J."""
        return self.kinetic + self.potential


@dataclass(frozen=True)
class Reactions:
    """Load that each joint passes to its child.

    Attributes
    ----------
    joints : tuple of str
    point : (nj, 3)
        Present position of the joint, m, world frame.
    wrench : (nj, 6)
        Force and moment on the child at `point`, world axes, N and N m: constraint
        reactions and the loads of elements on the joint's own coordinates.
    """

    joints: tuple[str, ...]
    point: Float
    wrench: Float
