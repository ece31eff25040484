"""What a peer can do wrong: each takes an honest reply and returns the messages to send."""

import math
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

NAN = struct.pack("<d", math.nan)
MEBIBYTE = 1 << 20


def mark():
    """Tell the test that it happens now."""
    path = Path(os.environ["FAULT_FOLDER"]) / "mark"
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_text(repr(time.monotonic()))
    fresh.rename(path)


def note(request):
    """Remember how the session ended."""
    said = f"{request['op']}: {request.get('reason', '')}"
    path = Path(os.environ["FAULT_FOLDER"]) / f"end-{os.environ.get('COSIM_PEER', 'peer')}"
    path.write_text(said)


def before(fault):
    """Faults that come before the first message."""
    if fault == "never-listens":
        mark()
        sys.stderr.write("looking for a licence\n")
        sys.stderr.flush()
        time.sleep(3600)
    if fault == "family":
        for apart in (False, True):
            subprocess.Popen(["sleep", "3600"], start_new_session=apart)
    if fault in ("stubborn", "stubborn-and-steady"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)


def honest(reply, arrays):
    from bad_peer import message

    return message(reply, arrays)


def none(reply, arrays, before):
    return [honest(reply, arrays)]


stubborn = none


# --- it ends, or seems to


def exits(reply, arrays, before):
    mark()
    sys.stderr.write("reading the blade\nblade 2 is broken\n")
    sys.stderr.flush()
    os._exit(3)


def leaves(reply, arrays, before):
    mark()
    os._exit(0)


def raises(reply, arrays, before):
    mark()
    return {}["wind"]


def killed(reply, arrays, before):
    mark()
    os.kill(os.getpid(), signal.SIGKILL)


def killed_once(reply, arrays, before):
    once = Path(os.environ["FAULT_FOLDER"]) / "once"
    if not once.exists():
        once.touch()
        killed(reply, arrays, before)
    return [honest(reply, arrays)]


def crashes(reply, arrays, before):
    mark()
    os.kill(os.getpid(), signal.SIGSEGV)


def hangs(reply, arrays, before):
    mark()
    time.sleep(3600)


def freezes(reply, arrays, before):
    mark()
    os.kill(os.getpid(), signal.SIGSTOP)
    return []


# --- it takes its time, talks, has children


def slow(reply, arrays, before):
    mark()
    time.sleep(1.2)
    return [honest(reply, arrays)]


def very_slow(reply, arrays, before):
    mark()
    time.sleep(11.0)
    return [honest(reply, arrays)]


def steady(reply, arrays, before):
    """A little slow at every call, so that there is time for a signal."""
    mark()
    time.sleep(0.02)
    return [honest(reply, arrays)]


family = stubborn_and_steady = never_listens = steady


def talks(reply, arrays, before):
    for _ in range(4):
        for stream in (sys.stdout, sys.stderr):
            stream.write("x" * MEBIBYTE + "\n")
            stream.flush()
    return [honest(reply, arrays)]


# --- it answers what is not allowed


def changed(name, change):
    def fault(reply, arrays, before):
        mark()
        return [honest(reply, {**arrays, name: change(*arrays[name])})]

    return fault


def poisoned(dtype, shape, data):
    return dtype, shape, NAN + data[8:]


nan_load = changed("load", poisoned)
nan_mass = changed("mass", poisoned)
nan_x_dot = changed("x_dot", poisoned)
wrong_shape = changed("load", lambda dtype, shape, data: (dtype, [1, 3], data[:24]))
wrong_bytes = changed("load", lambda dtype, shape, data: (dtype, shape, data[:-8]))
wrong_dtype = changed("load", lambda dtype, shape, data: ("<f4", shape, data[:24]))
huge_frame = changed("load", lambda dtype, shape, data: (dtype, shape, bytes(65 * MEBIBYTE)))
asymmetric_mass = changed(
    "mass", lambda dtype, shape, data: (dtype, shape, data[:8] + struct.pack("<d", 3.0) + data[16:])
)


def no_load(reply, arrays, before):
    mark()
    return [honest(reply, {})]


def surplus(reply, arrays, before):
    mark()
    return [honest(reply, {**arrays, "lift": arrays["load"]})]


def keyed(**keys):
    def fault(reply, arrays, before):
        mark()
        return [honest({**reply, **keys}, arrays)]

    return fault


def later_seq(reply, arrays, before):
    mark()
    return [honest({**reply, "seq": reply["seq"] + 1}, arrays)]


def other_time(reply, arrays, before):
    mark()
    return [honest({**reply, "t": reply["t"] + 1.0}, arrays)]


other_op = keyed(re="accept")
unknown_key = keyed(mood="good")
wrong_version = keyed(version=7)
no_name = keyed(name="")
other_bodies = keyed(bodies=["ship"])


def refuses(reply, arrays, before):
    mark()
    return [honest({**reply, "ok": False, "error": "the table of the wind ends at 3 s"}, {})]


def refuses_version(reply, arrays, before):
    mark()
    kept = {name: reply[name] for name in ("re", "session", "seq", "t", "version")}
    error = "the run speaks version 1 of the protocol, and this peer version 7"
    return [honest({**kept, "version": 7, "ok": False, "error": error}, {})]


def garbage_header(reply, arrays, before):
    mark()
    return [[bytes(range(256)), *honest(reply, arrays)[1:]]]


def garbage(reply, arrays, before):
    mark()
    return [[b"\xff" * 100] * 3]


def empty(reply, arrays, before):
    mark()
    return [[b""]]


# --- it answers too often, which must not matter


def twice(reply, arrays, before):
    return [honest(reply, arrays)] * 2


def stale(reply, arrays, before):
    return [*before[-1:], honest(reply, arrays)]


def other_session(reply, arrays, before):
    wrong = {**reply, "session": (reply["session"] + 1) % 2**63}
    return [honest(wrong, arrays), honest(reply, arrays)]


def endless(reply, arrays, before):
    mark()
    return [honest({**reply, "session": 0}, {})] * 1500
