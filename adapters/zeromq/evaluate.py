"""A peer that is asked at every trial point."""

from __future__ import annotations

import numpy as np

from adapters.zeromq.base import PeerAdapter
from adapters.zeromq.conversation import Sent
from adapters.zeromq.options import ZeroMQOptions
from cosim.coupling.capabilities import ContinuousStates, EventSource, Restorable
from cosim.errors import AdapterError
from cosim.multibody.interface import Float, MultibodyModel, State
from cosim.wire.arrays import Arrays
from cosim.wire.messages import Accept, Initialize, Update

__all__ = ["EvaluatePeer"]

_NO_EVENT = 1.0


class EvaluatePeer(PeerAdapter, ContinuousStates, Restorable, EventSource):
    """Loads of a peer at trial points, and derivatives of its states.

    The last question is not asked again as long as nothing has changed: drivers evaluate some
    points twice.

    Parameters
    ----------
    model, name, options
        As for every adapter.
    """

    def __init__(self, model: MultibodyModel, name: str, options: ZeroMQOptions) -> None:
        super().__init__(model, name, options)
        self.n_states = options.states
        self.accept_has_effect = options.history
        self._x0 = self._scale = np.zeros(options.states)
        self._x_dot: Float = np.zeros(options.states)
        self._event = _NO_EVENT
        self._answered: tuple[float, bytes, bytes] | None = None

    def initialize(self, t0: float, state: State) -> None:
        """Start the peer at the true pose."""
        self._require_rest(t0)
        self._views[0].look(t0, state)
        sent = self._sent(np.zeros(0))
        answer = self._ask(Initialize, t0, sent, self._answers.check_start)
        if self.n_states:
            self._x0, self._scale = answer["x"].copy(), answer["x_scale"].copy()
        self._begun = True
        self._keep(answer, (t0, self._views[0].state.tobytes(), self._x0.tobytes()))

    def initial_states(self, t0: float, state: State) -> Float:
        """States that the peer gave at its start, (n_states,)."""
        return self._x0.copy()

    def state_scales(self) -> Float:
        """Typical magnitudes that the peer gave at its start, (n_states,)."""
        return self._scale.copy()

    def update(self, t: float, state: State, x: Float) -> None:
        """Ask the peer, unless it has just answered that."""
        self._require_start(t)
        view = self._views[0]
        view.look(t, state)
        question = t, view.state.tobytes(), x.tobytes()
        if question != self._answered:
            self._answered = None
            self._keep(self._ask(Update, t, self._sent(x), self._answers.check), question)

    def derivatives(self) -> Float:
        """Derivatives of the states of the last answer, (n_states,)."""
        return self._x_dot

    def event(self, t: float, state: State, x: Float) -> float:
        """The peer's event function; constant where it has none."""
        if self._reply.event:
            self.update(t, state, x)
        return self._event

    def accept(self, t: float, state: State, x: Float) -> None:
        """Tell the peer that this point is history, if it keeps any."""
        if not self.accept_has_effect:
            return
        self._require_start(t)
        view = self._views[0]
        view.look(t, state)
        question = t, view.state.tobytes(), x.tobytes()
        self._answered = None
        self._keep(self._ask(Accept, t, self._sent(x), self._answers.check), question)

    def outputs(self) -> Float:
        """Outputs of the last answer."""
        return self._outputs

    def save_state(self) -> bytes:
        """History of the peer; nothing where it keeps none."""
        if not self.accept_has_effect:
            return b""
        return self._save(())

    def restore_state(self, state: bytes) -> None:
        """Put back what `save_state` returned."""
        if not self.accept_has_effect:
            if state:
                raise AdapterError("it keeps no state", adapter=self.name)
            return
        self._answered = None
        self._restore(state, ())

    def _greeted(self, arrays: Arrays) -> None:
        self.longest_step = self._reply.max_step

    def _sent(self, x: Float) -> Sent:
        view = self._views[0]
        return (
            ("state", view.state),
            ("points", view.points),
            ("channels", view.channels),
            ("x", x),
        )

    def _keep(self, answer: Arrays, question: tuple[float, bytes, bytes]) -> None:
        self._take(answer, self._views[0])
        if self.n_states:
            self._x_dot = answer["x_dot"].copy()
        if "event" in answer:
            self._event = float(answer["event"][0])
        self._answered = question
