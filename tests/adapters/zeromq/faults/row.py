"""What a row of the table of faults says."""

import signal
from collections.abc import Mapping
from dataclasses import dataclass, field

from .harness import DEADLINES, adapter

AT_ONCE = "at once"
CONNECT = f"at the connect deadline ({DEADLINES['connect']:g} s)"
REPLY = f"at the reply deadline ({DEADLINES['reply']:g} s)"
HEARTBEAT = f"at the heartbeat deadline ({DEADLINES['heartbeat']:g} s)"
CLOSED = "after half a second"
BUSY = "after 5 s"
WAITS = {
    AT_ONCE: 0.0,
    CLOSED: 0.5,  # the connection may come back
    BUSY: 5.0,  # it may just be losing the session of a run that was killed
    CONNECT: DEADLINES["connect"],
    REPLY: DEADLINES["reply"],
    HEARTBEAT: DEADLINES["heartbeat"] + 0.5,  # they begin half a second after the request
}

KEPT, NONE, COMPLETE = "up to there", "none yet", "complete"

LAUNCHED = "adapter 'rotor' at t = T s: 'COMMAND'"
"""A launched program that has not yet said who it is."""
KNOWN = "adapter 'rotor' at t = T s: peer 'rotor' ('COMMAND')"
FOLDER = "; what it wrote is in FOLDER"


@dataclass(frozen=True)
class Row:
    """One fault, and what the user gets.

    Attributes
    ----------
    name : str
        Of the test.
    what : str
        What goes wrong, for the page.
    sees : str
        Last line on stderr without what differs from run to run; of a run that succeeds, one
        of the lines, or nothing.
    adapters : mapping
        Part of the case file; ``@folder@`` and ``@port@`` are those of the run.
    after : str
        One of `WAITS`.
    code : int
        Exit code.
    results : str
        What is on disk.
    kill : signal or None
        For the program, as soon as the peer has marked the instant.
    twin : str
        Arguments of an undisturbed peer whose rows must be the same.
    files : mapping
        Files beside the case.
    beside : str
        Arguments of a peer that runs already.
    spoil : tuple of str
        What is replaced in the text of the case file, and by what.
    """

    name: str
    what: str
    sees: str
    adapters: Mapping[str, object]
    after: str = AT_ONCE
    code: int = 5
    results: str = KEPT
    kill: signal.Signals | None = None
    twin: str = "none"
    files: Mapping[str, str] = field(default_factory=dict)
    beside: str = ""
    spoil: tuple[str, str] = ("", "")


def one(peer="", **options):
    """The adapter `rotor` with a peer of this folder."""
    return {"rotor": adapter(peer, **options)}
