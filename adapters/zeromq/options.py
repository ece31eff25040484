"""The part of the case file that belongs to this adapter."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    JsonValue,
    ValidationInfo,
    model_validator,
)

from cosim.coupling.template import TemplateInterface
from cosim.environment.wave_base import CasePath
from cosim.errors import ModelError
from cosim.model.base import Integer, Name, Positive, Strict
from cosim.model.expressions import evaluate
from cosim.wire.endpoint import check_endpoint, is_local
from cosim.wire.errors import WireError

__all__ = ["Curve", "Deadlines", "ZeroMQOptions"]

_SOURCES = ("launch", "address", "inline")


def _words(value: object, info: ValidationInfo) -> object:
    """Split a command line; words that name a file beside the case become absolute."""
    words = shlex.split(value) if isinstance(value, str) else value
    if not isinstance(words, list | tuple) or not all(isinstance(word, str) for word in words):
        return words
    folder = Path((info.context or {}).get("folder", "."))
    return tuple(_beside(folder, word.replace("{python}", sys.executable)) for word in words)


def _beside(folder: Path, word: str) -> str:
    file = folder / word
    return str(file.absolute()) if word and file.is_file() else word


def _class_beside(value: str, info: ValidationInfo) -> str:
    """``file.py:Class`` with the file's path from the folder of the case."""
    source, colon, name = value.rpartition(":")
    if not (colon and source and name.isidentifier()):
        raise ValueError("'inline' is 'file.py:Class' or 'package.module:Class'")
    if not source.endswith(".py"):
        return value
    file = Path((info.context or {}).get("folder", ".")) / source
    if not file.is_file():
        raise ValueError(f"there is no file {file}")
    return f"{file.resolve()}:{name}"


def _address(value: str) -> str:
    try:
        check_endpoint(value)
    except WireError as error:
        raise ValueError(str(error)) from None
    if value.endswith((":*", ":0")):
        raise ValueError(f"'{value}' names no port; write the one at which the peer listens")
    # the name of this machine is never looked up: a laptop without network shall work
    return value.replace("tcp://localhost:", "tcp://127.0.0.1:")


def _evaluated(value: JsonValue, info: ValidationInfo) -> JsonValue:
    """The settings with their ``=expressions`` of parameters as numbers."""
    match value:
        case dict():
            return {key: _evaluated(item, info) for key, item in value.items()}
        case list():
            return [_evaluated(item, info) for item in value]
        case str() if value.startswith("="):
            try:
                return evaluate(value, (info.context or {}).get("parameters", {}))
            except ModelError as error:
                raise ValueError(str(error)) from None
        case _:
            return value


Address = Annotated[str, AfterValidator(_address)]
Command = Annotated[
    tuple[str, ...],
    Field(min_length=1),
    BeforeValidator(_words, json_schema_input_type=str | list[str]),
]
PeerClass = Annotated[str, AfterValidator(_class_beside)]
Settings = Annotated[dict[str, JsonValue], AfterValidator(_evaluated)]
PointAddress = Annotated[str, Field(min_length=1)]
PeerName = Annotated[str, Field(min_length=1, max_length=200)]


class Deadlines(Strict):
    """How long to wait for a peer; each begins when there is something to wait for.

    Parameters
    ----------
    connect : float
        Until the first answer, s.
    reply : float
        Until every other answer, from a peer that is known to be alive, s.
    heartbeat : float
        Without a sign of life while an answer is awaited, s.
    """

    connect: Positive = 30.0
    reply: Positive = 600.0
    heartbeat: Positive = 5.0


class Curve(Strict):
    """Keys of an encrypted and authenticated connection.

    Parameters
    ----------
    server_key : path
        Public key of the peer.
    key : path
        Secret key of this side; only its owner may read the file.
    """

    server_key: CasePath
    key: CasePath


class ZeroMQOptions(TemplateInterface.Options):
    """Another program, in any language, as part of the equations.

    Parameters
    ----------
    mode : {"evaluate", "advance"}
        The peer is asked at every trial point, or follows the motion over communication steps
        with a clock of its own.
    bodies : sequence of str, or mapping
        Bodies that it loads, in its order; or its name for each, and the body of the case.
    points : sequence of str, or mapping
        ``body/point`` whose motion it gets and where it may act, in its order; or its name for
        each, and the point of the case.
    states : int
        Number of its states that are integrated with the equations (`evaluate`).
    history : bool
        Accepted points change it (`evaluate`); it can be saved and restored then.
    restorable : bool
        It can be saved and restored (`advance`); where not, scheme `explicit` alone is possible.
    settles : bool
        Its load at rest is exact only to the tolerance of a solver that relaxes.
    launch : str or sequence of str
        Command line that starts it; ``{python}`` is this Python. It listens where the
        environment variable ``COSIM_ENDPOINT`` says.
    address : str
        Where it listens, ``tcp://host:port`` or ``ipc://path``, when it runs already.
    inline : str
        ``file.py:Class`` or ``package.module:Class`` of a `cosim.Peer` to run in this process.
    transport : {"ipc", "tcp"}
        How a launched peer listens: on a socket in its private folder, or on a free port of the
        loopback interface.
    settings : mapping
        Handed to the peer; ``=expressions`` of parameters become numbers, all else stays.
    deadlines : Deadlines
        How long to wait for it.
    on_peer_loss : {"abort", "restart"}
        When the peer dies or freezes: end the run, or start everything again and go on from the
        last checkpoint.
    curve : Curve or None
        Keys; needed where `address` is not on this machine.
    insecure : bool
        Do without keys where `address` is not on this machine.
    """

    mode: Literal["evaluate", "advance"]
    bodies: Annotated[tuple[Name, ...] | dict[PeerName, Name], Field(min_length=1)]
    points: tuple[PointAddress, ...] | dict[PeerName, PointAddress] = ()
    states: Annotated[Integer, Field(ge=0)] = 0
    history: bool = False
    restorable: bool = True
    settles: bool = False
    launch: Command | None = None
    address: Address | None = None
    inline: PeerClass | None = None
    transport: Literal["ipc", "tcp"] = "ipc"
    settings: Settings = Field(default_factory=dict)
    deadlines: Deadlines = Field(default_factory=Deadlines)
    on_peer_loss: Literal["abort", "restart"] = "abort"
    curve: Curve | None = None
    insecure: bool = False

    @model_validator(mode="after")
    def _keys_agree(self) -> ZeroMQOptions:
        given = [key for key in _SOURCES if getattr(self, key) is not None]
        if len(given) != 1:
            raise ValueError(
                "a peer needs one of 'launch', 'address' and 'inline'"
                + (f", not {' and '.join(map(repr, given))}" if given else "")
            )
        for key, owner, value in (
            ("states", "mode: evaluate", self.mode == "evaluate"),
            ("history", "mode: evaluate", self.mode == "evaluate"),
            ("restorable", "mode: advance", self.mode == "advance"),
            ("transport", "'launch'", self.launch is not None),
            ("curve", "'address'", self.address is not None),
            ("insecure", "'address'", self.address is not None),
        ):
            if key in self.model_fields_set and not value:
                raise ValueError(f"'{key}' belongs to {owner}; leave it out")
        if self.address and not (self.curve or self.insecure or is_local(self.address)):
            raise ValueError(
                f"{self.address} is not on this machine, and without keys anybody there could "
                "answer; give 'curve' (server_key, key), or 'insecure: true' on a network you trust"
            )
        return self

    @property
    def peer_bodies(self) -> tuple[tuple[str, str], ...]:
        """The peer's name of each body, and the case's."""
        return _pairs(self.bodies)

    @property
    def peer_points(self) -> tuple[tuple[str, str], ...]:
        """The peer's name of each point, and the case's."""
        return _pairs(self.points)


def _pairs(names: tuple[str, ...] | dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(names.items()) if isinstance(names, dict) else tuple((n, n) for n in names)
