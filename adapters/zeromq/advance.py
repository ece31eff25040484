"""Peers with their own clock, which follow the motion over communication steps."""

from __future__ import annotations

import math

import numpy as np

from adapters.zeromq.base import PeerAdapter
from adapters.zeromq.options import ZeroMQOptions
from cosim.coupling.capabilities import Restorable, Stepper
from cosim.coupling.motion import Motion
from cosim.multibody.interface import Float, MultibodyModel, State
from cosim.wire.arrays import Arrays
from cosim.wire.messages import Advance, Initialize

__all__ = ["AdvancePeer", "RestorableAdvancePeer"]


class AdvancePeer(PeerAdapter, Stepper):
    """Loads of a peer at the ends of communication steps.

    Parameters
    ----------
    model, name, options
        As for every adapter.
    """

    max_step = math.inf

    def __init__(self, model: MultibodyModel, name: str, options: ZeroMQOptions) -> None:
        super().__init__(model, name, options)
        self._shown: Float = np.zeros(0)

    def initialize(self, t0: float, state: State) -> None:
        """Start the peer at the true pose."""
        self._require_rest(t0)
        view = self._views[1]
        view.look(t0, state)
        sent = (("state", view.state), ("points", view.points), ("channels", view.channels))
        self._take(self._ask(Initialize, t0, sent, self._answers.check_start), view)
        self._shown = self._outputs
        self._begun = True

    def advance(self, motion: Motion) -> None:
        """Let the peer follow the motion."""
        self._require_start(motion.t1)
        start, end = self._views
        start.look(motion.t0, motion.start)
        end.look(motion.t1, motion.end)
        sent = (
            ("start", start.state),
            ("end", end.state),
            ("points_start", start.points),
            ("points_end", end.points),
            ("channels_start", start.channels),
            ("channels_end", end.channels),
        )
        assert self._talk is not None
        request = Advance(self._talk.number, self._talk.next_seq, motion.t1, t0=motion.t0)
        self._take(self._talk.ask(request, sent, self._answers.check), end)

    def accept(self, t: float, state: State, x: Float) -> None:
        """Keep what the outputs show."""
        self._shown = self._outputs

    def outputs(self) -> Float:
        """Outputs at the last accepted point."""
        return self._shown

    def _greeted(self, arrays: Arrays) -> None:
        self.max_step, self.inner_step = self._reply.max_step, self._reply.inner_step
        apparent = arrays.get("apparent_mass")
        if apparent is not None:
            self.apparent_mass = apparent.copy()


class RestorableAdvancePeer(AdvancePeer, Restorable):
    """A peer with its own clock that can go back to a saved state."""

    def save_state(self) -> bytes:
        """State of the peer, and loads and outputs of this instant."""
        return self._save(self._own())

    def restore_state(self, state: bytes) -> None:
        """Put back what `save_state` returned."""
        own = self._restore(state, self._own())
        self._load, self._outputs, self._shown = own[:3]
        self._mass = own[3] if self._mass is not None else None

    def _own(self) -> tuple[Float, ...]:
        mass = () if self._mass is None else (self._mass,)
        return (self._load, self._outputs, self._shown, *mass)
