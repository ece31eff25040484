"""Messages spoiled at random."""

import math

import msgspec

ODD = [
    None,
    True,
    False,
    -1,
    0,
    1,
    2**31,
    2**63 - 1,
    2**63,
    2**64 - 1,
    -(2**63),
    0.0,
    -0.0,
    1.5,
    math.nan,
    math.inf,
    -math.inf,
    1e308,
    "",
    "x",
    "update",
    "hello",
    "\x00",
    "x" * 300,
    b"",
    b"raw",
    [],
    {},
    [[]],
    {"a": 1},
    [["state", "<f8", [1, 18]]],
    [["load", "<f8", [1, 6]]],
]
NUMBERS = [math.nan, math.inf, -math.inf, 1e300, -0.0, 5e-324]


def spoiled(random, frames):
    """The frames of a message with one to three things wrong, or none."""
    frames = list(frames)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        random.choice(WAYS)(random, frames)
    return frames


def _bytes(random, frames):
    if not frames:
        return
    index = 0 if random.random() < 0.7 else random.randrange(len(frames))
    frame = bytearray(frames[index])
    for _ in range(random.choice((1, 1, 2, 5))):
        at = random.randrange(len(frame) + 1)
        way = random.randrange(5)
        if way == 0 and at < len(frame):
            frame[at] ^= 1 << random.randrange(8)
        elif way == 1 and at < len(frame):
            frame[at] = random.randrange(256)
        elif way == 2:
            frame[at:at] = random.randbytes(random.randrange(1, 9))
        elif way == 3:
            del frame[at : at + random.randrange(1, 9)]
        else:
            other = random.randrange(len(frame) + 1)
            frame[at:at] = frame[other : other + random.randrange(1, 20)]
    frames[index] = bytes(frame)


def _fields(random, frames):
    try:
        fields = msgspec.msgpack.decode(frames[0])
    except (IndexError, msgspec.MsgspecError, RecursionError):
        return
    if not isinstance(fields, dict) or not fields:
        return
    name = random.choice(list(fields))
    way = random.randrange(4)
    if way == 0:
        del fields[name]
    elif way == 1:
        fields[random.choice(("extra", "op", "re", "t0", "version"))] = random.choice(ODD)
    elif isinstance(fields[name], list) and fields[name] and way == 2:
        _inside(random, fields[name])
    else:
        fields[name] = random.choice(ODD)
    frames[0] = msgspec.msgpack.encode(fields)


def _inside(random, values):
    at = random.randrange(len(values))
    if isinstance(values[at], list) and values[at] and random.random() < 0.8:
        _inside(random, values[at])
    elif random.random() < 0.5:
        values[at] = random.choice(ODD)
    else:
        values.insert(at, random.choice((values[at], 0, 1, 18)))


def _number(random, frames):
    if len(frames) < 2 or len(frames[-1]) < 8:
        return
    at = 8 * random.randrange(len(frames[-1]) // 8)
    frame = bytearray(frames[-1])
    number = random.choice(NUMBERS)
    frame[at : at + 8] = msgspec.msgpack.encode(number)[8:0:-1]
    frames[-1] = bytes(frame)


def _frames(random, frames):
    way = random.randrange(5)
    if way == 0 and frames:
        del frames[random.randrange(len(frames))]
    elif way == 1 and frames:
        frames.insert(random.randrange(len(frames) + 1), random.choice(frames))
    elif way == 2:
        frames.append(random.randbytes(random.randrange(30)))
    elif way == 3 and frames:
        at = random.randrange(len(frames))
        frames[at] = frames[at][: random.randrange(len(frames[at]) + 1)]
    else:
        random.shuffle(frames)


WAYS = (_bytes, _bytes, _bytes, _fields, _fields, _number, _frames)
