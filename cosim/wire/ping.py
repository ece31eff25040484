"""Whether a peer lives: ``python -m cosim.wire.ping ENDPOINT`` asks its heartbeat socket.

The answer comes even while the peer computes, and disturbs no session: what a health check needs.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import zmq

from cosim.wire.endpoint import check_endpoint, is_local
from cosim.wire.errors import WireError
from cosim.wire.keys import KeyPair, read_pair, read_public, secure_client

__all__ = ["CallerKeys", "main", "ping"]

BYTES = 8


@dataclass(frozen=True)
class CallerKeys:
    """What a caller of an encrypted peer needs.

    Attributes
    ----------
    own : KeyPair
    server : bytes
        Public key of the peer.
    """

    own: KeyPair
    server: bytes


def ping(endpoint: str, *, timeout: float = 2.0, keys: CallerKeys | None = None) -> bool:
    """Send one heartbeat and wait for its echo.

    Parameters
    ----------
    endpoint : str
        Heartbeat socket of a peer, ``tcp://HOST:PORT`` or ``ipc://PATH``.
    timeout : float
        s.
    keys : CallerKeys or None
        For a peer with keys.

    Returns
    -------
    bool
        Whether the same bytes came back in time.

    Raises
    ------
    WireError
        No endpoint.
    """
    sent = os.urandom(BYTES)
    check_endpoint(endpoint)
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = 0
        socket.ipv6 = "[" in endpoint
        socket.rcvtimeo = socket.sndtimeo = max(1, round(1000 * timeout))
        if keys is not None:
            secure_client(socket, keys.own, keys.server)
        try:
            socket.connect(endpoint)
            socket.send(sent)
            return socket.recv() == sent
        except zmq.Again:
            return False
        except zmq.ZMQError as error:
            raise WireError(f"cannot call '{endpoint}': {error.strerror}") from None


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 0 if the peer answers, 1 if not, 2 for a command line that makes no sense.

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the command line by default.
    """
    given = _parser().parse_args(arguments)
    try:
        check_endpoint(given.endpoint)
        keys = None
        if given.key is not None and given.server_key is not None:
            keys = CallerKeys(read_pair(given.key), read_public(given.server_key))
        elif given.key is not None or given.server_key is not None:
            raise WireError("--key and --server-key belong together; give both")
        elif not is_local(given.endpoint):
            raise WireError(f"'{given.endpoint}' is on another machine; give --key, --server-key")
        if ping(given.endpoint, timeout=given.timeout, keys=keys):
            return 0
    except WireError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stderr.write(f"'{given.endpoint}' did not answer within {given.timeout:g} s\n")
    return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m cosim.wire.ping", description="Ask a peer whether it lives."
    )
    parser.add_argument("endpoint", help="its heartbeat socket: tcp://HOST:PORT or ipc://PATH")
    parser.add_argument("--timeout", type=float, default=2.0, metavar="SECONDS")
    parser.add_argument("--key", type=Path, metavar="FILE", help="own secret key")
    parser.add_argument("--server-key", type=Path, metavar="FILE", help="public key of the peer")
    return parser


if __name__ == "__main__":
    sys.exit(main())
