"""``cosim serve``: a case, or one adapter of it, as a peer of another run."""

from __future__ import annotations

import gc
import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cosim.cli.console import Consoles, listen
from cosim.errors import CaseError

if TYPE_CHECKING:
    from cosim.wire.peer import Peer

__all__ = ["ServeOptions", "serve_case"]

_ANY_PORT = "tcp://127.0.0.1:*"


@dataclass(frozen=True)
class ServeOptions:
    """What is served, and where.

    Attributes
    ----------
    adapter, interface : str or None
        One of them: an adapter of the case, or the body that the other run moves.
    endpoint : str or None
        A free port of this machine by default.
    heartbeat : str
        Endpoint of the second socket; beside the first, or a free port, by default.
    key : Path or None
        Own secret key.
    allow : tuple of Path
        Public keys of the runs that may call.
    insecure : bool
        Serve other machines without keys.
    """

    adapter: str | None = None
    interface: str | None = None
    endpoint: str | None = None
    heartbeat: str = ""
    key: Path | None = None
    allow: tuple[Path, ...] = ()
    insecure: bool = False


def serve_case(
    path: Path, settings: list[str], options: ServeOptions, *, level: int = logging.INFO
) -> None:
    """Serve until the run that launched this process ends, or for ever.

    Parameters
    ----------
    path : Path
    settings : list of str
        ``name=value``.
    options : ServeOptions
    level : int
        Of the library's messages.
    """
    if (options.adapter is None) == (options.interface is None):
        raise CaseError(
            "say what is served: --adapter NAME for one adapter of the case, or --interface BODY "
            "for all of it, moved at that body"
        )
    console = Consoles().err
    launched = bool(os.environ.get("COSIM_ENDPOINT"))
    with listen(console, logging.WARNING if launched else level):
        peer = _peer(path, settings, options)
        # what was imported is looked through no more, not even when the process ends: the run
        # that launched it waits for that
        gc.freeze()
        if launched:
            from cosim.wire.server import run_peer

            run_peer(peer)
        else:
            _serve_by_hand(peer, options)


def _peer(path: Path, settings: list[str], options: ServeOptions) -> Peer:
    from cosim.case.read import read_case
    from cosim.serving.adapter_peer import AdapterPeer
    from cosim.serving.case_peer import CasePeer

    case = read_case(path, settings)
    if options.adapter is not None:
        return AdapterPeer(case, options.adapter)
    assert options.interface is not None
    return CasePeer(case, options.interface)


def _serve_by_hand(peer: Peer, options: ServeOptions) -> None:
    from cosim.wire.keys import PeerKeys
    from cosim.wire.server import PeerServer

    keys = None if options.key is None else PeerKeys.read(options.key, list(options.allow))
    with PeerServer(
        peer,
        options.endpoint or _ANY_PORT,
        heartbeat=options.heartbeat,
        keys=keys,
        insecure=options.insecure,
    ) as server:
        typer.echo(f"{peer.name} listens at {server.endpoint}")
        server.serve()
