"""One adapter of a case as a peer: the same numbers as in the process of the run."""

from __future__ import annotations

import numpy as np

from cosim.case.adapter_types import AdapterTypes
from cosim.case.build import build
from cosim.case.schema import Case
from cosim.coupling.capabilities import StaticLoads
from cosim.coupling.entry import Entry, adapter_errors
from cosim.coupling.template import NO_STATES, TemplateInterface
from cosim.errors import CaseError
from cosim.model.sentences import nearest
from cosim.multibody.interface import State
from cosim.serving.agreement import check_setup
from cosim.wire.peer import Instant, Loads, Peer, Setup, Signal, Step

__all__ = ["AdapterPeer"]

_LONGEST = 1000
"""Longest text that a peer says of itself."""


class AdapterPeer(Peer):
    """Serves one adapter of a case.

    A Stepper is a peer in mode ``advance``, any other adapter one in mode ``evaluate``; own
    states, history, events, loads at rest, added mass and outputs go with it. A Stepper's
    `accept` follows each of its steps: a repeated step takes both back.

    Parameters
    ----------
    case : Case
        Describes the bodies, the environment and the adapter's options.
    adapter : str
        Name of the adapter in the case.
    types : AdapterTypes, optional
        Those installed, by default.

    Raises
    ------
    CaseError
        There is no such adapter.
    CosimError
        What the adapter finds wrong with its files.
    """

    def __init__(self, case: Case, adapter: str, types: AdapterTypes | None = None) -> None:
        if adapter not in case.adapters:
            names = ", ".join(case.adapters) or "none"
            hint = nearest(adapter, case.adapters) or f"; it has {names}"
            raise CaseError(f"{case.name} has no adapter '{adapter}'{hint}")
        alone = {"adapters": {adapter: case.adapters[adapter]}, "elements": {}}
        self._case, self._types = case.model_copy(update=alone), types
        self.name = adapter
        self._used = False
        self._open()

    def configure(self, setup: Setup) -> None:
        """See that both cases agree; a second session gets an adapter of its own."""
        check_setup(self._case, setup)
        if self._used:
            self._open()
        self._used = True

    def initialize(self, at: Instant) -> None:
        """Start the adapter at the true pose."""
        state = _state(at)
        with adapter_errors(self.name, at.t):
            self._adapter.initialize(at.t, state)
            if self._entry.states is not None:
                self.x0 = self._entry.states.initial_states(at.t, state)
                self.x_scale = self._entry.states.state_scales()
        if self._entry.stepper is not None:
            self._entry.collect(at.t, state)

    def update(self, at: Instant) -> Loads:
        """Loads of a trial instant."""
        state = _state(at)
        with adapter_errors(self.name, at.t):
            self._adapter.update(at.t, state, at.x)
        self._entry.collect(at.t, state)
        loads = self.loads_now()
        with adapter_errors(self.name, at.t):
            if self._entry.states is not None:
                loads.x_dot = self._entry.states.derivatives()
            if self._entry.events is not None:
                loads.event = self._entry.events.event(at.t, state, at.x)
        return loads

    def accept(self, at: Instant) -> None:
        """Tell the adapter that this instant is history."""
        with adapter_errors(self.name, at.t):
            self._adapter.accept(at.t, _state(at), at.x)

    def advance(self, step: Step) -> Loads:
        """Let the Stepper follow the motion of a step."""
        assert self._entry.stepper is not None
        motion = step.motion()
        with adapter_errors(self.name, motion.t1):
            self._entry.stepper.advance(motion)
            self._entry.collect(motion.t1, motion.end)
            if self._entry.accepts:
                self._adapter.accept(motion.t1, motion.end, NO_STATES)
        return self.loads_now()

    def loads_now(self) -> Loads:
        """Loads, added mass and outputs of the last instant."""
        entry = self._entry
        mass = None
        if entry.mass.size:
            mass = entry.mass
        elif self.added_mass:
            mass = np.zeros(2 * (6 * len(self.bodies),))
        with adapter_errors(self.name, None):
            outputs = self._adapter.outputs() if self.outputs else None
        return Loads(wrenches=entry.load, added_mass=mass, outputs=outputs)

    def static_loads(self, at: Instant) -> Loads:
        """Mean load on the bodies at rest."""
        assert isinstance(self._adapter, StaticLoads)
        with adapter_errors(self.name, at.t):
            return Loads(wrenches=self._adapter.static_forces(_state(at)))

    def save_state(self) -> bytes:
        """Memory of the adapter."""
        assert self._entry.restorable is not None
        with adapter_errors(self.name, None):
            return self._entry.restorable.save_state()

    def restore_state(self, state: bytes) -> None:
        """Put the adapter's memory back."""
        assert self._entry.restorable is not None
        with adapter_errors(self.name, None):
            self._entry.restorable.restore_state(state)

    def end(self) -> None:
        """End the adapter."""
        with adapter_errors(self.name, None):
            self._adapter.end()

    def _open(self) -> None:
        """Construct the adapter, and say what it is."""
        assembly = build(self._case, self._types)
        adapter = assembly.adapters[self.name]
        entry = Entry(adapter, assembly.model, 0)
        self._adapter: TemplateInterface = adapter
        self._entry = entry
        self.bodies = adapter.bodies
        self.n_states = entry.x.stop
        self.history = entry.keeps_history and entry.stepper is None
        self.restorable = entry.restorable is not None
        self.static = isinstance(adapter, StaticLoads)
        self.event = entry.events is not None
        self.added_mass = type(adapter).added_mass is not TemplateInterface.added_mass
        self.outputs = [
            Signal(c.name, c.units, c.frame, c.point, c.long_name) for c in adapter.channels()
        ]
        kept = {key: text for key, text in adapter.settings().items() if len(text) <= _LONGEST}
        self.about = {"type": self._case.adapters[self.name].type, **kept}
        if entry.stepper is None:
            self.max_step = adapter.longest_step
        else:
            self.mode = "advance"
            self.max_step, self.inner_step = entry.stepper.max_step, entry.stepper.inner_step
            self.apparent_mass = entry.stepper.apparent_mass


def _state(at: Instant) -> State:
    return State(at.t, *(np.ascontiguousarray(part) for part in (at.r, at.R, at.v)))
