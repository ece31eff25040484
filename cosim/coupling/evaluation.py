"""One evaluation of the equations of motion with the loads of all adapters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from cosim.coupling.entry import Entry
from cosim.coupling.frames import frames_in_use
from cosim.coupling.kernels import add_blocks, add_load, subtract_bias
from cosim.coupling.quadrature import NoQuadrature, Quadrature
from cosim.errors import ModelError, SolverError
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["Evaluation", "StepperLoads"]


class StepperLoads(ABC):
    """Where the loads of the Steppers come from between communication instants."""

    @abstractmethod
    def fill(self, t: float, state: State) -> None:
        """Put load and mass at time t into the Steppers' entries."""


class Evaluation:
    r"""Right-hand side of the ordinary differential equations of the coupled system.

    For the vector y = [q, u, x] (x the states of all adapters) it gathers
    g_e and M_a of every adapter and solves

    .. math:: [B^T (M + M_a) B] \dot u = B^T (g + g_e - c - (M + M_a) \dot B u) + Q_{joint}.

    Block-diagonal M_a goes into the bodies' inertias; only interaction between bodies
    forms the (nu, nu) matrix.

    Parameters
    ----------
    model : MultibodyModel
    entries : sequence of Entry
    size : int
        Length of y.

    Attributes
    ----------
    steppers : StepperLoads or None
        None leaves the Steppers' entries as they are.
    quadrature : Quadrature
        What is integrated beside the equations (energy ledger).
    count : int
        Number of evaluations so far.
    v_dot : (n, 6)
        Time derivatives of the twists at the last evaluation.
    state : State
        Of the last evaluation; the model's memory.
    """

    def __init__(self, model: MultibodyModel, entries: Sequence[Entry], size: int) -> None:
        self.model = model
        self.entries = tuple(entries)
        self.steppers: StepperLoads | None = None
        self.quadrature: Quadrature = NoQuadrature()
        self.count = 0
        self.v_dot: Float = np.zeros((len(model.bodies), 6))
        self.state: State
        self._updated = tuple(e for e in self.entries if e.stepper is None)
        self._with_states = tuple(e for e in self._updated if e.states is not None)
        frames = frames_in_use(model, {e.name: e.adapter for e in self.entries})
        self._framed = tuple((e, frames[e.name]) for e in self.entries if e.name in frames)
        self._nq, self._nv = model.nq, model.nq + model.nu
        self._dy = np.zeros(size)
        self._no_force = np.zeros(model.nu)
        self._g = np.zeros((len(model.bodies), 6))
        self._body_mass = np.zeros((len(model.bodies), 6, 6))

    def __call__(self, t: float, y: Float) -> Float:
        """Time derivative of y; the array is overwritten by the next call.

        Raises
        ------
        AdapterError
            An adapter failed or returned a load that is not finite.
        SolverError
            The mass matrix cannot be inverted.
        """
        self.count += 1
        q, u = y[: self._nq], y[self._nq : self._nv]
        self._turn_frames(y[self._nv :])
        self.state = self.model.kinematics(t, q, u)
        self._ask_adapters(t, y[self._nv :])
        Q, mass, body_mass = self._gather(t)
        try:
            u_dot, self.v_dot = self.model.accelerations(Q, mass, body_mass=body_mass)
        except ModelError as error:
            raise SolverError(f"at t = {t:g} s: {error}") from error
        dy = self._dy
        dy[: self._nq] = self.model.q_dot(q, u)
        dy[self._nq : self._nv] = u_dot
        for entry in self._with_states:
            assert entry.states is not None
            dy[self._nv :][entry.x] = entry.states.derivatives()
        self.quadrature.evaluate(t, self.state, self.v_dot)
        return dy

    def loads_only(self, t: float, y: Float) -> tuple[Float, Float | None]:
        """Generalised force Bᵀ (g_e - M_a Ḃu) and dense Bᵀ M_a B of all adapters."""
        self._turn_frames(y[self._nv :])
        self.state = self.model.kinematics(t, y[: self._nq], y[self._nq : self._nv])
        self._ask_adapters(t, y[self._nv :])
        Q, mass, body_mass = self._gather(t)
        if body_mass is not None:
            mass = self._dense_mass()
        return Q, mass

    def loads_at(
        self, t: float, state: State, x: Float
    ) -> tuple[tuple[Float, Float | None], Float]:
        """Loads of all adapters on bodies in a state that need not be one of the model's.

        Parameters
        ----------
        t : float
        state : State
            Of all bodies.
        x : (n_x,)
            States of the adapters.

        Returns
        -------
        loads : ((n, 6), (6n, 6n) or None)
            Wrenches g_e and added mass M_a.
        x_dot : (n_x,)

        Raises
        ------
        AdapterError
        """
        self._turn_frames(x)
        self.state = state
        self._ask_adapters(t, x)
        g, mass = np.zeros_like(self._g), None
        x_dot = np.zeros(x.size)
        for entry in self.entries:
            if not add_load(g, entry.index, entry.load):
                entry.refuse_load(t)
            if entry.mass.size:
                mass = np.zeros((g.size, g.size)) if mass is None else mass
                rows = np.add.outer(6 * entry.index, np.arange(6)).ravel()
                mass[np.ix_(rows, rows)] += entry.mass
            if entry.states is not None:
                x_dot[entry.x] = entry.states.derivatives()
        return (g, mass), x_dot

    def massive(self, t: float, y: Float) -> tuple[int, ...]:
        """Rows of the bodies to which an adapter adds mass."""
        self(t, y)
        rows = {int(i) for e in self.entries if e.mass.size for i in e.index}
        return tuple(sorted(rows))

    def net_loads(self) -> dict[str, Float]:
        """Load g_e - M_a v' of every adapter at the last evaluation, (k, 6) each."""
        return {
            entry.name: entry.load - (entry.mass @ self.v_dot[entry.index].ravel()).reshape(-1, 6)
            if entry.mass.size
            else entry.load.copy()
            for entry in self.entries
        }

    def frames(self, y: Float) -> dict[str, float]:
        """Heading, rad, of every frame H that elements use."""
        x = y[self._nv :]
        return {entry.name: frame.frame_yaw(x[entry.x]) for entry, frame in self._framed}

    def _turn_frames(self, x: Float) -> None:
        for entry, frame in self._framed:
            self.model.set_frame(entry.name, frame.frame_yaw(x[entry.x]))

    def _ask_adapters(self, t: float, x: Float) -> None:
        for entry in self._updated:
            entry.evaluate(t, self.state, x[entry.x])
        if self.steppers is not None:
            self.steppers.fill(t, self.state)

    def _gather(self, t: float) -> tuple[Float, Float | None, Float | None]:
        """Q with the B' term, and the added mass as dense or as block-diagonal matrix."""
        if not self.entries:
            return self._no_force, None, None
        g = self._g
        g.fill(0.0)
        massive = coupled = False
        for entry in self.entries:
            if not add_load(g, entry.index, entry.load):
                entry.refuse_load(t)
            if entry.mass.size:
                massive = True
                coupled = coupled or entry.coupled
        if not massive:
            return self.model.project(g), None, None
        bias = self.model.bias()
        blocks = self._body_mass
        blocks.fill(0.0)
        for entry in self.entries:
            if entry.mass.size:
                subtract_bias(g, entry.index, entry.mass, bias)
                if not coupled:
                    add_blocks(blocks, entry.index, entry.mass)
        Q = self.model.project(g)
        return (Q, self._dense_mass(), None) if coupled else (Q, None, blocks)

    def _dense_mass(self) -> Float:
        total = np.zeros((self.model.nu, self.model.nu))
        for entry in self.entries:
            if entry.mass.size:
                total += self.model.project_mass(entry.index, entry.mass)
        return total
