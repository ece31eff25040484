"""Two small threads beside a served peer: heartbeats, and who may connect."""

from __future__ import annotations

import logging
import threading

import zmq
from zmq.utils import z85

__all__ = ["Authenticator", "HeartbeatEcho", "end_context"]

LOG = logging.getLogger(__name__)

ZAP = "inproc://zeromq.zap.01"
_KEY = 32  # bytes
_TOLD = 100
_FRAMES = 7  # version, request, domain, address, identity, mechanism, key


class HeartbeatEcho(threading.Thread):
    """Sends everything back that comes to a bound ROUTER, without Python and its lock.

    Ends when the context does.

    Parameters
    ----------
    socket : zmq.Socket
        Its own from now on.
    """

    def __init__(self, socket: zmq.Socket[bytes]) -> None:
        super().__init__(name="heartbeat", daemon=True)
        self._socket = socket

    def run(self) -> None:
        """Echo until the context ends."""
        try:
            zmq.proxy(self._socket, self._socket)
        except zmq.ContextTerminated:
            pass
        finally:
            self._socket.close(0)


class Authenticator(threading.Thread):
    """Lets only known public keys connect (ZAP, RFC 27); ends when the context does.

    Parameters
    ----------
    context : zmq.Context
    clients : frozenset of bytes
        Public keys, 40 characters each.
    """

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], clients: frozenset[bytes]) -> None:
        super().__init__(name="authenticator", daemon=True)
        self._clients = clients
        self._refused: set[bytes] = set()
        self._socket = context.socket(zmq.REP)
        self._socket.linger = 0
        self._socket.bind(ZAP)

    def run(self) -> None:
        """Answer until the context ends."""
        try:
            while True:
                self._socket.send_multipart(self._judge(self._socket.recv_multipart()))
        except zmq.ContextTerminated:
            pass
        finally:
            self._socket.close(0)

    def _judge(self, frames: list[bytes]) -> list[bytes]:
        number = frames[1] if len(frames) > 1 else b""
        if len(frames) == _FRAMES and frames[0] == b"1.0" and frames[5] == b"CURVE":
            key = z85.encode(frames[6]) if len(frames[6]) == _KEY else b""
            if key in self._clients:
                return [b"1.0", number, b"200", b"", b"", b""]
            self._tell(key)
        return [b"1.0", number, b"400", b"unknown key", b"", b""]

    def _tell(self, key: bytes) -> None:
        """Say once that a key was refused."""
        if key not in self._refused and len(self._refused) < _TOLD:
            self._refused.add(key)
            LOG.warning("refused a connection with the unknown key %s", key.decode())


def end_context(context: zmq.Context[zmq.Socket[bytes]], seconds: float = 2.0) -> None:
    """End a context; give up rather than hang.

    Parameters
    ----------
    context : zmq.Context
        All sockets that this thread has are closed.
    seconds : float
    """
    ending = threading.Thread(target=context.term, name="end of sockets", daemon=True)
    ending.start()
    ending.join(seconds)
    if ending.is_alive():
        LOG.warning("the sockets did not close within %g s", seconds)
