"""Arrays of a message: their description in the header and their frames."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from cosim.wire.errors import WireError
from cosim.wire.fields import Name, repeated
from cosim.wire.messages import NO_ARRAYS

__all__ = [
    "Array",
    "Arrays",
    "Descriptions",
    "Limits",
    "Writings",
    "check_finite",
    "check_shapes",
]

Array = NDArray[Any]
Arrays = dict[str, Array]

FLOAT, BYTE = np.dtype("<f8"), np.dtype("u1")
DTYPES: dict[str, np.dtype[Any]] = {"<f8": FLOAT, "|u1": BYTE}
BYTES = frozenset({"data"})  # arrays of bytes; all others are numbers
REMEMBERED = 64

_DESCRIPTION = msgspec.msgpack.Decoder(
    list[
        tuple[
            Name,
            Literal["<f8", "|u1"],
            Annotated[list[Annotated[int, Meta(ge=1, le=2**40)]], Meta(min_length=1, max_length=2)],
        ]
    ]
)


@dataclass(frozen=True)
class Limits:
    """Sizes beyond which a message is refused.

    Attributes
    ----------
    header, message : int
        Bytes.
    arrays : int
        Number in one message.
    """

    header: int = 65536
    message: int = 64 * 1024 * 1024
    arrays: int = 16


class Entry(NamedTuple):
    """One array of a message, as its header describes it.

    Attributes
    ----------
    name : str
    dtype : numpy.dtype
    shape : tuple of int
    size : int
        Bytes.
    """

    name: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    size: int


class Descriptions(dict[bytes, tuple[Entry, ...]]):
    """Arrays that descriptions announce, each read when it is first looked up.

    A session has few different ones; looking up another one raises WireError where it is none,
    announces an array that is not allowed, or sizes beyond the limits.

    Parameters
    ----------
    limits : Limits
    allowed : tuple of str
        Names that may occur.
    """

    def __init__(self, limits: Limits, allowed: tuple[str, ...]) -> None:
        super().__init__()
        self._limits = limits
        self._allowed = allowed

    def __missing__(self, raw: bytes) -> tuple[Entry, ...]:
        entries = described(raw, self._allowed, self._limits)
        if len(self) >= REMEMBERED:
            self.clear()
        self[raw] = entries
        return entries


Key = tuple[tuple[str, np.dtype[Any], tuple[int, ...]], ...]


class Writings(dict[Key, msgspec.Raw]):
    """Descriptions of arrays, each written when it is first looked up.

    Looking up raises WireError for a dtype, a shape or a number of arrays that a message
    cannot hold.

    Parameters
    ----------
    limits : Limits
    """

    def __init__(self, limits: Limits) -> None:
        super().__init__({(): NO_ARRAYS})
        self._limits = limits

    def __missing__(self, key: Key) -> msgspec.Raw:
        written = [(name, dtype.str, shape) for name, dtype, shape in key]
        raw = msgspec.msgpack.encode(written)
        described(raw, tuple(name for name, _, _ in key), self._limits)
        if len(self) >= REMEMBERED:
            self.clear()
            self[()] = NO_ARRAYS
        self[key] = msgspec.Raw(raw)
        return self[key]


def described(raw: bytes, allowed: tuple[str, ...], limits: Limits) -> tuple[Entry, ...]:
    """The arrays that a description announces.

    Raises
    ------
    WireError
    """
    try:
        items = _DESCRIPTION.decode(raw)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise WireError(f"'arrays' of the header: {error}") from None
    if len(items) > limits.arrays:
        raise WireError(f"a message has at most {limits.arrays} arrays, and this one {len(items)}")
    twice = repeated([name for name, _, _ in items])
    if twice:
        raise WireError(f"array '{twice}' is there twice")
    entries = tuple(_entry(*item, allowed) for item in items)
    total = sum(entry.size for entry in entries)
    if total > limits.message:
        raise WireError(f"a message has at most {limits.message} bytes, and this one {total}")
    return entries


def _entry(name: str, dtype: str, shape: Sequence[int], allowed: tuple[str, ...]) -> Entry:
    if name not in allowed:
        raise WireError(f"array '{name}' is not expected here")
    if (name in BYTES) is not (dtype == BYTE.str):
        raise WireError(f"array '{name}' cannot have the type '{dtype}'")
    if name in BYTES and len(shape) != 1:
        raise WireError(f"array '{name}' has one dimension, not {len(shape)}")
    kind = DTYPES[dtype]
    return Entry(name, kind, tuple(shape), math.prod(shape) * kind.itemsize)


def check_finite(name: str, array: Array) -> None:
    """Refuse an array with a number that is not finite.

    The sum of squares is finite only where all numbers are, and quick; where it is not, all
    are looked at.

    Raises
    ------
    WireError
        Says which number.
    """
    if math.isfinite(np.vdot(array, array)):
        return
    wrong = np.argwhere(~np.isfinite(array))
    if wrong.size:
        at = ", ".join(map(str, wrong[0]))
        value = array[tuple(wrong[0])]
        raise WireError(f"{name}[{at}] is {value}; all numbers must be finite")


def check_shapes(arrays: Mapping[str, Array], expected: Mapping[str, tuple[int, ...]]) -> None:
    """Refuse arrays that are not those expected; empty ones are not sent.

    Parameters
    ----------
    arrays : mapping of str to array
    expected : mapping of str to tuple of int
        Shapes, all with at least one element.

    Raises
    ------
    WireError
        An array too many or too few, or of another shape.
    """
    for name, shape in expected.items():
        array = arrays.get(name)
        if array is None:
            raise WireError(f"array '{name}' {shape} is missing")
        if array.shape != shape:
            raise WireError(f"array '{name}' has the shape {array.shape}, not {shape}")
    if len(arrays) > len(expected):
        extra = next(name for name in arrays if name not in expected)
        raise WireError(f"array '{extra}' is not expected")
