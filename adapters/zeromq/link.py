"""The way messages go to a peer and back: what every kind of it does."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Errand", "Frames", "Link"]

Frames = list[bytes]


class Errand(NamedTuple):
    """What a message is about.

    Attributes
    ----------
    op : str
        Operation.
    t : float
        s.
    patience : float or None
        How long to wait for the answer, s; None leaves it to the deadlines.
    """

    op: str
    t: float
    patience: float | None = None


class Link(ABC):
    """Brings frames to one peer and its answers back.

    Call order: (`send`, `receive`+)*, `post`, `close`.

    """

    @property
    @abstractmethod
    def description(self) -> str:
        """What is at the other end."""

    @property
    def kept(self) -> str:
        """Where to find what the peer wrote, as the end of a sentence."""
        return ""

    @abstractmethod
    def send(self, frames: Sequence[bytes], errand: Errand) -> None:
        """Send a request; the wait for its answer begins."""

    @abstractmethod
    def receive(self) -> Frames:
        """Next message of the peer.

        Raises
        ------
        PeerLostError
            The peer ended, was killed, or froze.
        AdapterTimeout
            It does not answer in time.
        """

    @abstractmethod
    def greeted(self, heartbeat: str, name: str) -> None:
        """The first answer is there: where the peer echoes heartbeats, and its name."""

    @abstractmethod
    def post(self, frames: Sequence[bytes]) -> None:
        """Send a request that has no answer; raises nothing."""

    @abstractmethod
    def abort(self) -> None:
        """Have a launched peer ended soon; does not wait."""

    @abstractmethod
    def close(self, *, keep: bool, grace: float = 0.0) -> None:
        """End a launched peer and close everything; may be called twice.

        Parameters
        ----------
        keep : bool
            Something failed: keep what a launched peer wrote.
        grace : float
            Time for a launched peer to end by itself, s.
        """
