"""What a peer says of itself against what the case says of it."""

from __future__ import annotations

from collections.abc import Iterator

from adapters.zeromq.options import ZeroMQOptions
from cosim.wire.messages import HelloReply

__all__ = ["disagreements"]


def disagreements(reply: HelloReply, options: ZeroMQOptions) -> Iterator[str]:
    """Each difference as a sentence that says what to write in the case file.

    Parameters
    ----------
    reply : HelloReply
    options : ZeroMQOptions
    """
    if reply.mode != options.mode:
        yield f"it is of mode '{reply.mode}'; write 'mode: {reply.mode}'"
        return
    if reply.mode == "evaluate":
        yield from _of_evaluate(reply, options)
    elif options.restorable and not reply.restorable:
        yield "it cannot be restored; write 'restorable: false', and time.scheme: explicit"
    yield from _of_names(reply, options)


def _of_evaluate(reply: HelloReply, options: ZeroMQOptions) -> Iterator[str]:
    if reply.n_states != options.states:
        yield f"it has {reply.n_states} states; write 'states: {reply.n_states}'"
    if reply.history and not options.history:
        yield "accepted points change it; write 'history: true'"
    if options.history and not reply.history:
        yield "accepted points do not change it; write 'history: false'"
    if reply.history and not reply.restorable:
        yield "it keeps a history and cannot be restored, so that no step could be repeated"


def _of_names(reply: HelloReply, options: ZeroMQOptions) -> Iterator[str]:
    bodies = [name for name, _ in options.peer_bodies]
    points = [name for name, _ in options.peer_points]
    if reply.bodies != bodies:
        if sorted(reply.bodies) == sorted(bodies):
            yield f"it takes its bodies in another order; write {_wanted('bodies', reply.bodies)}"
        else:
            yield f"it has other bodies; write {_wanted('bodies', reply.bodies)}"
    wanted = [point.name for point in reply.points]
    if sorted(wanted) != sorted(points):
        yield (
            f"it has other points; write {_wanted('points', wanted)}"
            if wanted
            else "it has no points; leave out 'points'"
        )


def _wanted(key: str, names: list[str]) -> str:
    """How the case file names bodies or points of its own for those of the peer."""
    return f"'{key}: {{{', '.join(f'{name}: ...' for name in names)}}}', with those of the case"
