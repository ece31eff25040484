"""Heartbeats on a second socket: a peer that computes is told from one that is frozen."""

from __future__ import annotations

import struct
from contextlib import suppress

import zmq

__all__ = ["Heartbeat"]

_INTERVAL = 1.0
_SHARE = 0.25
"""Part of the deadline after which another beat is sent, where that is sooner."""


class Heartbeat:
    """Sends a counter each second while an answer is awaited, and hears the echo.

    Parameters
    ----------
    socket : zmq.Socket
        A DEALER, connected.
    deadline : float
        Longest silence, s.
    """

    def __init__(self, socket: zmq.Socket[bytes], deadline: float) -> None:
        self._socket = socket
        self._interval = min(_INTERVAL, _SHARE * deadline)
        self._count = 0
        self._heard = self._due = 0.0

    def begin(self, waited: float) -> None:
        """A wait has become long; the clock is that of the wait, s."""
        self._heard = self._due = waited

    def silence(self, waited: float) -> float:
        """Time since the last sign of life, s; sends the next beat when it is due."""
        try:
            while True:
                self._socket.recv(zmq.NOBLOCK)
                self._heard = waited
        except zmq.Again:
            pass
        if waited >= self._due:
            self._due = waited + self._interval
            self._count += 1
            with suppress(zmq.Again):  # not connected; the silence tells
                self._socket.send(struct.pack("<q", self._count), zmq.NOBLOCK)
        return waited - self._heard
