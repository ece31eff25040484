"""What happens to a connection: made, broken, made again, refused."""

from __future__ import annotations

import zmq
from zmq.utils.monitor import recv_monitor_message

__all__ = ["Connection"]

_FINAL = zmq.Event.HANDSHAKE_FAILED_AUTH | zmq.Event.HANDSHAKE_FAILED_PROTOCOL
_UNCLEAR = zmq.Event.HANDSHAKE_FAILED_NO_DETAIL
_EVENTS = _FINAL | _UNCLEAR | zmq.Event.HANDSHAKE_SUCCEEDED | zmq.Event.DISCONNECTED
_REFUSALS = 3
"""How often in a row a handshake may fail for no reason given: a peer may just be ending."""


class Connection:
    """Reads the events of a socket; costs nothing until it is looked at.

    Parameters
    ----------
    socket : zmq.Socket

    Attributes
    ----------
    made : int
        How often it was made.
    broken : int
        How many of these are gone.
    refused : bool
        The other side does not accept it.
    """

    def __init__(self, socket: zmq.Socket[bytes]) -> None:
        self._socket = socket
        self._monitor = socket.get_monitor_socket(_EVENTS)
        self._monitor.linger = 0
        self.made = self.broken = self._failures = 0
        self.refused = False

    @property
    def is_up(self) -> bool:
        """Whether it stands."""
        return self.made > self.broken

    def look(self) -> None:
        """Take note of what has happened since the last look."""
        while self._monitor.poll(0):
            event = recv_monitor_message(self._monitor)["event"]
            if event == zmq.Event.HANDSHAKE_SUCCEEDED:
                self.made += 1
                self._failures = 0
            elif event == zmq.Event.DISCONNECTED:
                # one that was never made is no loss
                self.broken = self.made
            else:
                self._failures += 1
                self.refused = bool(event & _FINAL) or self._failures >= _REFUSALS

    def close(self) -> None:
        """Stop listening."""
        self._socket.disable_monitor()
        self._monitor.close(0)
