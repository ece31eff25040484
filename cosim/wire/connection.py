"""Whether the host of the open session is still connected."""

from __future__ import annotations

import time

import zmq
from zmq.utils.monitor import recv_monitor_message

__all__ = ["Connections"]

EVENTS = zmq.EVENT_ACCEPTED | zmq.EVENT_DISCONNECTED
UNKNOWN = -1


class Connections:
    """Follows the connections of a bound socket.

    Attributes
    ----------
    held : int
        Number of the connection of the open session, as `zmq.SRCFD` gives it, or -1.
    identity : bytes
        Its name in front of messages.
    """

    def __init__(self, socket: zmq.Socket[bytes]) -> None:
        self._monitor = socket.get_monitor_socket(EVENTS)
        self._monitor.linger = 0
        self._open: set[int] = set()
        self._lost: float | None = None
        self.held = UNKNOWN
        self.identity = b""

    def hold(self, number: int, identity: bytes) -> None:
        """The host of the session has spoken over this connection; -1 for one not yet known."""
        self.held, self.identity = number, identity
        self._lost = None

    def release(self) -> None:
        """There is no session."""
        self.hold(UNKNOWN, b"")

    def lost_for(self) -> float:
        """Seconds for which the host of the session has been gone; 0 if it is there."""
        while self._monitor.poll(0):
            event = recv_monitor_message(self._monitor)
            number = int(event["value"])
            if event["event"] == zmq.EVENT_ACCEPTED:
                self._open.add(number)
                continue
            self._open.discard(number)
            if number == self.held:
                self.held = UNKNOWN
                self._lost = time.monotonic()
        if self._lost is None:
            if self.held != UNKNOWN or self._open:
                return 0.0
            self._lost = time.monotonic()
        return time.monotonic() - self._lost

    def close(self) -> None:
        """Stop following."""
        self._monitor.close(0)
