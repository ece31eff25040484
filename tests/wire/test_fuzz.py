"""Spoiled messages break nothing, and nothing is accepted but what the bytes say."""

import logging
import math
import socket
from collections import Counter
from random import Random

import msgspec
import numpy as np
import pytest
from msgspec.structs import replace

from cosim.wire import Codec, Dispatcher, WireError
from cosim.wire.messages import OPERATIONS, Abort, Initialize, Reply, Signal, Update

from . import plain_msgpack
from .conftest import SESSION, STATE, Damper, hello, served
from .mutations import spoiled
from .test_frames import REPLIES, REQUESTS

MESSAGES = 100_000
TYPES = {"<f8": np.dtype("<f8"), "|u1": np.dtype("u1")}


@pytest.fixture(autouse=True)
def quiet():
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def test_spoiled_requests():
    random, codec, seen = Random(1), Codec(), Counter()
    dispatcher, peer = living(codec)
    for _ in range(MESSAGES):
        message, arrays = random.choice(REQUESTS)
        message = replace(message, session=SESSION, seq=dispatcher._seq + 1)
        if isinstance(message, Update):
            arrays = [("state", STATE)]
        frames = spoiled(random, codec.pack(message, arrays))
        try:
            request, received = codec.unpack_request(frames)
        except WireError:
            seen["refused"] += 1
            continue
        agrees(request, {"op": request.op}, received, frames)
        answer = dispatcher.handle(request, received)
        if answer is None:
            assert isinstance(request, Abort) or request.seq <= dispatcher._seq
            seen["silence"] += 1
        else:
            reply, _ = codec.unpack_reply(codec.pack(*answer))
            assert (reply.re, reply.session, reply.seq) == (
                request.op,
                request.session,
                request.seq,
            )
            assert math.copysign(1.0, reply.t) == math.copysign(1.0, request.t)
            assert reply.t == request.t
            seen[reply.ok] += 1
        if dispatcher.session is None:
            dispatcher, peer = living(codec)
    assert peer.calls
    assert still_right(codec, dispatcher)
    assert all(seen[kind] > 100 for kind in ("refused", "silence", True, False)), seen


def living(codec):
    peer = Damper()
    dispatcher = Dispatcher(peer)
    for request, arrays in ((hello(), []), (Initialize(SESSION, 2, 0.0), [("state", STATE)])):
        read = codec.unpack_request(codec.pack(request, arrays))
        assert dispatcher.handle(*read).reply.ok
    return dispatcher, peer


def still_right(codec, dispatcher):
    request = Update(SESSION, dispatcher._seq + 1, 0.5)
    read = codec.unpack_request(codec.pack(request, [("state", STATE)]))
    reply, arrays = dispatcher.handle(*read)
    return reply.ok and np.array_equal(dict(arrays)["load"], -10.0 * STATE[:, 12:])


def test_spoiled_replies():
    random, codec, seen = Random(2), Codec(), Counter()
    for _ in range(MESSAGES):
        frames = spoiled(random, codec.pack(*random.choice(REPLIES)))
        try:
            reply, arrays = codec.unpack_reply(frames)
        except WireError:
            seen["refused"] += 1
            continue
        assert bool(reply.error) is not reply.ok
        seen[reply.ok] += 1
        if not (reply.re == "hello" and not reply.ok):
            agrees(reply, {}, arrays, frames)
    assert all(seen[kind] > 100 for kind in ("refused", True, False)), seen


def agrees(message, tag, arrays, frames):
    """A message says what its bytes say, and only what the protocol allows."""
    said = plain_msgpack.read(frames[0])
    described = said.pop("arrays")
    names = set(message.__struct_fields__) - {"arrays"}
    known = {name: plain(getattr(message, name)) for name in names}
    assert alike({**known, **tag}, filled(said))
    assert 0 <= message.session < 2**63
    assert 1 <= message.seq < 2**63
    assert math.isfinite(message.t)
    assert said.get("op", said.get("re")) in OPERATIONS
    assert len(described) == len(arrays) == len(frames) - 1 <= 16
    for (name, dtype, shape), (key, array), frame in zip(
        described, arrays.items(), frames[1:], strict=True
    ):
        assert (name, TYPES[dtype], tuple(shape)) == (key, array.dtype, array.shape)
        assert 1 <= array.ndim <= 2
        assert array.tobytes() == frame
        assert np.isfinite(array).all()
        assert not array.flags.writeable


def alike(known, said):
    """Whether both are the same; a whole number stands for the nearest real one."""
    if isinstance(known, float) and type(said) is int:
        said = float(said)
    if type(known) is not type(said):
        return False
    if isinstance(known, dict):
        return known.keys() == said.keys() and all(alike(known[key], said[key]) for key in known)
    if isinstance(known, list):
        return len(known) == len(said) and all(map(alike, known, said))
    if isinstance(known, float) and math.isnan(known):
        return math.isnan(said)
    return known == said


def plain(value):
    return msgspec.to_builtins(value)


def filled(said):
    """Signals with the texts that may be left out."""
    for name in ("channels", "outputs"):
        if name in said and said.get("re") == "hello":
            said[name] = [plain(Signal(**signal)) for signal in said[name]]
    return said


def test_garbage_at_a_living_server(endpoint, client):
    random = Random(3)
    codec = Codec()
    with served(Damper(), endpoint) as server:
        host, stranger = client(server.endpoint), client(server.endpoint)
        host.start()
        for _ in range(4000):
            message, arrays = random.choice(REQUESTS + REPLIES)
            message = replace(message, session=SESSION + 1)
            frames = spoiled(random, codec.pack(message, arrays))
            if random.random() < 0.3:
                frames = [
                    random.randbytes(random.randrange(200)) for _ in range(random.randrange(4))
                ]
            if session_of(frames) == SESSION:  # it might rightly end that of the host
                continue
            if frames:
                stranger.socket.send_multipart(frames)
        reply, arrays = host.call(Update(SESSION, 3, 0.5), [("state", STATE)])
        assert reply.ok
        np.testing.assert_array_equal(arrays["load"], -10.0 * STATE[:, 12:])


def session_of(frames):
    try:
        fields = msgspec.msgpack.decode(frames[0])
    except (IndexError, msgspec.MsgspecError, RecursionError):
        return None
    return fields.get("session") if isinstance(fields, dict) else None


def test_bytes_that_are_no_zeromq(client):
    random = Random(4)
    with served(Damper(), "tcp://127.0.0.1:*") as server:
        host = client(server.endpoint)
        host.start()
        for endpoint in (server.endpoint, server.heartbeat):
            address, port = endpoint.removeprefix("tcp://").split(":")
            for _ in range(100):
                with socket.create_connection((address, int(port)), timeout=5.0) as raw:
                    start = b"\xff" + bytes(8) + b"\x7f\x03" if random.random() < 0.5 else b""
                    raw.sendall(start + random.randbytes(random.randrange(300)))
        assert host.call(Update(SESSION, 3, 0.5), [("state", STATE)])[0].ok
        beat = client(server.heartbeat)
        beat.socket.send(b"12345678")
        assert beat.socket.recv() == b"12345678"


def test_the_codec_of_a_reply_has_all_its_fields():
    assert Reply.__struct_fields__ == ("re", "session", "seq", "t", "ok", "error", "arrays")
