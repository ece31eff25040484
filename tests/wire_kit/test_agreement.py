"""The C kit and the Python side take and refuse the same messages."""

import logging
from random import Random

import msgspec
import pytest

from cosim.wire import Codec, Dispatcher, WireError

from .conftest import STATE, greeting, request
from .dampers import Damper
from .test_c_fuzz import spoiled

MESSAGES = 4000
PROBE = request("update", seq=2**62, session=2**62)
OPS = ("initialize", "update", "update", "update", "end", "hello", "abort", "static", "advance")


@pytest.fixture(autouse=True)
def quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def messages(random, dispatcher):
    """What fits the state of the session, or not; the half of it spoiled."""
    session = 100
    for _ in range(MESSAGES):
        session += dispatcher.session is None
        seq = 1 if dispatcher.session is None else dispatcher._seq + 1
        op = "hello" if dispatcher.session is None else random.choice(OPS)
        more = {"arrays": {"state": STATE}}
        if op == "hello":
            more = greeting(c=3.0)
        elif op == "abort":
            more = {"reason": "enough"}
        elif op == "advance":
            more = {"t0": -1.0, "arrays": {"start": STATE, "end": STATE}}
        elif op == "end":
            more = {}
        frames = request(op, seq=seq, session=session, **more)
        yield spoiled(random, frames) if random.random() < 0.5 else frames


def said_by_python(codec, dispatcher, frames):
    """What was answered, if the request was done."""
    try:
        answer = dispatcher.handle(*codec.unpack_request(frames))
    except WireError:
        return None
    return done(codec.pack(*answer)) if answer else None


def said_by_c(client, frames):
    client.socket.send_multipart(frames)
    client.socket.send_multipart(PROBE)
    said = None
    while True:
        reply = client.socket.recv_multipart()
        if msgspec.msgpack.decode(reply[0])["session"] == 2**62:
            return said
        said = done(reply)


def done(reply):
    header = msgspec.msgpack.decode(reply[0])
    if not header["ok"]:
        return None
    return header["re"], header["session"], header["seq"], header["t"], reply[1:]


def test_both_do_and_refuse_the_same(build, start):
    _, client = start(build("damper"), launched=False)
    random, codec, dispatcher = Random(11), Codec(), Dispatcher(Damper())
    took = 0
    for frames in messages(random, dispatcher):
        python, ours = said_by_python(codec, dispatcher, frames), said_by_c(client, frames)
        assert python == ours, frames
        took += ours is not None
    assert MESSAGES // 10 < took < MESSAGES
