"""Spoiled messages to the C kit, built with address and undefined-behaviour sanitizers."""

import struct
from pathlib import Path
from random import Random

import numpy as np
import pytest

from .conftest import SANITIZERS, STATE, WARNINGS, greeting, request, require, run

FUZZ = Path(__file__).parent / "fuzz.c"
OVER_SOCKET = 20_000
DIRECT = 100_000
BATCH = 50


def conversation():
    """A session in which every operation occurs, twice over: the second with points."""
    hello = greeting(c=1.0, list=[1, 2.0, -3], word="no", flag=True, deep={"a": [{"b": None}]})
    plain = {"state": STATE, "channels": np.ones(1)}
    both = {**plain, "points": np.ones((2, 6))}
    for points, at in (([], plain), (["hub", "tip"], both)):
        session = 7 + len(points)
        trial = {**at, "x": np.ones(1)}
        steps = [
            ("hello", {**hello, "points": points}),
            ("initialize", {"arrays": at}),
            ("update", {"arrays": trial}),
            ("save_state", {}),
            ("accept", {"arrays": trial}),
            ("restore_state", {"arrays": {"data": np.full(4, 5, np.uint8)}}),
            ("advance", {"t0": -1.0, "arrays": {"start": STATE, "end": STATE}}),
            ("static", {"arrays": {"state": STATE}}),
            ("end", {}),
        ]
        for seq, (op, more) in enumerate(steps, start=1):
            yield request(op, 0.5 * seq, seq=seq, session=session, **more)
        yield request("abort", seq=9, session=session, reason="enough")


def test_parser_stands_a_hundred_thousand_spoiled_messages(kit):
    require("gcc")
    how = ("-std=c99", *SANITIZERS, *WARNINGS, "-Wno-unused-function", f"-I{kit}")
    run("gcc", *how, str(FUZZ), "-o", "fuzz", "-lzmq", "-lm", cwd=kit)
    packed = b""
    for frames in conversation():
        packed += struct.pack("<I", len(frames))
        packed += b"".join(struct.pack("<I", len(frame)) + frame for frame in frames)
    (kit / "messages").write_bytes(packed)
    done = run("./fuzz", "messages", str(DIRECT), "1", cwd=kit)
    answered, kept = map(int, done.stdout.split())
    assert DIRECT > answered > kept > DIRECT // 20, done.stdout


@pytest.mark.parametrize("peer", ["damper", "attached_mass"])
def test_peer_serves_after_spoiled_messages(build, start, peer):
    process, client = start(build(peer, sanitized=True), launched=False)
    random, messages = Random(3), list(conversation())[:-2]
    for _ in range(OVER_SOCKET // 2 // BATCH):
        for _ in range(BATCH):
            client.socket.send_multipart(spoiled(random, random.choice(messages)))
        while client.socket.poll(0):
            client.socket.recv_multipart()
    assert process.poll() is None
    client.socket.send_multipart(request("end", seq=2**62))  # the last: then it has read all
    while True:
        reply = client.receive_header()
        if reply["seq"] == 2**62:
            break
    for session in (7, 9):
        client.socket.send_multipart(request("abort", seq=1, session=session, reason=""))
    client.session, client.seq = 11, 0
    while client.socket.poll(100):
        client.socket.recv_multipart()
    assert client.hello(mass=1.0, stiffness=1.0)["ok"]
    assert client.ask("initialize", arrays={"state": STATE})["ok"]
    assert process.poll() is None


def spoiled(random, frames):
    frames = list(frames)
    if random.random() < 0.2:
        _shuffle(random, frames)
    index = 0 if random.random() < 0.7 else random.randrange(len(frames))
    frame = bytearray(frames[index])
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(frame) + 1)
        way = random.randrange(4)
        if way == 0 and at < len(frame):
            frame[at] ^= 1 << random.randrange(8)
        elif way == 1 and at < len(frame):
            frame[at] = random.randrange(256)
        elif way == 2:
            frame[at:at] = random.randbytes(random.randrange(1, 9))
        else:
            del frame[at : at + random.randrange(1, 9)]
    frames[index] = bytes(frame)
    return frames


def _shuffle(random, frames):
    way = random.randrange(3)
    if way == 0:
        frames.extend([b"more"] * random.randrange(1, 30))
    elif way == 1 and len(frames) > 1:
        frames.pop()
    else:
        random.shuffle(frames)
