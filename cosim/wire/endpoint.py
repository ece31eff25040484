"""Endpoints: which are allowed, which stay on this machine, and who holds a path."""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from pathlib import Path
from types import TracebackType
from typing import Self

from cosim.wire.errors import WireError

__all__ = ["PathLock", "check_endpoint", "is_local", "sibling"]

LONGEST_PATH = 107  # of a unix socket on Linux
_TCP = re.compile(r"tcp://(\[[0-9a-fA-F:]+\]|[^:/\[\]]+):(\*|[0-9]{1,5})")


def check_endpoint(endpoint: str) -> str:
    """An endpoint that a peer may listen at or a host may call.

    Parameters
    ----------
    endpoint : str
        ``ipc://PATH`` or ``tcp://HOST:PORT``.

    Raises
    ------
    WireError
        Neither of these, or a path too long for the system.
    """
    if endpoint.startswith("ipc://"):
        path = endpoint.removeprefix("ipc://")
        if not path or path.startswith(("@", "*")):
            raise WireError(f"'{endpoint}' names no file; write ipc:///path/of/a/socket")
        if len(os.fsencode(path)) > LONGEST_PATH:
            raise WireError(
                f"the path of '{endpoint}' is longer than {LONGEST_PATH} bytes; "
                "choose a folder with a shorter path"
            )
        return endpoint
    match = _TCP.fullmatch(endpoint)
    if match is None or (match[2] != "*" and int(match[2]) > 65535):
        raise WireError(f"'{endpoint}' is no endpoint; write tcp://HOST:PORT or ipc://PATH")
    return endpoint


def is_local(endpoint: str) -> bool:
    """Whether an endpoint can be reached from this machine only."""
    if endpoint.startswith("ipc://"):
        return True
    match = _TCP.fullmatch(endpoint)
    if match is None:
        return False
    host = match[1].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def sibling(endpoint: str) -> str:
    """Endpoint of the heartbeat socket beside another: a file, or a free port."""
    if endpoint.startswith("ipc://"):
        return check_endpoint(f"{endpoint}.hb")
    return f"{endpoint.rsplit(':', 1)[0]}:*"


class PathLock:
    """Holds the path of an ``ipc`` endpoint: binding alone would take it from a living server.

    A lock on a file beside the path keeps two servers of ours apart; a connection that
    somebody answers shows any other.

    Parameters
    ----------
    endpoint : str
        Other than ``ipc``: nothing happens.

    Raises
    ------
    WireError
        Somebody listens there, or the folder cannot be written.
    """

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._file = -1
        path = endpoint.removeprefix("ipc://")
        self._path = Path(path) if path != endpoint else None

    def __enter__(self) -> Self:
        if self._path is not None:
            self._take(self._path)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._path is None or self._file < 0:
            return
        self._path.unlink(missing_ok=True)
        _lock_file(self._path).unlink(missing_ok=True)
        os.close(self._file)
        self._file = -1

    def _take(self, path: Path) -> None:
        try:
            self._file = _locked(_lock_file(path))
        except BlockingIOError:
            raise in_use(self.endpoint) from None
        except OSError as error:
            raise WireError(f"cannot listen at '{self.endpoint}': {error.strerror}") from None
        if _answers(path):
            os.close(self._file)
            self._file = -1
            raise in_use(self.endpoint)


def in_use(endpoint: str) -> WireError:
    """The error of an endpoint that somebody else has."""
    return WireError(
        f"cannot listen at '{endpoint}': another program does; end it, or choose another endpoint"
    )


def _lock_file(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _locked(path: Path) -> int:
    """A file that only this process has locked, and that is still there."""
    import fcntl

    while True:
        file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.stat(path).st_ino == os.fstat(file).st_ino:
                return file
        except FileNotFoundError:
            pass
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(os.fspath(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:
            return True
        return True
