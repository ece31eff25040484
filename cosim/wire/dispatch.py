"""A peer behind the rules of the protocol: order of calls, numbers, kept replies; no sockets."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from cosim.wire.answers import Answer, data_of, logged, not_now, refused, states_at_start, wrong
from cosim.wire.arrays import Array, check_shapes
from cosim.wire.errors import WireError
from cosim.wire.introduce import introduce
from cosim.wire.messages import (
    OPERATION_OF,
    Abort,
    Accept,
    Advance,
    End,
    Hello,
    Initialize,
    Reply,
    Request,
    RestoreState,
    SaveState,
    Static,
    Update,
)
from cosim.wire.peer import Peer, Step
from cosim.wire.session import Packed, Session

__all__ = ["Answer", "Dispatcher"]

LOG = logging.getLogger(__name__)

Doer = Callable[[Request, Mapping[str, Array], Session], Packed]


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
            logged(error)

    def _unusual(self, request: Request) -> Answer | None:
        """Anything but the next request of the open session."""
        if isinstance(request, Abort):
            self._abort(request)
            return None
        kept = self._kept
        if kept is not None and kept.reply.session == request.session:
            if request.seq == kept.reply.seq:
                same = request.op == kept.reply.re and request.t == kept.reply.t
                return kept if same else wrong(request, _CHANGED)
            if request.seq < kept.reply.seq:
                return None
        if self.session is None or request.session != self.session.number:
            return self._open(request)
        return wrong(
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
            return wrong(request, "this session is not open: the first request is hello")
        if self.session is not None:
            return refused(request, f"busy with run '{self.session.run}'")
        if request.seq != 1:
            return refused(request, f"hello has the number 1, not {request.seq}")
        self._kept = self._hello(request)
        return self._kept

    def _hello(self, hello: Hello) -> Answer:
        try:
            session, reply, arrays = introduce(
                self.peer, hello, heartbeat=self._heartbeat, pid=self._pid
            )
        except Exception as error:
            return refused(hello, logged(error))
        self.session, self._seq, self._started, self.ended = session, 1, False, False
        self._allowed = self._before()
        return Answer(reply, arrays)

    def _answer(self, request: Request, arrays: Mapping[str, Array], session: Session) -> Answer:
        try:
            do = self._allowed.get(type(request))
            if do is None:
                raise WireError(not_now(request, self.peer, started=self._started))
            packed = do(request, arrays, session)
        except Exception as error:
            return wrong(request, logged(error))
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
            packed = states_at_start(peer, session.sizes.states)
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
        return data_of(self.peer.save_state())

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
