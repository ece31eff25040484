"""The answer of a peer to hello: what it is, checked before it is said."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from cosim.wire.errors import WireError
from cosim.wire.messages import PROTOCOL, Hello, HelloReply, PointName, Signal
from cosim.wire.peer import Peer, Setup
from cosim.wire.session import Packed, Session, Sizes, checked

__all__ = ["introduce"]


def introduce(
    peer: Peer, hello: Hello, *, heartbeat: str, pid: int
) -> tuple[Session, HelloReply, Packed]:
    """Configure a peer and say what it is.

    Parameters
    ----------
    peer : Peer
    hello : Hello
    heartbeat : str
        Endpoint of its second socket, or empty.
    pid : int
        Number of its process, or 0.

    Returns
    -------
    session : Session
    reply : HelloReply
    arrays : list of (str, array)
        The apparent mass, if there is one.

    Raises
    ------
    WireError
        The case does not give what the peer needs, or the peer contradicts itself.
    """
    peer.configure(_setup(peer, hello))
    bodies, points = _names(peer, hello)
    reply = _reply(peer, hello, heartbeat, pid)
    reply.bodies = list(bodies)
    reply.points = [PointName(name) for name in points]
    reply = _checked(reply)
    arrays: Packed = []
    if peer.apparent_mass is not None:
        side = 6 * len(bodies)
        arrays.append(("apparent_mass", checked(peer.apparent_mass, (side, side), "apparent_mass")))
    return Session(hello.session, hello.run, _sizes(reply)), reply, arrays


def _setup(peer: Peer, hello: Hello) -> Setup:
    bodies, points = _names(peer, hello)
    where = hello.environment
    return Setup(
        bodies=bodies,
        points=points,
        channels=tuple(signal.name for signal in peer.channels),
        settings=hello.settings,
        gravity=where.gravity,
        water_density=where.water_density,
        water_depth=where.water_depth,
        start=hello.t,
        end=hello.end,
        run=hello.run,
    )


def _sizes(reply: HelloReply) -> Sizes:
    return Sizes(
        len(reply.bodies),
        len(reply.points),
        len(reply.channels),
        reply.n_states,
        len(reply.outputs),
        reply.added_mass,
        reply.event,
    )


def _names(peer: Peer, hello: Hello) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (
        _matched(peer, "bodies", peer.bodies, hello.bodies),
        _matched(peer, "points", peer.points, hello.points),
    )


def _matched(peer: Peer, kind: str, wanted: Sequence[str], given: Sequence[str]) -> tuple[str, ...]:
    if not wanted:
        return tuple(given)
    if sorted(wanted) != sorted(given):
        raise WireError(
            f"peer '{peer.name}' has the {kind} {', '.join(wanted)}, and the case gives "
            f"{', '.join(given) or 'none'}; name them alike"
        )
    return tuple(wanted)


def _reply(peer: Peer, hello: Hello, heartbeat: str, pid: int) -> HelloReply:
    return HelloReply(
        "hello",
        hello.session,
        hello.seq,
        hello.t,
        True,
        "",
        version=PROTOCOL,
        name=peer.name,
        mode=peer.mode,
        n_states=peer.n_states,
        history=peer.history,
        restorable=peer.restorable,
        static=peer.static,
        event=peer.event,
        added_mass=peer.added_mass,
        max_step=peer.max_step,
        inner_step=peer.inner_step,
        bodies=[],
        points=[],
        channels=list(peer.channels),
        outputs=list(peer.outputs),
        heartbeat=heartbeat,
        pid=pid,
        about=dict(peer.about),
    )


def _checked(given: HelloReply) -> HelloReply:
    """What a peer says of itself, its numbers as plain ones; refused where it cannot be."""
    try:
        written = msgspec.msgpack.encode(given, enc_hook=_plain)
        reply = msgspec.msgpack.decode(written, type=HelloReply)
    except (msgspec.MsgspecError, TypeError, OverflowError) as error:
        raise WireError(f"what peer '{given.name}' says of itself: {error}") from None
    if reply.mode == "advance" and (reply.n_states or reply.history or reply.event):
        raise WireError(
            f"peer '{reply.name}' is in mode 'advance': it has its own clock, and can have no "
            "n_states, history or event"
        )
    if reply.history and not reply.restorable:
        raise WireError(
            f"peer '{reply.name}' keeps a history: it needs save_state and restore_state, "
            "and restorable = True"
        )
    for kind, signals in (("channels", reply.channels), ("outputs", reply.outputs)):
        _check_signals(reply.name, kind, signals)
    return reply


def _plain(value: object) -> object:
    """A number of numpy as one of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a {type(value).__name__} has no place there")


def _check_signals(name: str, kind: str, signals: Sequence[Signal]) -> None:
    names = [signal.name for signal in signals]
    if len(set(names)) < len(names):
        raise WireError(f"peer '{name}' has a name twice among its {kind}: {', '.join(names)}")
