"""Arrays of a message: their description in the header and their frames."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from cosim.wire.errors import WireError
from cosim.wire.messages import NO_ARRAYS, Name

__all__ = ["Array", "Arrays", "Layout", "Layouts", "Limits", "check_shapes", "finite"]

Array = NDArray[Any]
Arrays = dict[str, Array]
Buffer = bytes | memoryview

FLOAT, BYTE = np.dtype("<f8"), np.dtype("u1")
DTYPES: dict[str, np.dtype[Any]] = {"<f8": FLOAT, "|u1": BYTE}
REMEMBERED = 64

_Description = list[
    tuple[
        Name,
        Literal["<f8", "|u1"],
        Annotated[list[Annotated[int, Meta(ge=1, le=2**40)]], Meta(min_length=1, max_length=2)],
    ]
]


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


@dataclass(frozen=True)
class Layout:
    """Description of the arrays of a message, checked.

    Attributes
    ----------
    names : tuple of str
    dtypes : tuple of numpy.dtype
    shapes : tuple of tuple of int
    sizes : tuple of int
        Bytes.
    total : int
        Bytes of all of them.
    """

    names: tuple[str, ...]
    dtypes: tuple[np.dtype[Any], ...]
    shapes: tuple[tuple[int, ...], ...]
    sizes: tuple[int, ...]
    total: int


class Layouts:
    """Descriptions already read and written; a session has few of them.

    Parameters
    ----------
    limits : Limits
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._decoder = msgspec.msgpack.Decoder(_Description)
        self._encoder = msgspec.msgpack.Encoder()
        self._read: dict[bytes, Layout] = {}
        self._written: dict[tuple[object, ...], msgspec.Raw] = {}

    def read(self, raw: msgspec.Raw) -> Layout:
        """The layout of a description.

        Raises
        ------
        WireError
            Not a description, or one beyond the limits.
        """
        key = bytes(raw)
        layout = self._read.get(key)
        if layout is None:
            layout = self._parse(key)
            if len(self._read) >= REMEMBERED:
                self._read.clear()
            self._read[key] = layout
        return layout

    def write(self, arrays: Sequence[tuple[str, Array]]) -> msgspec.Raw:
        """The description of arrays.

        Raises
        ------
        WireError
            A dtype, a shape or a number of arrays that a message cannot hold.
        """
        if not arrays:
            return NO_ARRAYS
        key = tuple([(name, array.dtype, array.shape) for name, array in arrays])
        raw = self._written.get(key)
        if raw is None:
            described = [
                (name, "|u1" if array.dtype == BYTE else array.dtype.str, array.shape)
                for name, array in arrays
            ]
            raw = msgspec.Raw(self._encoder.encode(described))
            self.read(raw)
            if len(self._written) >= REMEMBERED:
                self._written.clear()
            self._written[key] = raw
        return raw

    def _parse(self, raw: bytes) -> Layout:
        try:
            described = self._decoder.decode(raw)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise WireError(f"'arrays' of the header: {error}") from None
        if len(described) > self._limits.arrays:
            raise WireError(
                f"a message has at most {self._limits.arrays} arrays, and this one {len(described)}"
            )
        names = tuple(name for name, _, _ in described)
        if len(set(names)) < len(names):
            raise WireError(f"an array is there twice: {', '.join(names)}")
        dtypes = tuple(DTYPES[dtype] for _, dtype, _ in described)
        shapes = tuple(tuple(shape) for _, _, shape in described)
        sizes = tuple(
            math.prod(shape) * dtype.itemsize for shape, dtype in zip(shapes, dtypes, strict=True)
        )
        return Layout(names, dtypes, shapes, sizes, sum(sizes))


def finite(array: Array) -> bool:
    """Whether all numbers of an array are finite.

    The sum of squares is finite only then, and quick; where it is not, all are looked at.
    """
    flat = array.ravel()
    return math.isfinite(flat.dot(flat)) or bool(np.isfinite(flat).all())


def check_finite(name: str, array: Array) -> None:
    """Refuse an array with a number that is not finite.

    Raises
    ------
    WireError
        Says which number.
    """
    if not finite(array):
        where = np.argwhere(~np.isfinite(array))[0]
        at = ", ".join(map(str, where))
        raise WireError(f"{name}[{at}] is {array[tuple(where)]}; all numbers must be finite")


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
