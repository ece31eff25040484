"""What a peer answers: refusals with their reasons, and arrays that are no loads."""

from __future__ import annotations

import logging
from typing import NamedTuple

import numpy as np

from cosim.wire.arrays import BYTE
from cosim.wire.errors import WireError
from cosim.wire.failure import sentence_of
from cosim.wire.messages import (
    PROTOCOL,
    Accept,
    Advance,
    Hello,
    Initialize,
    Refusal,
    Reply,
    Request,
    RestoreState,
    SaveState,
    Static,
    Update,
)
from cosim.wire.peer import Peer
from cosim.wire.session import Packed, checked

__all__ = ["Answer", "data_of", "logged", "not_now", "refused", "states_at_start", "wrong"]

LOG = logging.getLogger(__name__)


class Answer(NamedTuple):
    """A reply and its arrays, which are copies of what the peer returned.

    Attributes
    ----------
    reply : Reply
    arrays : list of (str, array)
    """

    reply: Reply
    arrays: Packed


def not_now(request: Request, peer: Peer, *, started: bool) -> str:
    """Why a request cannot be done now."""
    op = request.op
    match request:
        case Hello():
            return "hello comes once in a session"
        case Static() | Initialize() if started:
            return f"{op} cannot come after initialize"
        case Update() if peer.mode == "evaluate":
            has = True
        case Advance() if peer.mode == "advance":
            has = True
        case Accept():
            has = peer.history
        case SaveState() | RestoreState():
            has = peer.restorable
        case _:
            has = False
    if has:
        return f"{op} cannot come before initialize"
    return f"peer '{peer.name}', in mode '{peer.mode}', has no {op}"


def states_at_start(peer: Peer, n: int) -> Packed:
    """Own states at the start and their scales."""
    if not n:
        return []
    scale = checked(peer.x_scale, (n,), "x_scale")
    if not (scale > 0.0).all():
        raise WireError("x_scale must be positive")
    return [("x", checked(peer.x0, (n,), "x0")), ("x_scale", scale)]


def wrong(request: Request, error: str) -> Answer:
    """The answer to a request that failed."""
    if isinstance(request, Hello):
        return refused(request, error)
    reply = Reply(request.op, request.session, request.seq, request.t, False, error)
    return Answer(reply, [])


def refused(hello: Hello, error: str) -> Answer:
    """The answer to a hello that is refused."""
    reply = Refusal("hello", hello.session, hello.seq, hello.t, False, error, version=PROTOCOL)
    return Answer(reply, [])


def logged(error: Exception) -> str:
    """One sentence of an error; a traceback of what is not ours goes to the log."""
    sentence = sentence_of(error)
    LOG.error("%s", sentence, exc_info=None if isinstance(error, WireError) else error)
    return sentence


def data_of(state: object) -> Packed:
    """A saved state as an array."""
    if not isinstance(state, bytes | bytearray | memoryview):
        raise WireError(f"save_state returned a {type(state).__name__}, not bytes")
    return [("data", np.frombuffer(bytes(state), BYTE))]
