"""A program that is a peer: one line at the end of a script."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from cosim.wire.errors import VersionError, WireError
from cosim.wire.keys import PeerKeys
from cosim.wire.messages import PROTOCOL
from cosim.wire.peer import Peer
from cosim.wire.serving import PeerServer

__all__ = ["PeerServer", "run_peer"]

INTERRUPTED, TERMINATED = 130, 143


def run_peer(
    peer: Peer,
    endpoint: str | None = None,
    *,
    keys: PeerKeys | None = None,
    insecure: bool = False,
) -> None:
    """Serve a peer until its session ends, if a run launched it, or for ever.

    The endpoint is that of the run (``COSIM_ENDPOINT``), else ``--endpoint`` of the command
    line, else the argument. ``--heartbeat``, ``--key FILE`` (own secret key), ``--allow FILE``
    (public key of a host, repeatable) and ``--insecure`` are read from the command line too.

    Parameters
    ----------
    peer : Peer
    endpoint : str or None
        ``tcp://HOST:PORT`` or ``ipc://PATH``.
    keys : PeerKeys or None
        Needed where other machines reach the endpoint.
    insecure : bool
        Serve other machines without keys.

    Raises
    ------
    SystemExit
        With 5 and a sentence where it cannot serve, 143 after SIGTERM, 130 after ctrl-C.
    """
    try:
        place = _place(os.environ, sys.argv[1:], endpoint)
        server = PeerServer(
            peer,
            place.endpoint,
            heartbeat=place.heartbeat,
            keys=place.keys or keys,
            insecure=place.insecure or insecure,
        )
        with _signals(place.launched), server:
            if not place.launched:
                sys.stderr.write(f"peer '{peer.name}' listens at {server.endpoint}\n")
            server.serve(once=place.launched, parent=os.getppid() if place.launched else 0)
    except WireError as error:
        sys.stderr.write(f"peer '{peer.name}': {error}\n")
        raise SystemExit(error.exit_code) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


@dataclass(frozen=True)
class _Place:
    endpoint: str
    heartbeat: str
    launched: bool
    keys: PeerKeys | None
    insecure: bool


def _place(
    environment: Mapping[str, str], arguments: Sequence[str], endpoint: str | None
) -> _Place:
    given = _parser().parse_known_args(arguments)[0]
    launched = environment.get("COSIM_ENDPOINT", "")
    version = environment.get("COSIM_PROTOCOL", str(PROTOCOL))
    if launched and version != str(PROTOCOL):
        raise VersionError(int(version) if version.isdecimal() else 0, PROTOCOL)
    chosen = launched or given.endpoint or endpoint
    if not chosen:
        raise WireError("no endpoint; start it with --endpoint tcp://127.0.0.1:PORT")
    keys = None
    if given.allow and given.key is None:
        raise WireError("--allow says who may call with keys; give the own one too, --key FILE")
    if given.key is not None:
        keys = PeerKeys.read(given.key, given.allow)
    heartbeat = "" if launched else given.heartbeat
    return _Place(chosen, heartbeat, bool(launched), keys, given.insecure)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="External solver of a run.", allow_abbrev=False)
    parser.add_argument("--endpoint", default="", help="tcp://HOST:PORT or ipc://PATH")
    parser.add_argument("--heartbeat", default="", help="where heartbeats are answered")
    parser.add_argument("--key", type=Path, help="own secret key; see cosim keys")
    parser.add_argument(
        "--allow", type=Path, action="append", default=[], help="public key of a host; repeatable"
    )
    parser.add_argument("--insecure", action="store_true", help="other machines without keys")
    return parser


@contextmanager
def _signals(launched: bool) -> Iterator[None]:
    """SIGTERM ends the peer in order; ctrl-C is the host's business where one launched it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    terminate = signal.signal(signal.SIGTERM, _terminate)
    interrupt = signal.getsignal(signal.SIGINT)
    if launched:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, terminate)
        signal.signal(signal.SIGINT, interrupt)


def _terminate(number: int, frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)
