"""Watches over a launched program: it ends when the host does, however the host ends.

Run as ``python -I -S guard.py PROGRAM [ARGUMENT]...`` with a pipe of the host as standard
input. The program gets a process group of its own. At the end of the pipe the group is
terminated and, half a second later, killed; after a byte `ABORT` the program has 0.2 s to leave
by itself first. What the program leaves running is killed, on Linux even what has left the group,
such as the ranks of a parallel solver. The guard ends as the program did: with its exit code, or by
the same signal.

This file stands alone: it imports the standard library only.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from types import FrameType

__all__ = ["ABORT", "CANNOT_START", "main"]

ABORT = b"a"
CANNOT_START = 127

_ON_END = ((0.0, signal.SIGTERM), (0.5, signal.SIGKILL))
_ON_ABORT = ((0.2, signal.SIGTERM), (0.3, signal.SIGKILL))
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_HOST = 0  # the host's pipe is the standard input


def main(command: Sequence[str]) -> int:
    """Run a program under guard; returns its exit code, or ends by its signal."""
    wake, write = os.pipe()
    os.set_blocking(write, False)
    signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    # handlers, not SIG_IGN: the program shall start with the defaults
    for number in (signal.SIGCHLD, signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, _noted)
    _adopt_orphans()
    try:
        child = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=_die_with_parent
        )
    except OSError as error:
        print(f"cannot start '{command[0]}': {error.strerror}", file=sys.stderr)
        return CANNOT_START
    code = _watch(child, wake)
    _signal_group(child.pid, signal.SIGKILL)  # what the program has left behind
    _end_adopted()
    if code < 0:
        _die_by(-code)
    return code


def _watch(child: subprocess.Popen[bytes], wake: int) -> int:
    """Wait for the program; end it when the host says so, or is gone. Returns its exit code."""
    steps: list[tuple[float, signal.Signals]] = []
    listening = True
    while (code := child.poll()) is None:
        wait = max(0.0, steps[0][0] - time.monotonic()) if steps else None
        ready, _, _ = select.select([wake, _HOST] if listening else [wake], [], [], wait)
        terminated = wake in ready and signal.SIGTERM in os.read(wake, 64)
        if terminated or _HOST in ready:
            word = b"" if terminated else os.read(_HOST, 1)
            listening = word == ABORT
            steps = steps or _timetable(_ON_ABORT if word == ABORT else _ON_END)
        if steps and steps[0][0] <= time.monotonic():
            _signal_group(child.pid, steps.pop(0)[1])
    return code


def _timetable(
    ladder: Sequence[tuple[float, signal.Signals]],
) -> list[tuple[float, signal.Signals]]:
    at, table = time.monotonic(), []
    for delay, number in ladder:
        at += delay
        table.append((at, number))
    return table


def _signal_group(pid: int, number: signal.Signals) -> None:
    try:
        os.killpg(pid, number)
    except ProcessLookupError:
        return
    except PermissionError:  # macOS: nobody left but the program that has ended
        return


def _adopt_orphans() -> None:
    """Linux: processes that the program leaves behind become children of the guard."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _end_adopted() -> None:
    """Kill them, and what they leave behind in their turn."""
    while children := _children():
        for pid in children:
            os.kill(pid, signal.SIGKILL)
        for pid in children:
            os.waitpid(pid, 0)


def _children() -> list[int]:
    own = os.getpid()
    try:
        with open(f"/proc/self/task/{own}/children", encoding="ascii") as file:
            return [int(pid) for pid in file.read().split()]
    except OSError:  # not Linux, or a kernel that does not tell
        return []


def _die_with_parent() -> None:
    """Linux: the program does not outlive a guard that is killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _die_by(number: int) -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _noted(number: int, frame: FrameType | None) -> None:
    """Wake the loop; it looks for itself."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
