"""A peer at the other end of a socket: deadlines, heartbeats, what became of it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import zmq

from adapters.zeromq.beat import Heartbeat
from adapters.zeromq.connection import Connection
from adapters.zeromq.link import Errand, Frames, Link
from adapters.zeromq.options import Deadlines
from adapters.zeromq.process import LaunchedPeer
from adapters.zeromq.vigil import Subject, Vigil
from cosim.errors import AdapterError, PeerLostError
from cosim.wire import Limits
from cosim.wire.keys import KeyPair, secure_client
from cosim.wire.threads import end_context
from cosim.wire.transfer import receive, send

__all__ = ["Keys", "SocketLink"]

LOG = logging.getLogger(__name__)

_SLICE = 0.05
"""Time between looks at the peer while an answer is awaited, s."""
_RECONNECT = 20
"""ms."""
_LAST_WORD = 200
"""Time for a message without an answer to leave, ms."""


@dataclass(frozen=True)
class Keys:
    """Own pair, and the public key of the peer."""

    own: KeyPair
    server: bytes


class SocketLink(Link):
    """DEALER to the ROUTER of a peer.

    While an answer is awaited for less than half a second, nothing else is done. Then the
    launched process is watched all the time, the second socket is asked each second, and a
    connection that breaks and comes back gets the request again.

    Parameters
    ----------
    endpoint : str
    adapter : str
        Name in the case.
    deadlines : Deadlines
    process : LaunchedPeer or None
        What listens there, if it was launched.
    keys : Keys or None
        For encryption.
    """

    def __init__(
        self,
        endpoint: str,
        *,
        adapter: str,
        deadlines: Deadlines,
        process: LaunchedPeer | None = None,
        keys: Keys | None = None,
    ) -> None:
        self._adapter, self._process, self._keys = adapter, process, keys
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = self._open("[" in endpoint)
        self._subject = Subject(
            adapter, endpoint, deadlines, Connection(self._socket), process, keys is not None
        )
        self._beats: zmq.Socket[bytes] | None = None
        self._closed = self._posted = False
        self._frames: Sequence[bytes] = ()
        self._errand = Errand("", 0.0)
        self._vigil: Vigil | None = None
        try:
            self._socket.connect(endpoint)
        except zmq.ZMQError as error:
            self.close(keep=False)
            raise AdapterError(
                f"cannot call {endpoint}: {error.strerror}; correct 'address'", adapter=adapter
            ) from None

    @property
    def description(self) -> str:
        """The peer's name and where it is."""
        return str(self._subject)

    @property
    def kept(self) -> str:
        """Where to find what the peer wrote."""
        return self._subject.kept

    def send(self, frames: Sequence[bytes], errand: Errand) -> None:
        """Send a request; the wait for its answer begins."""
        self._frames, self._errand, self._vigil = frames, errand, None
        send(self._socket, frames)

    def receive(self) -> Frames:
        """Next message of the peer."""
        try:
            return receive(self._socket)
        except zmq.Again:
            return self._receive_late()

    def greeted(self, heartbeat: str, name: str) -> None:
        """Heartbeats begin where the peer has a second socket."""
        self._subject.name = name
        if heartbeat:
            endpoint = self._beside(heartbeat)
            self._beats = self._open("[" in endpoint)
            self._beats.connect(endpoint)
            self._subject.beat = Heartbeat(self._beats, self._subject.deadlines.heartbeat)

    def post(self, frames: Sequence[bytes]) -> None:
        """Send a request that has no answer."""
        if not self._closed:
            with suppress(zmq.Again):
                send(self._socket, frames, zmq.NOBLOCK)
                self._posted = True

    def abort(self) -> None:
        """Have a launched peer ended soon; does not wait."""
        if self._process is not None:
            self._process.abort()

    def close(self, *, keep: bool, grace: float = 0.0) -> None:
        """End a launched peer and close the sockets."""
        if self._closed:
            return
        self._closed = True
        if self._process is not None:
            self._end_process(self._process, keep, grace)
        self._subject.connection.close()
        self._socket.close(_LAST_WORD if self._posted and self._process is None else 0)
        if self._beats is not None:
            self._beats.close(0)
        end_context(self._context)

    def _end_process(self, process: LaunchedPeer, keep: bool, grace: float) -> None:
        left = process.wait(grace)
        process.stop()
        if grace > 0.0 and not left:
            LOG.warning(
                "adapter '%s': %s did not end within %.1f s after the run, and was stopped",
                self._adapter,
                self.description,
                grace,
            )
        if not keep:
            process.remove_folder()

    def _open(self, ipv6: bool) -> zmq.Socket[bytes]:
        socket = self._context.socket(zmq.DEALER)
        socket.linger = 0
        socket.rcvtimeo = socket.sndtimeo = int(1000 * _SLICE)
        socket.maxmsgsize = Limits().message
        socket.reconnect_ivl = _RECONNECT
        socket.ipv6 = ipv6
        if self._keys is not None:
            secure_client(socket, self._keys.own, self._keys.server)
        return socket

    def _beside(self, heartbeat: str) -> str:
        """Endpoint of the heartbeats on the machine that was given, whatever the peer says."""
        endpoint = self._subject.endpoint
        if not (endpoint.startswith("tcp://") and heartbeat.startswith("tcp://")):
            return heartbeat
        return f"{endpoint.rpartition(':')[0]}:{heartbeat.rpartition(':')[2]}"

    def _receive_late(self) -> Frames:
        if self._vigil is None:
            self._vigil = Vigil(self._subject, self._errand, self._resend, waited=_SLICE)
        while True:
            try:
                self._vigil.look()
            except PeerLostError:
                last = self._last_message()
                if not last:
                    raise
                return last
            with suppress(zmq.Again):
                return receive(self._socket)

    def _resend(self) -> None:
        send(self._socket, self._frames)

    def _last_message(self) -> Frames:
        """What the peer said before it ended; empty for nothing."""
        with suppress(zmq.Again):
            return receive(self._socket, zmq.NOBLOCK)
        return []
