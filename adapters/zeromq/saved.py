"""Saved states of peers: own numbers and the peer's bytes, with a hash over both."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence

import numpy as np

from cosim.errors import AdapterError
from cosim.multibody.interface import Float

__all__ = ["seal", "unseal"]

_HEADER = struct.Struct("<8s16sQ")
_MAGIC = b"cosim-p1"


def seal(own: Sequence[Float], data: bytes) -> bytes:
    """One state of arrays and the peer's bytes."""
    numbers = b"".join([array.tobytes() for array in own])
    digest = hashlib.blake2b(numbers, digest_size=16)
    digest.update(data)
    return b"".join([_HEADER.pack(_MAGIC, digest.digest(), len(numbers)), numbers, data])


def unseal(state: bytes, own: Sequence[Float], *, adapter: str) -> tuple[list[Float], bytes]:
    """Arrays like `own`, and the peer's bytes.

    Raises
    ------
    AdapterError
        No such state, or one that is damaged.
    """
    wanted = sum(array.nbytes for array in own)
    if len(state) < _HEADER.size + wanted:
        raise AdapterError("the state is of another adapter or cut off", adapter=adapter)
    magic, digest, size = _HEADER.unpack_from(state)
    body = memoryview(state)[_HEADER.size :]
    if magic != _MAGIC or size != wanted:
        raise AdapterError("the state is of another adapter", adapter=adapter)
    if hashlib.blake2b(body, digest_size=16).digest() != digest:
        raise AdapterError("the state is damaged", adapter=adapter)
    arrays, position = [], 0
    for array in own:
        values = np.frombuffer(body, np.float64, array.size, position).reshape(array.shape)
        arrays.append(values.copy())
        position += array.nbytes
    return arrays, bytes(body[wanted:])
