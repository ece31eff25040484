"""A reader of MessagePack that shares nothing with the one under test."""

import struct

NUMBERS = {
    0xCA: ">f",
    0xCB: ">d",
    0xCC: ">B",
    0xCD: ">H",
    0xCE: ">I",
    0xCF: ">Q",
    0xD0: ">b",
    0xD1: ">h",
    0xD2: ">i",
    0xD3: ">q",
}
TEXTS = {0xD9: 1, 0xDA: 2, 0xDB: 4}
LISTS = {0xDC: 2, 0xDD: 4}
MAPS = {0xDE: 2, 0xDF: 4}


def read(data):
    """The value that `data` is, all of it; ValueError for anything else."""
    value, rest = _value(data)
    if rest:
        raise ValueError("more follows")
    return value


def _take(data, size):
    if len(data) < size:
        raise ValueError("too short")
    return data[:size], data[size:]


def _value(data):
    (first,), data = _take(data, 1)
    if first < 0x80:
        return first, data
    if first >= 0xE0:
        return first - 256, data
    if first < 0x90:
        return _map(data, first & 0x0F)
    if first < 0xA0:
        return _list(data, first & 0x0F)
    if first < 0xC0:
        return _text(data, first & 0x1F)
    if first in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[first], data
    if first in NUMBERS:
        raw, data = _take(data, struct.calcsize(NUMBERS[first]))
        return struct.unpack(NUMBERS[first], raw)[0], data
    for sizes, reader in ((TEXTS, _text), (LISTS, _list), (MAPS, _map)):
        if first in sizes:
            raw, data = _take(data, sizes[first])
            return reader(data, int.from_bytes(raw, "big"))
    raise ValueError(f"type {first:#x}")


def _text(data, size):
    raw, data = _take(data, size)
    return raw.decode("utf-8"), data


def _list(data, count):
    values = []
    for _ in range(count):
        value, data = _value(data)
        values.append(value)
    return values, data


def _map(data, count):
    values = {}
    for _ in range(count):
        key, data = _value(data)
        if not isinstance(key, str) or key in values:
            raise ValueError("a key twice, or no text")
        values[key], data = _value(data)
    return values, data
