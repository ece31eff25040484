"""The program that is launched as a peer: its guard, its working directory, its last words."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import zmq

from adapters.zeromq import guard
from cosim.errors import AdapterError
from cosim.wire import PROTOCOL
from cosim.wire.failure import one_line

__all__ = ["LaunchedPeer"]

LOG = logging.getLogger(__name__)

_LONGEST_IPC = 100
"""Bytes of a socket's path, with room for the name of a second one."""
_LONGEST_NAME = 40
_TERMINATION = 2.0
"""Time that the guard needs at most from the end of the pipe to its own end, s."""
_LAST_LINES, _LAST_BYTES, _LONGEST_LINE = 4, 8192, 200


class LaunchedPeer:
    """A program under guard, in a private working directory with its stdout and stderr.

    Parameters
    ----------
    command : sequence of str
        Program and arguments.
    adapter : str
        Name in the case.
    transport : {"ipc", "tcp"}
        How it listens.

    Attributes
    ----------
    endpoint : str
        Where it is told to listen.
    folder : Path
        Its working directory.

    Raises
    ------
    AdapterError
        There is no such program.
    """

    def __init__(
        self, command: Sequence[str], *, adapter: str, transport: Literal["ipc", "tcp"]
    ) -> None:
        self.command = tuple(command)
        self._adapter = adapter
        if os.name != "posix":
            raise AdapterError(
                "'launch' needs Linux or macOS; start the peer yourself and give its 'address'",
                adapter=adapter,
            )
        if shutil.which(command[0]) is None:
            raise AdapterError(_why_not(command[0]), adapter=adapter)
        name = adapter.replace("/", "-")[:_LONGEST_NAME]
        self.folder = Path(tempfile.mkdtemp(prefix=f"cosim-{name}-"))
        self.endpoint = _endpoint(self.folder, transport)
        self._guard = self._start()
        LOG.debug("adapter '%s': launched %s in %s", adapter, self, self.folder)

    def __str__(self) -> str:
        return " ".join(self.command)

    def has_ended(self) -> bool:
        """Whether the program has ended."""
        return self._guard.poll() is not None

    def fate(self) -> str:
        """How the program ended, and its last words on stderr, after :meth:`has_ended`."""
        code = self._guard.returncode
        if code is None:
            return "is running"
        how = f"exited with code {code}" if code >= 0 else f"was killed by {_signal_name(-code)}"
        words = self.last_words()
        return f"{how}; its last words: {words}" if words else f"{how} and said nothing"

    def last_words(self) -> str:
        """The last lines on stderr, in one."""
        try:
            with (self.folder / "stderr").open("rb") as file:
                file.seek(0, os.SEEK_END)
                file.seek(max(0, file.tell() - _LAST_BYTES))
                text = file.read().decode(errors="replace")
        except OSError:  # the program has removed it
            return ""
        lines = [one_line(line)[:_LONGEST_LINE] for line in text.splitlines()]
        return " | ".join([line for line in lines if line][-_LAST_LINES:])

    def wait(self, seconds: float) -> bool:
        """Wait for the program to end; False if it is still there."""
        try:
            self._guard.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            return False
        return True

    def abort(self) -> None:
        """Have it terminated after 0.2 s and killed after 0.5 s; does not wait."""
        self._tell(guard.ABORT)

    def stop(self) -> None:
        """Have it terminated at once and killed after 0.5 s, unless that has begun; waits."""
        assert self._guard.stdin is not None
        self._guard.stdin.close()
        if not self.wait(_TERMINATION):
            self._guard.kill()  # on Linux the program goes with it
            self._guard.wait()

    def remove_folder(self) -> None:
        """Remove its working directory."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-I", "-S", guard.__file__, *self.command]
        told = {
            "COSIM_ENDPOINT": self.endpoint,
            "COSIM_PEER": self._adapter,
            "COSIM_PROTOCOL": str(PROTOCOL),
        }
        with (
            (self.folder / "stdout").open("wb") as out,
            (self.folder / "stderr").open("wb") as err,
        ):
            return subprocess.Popen(
                words,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=err,
                cwd=self.folder,
                env={**os.environ, **told},
                start_new_session=True,
            )

    def _tell(self, word: bytes) -> None:
        assert self._guard.stdin is not None
        try:
            self._guard.stdin.write(word)
        except (BrokenPipeError, ValueError):  # it has ended, or is being stopped
            return


def _why_not(program: str) -> str:
    if Path(program).is_file():
        return (
            f"'{program}' cannot be launched, it is not executable; name the program that runs it "
            "in 'launch', or make it executable with chmod +x"
        )
    return f"there is no program '{program}' to launch; correct 'launch'"


def _endpoint(folder: Path, transport: Literal["ipc", "tcp"]) -> str:
    path = str(folder / "peer")
    if transport == "ipc" and zmq.has("ipc") and len(path.encode()) <= _LONGEST_IPC:
        return f"ipc://{path}"
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{probe.getsockname()[1]}"


def _signal_name(number: int) -> str:
    try:
        return f"{signal.Signals(number).name} ({number})"
    except ValueError:
        return f"signal {number}"
