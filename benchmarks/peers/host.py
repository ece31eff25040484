"""The host of the socket benchmarks: six bodies and the adapter that calls their peer."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

import numpy as np

from adapters.zeromq.adapter import ZeroMQAdapter
from cosim.coupling.template import TemplateInterface
from cosim.model import System
from cosim.multibody.interface import State
from cosim.multibody.joint import JointModel

SCRIPTS = Path(__file__).parent
BODIES = 6


class KeyFiles(Protocol):
    """Files of the keys of both sides, public and secret."""

    host: tuple[Path, Path]
    peer: tuple[Path, Path]


def some_states(count: int = 7) -> list[State]:
    """States that differ, so that nobody has the answer at hand."""
    rng = np.random.default_rng(4)
    rotation = np.broadcast_to(np.eye(3), (BODIES, 3, 3)).copy()
    return [
        State(0.0, rng.normal(size=(BODIES, 3)), rotation, rng.normal(size=(BODIES, 6)))
        for _ in range(count)
    ]


@contextmanager
def opened_adapter(
    command: list[str] | None,
    *,
    transport: str = "ipc",
    keys: KeyFiles | None = None,
    history: bool = True,
) -> Iterator[TemplateInterface]:
    """The adapter, initialised; its peer is launched, in this process, or started with keys.

    Parameters
    ----------
    command : list of str or None
        Command line of the peer; None runs the Python peer in this process.
    transport : str
        Of a launched peer.
    keys : KeyFiles or None
        The peer is started here, listens on the loopback interface, and is called encrypted.
    history : bool
        The peer has one.
    """
    names = [f"body{i}" for i in range(BODIES)]
    given: dict[str, object] = {"mode": "evaluate", "bodies": names, "history": history}
    with ExitStack() as stack:
        if command is None:
            given["inline"] = f"{SCRIPTS / 'six_bodies.py'}:SixBodies"
        elif keys is None:
            given |= {"launch": command, "transport": transport}
        else:
            given |= stack.enter_context(_served(command, keys))
        model = _six_bodies(names)
        options = ZeroMQAdapter.Options.model_validate(given)
        adapter = ZeroMQAdapter.create(model, "peer", options)
        stack.callback(adapter.end)
        adapter.initialize(0.0, some_states(1)[0])
        yield adapter


def _six_bodies(names: list[str]) -> JointModel:
    bodies = {name: {"mass": 100.0, "cog": [0, 0, 0], "inertia": [10, 10, 10]} for name in names}
    joints = {f"free_{name}": {"type": "floating", "child": name} for name in names}
    return JointModel(System.from_dict({"bodies": bodies, "joints": joints}))


@contextmanager
def _served(command: list[str], keys: KeyFiles) -> Iterator[dict[str, object]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
    words = ["--endpoint", address, "--key", str(keys.peer[1]), "--allow", str(keys.host[0])]
    process = subprocess.Popen([*command, *words])
    try:
        yield {
            "address": address,
            "curve": {"server_key": str(keys.peer[0]), "key": str(keys.host[1])},
        }
    finally:
        process.terminate()
        process.wait()
