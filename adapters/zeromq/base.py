"""What the kinds of peers have in common: opened when needed, loads at rest, ended."""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from adapters.zeromq.answer import Answers, View
from adapters.zeromq.conversation import Conversation, Sent
from adapters.zeromq.inputs import Inputs
from adapters.zeromq.open import greet, open_link
from adapters.zeromq.options import ZeroMQOptions
from adapters.zeromq.places import Points, check_bodies
from adapters.zeromq.saved import seal, unseal
from cosim.case.schema import Case
from cosim.coupling.capabilities import Relaunchable, Remote, StaticLoads
from cosim.coupling.template import Channel, TemplateInterface
from cosim.errors import AdapterError, ModelError
from cosim.multibody.interface import Float, MultibodyModel, State
from cosim.wire.arrays import Arrays, check_shapes
from cosim.wire.messages import HelloReply, Request, RestoreState, SaveState, Static

__all__ = ["PeerAdapter"]

LOG = logging.getLogger(__name__)

_GONE = "the run that called has ended"


class PeerAdapter(TemplateInterface, StaticLoads, Relaunchable, Remote):
    """Another program as an adapter; it is started, or greeted, when it is first needed.

    Parameters
    ----------
    model, name, options
        As for every adapter.

    Raises
    ------
    ModelError
        A body or a point that there is not.
    """

    Options = ZeroMQOptions  # type: ignore[assignment]  # it has keys that are required

    def __init__(self, model: MultibodyModel, name: str, options: ZeroMQOptions) -> None:
        super().__init__(model, name, options)
        self._case = options
        self.bodies = tuple(body for _, body in options.peer_bodies)
        self.settles = options.settles
        self.on_loss = options.on_peer_loss
        check_bodies(model.system, self.bodies)
        Points(model.system, self.bodies, [place for _, place in options.peer_points])
        self._talk: Conversation | None = None
        self._finalizer: Callable[[], object] | None = None
        self._other: PeerAdapter | None = None
        self._reply: HelloReply
        self._answers: Answers
        self._views: tuple[View, View]
        self._ready = self._begun = self._ended = self._told = False
        self._load: Float = np.zeros((len(self.bodies), 6))
        self._mass: Float | None = None
        self._outputs: Float = np.zeros(0)

    def forces(self) -> Float:
        """Loads of the last answer, (k, 6)."""
        return self._load

    def added_mass(self) -> Float | None:
        """Added mass of the last answer, (6k, 6k), if the peer has any."""
        return self._mass

    def static_forces(self, state: State) -> Float:
        """Loads of the peer on bodies at rest, (k, 6); none where it knows of none."""
        talk = self._opened(state.t)
        if not self._reply.static:
            self._tell_once()
            return np.zeros((len(self.bodies), 6))
        if self._begun:
            return self._second(talk, state.t).static_forces(state)
        view = self._views[0]
        view.look(state.t, state)
        sent = [("state", view.state)]
        return view.load(self._ask(Static, state.t, sent, self._answers.check_static))

    def channels(self) -> Sequence[Channel]:
        """Outputs that the peer declares."""
        self._opened(None)
        return [
            Channel(s.name, s.units or "1", s.long_name or s.name, s.frame, s.point)
            for s in self._reply.outputs
        ]

    def settings(self) -> Mapping[str, str]:
        """Name, kind and versions of the peer."""
        self._opened(None)
        about = {key: value for key, value in self._reply.about.items() if key != "peer"}
        return {"peer": self._reply.name, "mode": self._reply.mode, **about}

    def round_trip(self) -> float:
        """Median time of a question that costs the peer nothing, s."""
        return self._opened(None).round_trip()

    def abort(self, reason: str) -> None:
        """Tell the peer that the run has failed; a launched one is ended soon."""
        if self._other is not None:
            self._other.abort(reason)
        if self._talk is not None:
            self._talk.abort(reason)

    def end(self) -> None:
        """End the session; a launched peer ends."""
        self._ended = True
        if self._other is not None:
            self._other.end()
        if self._talk is not None:
            self._talk.end()
        if self._finalizer is not None:
            self._finalizer()

    def _opened(self, t: float | None) -> Conversation:
        """The session, opened at time t, s, or at the start of the run."""
        if self._talk is None:
            self._open(_start_of(self.model) if t is None else t)
        if self._ended or not self._ready:
            raise AdapterError("it has no peer any longer", adapter=self.name, t=t)
        assert self._talk is not None
        return self._talk

    def _open(self, t: float) -> None:
        if self._ended:
            return
        options, system = self._case, self.model.system
        talk = Conversation(open_link(options, adapter=self.name), adapter=self.name)
        self._talk = talk
        self._finalizer = weakref.finalize(self, _leave, talk)
        reply, arrays = greet(talk, system, options, t=t, adapter=self.name)
        names = dict(options.peer_points)
        try:
            inputs = Inputs(system, self.bodies, names, reply.channels)
        except ModelError as error:
            raise AdapterError(f"{talk.description}: {error}", adapter=self.name) from None
        points = Points(system, self.bodies, [names[point.name] for point in reply.points])
        self._reply, self._answers = reply, Answers(reply)
        self._views = (
            View(len(self.bodies), points, inputs),
            View(len(self.bodies), points, inputs),
        )
        self._greeted(arrays)
        self._ready = True
        LOG.info("adapter '%s': %s answers", self.name, talk.description)

    def _second(self, talk: Conversation, t: float) -> PeerAdapter:
        """Another one of the peer, for what a peer that runs cannot be asked."""
        if self._case.address is not None:
            raise AdapterError(
                f"{talk.description} can be asked for loads at rest before the run begins only; "
                "have it launched (launch, inline), so that there can be two",
                adapter=self.name,
                t=t,
            )
        if self._other is None:
            self._other = type(self)(self.model, self.name, self._case)
        return self._other

    def _greeted(self, arrays: Arrays) -> None:
        """Take over what the peer says of itself; `arrays` came with it."""

    def _ask(
        self, kind: type[Request], t: float, sent: Sent, check: Callable[[Arrays], None]
    ) -> Arrays:
        assert self._talk is not None
        return self._talk.ask(kind(self._talk.number, self._talk.next_seq, t), sent, check)

    def _save(self, own: Sequence[Float]) -> bytes:
        """State of the peer, and own arrays beside it."""
        talk = self._opened(None)
        data = self._ask(SaveState, talk.time, (), _check_data).get("data")
        return seal(own, b"" if data is None else data.tobytes())

    def _restore(self, state: bytes, own: Sequence[Float]) -> list[Float]:
        """Put the peer back; returns the arrays, like `own`, that were saved beside it."""
        talk = self._opened(None)
        arrays, data = unseal(state, own, adapter=self.name)
        self._ask(RestoreState, talk.time, [("data", np.frombuffer(data, np.uint8))], _check_empty)
        return arrays

    def _require_rest(self, t: float) -> None:
        """Open the session, for a peer that is not running yet."""
        self._opened(t)
        if self._begun:
            raise AdapterError("it is running already", adapter=self.name, t=t)

    def _require_start(self, t: float) -> None:
        if not self._begun or self._ended:
            raise AdapterError("it is not running; call initialize first", adapter=self.name, t=t)

    def _take(self, answer: Arrays, view: View) -> None:
        """Keep loads, added mass and outputs of an answer for the instant of the view."""
        self._load = view.load(answer)
        mass, outputs = answer.get("mass"), answer.get("outputs")
        self._mass = None if mass is None else mass.copy()
        if outputs is not None:
            self._outputs = outputs.copy()

    def _tell_once(self) -> None:
        if not self._told:
            self._told = True
            LOG.info(
                "adapter '%s': peer '%s' does not know its load on bodies at rest; the "
                "equilibrium is found without it",
                self.name,
                self._reply.name,
            )


def _check_data(answer: Arrays) -> None:
    """Refuse an answer to `save_state` with anything but bytes; raises WireError."""
    if answer:
        data = answer.get("data")
        check_shapes(answer, {"data": (0 if data is None else data.size,)})


def _check_empty(answer: Arrays) -> None:
    """Refuse an answer with arrays; raises WireError."""
    check_shapes(answer, {})


def _start_of(model: MultibodyModel) -> float:
    system = model.system
    return system.time.start if isinstance(system, Case) else 0.0


def _leave(talk: Conversation) -> None:
    """End a session whose adapter nobody ended; nothing where it has ended."""
    talk.abort(_GONE)
    try:
        talk.end()
    except AdapterError as error:
        LOG.debug("%s", error)
