"""Peers that end, freeze, or do not answer."""

from .harness import adapter
from .row import CLOSED, CONNECT, FOLDER, HEARTBEAT, KNOWN, LAUNCHED, NONE, REPLY, Row, one

WORDS = "exited with code 3; its last words: reading the blade | blade 2 is broken"
RUNNING = "adapter 'rotor' at t = T s: peer 'rotor' (ipc://peer)"
SILENT = "has not answered 'update' within 2 s (it is alive); raise deadlines.reply if it may take "

ROWS = [
    Row(
        "exits",
        "peer exits at a call, with code 3 and words on stderr",
        f"{KNOWN} {WORDS}{FOLDER}",
        one("exits"),
    ),
    Row(
        "exits_in_advance",
        "the same in mode `advance`",
        f"{KNOWN} {WORDS}{FOLDER}",
        one("exits --mode advance", mode="advance"),
        twin="none --mode advance",
    ),
    Row(
        "exits_while_saving",
        "peer exits while its state is saved",
        f"{KNOWN} {WORDS}{FOLDER}",
        one("exits --mode advance --op save_state", mode="advance"),
        twin="none --mode advance",
    ),
    Row(
        "exits_at_the_start",
        "peer exits before the first step",
        f"{KNOWN} {WORDS}{FOLDER}",
        one("exits --op initialize"),
        results=NONE,
    ),
    Row(
        "exits_at_hello",
        "peer exits when it is greeted",
        f"{LAUNCHED} {WORDS}{FOLDER}",
        one("exits --op hello"),
        results=NONE,
    ),
    Row(
        "leaves",
        "peer exits with code 0, in silence",
        f"{KNOWN} exited with code 0 and said nothing{FOLDER}",
        one("leaves"),
    ),
    Row(
        "raises",
        "a Python peer raises",
        f'{KNOWN} exited with code 1; its last words: File "wrongs.py", line N, in raises | '
        f"return {{}}[\"wind\"] | ~~^^^^^^^^ | KeyError: 'wind'{FOLDER}",
        one("raises"),
    ),
    Row(
        "crashes",
        "peer crashes (segmentation fault)",
        f"{KNOWN} was killed by SIGSEGV (11) and said nothing{FOLDER}",
        one("crashes"),
    ),
    Row(
        "killed",
        "peer is killed (`kill -9`)",
        f"{KNOWN} was killed by SIGKILL (9) and said nothing{FOLDER}",
        one("killed"),
    ),
    Row(
        "killed_each_time",
        "peer is killed again after each of three restarts (`on_peer_loss: restart`)",
        f"{KNOWN} was killed by SIGKILL (9) and said nothing{FOLDER}",
        one("killed", on_peer_loss="restart"),
    ),
    Row(
        "sibling",
        "one of two peers exits; the other one is told why the run ends",
        f"{KNOWN} {WORDS}{FOLDER}",
        {"rotor": adapter("exits"), "wind": adapter("none")},
        twin="two",
    ),
    Row(
        "running_one_exits",
        "a peer that was not launched exits",
        f"{RUNNING} closed the connection: it has ended, or sent a message above 64 MiB",
        one(address="ipc://@folder@/peer"),
        after=CLOSED,
        beside="bad_peer.py exits",
    ),
    Row(
        "hangs",
        "peer is alive and never answers",
        f"{KNOWN} {SILENT}that long{FOLDER}",
        one("hangs"),
        after=REPLY,
    ),
    Row(
        "running_one_hangs",
        "the same, of a peer that was not launched",
        f"{RUNNING} {SILENT}that long",
        one(address="ipc://@folder@/peer"),
        after=REPLY,
        beside="bad_peer.py hangs",
    ),
    Row(
        "hangs_at_hello",
        "peer never answers the greeting",
        f"{LAUNCHED} runs, but nothing has answered at SOCKET within 2 s; it must listen where "
        f"COSIM_ENDPOINT says{FOLDER}",
        one("hangs --op hello"),
        after=CONNECT,
        results=NONE,
    ),
    Row(
        "freezes",
        "peer is frozen (`SIGSTOP`)",
        f"{KNOWN} has not answered a heartbeat for 1.0 s: it is frozen, or cannot be reached"
        f"{FOLDER}",
        one("freezes"),
        after=HEARTBEAT,
    ),
]
