"""Launches or finds a peer, greets it, and checks that it is what the case says."""

from __future__ import annotations

from importlib.metadata import version

from adapters.zeromq.agreement import disagreements
from adapters.zeromq.conversation import Conversation
from adapters.zeromq.inline import InlineLink, load_peer
from adapters.zeromq.inputs import available_inputs
from adapters.zeromq.link import Link
from adapters.zeromq.options import Curve, ZeroMQOptions
from adapters.zeromq.process import LaunchedPeer
from adapters.zeromq.sockets import Keys, SocketLink
from cosim.case.schema import Case
from cosim.errors import AdapterError
from cosim.model.system import System
from cosim.wire import PROTOCOL, WireError
from cosim.wire.arrays import Arrays
from cosim.wire.keys import read_pair, read_public
from cosim.wire.messages import Environment, Hello, HelloReply

__all__ = ["greet", "open_link"]


def open_link(options: ZeroMQOptions, *, adapter: str) -> Link:
    """Launch the peer, or find it; nothing has been said yet.

    Raises
    ------
    AdapterError
        There is no such program, class or key.
    """
    if options.inline is not None:
        return InlineLink(load_peer(options.inline, adapter=adapter), adapter=adapter)
    if options.launch is not None:
        process = LaunchedPeer(options.launch, adapter=adapter, transport=options.transport)
        return SocketLink(
            process.endpoint, adapter=adapter, deadlines=options.deadlines, process=process
        )
    assert options.address is not None
    keys = None if options.curve is None else _keys(options.curve, adapter)
    return SocketLink(options.address, adapter=adapter, deadlines=options.deadlines, keys=keys)


def greet(
    conversation: Conversation,
    system: System,
    options: ZeroMQOptions,
    *,
    t: float,
    adapter: str,
) -> tuple[HelloReply, Arrays]:
    """Say hello; returns what the peer says of itself.

    Parameters
    ----------
    conversation : Conversation
    system : System
    options : ZeroMQOptions
    t : float
        Where the peer is first needed, s; a case knows the start of its run better.
    adapter : str
        Name in the case.

    Raises
    ------
    AdapterError
        It is not what the case says.
    """
    name, start, end = _run_of(system, t)
    points = dict(options.peer_points)
    environment = system.environment
    hello = Hello(
        conversation.number,
        conversation.next_seq,
        start,
        version=PROTOCOL,
        host=f"offshore-cosim {version('offshore-cosim')}",
        run=name,
        bodies=[name for name, _ in options.peer_bodies],
        points=list(points),
        channels=available_inputs(points),
        settings=dict(options.settings),
        environment=Environment(
            gravity=environment.gravity,
            water_density=environment.water_density,
            water_depth=environment.water_depth,
        ),
        end=end,
    )
    reply, arrays = conversation.hello(hello)
    found = list(disagreements(reply, options))
    if found:
        raise AdapterError(
            f"{conversation.description} and the case do not agree: {'; '.join(found)}",
            adapter=adapter,
        )
    return reply, arrays


def _run_of(system: System, t: float) -> tuple[str, float, float]:
    """Name, start and end, s, of the run."""
    if isinstance(system, Case):
        return system.name, system.time.start, system.time.end
    return "", t, t


def _keys(curve: Curve, adapter: str) -> Keys:
    try:
        return Keys(read_pair(curve.key), read_public(curve.server_key))
    except WireError as error:
        raise AdapterError(f"curve: {error}", adapter=adapter) from None
