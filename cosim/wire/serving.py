"""Serves one peer over sockets: one session at a time."""

from __future__ import annotations

import logging
import os
import threading
from contextlib import ExitStack
from types import TracebackType
from typing import Self

import zmq

from cosim.wire.arrays import Limits
from cosim.wire.connection import UNKNOWN, Connections
from cosim.wire.dispatch import Answer, Dispatcher
from cosim.wire.endpoint import PathLock, check_endpoint, in_use, is_local, sibling
from cosim.wire.errors import WireError
from cosim.wire.frames import Codec
from cosim.wire.keys import PeerKeys, secure_server
from cosim.wire.messages import Hello, Reply
from cosim.wire.peer import Peer
from cosim.wire.refuse import refusal
from cosim.wire.threads import Authenticator, HeartbeatEcho, end_context
from cosim.wire.transfer import receive, receive_from, send

__all__ = ["PeerServer"]

LOG = logging.getLogger(__name__)

IDLE = 0.1  # s between looks at the host and the parent while nothing arrives
LAST_WORDS = 500  # ms that the reply to `end` may take to leave
HANDSHAKE = 5000  # ms
BEAT = 1024  # bytes of a heartbeat and of what opens its connection
WAITING = 100  # requests of one host that may wait
PING, SILENCE = 5000, 30000  # ms, of connections to other machines


class PeerServer:
    """A peer bound to an endpoint, and to a second one for heartbeats.

    A context manager: entered, it listens; left, everything is closed and the session, if one
    is open, is over.

    Parameters
    ----------
    peer : Peer
    endpoint : str
        ``ipc://PATH`` or ``tcp://HOST:PORT``; port ``*`` takes a free one.
    heartbeat : str
        Endpoint of the second socket; by default beside the first, or on a free port.
    keys : PeerKeys or None
        For encryption; needed where other machines reach the endpoint.
    insecure : bool
        Serve other machines without keys.
    limits : Limits or None
    grace : float
        How long a session outlives its connection, s.

    Attributes
    ----------
    endpoint, heartbeat : str
        Once entered, with the ports that were taken.
    """

    def __init__(
        self,
        peer: Peer,
        endpoint: str,
        *,
        heartbeat: str = "",
        keys: PeerKeys | None = None,
        insecure: bool = False,
        limits: Limits | None = None,
        grace: float = 2.0,
    ) -> None:
        self.peer = peer
        self.endpoint = check_endpoint(endpoint)
        self.heartbeat = check_endpoint(heartbeat) if heartbeat else sibling(endpoint)
        for address in (self.endpoint, self.heartbeat):
            if keys is None and not insecure and not is_local(address):
                raise WireError(
                    f"other machines reach '{address}': give keys (`cosim keys` makes them), "
                    "or say that it is insecure"
                )
        self._keys = keys
        self._codec = Codec(limits)
        self._grace = grace
        self._stopped = threading.Event()
        self._resources = ExitStack()
        self._answered: Answer | None = None
        self._frames: list[bytes] = []

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(PathLock(self.endpoint))
            stack.enter_context(PathLock(self.heartbeat))
            context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
            stack.callback(end_context, context)
            if self._keys is not None:
                Authenticator(context, self._keys.clients).start()
            echo, self.heartbeat = self._bound(context, self.heartbeat)
            HeartbeatEcho(echo).start()
            self._router = context.socket(zmq.ROUTER)
            stack.callback(self._router.close, LAST_WORDS)
            self._connections = Connections(self._router)
            stack.callback(self._connections.close)
            most = self._codec.limits.message
            self.endpoint = self._bind(self._router, self.endpoint, most)
            self._router.rcvtimeo = int(1000 * IDLE)
            self._dispatcher = Dispatcher(
                self.peer, heartbeat=self.heartbeat, pid=os.getpid(), copy=False
            )
            stack.callback(self._dispatcher.close, "the peer ends")
            self._resources = stack.pop_all()
        LOG.debug("peer '%s' listens at %s", self.peer.name, self.endpoint)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._resources.close()

    def serve(self, *, once: bool = False, parent: int = 0) -> None:
        """Answer requests.

        Parameters
        ----------
        once : bool
            Return after the first session.
        parent : int
            Return when the parent of this process is no longer that one; 0 for any.
        """
        while not self._stopped.is_set():
            if not self._serve_next():
                self._look_around()
                if parent and os.getppid() != parent:
                    self._dispatcher.close("the parent process is gone")
                    return
            if once and self._dispatcher.ended:
                return

    def stop(self) -> None:
        """Make `serve` return soon; from any thread."""
        self._stopped.set()

    def _serve_next(self) -> bool:
        """Answer the next message; False where none comes."""
        connections = self._connections
        number = UNKNOWN
        try:
            if connections.held == UNKNOWN:
                frames, first = receive_from(self._router)
                number = _connection(first)
            else:
                frames = receive(self._router)
        except zmq.Again:
            return False
        session = self._answer(frames)
        opened = self._dispatcher.session
        if opened is None:
            connections.release()
        elif session == opened.number and (number != UNKNOWN or frames[0] != connections.identity):
            connections.hold(number, frames[0])
        return True

    def _answer(self, frames: list[bytes]) -> int:
        """Answer a message; the number of its session, or -1."""
        identity, body = frames[0], frames[1:]
        try:
            request, arrays = self._codec.unpack_request(body)
        except WireError as error:
            reply = refusal(self._codec.peek(body), error)
            if reply is None:
                LOG.info("dropped a message: %s", error)
            else:
                send(self._router, [identity, *self._codec.pack(reply)])
            return -1
        if isinstance(request, Hello):
            self._look_around()  # a host that is gone does not keep others out
        answer = self._dispatcher.handle(request, arrays)
        if answer is not None:
            if answer is not self._answered:
                self._answered = answer
                self._frames = self._packed(answer)
            send(self._router, [identity, *self._frames])
        return request.session

    def _packed(self, answer: Answer) -> list[bytes]:
        try:
            return self._codec.pack(*answer, checked=True)
        except WireError as error:  # beyond the limits
            LOG.error("%s", error)
            reply = answer.reply
            return self._codec.pack(
                Reply(reply.re, reply.session, reply.seq, reply.t, False, str(error))
            )

    def _look_around(self) -> None:
        if self._dispatcher.session is None:
            self._connections.lost_for()
            self._connections.release()
        elif self._connections.lost_for() > self._grace:
            self._dispatcher.close("its connection is gone")
            self._connections.release()

    def _bound(
        self, context: zmq.Context[zmq.Socket[bytes]], endpoint: str
    ) -> tuple[zmq.Socket[bytes], str]:
        socket = context.socket(zmq.ROUTER)
        try:
            return socket, self._bind(socket, endpoint, BEAT)
        except BaseException:
            socket.close(0)
            raise

    def _bind(self, socket: zmq.Socket[bytes], endpoint: str, most: int) -> str:
        socket.linger = 0
        socket.maxmsgsize = most
        socket.rcvhwm = WAITING
        socket.handshake_ivl = HANDSHAKE
        socket.ipv6 = "[" in endpoint
        if not is_local(endpoint):
            socket.heartbeat_ivl, socket.heartbeat_timeout = PING, SILENCE
        if self._keys is not None:
            secure_server(socket, self._keys.own)
        try:
            socket.bind(endpoint)
        except zmq.ZMQError as error:
            if error.errno == zmq.EADDRINUSE:
                raise in_use(endpoint) from None
            raise WireError(f"cannot listen at '{endpoint}': {error.strerror}") from None
        return socket.getsockopt_string(zmq.LAST_ENDPOINT)


def _connection(message: zmq.Frame) -> int:
    try:
        return int(message.get(zmq.SRCFD))
    except zmq.ZMQError:
        return UNKNOWN
