"""Headers of all messages of the wire protocol, version 1.

A header is a MessagePack map with string keys. All keys of a message are always there and no
others are; the arrays follow as frames of their own and are described by ``arrays``, a list of
``[name, dtype, shape]``, which :mod:`cosim.wire.frames` fills in and reads.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from cosim.wire.fields import (
    Count,
    Environment,
    Finite,
    Name,
    Natural,
    NotNegative,
    PointName,
    Positive,
    Signal,
    Text,
)

__all__ = [
    "OPERATIONS",
    "OPERATION_OF",
    "PROTOCOL",
    "Abort",
    "Accept",
    "Advance",
    "AnyRequest",
    "End",
    "Environment",
    "Hello",
    "HelloReply",
    "Initialize",
    "Operation",
    "PointName",
    "Refusal",
    "Reply",
    "Request",
    "RestoreState",
    "SaveState",
    "Signal",
    "Static",
    "Update",
]

PROTOCOL = 1

Operation = Literal[
    "hello",
    "static",
    "initialize",
    "update",
    "accept",
    "advance",
    "save_state",
    "restore_state",
    "end",
    "abort",
]
NO_ARRAYS = msgspec.Raw(b"\x90")


class Request(msgspec.Struct, forbid_unknown_fields=True, tag_field="op"):
    """What every request says.

    Attributes
    ----------
    session : int
        Random number of this connection of the host.
    seq : int
        1, 2, 3, ...; unchanged when the request is sent again.
    t : float
        s.
    arrays : msgspec.Raw
        Description of the frames that follow.
    """

    session: Natural
    seq: Count
    t: Finite
    arrays: msgspec.Raw = NO_ARRAYS

    @property
    def op(self) -> Operation:
        """Name of the operation."""
        return OPERATION_OF[type(self)]


class Hello(Request, tag="hello", kw_only=True):
    """First request: who calls, and what the case gives.

    Attributes
    ----------
    version : int
        Of the protocol.
    host : str
        Program and version.
    run : str
        Name of the run.
    bodies, points, channels : list of str
        Names as the peer uses them.
    settings : dict
        From the case file, as they are.
    environment : Environment
    end : float
        End of the run, s.
    """

    version: int
    host: Text
    run: Text
    bodies: list[Name]
    points: list[Name]
    channels: list[Name]
    settings: dict[str, object]
    environment: Environment
    end: Finite


class Static(Request, tag="static"):
    """Loads on bodies at rest; arrays: state."""


class Initialize(Request, tag="initialize"):
    """Start at the true pose; arrays: state, points, channels."""


class Update(Request, tag="update"):
    """Evaluate a trial point; arrays: state, points, channels, x."""


class Accept(Request, tag="accept"):
    """The point became history; arrays as those of `Update`."""


class Advance(Request, tag="advance", kw_only=True):
    """Follow the motion from t0 to t; arrays: start, end and the same of points and channels."""

    t0: Finite


class SaveState(Request, tag="save_state"):
    """Hand over everything the next `Advance` or `Accept` depends on."""


class RestoreState(Request, tag="restore_state"):
    """Take back what `SaveState` gave; arrays: data."""


class End(Request, tag="end"):
    """The run is over."""


class Abort(Request, tag="abort", kw_only=True):
    """The run failed; no reply."""

    reason: Text


AnyRequest = (
    Hello | Static | Initialize | Update | Accept | Advance | SaveState | RestoreState | End | Abort
)

OPERATION_OF: dict[type[Request], Operation] = {
    Hello: "hello",
    Static: "static",
    Initialize: "initialize",
    Update: "update",
    Accept: "accept",
    Advance: "advance",
    SaveState: "save_state",
    RestoreState: "restore_state",
    End: "end",
    Abort: "abort",
}
OPERATIONS = tuple(OPERATION_OF.values())


class Reply(msgspec.Struct, forbid_unknown_fields=True):
    """What every reply says.

    Attributes
    ----------
    re : str
        Operation it answers.
    session, seq : int
        Of the request.
    t : float
        Of the request, s.
    ok : bool
    error : str
        One sentence where not ok, else empty.
    arrays : msgspec.Raw
        Description of the frames that follow.
    """

    re: Operation
    session: Natural
    seq: Count
    t: Finite
    ok: bool
    error: str
    arrays: msgspec.Raw = NO_ARRAYS


class Refusal(Reply, kw_only=True):
    """Answer to a hello that is refused.

    Attributes
    ----------
    version : int
        Of the protocol that the peer speaks; 0 where it does not say.
    """

    version: int = 0


class HelloReply(Reply, kw_only=True):
    """Answer to a hello: what the peer is.

    All arrays of the session follow the order of `bodies`, `points` and `channels` given here.

    Attributes
    ----------
    version : int
    name : str
    mode : {"evaluate", "advance"}
    n_states : int
    history, restorable, static, event, added_mass : bool
    max_step, inner_step : float
        s.
    bodies : list of str
    points : list of PointName
    channels, outputs : list of Signal
        Inputs and outputs.
    heartbeat : str
        Endpoint of the second socket, or empty.
    pid : int
        Number of the process; 0 where unknown.
    about : dict of str
        What the results should remember: versions, files.
    """

    version: int
    name: Name
    mode: Literal["evaluate", "advance"]
    n_states: Annotated[int, Meta(ge=0, le=100_000)]
    history: bool
    restorable: bool
    static: bool
    event: bool
    added_mass: bool
    max_step: Positive
    inner_step: NotNegative
    bodies: list[Name]
    points: list[PointName]
    channels: list[Signal]
    outputs: list[Signal]
    heartbeat: Text
    pid: Natural
    about: dict[str, str]
