"""The wait for an answer: what became of the peer, and how long it may take."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from adapters.zeromq.beat import Heartbeat
from adapters.zeromq.connection import Connection
from adapters.zeromq.link import Errand
from adapters.zeromq.options import Deadlines
from adapters.zeromq.process import LaunchedPeer
from cosim.errors import AdapterError, AdapterTimeout, PeerLostError
from cosim.wire import Limits
from cosim.wire.endpoint import is_local

__all__ = ["Subject", "Vigil"]

LOG = logging.getLogger(__name__)

_LONG, _FIRST_REMARK, _REMARKS = 0.5, 10.0, 60.0
"""When a wait is long enough for heartbeats, and for words in the log, s."""
_PAUSE = 1.0
"""A longer time between looks is one in which this process itself was stopped, s."""
_GRACE = 0.5
"""Time in which a local connection that broke may come back, s."""
_BREAKS = 3
"""How often a connection may break during one request."""

_TOO_LARGE = f"above {Limits().message >> 20} MiB"


@dataclass
class Subject:
    """The peer that is waited for.

    Attributes
    ----------
    adapter : str
        Name in the case.
    endpoint : str
    deadlines : Deadlines
    connection : Connection
    process : LaunchedPeer or None
    encrypted : bool
    beat : Heartbeat or None
    name : str
        Its own, once it is known.
    """

    adapter: str
    endpoint: str
    deadlines: Deadlines
    connection: Connection
    process: LaunchedPeer | None
    encrypted: bool
    beat: Heartbeat | None = None
    name: str = ""

    def __str__(self) -> str:
        where = self.endpoint if self.process is None else f"'{self.process}'"
        return f"peer '{self.name}' ({where})" if self.name else where

    @property
    def kept(self) -> str:
        """Where to find what a launched peer wrote, as the end of a sentence."""
        return "" if self.process is None else f"; what it wrote is in {self.process.folder}"


class Vigil:
    """Watches over one request that is not answered at once.

    Parameters
    ----------
    subject : Subject
    errand : Errand
    resend : callable
        Sends the request again.
    waited : float
        Time since it was sent, s.
    """

    def __init__(
        self, subject: Subject, errand: Errand, resend: Callable[[], None], *, waited: float
    ) -> None:
        self._subject, self._errand, self._resend = subject, errand, resend
        self._waited, self._last = waited, time.monotonic()
        self._made = subject.connection.made
        self._resent = 0
        self._down: float | None = None
        self._listens = False
        self._remark = _FIRST_REMARK

    def look(self) -> None:
        """See how the peer is.

        Raises
        ------
        PeerLostError
            It ended, was killed, is frozen or has closed the connection.
        AdapterTimeout
            It takes longer than its deadline.
        AdapterError
            It does not accept the connection.
        """
        now = time.monotonic()
        self._waited += min(now - self._last, _PAUSE)
        self._last = now
        self._look_at_process()
        self._look_at_connection()
        self._listen()
        if self._waited > self._deadline:
            raise self._timeout()
        if self._waited > self._remark:
            self._remark += _REMARKS
            self._say_that_it_takes_long()

    @property
    def _deadline(self) -> float:
        if self._errand.patience is not None:
            return self._errand.patience
        deadlines = self._subject.deadlines
        return deadlines.reply if self._subject.name else deadlines.connect

    def _look_at_process(self) -> None:
        process = self._subject.process
        if process is not None and process.has_ended():
            raise self._lost(process.fate())

    def _look_at_connection(self) -> None:
        subject, connection = self._subject, self._subject.connection
        connection.look()
        if connection.refused:
            raise self._refused()
        if connection.made > self._made:
            if self._made:
                self._send_again()
            self._made = connection.made
        if connection.is_up or not subject.name:
            self._down = None
            return
        self._down = self._waited if self._down is None else self._down
        grace = _GRACE if is_local(subject.endpoint) else subject.deadlines.heartbeat
        if self._waited - self._down > grace:
            raise self._lost(self._how_it_broke())

    def _how_it_broke(self) -> str:
        """A frame that is too large ends a connection for good, and its sender may live."""
        if self._subject.process is not None:
            return f"runs, but the connection is closed, as after a message {_TOO_LARGE}"
        return f"closed the connection: it has ended, or sent a message {_TOO_LARGE}"

    def _send_again(self) -> None:
        self._resent += 1
        if self._resent > _BREAKS:
            raise self._lost(
                f"broke the connection {self._resent} times during one request, as a message "
                f"{_TOO_LARGE} would"
            )
        LOG.info("adapter '%s': connected again to %s", self._subject.adapter, self._subject)
        self._resend()

    def _listen(self) -> None:
        beat = self._subject.beat
        if beat is None or self._waited < _LONG:
            return
        if not self._listens:
            beat.begin(self._waited)
            self._listens = True
        silence = beat.silence(self._waited)
        if silence > self._subject.deadlines.heartbeat:
            raise self._lost(
                f"has not answered a heartbeat for {silence:.1f} s: it is frozen, or cannot be "
                "reached"
            )

    def _lost(self, fate: str) -> PeerLostError:
        return PeerLostError(
            f"{self._subject} {fate}{self._subject.kept}",
            adapter=self._subject.adapter,
            t=self._errand.t,
        )

    def _refused(self) -> AdapterError:
        wanted = (
            "'curve' needs the peer's public key, and the peer ours"
            if self._subject.encrypted
            else "it may want keys ('curve'), or it is no peer of ours"
        )
        return AdapterError(
            f"{self._subject} does not accept the connection: {wanted}",
            adapter=self._subject.adapter,
            t=self._errand.t,
        )

    def _timeout(self) -> AdapterTimeout:
        subject, process = self._subject, self._subject.process
        if subject.name:
            alive = "it is alive" if self._listens or process else "it has no heartbeat to tell"
            text = (
                f"{subject} has not answered '{self._errand.op}' within {self._deadline:g} s "
                f"({alive}); raise deadlines.reply if it may take that long"
            )
        elif process is not None:
            words = process.last_words()
            text = (
                f"{subject} runs, but nothing has answered at {subject.endpoint} within "
                f"{self._deadline:g} s; it must listen where COSIM_ENDPOINT says"
                + (f"; its last words: {words}" if words else "")
            )
        else:
            text = (
                f"nothing has answered at {subject.endpoint} within {self._deadline:g} s; start "
                f"the peer first, one in Python with 'python peer.py --endpoint {subject.endpoint}'"
            )
        return AdapterTimeout(text + self._subject.kept, adapter=subject.adapter, t=self._errand.t)

    def _say_that_it_takes_long(self) -> None:
        subject = self._subject
        if subject.name:
            alive = " is alive and" if self._listens else ""
            text = f"{subject}{alive} has been computing '{self._errand.op}' for"
        else:
            text = f"nothing has answered yet at {subject.endpoint} for"
        LOG.info("adapter '%s': %s %.0f s", subject.adapter, text, self._waited)
