"""Mock Steppers whose inner solver is exact, for orders of convergence and stability."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.linalg import expm

from cosim.coupling.capabilities import Restorable, Stepper
from cosim.coupling.motion import Motion
from cosim.coupling.template import Channel, TemplateInterface
from cosim.errors import AdapterError
from cosim.model.base import NonNegative, Positive
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["AttachedMass", "LaggingMass"]


class AttachedMass(TemplateInterface, Stepper, Restorable):
    r"""A point mass on an isotropic spring and damper at the centre of gravity of a body.

    .. math:: m \ddot x = k (r - x) + c (\dot r - \dot x), \qquad
        F = -k (r - x) - c (\dot r - \dot x)

    with r the motion of the body since the start. For the cubic motion over one step the
    inner solution is exact (matrix exponential), so a coupled run shows the error of the
    coupling alone.

    Parameters
    ----------
    model : MultibodyModel
    name : str
    options : Options
    """

    class Options(TemplateInterface.Options):
        """A mass on a spring and damper.

        Parameters
        ----------
        body : str
        mass, stiffness, damping : float
            kg, N/m, N s/m.
        """

        body: str
        mass: Positive
        stiffness: Positive
        damping: NonNegative = 0.0

    max_step = float("inf")

    def __init__(self, model: MultibodyModel, name: str, options: Options) -> None:
        super().__init__(model, name, options)
        self.bodies = (options.body,)
        self.advances = 0
        self._m, self._k, self._c = options.mass, options.stiffness, options.damping
        self._t = 0.0
        self._origin = np.zeros(3)
        self._z = np.zeros((2, 3))
        self._force = np.zeros((1, 6))
        self._shown = np.zeros(1)

    def initialize(self, t0: float, state: State) -> None:
        """Start with the mass at rest relative to the body."""
        self._t = t0
        self._origin = state.r[0].copy()
        self._z[0], self._z[1] = 0.0, state.v[0, :3]
        self._set_force(state)

    def advance(self, motion: Motion) -> None:
        """Follow the motion exactly."""
        if abs(motion.t0 - self._t) > 1e-12 * max(1.0, abs(self._t)):
            raise AdapterError(
                f"asked to advance from {motion.t0!r} s, but its clock is at {self._t!r} s",
                adapter=self.name,
                t=motion.t0,
            )
        h = motion.t1 - motion.t0
        r0, r1 = motion.start.r[0] - self._origin, motion.end.r[0] - self._origin
        v0, v1 = motion.start.v[0, :3], motion.end.v[0, :3]
        a = (6.0 * (r1 - r0) / h - 4.0 * v0 - 2.0 * v1) / h
        jerk = (6.0 * (v0 + v1) - 12.0 * (r1 - r0) / h) / h**2
        start = np.vstack([self._z, r0, v0, a, jerk])
        self._z = (expm(self._matrix() * h) @ start)[:2]
        self._t = motion.t1
        self.advances += 1
        self._set_force(motion.end)

    def forces(self) -> Float:
        """Load of spring and damper on the body."""
        return self._force

    def accept(self, t: float, state: State, x: Float) -> None:
        """Keep what the channel shows."""
        self._shown = self._z[0, :1].copy()

    def channels(self) -> Sequence[Channel]:
        """Displacement of the mass."""
        return (Channel("x", "m", "displacement of the attached mass", frame="world"),)

    def outputs(self) -> Float:
        """Displacement of the mass at the last accepted point."""
        return self._shown

    def save_state(self) -> bytes:
        """Clock, motion of the mass, force."""
        return np.concatenate(
            [[self._t], self._origin, self._z.ravel(), self._force.ravel(), self._shown]
        ).tobytes()

    def restore_state(self, state: bytes) -> None:
        """Put back what `save_state` returned."""
        if len(state) != 8 * 17:
            raise AdapterError("the state is of another adapter or cut off", adapter=self.name)
        values = np.frombuffer(state)
        self._t = float(values[0])
        self._origin = values[1:4].copy()
        self._z = values[4:10].reshape(2, 3).copy()
        self._force = values[10:16].reshape(1, 6).copy()
        self._shown = values[16:].copy()

    def _matrix(self) -> Float:
        """Rates of [x, x', r, r', r'', r'''] for a cubic r."""
        k, c = self._k / self._m, self._c / self._m
        A = np.zeros((6, 6))
        A[0, 1] = A[2, 3] = A[3, 4] = A[4, 5] = 1.0
        A[1] = [-k, -c, k, c, 0.0, 0.0]
        return A

    def _set_force(self, state: State) -> None:
        force = np.zeros((1, 6))
        force[0, :3] = self._k * (self._z[0] - (state.r[0] - self._origin))
        force[0, :3] += self._c * (self._z[1] - state.v[0, :3])
        self._force = force


class LaggingMass(TemplateInterface, Stepper, Restorable):
    """Added mass hidden in a force: F = -m a, a the acceleration at the end of the motion.

    The worst case for a coupling scheme: explicit coupling of order 0, 1, 2 is unstable
    from the ratios 1, 1/3, 1/7 of m to the body's mass.

    Parameters
    ----------
    model : MultibodyModel
    name : str
    options : Options
    """

    class Options(TemplateInterface.Options):
        """An added mass that is returned as a force.

        Parameters
        ----------
        body : str
        mass : float
            kg.
        """

        body: str
        mass: Positive

    max_step = float("inf")

    def __init__(self, model: MultibodyModel, name: str, options: Options) -> None:
        super().__init__(model, name, options)
        self.bodies = (options.body,)
        self._mass = options.mass
        self._force = np.zeros((1, 6))

    def initialize(self, t0: float, state: State) -> None:
        """Start without acceleration."""
        self._force = np.zeros((1, 6))

    def advance(self, motion: Motion) -> None:
        """Force of the acceleration at the end."""
        h = motion.t1 - motion.t0
        v0, v1 = motion.start.v[0, :3], motion.end.v[0, :3]
        step = motion.end.r[0] - motion.start.r[0]
        self._force = np.zeros((1, 6))
        self._force[0, :3] = -self._mass * (4.0 * v1 + 2.0 * v0 - 6.0 * step / h) / h

    def forces(self) -> Float:
        """Load -m a."""
        return self._force

    def save_state(self) -> bytes:
        """Save the force."""
        return self._force.tobytes()

    def restore_state(self, state: bytes) -> None:
        """Put back what `save_state` returned."""
        if len(state) != 8 * 6:
            raise AdapterError("the state is of another adapter or cut off", adapter=self.name)
        self._force = np.frombuffer(state).reshape(1, 6).copy()
