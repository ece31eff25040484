"""A peer behind the rules of the protocol: order of calls, numbers, kept replies; no sockets."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from cosim.wire.arrays import BYTE, Array, Arrays
from cosim.wire.errors import WireError
from cosim.wire.failure import sentence_of
from cosim.wire.introduce import introduce
from cosim.wire.messages import (
    OPERATIONS,
    PROTOCOL,
    Abort,
    Accept,
    Advance,
    End,
    Hello,
    Initialize,
    Operation,
    Refusal,
    Reply,
    Request,
    RestoreState,
    SaveState,
    Static,
    Update,
)
from cosim.wire.peer import Peer, Step
from cosim.wire.session import Packed, Session, check_arrays, checked

__all__ = ["Answer", "Dispatcher"]

LOG = logging.getLogger(__name__)


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

    Attributes
    ----------
    session : Session or None
        The open one.
    ended : bool
        A session is over, or its hello was refused and the host said so with an abort.
    """

    def __init__(self, peer: Peer, *, heartbeat: str = "", pid: int = 0) -> None:
        self.peer = peer
        self.session: Session | None = None
        self.ended = False
        self._heartbeat = heartbeat
        self._pid = pid
        self._seq = 0
        self._kept: Answer | None = None
        self._started = False

    def handle(self, request: Request, arrays: Mapping[str, Array]) -> Answer | None:
        """Answer one request.

        Parameters
        ----------
        request : Request
            As `unpack_request` returns it.
        arrays : mapping of str to array

        Returns
        -------
        Answer or None
            None where there is nothing to say: to an abort, and to a request that was
            answered long ago.
        """
        if isinstance(request, Abort):
            self._abort(request)
            return None
        kept = self._kept
        if kept is not None and kept.reply.session == request.session:
            if request.seq == kept.reply.seq:
                return kept if _same(request, kept.reply) else _wrong(request, _CHANGED)
            if request.seq < kept.reply.seq:
                return None
        session = self.session
        if session is None or request.session != session.number:
            return self._open(request)
        if request.seq != self._seq + 1:
            return _wrong(
                request, f"request {request.seq} came after {self._seq}: those between are missing"
            )
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
            LOG.error("at the end: %s", sentence_of(error), exc_info=error)

    def _abort(self, request: Abort) -> None:
        if self.session is not None:
            if request.session == self.session.number:
                self.close(f"aborted: {request.reason}")
        elif self._kept is not None and request.session == self._kept.reply.session:
            self.ended = True

    def _open(self, request: Request) -> Answer | None:
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
        return Answer(reply, arrays)

    def _answer(self, request: Request, arrays: Mapping[str, Array], session: Session) -> Answer:
        try:
            self._check_order(request)
            packed = self._do(request, arrays, session)
        except Exception as error:
            return _wrong(request, _logged(error))
        return Answer(_reply(request), packed)

    def _check_order(self, request: Request) -> None:
        peer, op = self.peer, request.op
        match request:
            case Hello():
                raise WireError("hello comes once in a session")
            case End():
                return
            case Static() | Initialize():
                if self._started:
                    raise WireError(f"{op} cannot come after initialize")
                if isinstance(request, Static) and not peer.static:
                    raise WireError(f"peer '{peer.name}' has no static loads")
                return
        if not self._started:
            raise WireError(f"{op} cannot come before initialize")
        match request:
            case Update() | Accept() if peer.mode != "evaluate":
                raise WireError(f"peer '{peer.name}' is in mode 'advance' and has no {op}")
            case Accept() if not peer.history:
                raise WireError(f"peer '{peer.name}' keeps no history and has no accept")
            case Advance() if peer.mode != "advance":
                raise WireError(f"peer '{peer.name}' is in mode 'evaluate' and has no advance")
            case SaveState() | RestoreState() if not peer.restorable:
                raise WireError(f"peer '{peer.name}' is not restorable and has no {op}")

    def _do(self, request: Request, arrays: Mapping[str, Array], session: Session) -> Packed:
        peer = self.peer
        match request:
            case Update() | Accept():
                check_arrays(arrays, session.trial, request.op)
                at = session.instant(request.t, arrays)
                if isinstance(request, Accept):
                    peer.accept(at)
                return session.update_loads(peer.update(at))
            case Advance():
                return self._advance(request, arrays, session)
            case Initialize():
                return self._initialize(request, arrays, session)
            case Static():
                check_arrays(arrays, session.at_rest, request.op)
                at = session.instant(request.t, arrays)
                return session.at_rest_loads(peer.static_loads(at))
            case SaveState():
                return _state_of(peer.save_state())
            case RestoreState():
                data = arrays.get("data")
                peer.restore_state(b"" if data is None else data.tobytes())
                return []
            case _:
                self._end()
                return []

    def _advance(self, request: Advance, arrays: Mapping[str, Array], session: Session) -> Packed:
        if not request.t0 < request.t:
            raise WireError(f"a step goes forward, not from {request.t0:g} to {request.t:g} s")
        check_arrays(arrays, session.steps, request.op)
        step = Step(
            session.instant(request.t0, arrays, "start"),
            session.instant(request.t, arrays, "end"),
        )
        return session.advance_loads(self.peer.advance(step), "advance")

    def _initialize(
        self, request: Request, arrays: Mapping[str, Array], session: Session
    ) -> Packed:
        check_arrays(arrays, session.begins, request.op)
        peer = self.peer
        peer.initialize(session.instant(request.t, arrays))
        packed: Packed = []
        if peer.mode == "advance":
            packed.extend(session.advance_loads(peer.loads_now(), "loads_now"))
        else:
            started: Arrays = dict(arrays)
            n = session.sizes.states
            if n:
                started["x"] = checked("x0", peer.x0, (n,))
                scale = checked("x_scale", peer.x_scale, (n,))
                if not (scale > 0).all():
                    raise WireError("x_scale must be positive")
                packed.extend([("x", started["x"]), ("x_scale", scale)])
            packed.extend(session.update_loads(peer.update(session.instant(request.t, started))))
        self._started = True
        return packed

    def _end(self) -> None:
        self.session, self.ended = None, True
        self.peer.end()


_CHANGED = "the request was repeated with another operation or time"


def _same(request: Request, reply: Reply) -> bool:
    return request.op == reply.re and request.t == reply.t


def _operation(request: Request) -> Operation:
    return next(op for op in OPERATIONS if op == request.op)


def _reply(request: Request) -> Reply:
    return Reply(_operation(request), request.session, request.seq, request.t, True, "")


def _wrong(request: Request, error: str) -> Answer:
    if isinstance(request, Hello):
        return _refused(request, error)
    reply = Reply(_operation(request), request.session, request.seq, request.t, False, error)
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
