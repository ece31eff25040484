"""A session with a peer: numbers, checks of what comes back, its end."""

from __future__ import annotations

import logging
import secrets
import statistics
import time
from collections.abc import Callable, Sequence

from adapters.zeromq.link import Errand, Link
from cosim.errors import (
    AdapterError,
    AdapterTimeout,
    CosimError,
    PeerLostError,
    ProtocolError,
)
from cosim.wire import PROTOCOL, Codec, VersionError, WireError
from cosim.wire.arrays import Array, Arrays
from cosim.wire.failure import one_line
from cosim.wire.messages import Abort, End, Hello, HelloReply, Reply, Request

__all__ = ["Conversation", "Sent"]

Sent = Sequence[tuple[str, Array]]

LOG = logging.getLogger(__name__)

_LEAVE = 5.0
"""Time for the answer to `end` and for a launched peer to leave, s."""
_BUSY, _BUSY_FOR, _AGAIN = "busy with run", 5.0, 0.1
"""How a peer says that it has another session, how long that is borne, and asked again, s."""
_STALE = 1000
"""Messages that are no answer, after which a peer is not listened to any longer."""
_TRIPS = 50
_LONGEST = 1000
"""Characters of a reason."""


class Conversation:
    """Asks a peer, one question after another.

    Parameters
    ----------
    link : Link
    adapter : str
        Name in the case.

    Attributes
    ----------
    number : int
        Of the session.
    time : float
        Of the last request, s.
    """

    def __init__(self, link: Link, *, adapter: str) -> None:
        self.number = secrets.randbits(63)
        self._link, self._adapter = link, adapter
        self._codec = Codec()
        self._seq = 0
        self.time = 0.0
        self._last: tuple[Request, Sequence[bytes]] | None = None
        self._broken = self._failed = self._closed = False

    @property
    def description(self) -> str:
        """What is at the other end."""
        return self._link.description

    @property
    def next_seq(self) -> int:
        """Number of the next request."""
        return self._seq + 1

    def hello(self, hello: Hello) -> tuple[HelloReply, Arrays]:
        """Open the session.

        A peer that is busy is asked again for some seconds: it may just be losing the session
        of a run that was killed.

        Raises
        ------
        AdapterError
            The peer is lost, does not answer, breaks the protocol, or refuses.
        """
        self._broken = True  # until the session is open
        end = time.monotonic() + _BUSY_FOR
        reply, arrays = self._trade(hello, ())
        while reply.error.startswith(_BUSY) and time.monotonic() < end:
            time.sleep(_AGAIN)
            reply, arrays = self._trade(hello, ())
        self._require_ok(hello, reply)
        if not isinstance(reply, HelloReply):
            raise self._broke("its answer to hello does not say what it is")
        self._broken = False
        self._link.greeted(reply.heartbeat, one_line(reply.name))
        return reply, arrays

    def ask(self, request: Request, arrays: Sent, check: Callable[[Arrays], None]) -> Arrays:
        """Arrays of the answer to a request.

        Parameters
        ----------
        request : Request
            Its number is `next_seq`.
        arrays : sequence of (str, array)
        check : callable
            Raises WireError where the answer is not as it should be.

        Raises
        ------
        AdapterError
            As for `hello`.
        """
        answer = self._exchange(request, arrays)[1]
        try:
            check(answer)
        except WireError as error:
            raise self._broke(f"its answer to '{request.op}': {error}") from None
        return answer

    def round_trip(self) -> float:
        """Median time, s, in which the last request, repeated, is answered from what was kept."""
        assert self._last is not None
        request, frames = self._last
        times = []
        for _ in range(_TRIPS):
            begin = time.perf_counter()
            self._link.send(frames, Errand(request.op, request.t))
            self._answer(request)
            times.append(time.perf_counter() - begin)
        return statistics.median(times)

    def abort(self, reason: str) -> None:
        """Tell the peer that the run has failed; does not wait."""
        if self._closed:
            return
        self._broken = True
        request = Abort(self.number, self.next_seq, self.time, reason=reason[:_LONGEST])
        self._link.post(self._codec.pack(request))
        self._link.abort()

    def end(self) -> None:
        """End the session and close the link; may be called twice.

        A peer that is gone, or does not answer, has lost nothing that the run needs.

        Raises
        ------
        AdapterError
            The peer fails at its end.
        """
        if self._closed:
            return
        in_order, begin = False, time.monotonic()
        try:
            if not self._broken:
                self._exchange(End(self.number, self.next_seq, self.time), (), patience=_LEAVE)
                in_order = True
        except (AdapterTimeout, PeerLostError) as error:
            LOG.warning("at the end of the run: %s", error)
        finally:
            self._closed = True
            grace = _LEAVE - (time.monotonic() - begin) if in_order else 0.0
            self._link.close(keep=self._failed, grace=max(0.0, grace))

    def _exchange(
        self, request: Request, arrays: Sent, *, patience: float | None = None
    ) -> tuple[Reply, Arrays]:
        reply, answer = self._trade(request, arrays, patience=patience)
        self._require_ok(request, reply)
        return reply, answer

    def _require_ok(self, request: Request, reply: Reply) -> None:
        if not reply.ok:
            self._failed = True
            raise AdapterError(
                f"{self._link.description}: {one_line(reply.error)}{self._link.kept}",
                adapter=self._adapter,
                t=request.t,
            )

    def _trade(
        self, request: Request, arrays: Sent, *, patience: float | None = None
    ) -> tuple[Reply, Arrays]:
        try:
            frames = self._codec.pack(request, arrays)
        except WireError as error:
            raise AdapterError(
                f"cannot send '{request.op}': {error}", adapter=self._adapter, t=request.t
            ) from None
        self.time = request.t
        broken, self._broken = self._broken, True  # until the answer is there
        self._link.send(frames, Errand(request.op, request.t, patience))
        try:
            reply, answer = self._answer(request)
        except CosimError:
            self._failed = True
            raise
        self._seq, self._last, self._broken = request.seq, (request, frames), broken
        return reply, answer

    def _answer(self, request: Request) -> tuple[Reply, Arrays]:
        """The answer to a request; older ones that come late are dropped."""
        for _ in range(_STALE):
            try:
                reply, arrays = self._codec.unpack_reply(self._link.receive())
            except VersionError as error:
                raise self._speaks_another(error.theirs) from None
            except WireError as error:
                raise self._broke(f"its answer to '{request.op}': {error}") from None
            if reply.session != request.session or reply.seq < request.seq:
                continue
            if (reply.seq, reply.re, reply.t) != (request.seq, request.op, request.t):
                raise self._broke(
                    f"it answered '{reply.re}' number {reply.seq} at t = {reply.t:g} s to "
                    f"'{request.op}' number {request.seq} at t = {request.t:g} s"
                )
            return reply, arrays
        raise self._broke(f"{_STALE} messages came that are no answer to '{request.op}'")

    def _broke(self, text: str) -> ProtocolError:
        self._broken = self._failed = True
        return ProtocolError(
            f"{self._link.description} breaks the protocol: {text}{self._link.kept}",
            adapter=self._adapter,
            t=self.time,
        )

    def _speaks_another(self, version: int) -> ProtocolError:
        self._broken = self._failed = True
        return ProtocolError(
            f"{self._link.description} speaks version {version} of the protocol, and this program "
            f"version {PROTOCOL}; install versions that fit",
            adapter=self._adapter,
            t=self.time,
        )
