"""A peer behind the rules of the protocol: order of calls, numbers, kept replies; no sockets."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from cosim.wire.arrays import BYTE, Array, check_shapes
from cosim.wire.errors import WireError
from cosim.wire.failure import sentence_of
from cosim.wire.introduce import introduce
from cosim.wire.messages import (
    OPERATION_OF,
    PROTOCOL,
    Abort,
    Accept,
    Advance,
    End,
    Hello,
    Initialize,
    Refusal,
    Reply,
    Request,
    RestoreState,
    SaveState,
    Static,
    Update,
)
from cosim.wire.peer import Peer, Step
from cosim.wire.session import Packed, Session, checked

__all__ = ["Answer", "Dispatcher"]

LOG = logging.getLogger(__name__)

Doer = Callable[[Request, Mapping[str, Array], Session], Packed]


class Answer(NamedTuple):
    """A reply and its arrays, which are copies of what the peer returned.

    Attributes
    ----------
    reply : Reply
    arrays : list of (str, array)
    """

    reply: Reply
    arrays: Packed


class Dispatcher:
    """Hands requests to a peer and keeps its last reply.

    Parameters
    ----------
    peer : Peer
    heartbeat : str
        Endpoint of its second socket, told in the reply to hello.
    pid : int
        Number of its process, or 0.
    copy : bool
        The arrays of an answer are copies, and stay as they are when the peer goes on.

    Attributes
    ----------
    session : Session or None
        The open one.
    ended : bool
        A session is over, or its hello was refused and the host said so with an abort.
    """

    def __init__(self, peer: Peer, *, heartbeat: str = "", pid: int = 0, copy: bool = True) -> None:
        self.peer = peer
        self.session: Session | None = None
        self.ended = False
        self._heartbeat = heartbeat
        self._pid = pid
        self._copy = copy
        self._seq = 0
        self._kept: Answer | None = None
        self._started = False
        self._allowed: dict[type[Request], Doer] = {}

    def handle(self, request: Request, arrays: Mapping[str, Array]) -> Answer | None:
        """Answer one request.

        Parameters
        ----------
        request : Request
            As `unpack_request` returns it.
        arrays : mapping of str to array
            Read-only, or nobody else's.

        Returns
        -------
        Answer or None
            The same object as before to a request that is repeated. None where there is
            nothing to say: to an abort, and to a request that was answered long ago.
        """
        session = self.session
        if (
            session is None
            or request.session != session.number
            or request.seq != self._seq + 1
            or isinstance(request, Abort)
        ):
            return self._unusual(request)
        self._seq = request.seq
        self._kept = self._answer(request, arrays, session)
        return self._kept

    def close(self, reason: str) -> None:
        """End the session, if one is open, without a reply: aborted, or the host is gone."""
        if self.session is None:
            return
        LOG.info("the session with run '%s' is over: %s", self.session.run, reason)
        try:
            self._end()
        except Exception as error:
            _logged(error)

    def _unusual(self, request: Request) -> Answer | None:
        """Anything but the next request of the open session."""
        if isinstance(request, Abort):
            self._abort(request)
            return None
        kept = self._kept
        if kept is not None and kept.reply.session == request.session:
            if request.seq == kept.reply.seq:
                same = request.op == kept.reply.re and request.t == kept.reply.t
                return kept if same else _wrong(request, _CHANGED)
            if request.seq < kept.reply.seq:
                return None
        if self.session is None or request.session != self.session.number:
            return self._open(request)
        return _wrong(
            request, f"request {request.seq} came after {self._seq}: those between are missing"
        )

    def _abort(self, request: Abort) -> None:
        if self.session is not None:
            if request.session == self.session.number:
                self.close(f"aborted: {request.reason}")
        elif self._kept is not None and request.session == self._kept.reply.session:
            self.ended = True

    def _open(self, request: Request) -> Answer:
        if not isinstance(request, Hello):
            return _wrong(request, "this session is not open: the first request is hello")
        if self.session is not None:
            return _refused(request, f"busy with run '{self.session.run}'")
        if request.seq != 1:
            return _refused(request, f"hello has the number 1, not {request.seq}")
        self._kept = self._hello(request)
        return self._kept

    def _hello(self, hello: Hello) -> Answer:
        try:
            session, reply, arrays = introduce(
                self.peer, hello, heartbeat=self._heartbeat, pid=self._pid
            )
        except Exception as error:
            return _refused(hello, _logged(error))
        self.session, self._seq, self._started, self.ended = session, 1, False, False
        self._allowed = self._before()
        return Answer(reply, arrays)

    def _answer(self, request: Request, arrays: Mapping[str, Array], session: Session) -> Answer:
        try:
            do = self._allowed.get(type(request))
            if do is None:
                raise WireError(_not_now(request, self.peer, started=self._started))
            packed = do(request, arrays, session)
        except Exception as error:
            return _wrong(request, _logged(error))
        if self._copy:
            packed = [(name, array.copy()) for name, array in packed]
        op = OPERATION_OF[type(request)]
        return Answer(Reply(op, request.session, request.seq, request.t, True, ""), packed)

    def _before(self) -> dict[type[Request], Doer]:
        """What a peer does between hello and initialize."""
        static: dict[type[Request], Doer] = {Static: self._static} if self.peer.static else {}
        return {Initialize: self._initialize, End: self._ended, **static}

    def _after(self) -> dict[type[Request], Doer]:
        """What a peer does after initialize."""
        peer = self.peer
        allowed: dict[type[Request], Doer] = {End: self._ended}
        if peer.mode == "evaluate":
            allowed[Update] = self._update
        else:
            allowed[Advance] = self._advance
        if peer.history:
            allowed[Accept] = self._accept
        if peer.restorable:
            allowed |= {SaveState: self._save, RestoreState: self._restore}
        return allowed

    def _static(self, request: Request, arrays: Mapping[str, Array], session: Session) -> Packed:
        check_shapes(arrays, session.at_rest)
        at = session.instant(request.t, arrays)
        return session.packed(self.peer.static_loads(at), "static_loads")

    def _initialize(
        self, request: Request, arrays: Mapping[str, Array], session: Session
    ) -> Packed:
        check_shapes(arrays, session.begins)
        peer = self.peer
        peer.initialize(session.instant(request.t, arrays))
        if peer.mode == "advance":
            packed = session.packed(peer.loads_now(), "loads_now")
        else:
            packed = _states(peer, session.sizes.states)
            given = {**arrays, **dict(packed[:1])}
            packed += session.packed(peer.update(session.instant(request.t, given)), "update")
        self._started, self._allowed = True, self._after()
        return packed

    def _update(self, request: Request, arrays: Mapping[str, Array], session: Session) -> Packed:
        check_shapes(arrays, session.trial)
        return session.packed(self.peer.update(session.instant(request.t, arrays)), "update")

    def _accept(self, request: Request, arrays: Mapping[str, Array], session: Session) -> Packed:
        check_shapes(arrays, session.trial)
        at = session.instant(request.t, arrays)
        self.peer.accept(at)
        return session.packed(self.peer.update(at), "update")

    def _advance(self, request: Request, arrays: Mapping[str, Array], session: Session) -> Packed:
        assert isinstance(request, Advance)
        if not request.t0 < request.t:
            raise WireError(f"a step goes forward, not from {request.t0:g} to {request.t:g} s")
        check_shapes(arrays, session.steps)
        step = Step(
            session.instant(request.t0, arrays, "start"),
            session.instant(request.t, arrays, "end"),
        )
        return session.packed(self.peer.advance(step), "advance")

    def _save(self, request: Request, arrays: Mapping[str, Array], session: Session) -> Packed:
        return _state_of(self.peer.save_state())

    def _restore(self, request: Request, arrays: Mapping[str, Array], session: Session) -> Packed:
        data = arrays.get("data")
        self.peer.restore_state(b"" if data is None else data.tobytes())
        return []

    def _ended(self, request: Request, arrays: Mapping[str, Array], session: Session) -> Packed:
        self._end()
        return []

    def _end(self) -> None:
        self.session, self.ended = None, True
        self.peer.end()


_CHANGED = "the request was repeated with another operation or time"


def _not_now(request: Request, peer: Peer, *, started: bool) -> str:
    op = request.op
    match request:
        case Hello():
            return "hello comes once in a session"
        case Static() | Initialize() if started:
            return f"{op} cannot come after initialize"
        case Update() if peer.mode == "evaluate":
            has = True
        case Advance() if peer.mode == "advance":
            has = True
        case Accept():
            has = peer.history
        case SaveState() | RestoreState():
            has = peer.restorable
        case _:
            has = False
    if has:
        return f"{op} cannot come before initialize"
    return f"peer '{peer.name}', in mode '{peer.mode}', has no {op}"


def _states(peer: Peer, n: int) -> Packed:
    """Own states at the start and their scales."""
    if not n:
        return []
    scale = checked(peer.x_scale, (n,), "x_scale")
    if not (scale > 0.0).all():
        raise WireError("x_scale must be positive")
    return [("x", checked(peer.x0, (n,), "x0")), ("x_scale", scale)]


def _wrong(request: Request, error: str) -> Answer:
    if isinstance(request, Hello):
        return _refused(request, error)
    reply = Reply(request.op, request.session, request.seq, request.t, False, error)
    return Answer(reply, [])


def _refused(hello: Hello, error: str) -> Answer:
    reply = Refusal("hello", hello.session, hello.seq, hello.t, False, error, version=PROTOCOL)
    return Answer(reply, [])


def _logged(error: Exception) -> str:
    sentence = sentence_of(error)
    LOG.error("%s", sentence, exc_info=None if isinstance(error, WireError) else error)
    return sentence


def _state_of(state: object) -> Packed:
    if not isinstance(state, bytes | bytearray | memoryview):
        raise WireError(f"save_state returned a {type(state).__name__}, not bytes")
    return [("data", np.frombuffer(bytes(state), BYTE))]
