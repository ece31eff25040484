"""The program itself is ended."""

import signal

from .row import AT_ONCE, KEPT, NONE, Row, one

INTERRUPTED = {"sees": "interrupted", "code": 130, "kill": signal.SIGINT}
KILLED = {"sees": "", "code": -9, "kill": signal.SIGKILL}


def ended(name, what, peer, *, results=KEPT, **options):
    """A row of a run that a signal ends."""
    return Row(name, what, adapters=one(peer), after=AT_ONCE, results=results, **options)


ROWS = [
    ended("interrupted", "ctrl-C", "steady --always", **INTERRUPTED),
    ended(
        "interrupted_connecting",
        "ctrl-C while a peer is waited for",
        "never-listens",
        results=NONE,
        **INTERRUPTED,
    ),
    ended("interrupted_hanging", "ctrl-C while a peer hangs", "hangs", **INTERRUPTED),
    ended(
        "interrupted_stubborn",
        "ctrl-C with a peer that ignores `abort` and SIGTERM",
        "stubborn-and-steady --always",
        **INTERRUPTED,
    ),
    ended(
        "interrupted_family",
        "ctrl-C with a peer that has started programs, one in a session of its own",
        "family --always",
        **INTERRUPTED,
    ),
    ended(
        "terminated",
        "SIGTERM, as from a queue system",
        "steady --always",
        sees="terminated",
        code=143,
        kill=signal.SIGTERM,
    ),
    ended("host_killed", "`kill -9` of the program", "steady --always", **KILLED),
    ended("host_killed_hanging", "the same while a peer hangs", "hangs", **KILLED),
    ended("host_killed_frozen", "the same while a peer is frozen", "freezes", **KILLED),
    ended(
        "host_killed_stubborn",
        "the same with a peer that ignores SIGTERM",
        "stubborn-and-steady --always",
        **KILLED,
    ),
    ended(
        "host_killed_family",
        "the same with a peer that has started programs, one in a session of its own",
        "family --always",
        **KILLED,
    ),
]
