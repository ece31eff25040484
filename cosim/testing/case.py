"""A fresh adapter and a motion to try it on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cosim.coupling.capabilities import ContinuousStates, CoordinateReader
from cosim.coupling.template import TemplateInterface
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["ContractCase"]


@dataclass
class ContractCase:
    """A fresh adapter and where to try it.

    Parameters
    ----------
    model : MultibodyModel
    adapter : TemplateInterface
        Constructed, not initialised.
    q : (nq,)
    u : (nu,)
    step : float
        Length of one communication step, s.
    amplitude : float
        Size of the trial motions in every generalised direction, m and rad.
    """

    model: MultibodyModel
    adapter: TemplateInterface
    q: Float
    u: Float
    step: float = 0.1
    amplitude: float = 0.01

    def state(self, n: float, *, phase: float = 0.0) -> State:
        """Own state of the adapter at n steps along a smooth trial motion."""
        nu = self.model.nu
        angle = n * self.step + phase + np.arange(nu)
        start = phase + np.arange(nu)
        d = self.amplitude * (np.sin(angle) - np.sin(start))
        rate = self.amplitude * np.cos(angle)
        q = self.model.retract(self.q, d)
        state = self.model.kinematics(n * self.step, q, rate)
        return state.select(self.model.index(self.adapter.bodies))

    def start(self) -> State:
        """Initialise the adapter along the trial motion; returns its state there."""
        state = self.state(0)
        if isinstance(self.adapter, CoordinateReader):
            self.adapter.read_coordinates(self.q.copy(), self.u.copy())
        self.adapter.initialize(0.0, state)
        return state

    def own_states(self) -> Float:
        """States x of the adapter at the start (none for most)."""
        if isinstance(self.adapter, ContinuousStates):
            return self.adapter.initial_states(0.0, self.state(0))
        return np.zeros(0)

    def load(self) -> Float:
        """Loads and added mass as one array, to compare bit by bit."""
        load, mass = self.adapter.forces(), self.adapter.added_mass()
        if isinstance(load, np.ndarray):
            parts = [load.ravel()]
        else:
            parts = [np.concatenate([c.force, c.moment, c.point or ()]) for c in load]
        return np.concatenate([*parts, np.zeros(0) if mass is None else mass.ravel()])

    def evaluate(self, n: float, x: Float, *, phase: float = 0.0) -> Float:
        """Update at n steps and return loads, added mass and derivatives."""
        self.adapter.update(n * self.step, self.state(n, phase=phase), x)
        rates = np.zeros(0)
        if isinstance(self.adapter, ContinuousStates):
            rates = self.adapter.derivatives()
        return np.concatenate([self.load(), rates])
