"""The coupled system as the drivers see it: one vector, one right-hand side, Steppers."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from cosim.coupling.capabilities import CoordinateReader
from cosim.coupling.entry import Entry, adapter_errors
from cosim.coupling.evaluation import Evaluation
from cosim.coupling.held import HeldLoads
from cosim.coupling.motion import Motion
from cosim.coupling.template import TemplateInterface
from cosim.errors import SolverError
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["CoupledEquations"]


class CoupledEquations:
    """Bodies and adapters as ``y' = f(t, y)`` with y = [q, u, x], and what Steppers need.

    Only :mod:`cosim.integrate` calls `save`, `restore`, `advance` and `accept`.

    Parameters
    ----------
    model : MultibodyModel
    adapters : iterable of TemplateInterface
        Initialised by :meth:`initialize`, in this order.

    Attributes
    ----------
    entries, steppers : tuple of Entry
    size : int
        Length of y.
    evaluation : Evaluation
        The right-hand side f.
    held : HeldLoads or None
        Loads of the Steppers between communication instants; None without Steppers.
    """

    def __init__(self, model: MultibodyModel, adapters: Iterable[TemplateInterface]) -> None:
        self.model = model
        entries: list[Entry] = []
        offset = 0
        for adapter in adapters:
            entries.append(Entry(adapter, model, offset))
            offset = entries[-1].x.stop
        self.entries = tuple(entries)
        self.steppers = tuple(e for e in entries if e.stepper is not None)
        self._restorable = tuple(e for e in entries if e.restorable is not None)
        self._readers = tuple(e for e in entries if e.reads_coordinates)
        self._accepting = tuple(e for e in entries if e.accepts)
        self.history = tuple(e for e in entries if e.keeps_history and e.stepper is None)
        self.states = model.nq + model.nu
        self.size = self.states + offset
        self.evaluation = Evaluation(model, self.entries, self.size)
        self.held: HeldLoads | None = None

    def initialize(self, t0: float, q: Float, u: Float) -> Float:
        """Start all adapters at the true pose; returns y at t0.

        Raises
        ------
        AdapterError
        """
        y = np.zeros(self.size)
        y[: self.model.nq], y[self.model.nq : self.states] = q, u
        state = self.model.kinematics(t0, q, u).copy()
        self.tell_coordinates(t0, y)
        for entry in self.entries:
            with adapter_errors(entry.name, t0):
                entry.adapter.initialize(t0, entry.part(state))
                if entry.states is not None:
                    x = entry.states.initial_states(t0, entry.part(state))
                    y[self.states :][entry.x] = x
        if self.steppers:
            for entry in self.steppers:
                entry.collect(t0, entry.part(state))
            self.held = HeldLoads(self.steppers)
            self.held.push(t0, self.held.read(t0))
            self.evaluation.steppers = self.held
            self.held.fill(t0, state)
        return y

    def split(self, y: Float) -> tuple[Float, Float, Float]:
        """Views (q, u, x) of y."""
        return y[: self.model.nq], y[self.model.nq : self.states], y[self.states :]

    def tolerances(self, atol: float) -> Float:
        """Absolute tolerances of y: `atol`, times the scales of the adapters' states."""
        tolerances = np.full(self.size, atol)
        for entry in self.entries:
            if entry.states is not None:
                tolerances[self.states :][entry.x] *= entry.states.state_scales()
        return tolerances

    def state(self, t: float, y: Float) -> State:
        """State of all bodies, a copy."""
        q, u, _ = self.split(y)
        return self.model.kinematics(t, q, u).copy()

    def parts(self, state: State) -> list[State]:
        """Copies of the state for every Stepper."""
        return [state.select(entry.index) for entry in self.steppers]

    def not_restorable(self) -> list[str]:
        """Names of the Steppers that cannot go back to an earlier state."""
        return [entry.name for entry in self.steppers if entry.restorable is None]

    def save(self) -> list[bytes]:
        """States of all Restorable adapters."""
        saved = []
        for entry in self._restorable:
            assert entry.restorable is not None
            begin = time.perf_counter()
            with adapter_errors(entry.name, None):
                saved.append(entry.restorable.save_state())
            entry.seconds += time.perf_counter() - begin
        return saved

    def save_named(self) -> dict[str, bytes]:
        """States of all Restorable adapters by name."""
        names = (entry.name for entry in self._restorable)
        return dict(zip(names, self.save(), strict=True))

    def restore_named(self, saved: Mapping[str, bytes]) -> None:
        """Put all Restorable adapters back.

        Raises
        ------
        SolverError
            The states are of other adapters.
        AdapterError
        """
        names = [entry.name for entry in self._restorable]
        if set(names) != set(saved):
            raise SolverError(
                f"the state holds the adapters {_listed(saved)}, and this run has {_listed(names)}"
            )
        self.restore([saved[name] for name in names])

    def restore(self, saved: Sequence[bytes], *, history_only: bool = False) -> None:
        """Put all Restorable adapters back, or only those that note accepted points."""
        for entry, state in zip(self._restorable, saved, strict=True):
            assert entry.restorable is not None
            if history_only and entry not in self.history:
                continue
            begin = time.perf_counter()
            with adapter_errors(entry.name, None):
                entry.restorable.restore_state(state)
            entry.seconds += time.perf_counter() - begin

    def advance(self, entry: Entry, start: State, end: State) -> None:
        """Let one Stepper follow the motion between two states of its bodies."""
        assert entry.stepper is not None
        begin = time.perf_counter()
        with adapter_errors(entry.name, end.t):
            entry.stepper.advance(Motion(start, end))
        entry.collect(end.t, end)
        entry.seconds += time.perf_counter() - begin

    def tell_coordinates(self, t: float, y: Float) -> None:
        """Show q and u to the Steppers that ask for them, before they advance to t."""
        if not self._readers:
            return
        q, u = self.model.closed(*self.split(y)[:2])
        for entry in self._readers:
            assert isinstance(entry.adapter, CoordinateReader)
            with adapter_errors(entry.name, t):
                entry.adapter.read_coordinates(q.copy(), u.copy())

    def accept_inside(self, t: float, y: Float) -> None:
        """An accepted step of the equations inside a communication step: note history."""
        if self.history:
            self._accept(self.history, t, y)

    def accept(self, t: float, y: Float) -> None:
        """The point is history for all adapters."""
        if self._accepting:
            self._accept(self._accepting, t, y)

    def _accept(self, entries: Sequence[Entry], t: float, y: Float) -> None:
        q, u, x = self.split(y)
        state = self.model.kinematics(t, q, u)
        for entry in entries:
            with adapter_errors(entry.name, t):
                entry.adapter.accept(t, entry.part(state), x[entry.x])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names) or "none"
