"""What must not matter: the run succeeds, with the results of an undisturbed one."""

from .harness import PEERS, adapter
from .row import COMPLETE, Row, one

STUBBORN = (
    "warning: adapter 'rotor': peer 'rotor' ('COMMAND') did not end within 5.0 s after the run, "
    "and was stopped"
)
SLOW = "adapter 'rotor': peer 'rotor' ('COMMAND') is alive and has been computing 'update' for 10 s"
RESTART = (
    "warning: adapter 'rotor' at t = T s: peer 'rotor' ('COMMAND') was killed by SIGKILL (9) and "
    "said nothing; what it wrote is in FOLDER; everything starts again and goes on from t = T s "
    "(restart 1 of 3)"
)


def fine(name, what, peer, sees="", **options):
    """A row of a run that succeeds."""
    after = options.pop("after", "")
    adapters = one(peer, **options)
    return Row(name, what, sees, adapters, after=after, code=0, results=COMPLETE)


ROWS = [
    fine("slow", "answer within the deadline", "slow"),
    fine(
        "very_slow",
        "answer after 11 s, within a deadline of 15 s",
        "very-slow",
        SLOW,
        deadlines={"reply": 15.0, "heartbeat": 1.0},
    ),
    fine("twice", "each answer comes twice", "twice --always"),
    fine("stale", "the last answer comes again before each", "stale --always"),
    fine("other_session", "answers to another run come in between", "other-session --always"),
    fine("talks", "8 MiB on stdout and stderr", "talks"),
    fine(
        "stubborn", "peer does not leave after the run, and ignores SIGTERM", "stubborn", STUBBORN
    ),
    fine(
        "restarted",
        "peer is killed, and the case says `on_peer_loss: restart`",
        "killed-once --at 200",
        RESTART,
        on_peer_loss="restart",
    ),
    Row(
        "restarted_in_advance",
        "the same in mode `advance`",
        RESTART,
        one("killed-once --at 100 --mode advance", mode="advance", on_peer_loss="restart"),
        after="",
        code=0,
        results=COMPLETE,
        twin="none --mode advance",
    ),
    Row(
        "same_names",
        "two peers of one name in two adapters",
        "",
        {"rotor": adapter("none"), "wind": adapter("none")},
        after="",
        code=0,
        results=COMPLETE,
        twin="two",
    ),
    Row(
        "package",
        "a peer of this package",
        "",
        one(launch=["{python}", str(PEERS / "good_peer.py")]),
        after="",
        code=0,
        results=COMPLETE,
    ),
]
