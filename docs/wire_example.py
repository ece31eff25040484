"""Print the messages of the protocol page, byte by byte: python docs/wire_example.py."""

from collections.abc import Iterator, Sequence

import numpy as np

from cosim.wire import Codec, Dispatcher, Loads, Peer
from cosim.wire.messages import Environment, Hello, Initialize, Request, Update

SESSION = 1234
WIDTH = 16


class Damper(Peer):
    """F = -2 v on one body."""

    name = "damper"

    def update(self, at):
        return Loads(wrenches=-2.0 * at.v)


def lines(title: str, frames: Sequence[bytes]) -> Iterator[str]:
    """Frames as a hex dump: offset, bytes, characters."""
    for number, frame in enumerate(frames):
        yield f"{title}, frame {number + 1}: {len(frame)} bytes"
        for at in range(0, len(frame), WIDTH):
            part = frame[at : at + WIDTH]
            text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
            yield f"  {at:04x}  {part.hex(' '):<{3 * WIDTH - 1}}  {text}"


def conversation() -> list[tuple[Request, list[tuple[str, np.ndarray]]]]:
    state = np.zeros((1, 18))
    state[0, 3:12] = np.eye(3).ravel()  # upright
    moving = state.copy()
    moving[0, 0], moving[0, 12] = 0.25, 1.5  # x, m; vx, m/s
    hello = Hello(
        SESSION,
        1,
        0.0,
        version=1,
        host="offshore-cosim",
        run="trial",
        bodies=["buoy"],
        points=[],
        channels=[],
        settings={"c": 2.0},
        environment=Environment(9.81, 1025.0, np.inf),
        end=10.0,
    )
    return [
        (hello, []),
        (Initialize(SESSION, 2, 0.0), [("state", state)]),
        (Update(SESSION, 3, 0.5), [("state", moving)]),
    ]


def dump() -> str:
    """Hello and update with their replies; initialize, between them, is left out."""
    codec, peer, said = Codec(), Dispatcher(Damper()), []
    for message, arrays in conversation():
        frames = codec.pack(message, arrays)
        answer = peer.handle(*codec.unpack_request(frames))
        if message.op != "initialize":
            said += lines(f"{message.op}, request", frames)
            said += lines(f"{message.op}, reply", codec.pack(*answer))
    return "\n".join(said)


if __name__ == "__main__":
    print(dump())
