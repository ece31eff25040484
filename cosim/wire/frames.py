"""Messages as frames: the header first, then one frame of raw bytes for each array."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

import msgspec
import numpy as np
from numpy import vdot

from cosim.wire.arrays import FLOAT, Array, Arrays, Descriptions, Limits, Writings, check_finite
from cosim.wire.contents import REPLY_ARRAYS, REPLY_KEYS, REQUEST_ARRAYS, REQUEST_KEYS
from cosim.wire.errors import VersionError, WireError
from cosim.wire.fields import repeated
from cosim.wire.header import SMALL_MAP, check_keys, check_maps, check_settings
from cosim.wire.messages import (
    NO_ARRAYS,
    PROTOCOL,
    AnyRequest,
    Hello,
    HelloReply,
    Refusal,
    Reply,
    Request,
)

__all__ = ["Codec", "Limits", "Peek", "pack", "unpack_reply", "unpack_request"]


class Peek(msgspec.Struct):
    """As much of a header as another version of the protocol would have too."""

    session: int = -1
    seq: int = -1
    t: float = 0.0
    op: str = ""
    re: str = ""
    ok: bool = True
    error: str = ""
    version: int = 0


class Codec:
    """Writes and reads messages; keeps what it can use again.

    Parameters
    ----------
    limits : Limits
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._writings = Writings(self.limits)
        self._requests = {
            kind: Descriptions(self.limits, names) for kind, names in REQUEST_ARRAYS.items()
        }
        self._replies = {op: Descriptions(self.limits, names) for op, names in REPLY_ARRAYS.items()}
        self._none = Descriptions(self.limits, ())
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode_request = msgspec.msgpack.Decoder(AnyRequest).decode
        self._decode_reply = msgspec.msgpack.Decoder(Reply).decode
        self._decode_hello_reply = msgspec.msgpack.Decoder(HelloReply).decode
        self._decode_refusal = msgspec.msgpack.Decoder(Refusal).decode
        self._decode_peek = msgspec.msgpack.Decoder(Peek).decode

    def pack(
        self,
        message: Request | Reply,
        arrays: Sequence[tuple[str, Array]] = (),
        *,
        checked: bool = False,
    ) -> list[bytes]:
        """Frames of a message; those of the arrays are copies.

        Parameters
        ----------
        message : Request or Reply
            Its description of the arrays is filled in.
        arrays : sequence of (str, array)
            float64, or uint8 for ``data``; those of size 0 are left out.
        checked : bool
            All numbers are known to be finite.

        Raises
        ------
        WireError
            A number that is not finite, or a message beyond the limits.
        """
        frames = [b""]
        key: list[tuple[str, np.dtype[Any], tuple[int, ...]]] = []
        for name, array in arrays:
            if array.size:
                if not checked and array.dtype == FLOAT:
                    check_finite(name, array)
                key.append((name, array.dtype, array.shape))
                frames.append(array.tobytes())
        message.arrays = self._writings[tuple(key)]
        try:
            frames[0] = self._encode(message)
        except OverflowError as error:
            raise WireError(f"a number in the header: {error}") from None
        if len(frames[0]) > self.limits.header:
            raise _long_header(self.limits.header, len(frames[0]))
        return frames

    def unpack_request(self, frames: Sequence[bytes]) -> tuple[Request, Arrays]:
        """Read and check a request; its arrays are read-only.

        Raises
        ------
        VersionError
            A hello of another version of the protocol.
        WireError
            Anything else the protocol does not allow.
        """
        header = self._header(frames)
        try:
            request = self._decode_request(header)
        except (msgspec.MsgspecError, RecursionError) as error:
            peek = self.peek(frames)
            if peek is not None and peek.op == "hello" and peek.version not in (0, PROTOCOL):
                raise VersionError(peek.version, PROTOCOL) from None
            raise WireError(f"the header of a request: {error}") from None
        kind = type(request)
        if header[0] != SMALL_MAP | REQUEST_KEYS[kind]:
            check_keys(header, REQUEST_KEYS[kind])
        if isinstance(request, Hello):
            check_maps(header)
            _check_hello(request)
        return request, _arrays(request.arrays, frames, self._requests[kind])

    def unpack_reply(self, frames: Sequence[bytes]) -> tuple[Reply, Arrays]:
        """Read and check a reply; its arrays are read-only.

        Returns
        -------
        reply : Reply
            A `HelloReply` or, where not ok, a `Refusal` in answer to a hello.
        arrays : dict of str to array

        Raises
        ------
        VersionError
            The peer took a hello, but speaks another version of the protocol.
        WireError
            Anything else the protocol does not allow.
        """
        header = self._header(frames)
        try:
            reply = self._decode_reply(header)
        except (msgspec.MsgspecError, RecursionError) as error:
            reply = self._hello_reply(frames, error)
        else:
            if reply.re == "hello":
                reply = self._hello_reply(frames, None)
            elif header[0] != SMALL_MAP | REPLY_KEYS:
                check_keys(header, REPLY_KEYS)
        if reply.ok and not reply.error:
            return reply, _arrays(reply.arrays, frames, self._replies[reply.re])
        if reply.ok:
            raise WireError("a reply that is ok has an 'error'")
        if not reply.error:
            raise WireError("a reply that is not ok says nothing in 'error'")
        if isinstance(reply, Refusal) and reply.version not in (0, PROTOCOL):
            return reply, {}
        return reply, _arrays(reply.arrays, frames, self._none)

    def peek(self, frames: Sequence[bytes]) -> Peek | None:
        """As much of a bad message as an answer to it needs; None where that is not there."""
        try:
            return self._decode_peek(self._header(frames))
        except (msgspec.MsgspecError, RecursionError, WireError):
            return None

    def _header(self, frames: Sequence[bytes]) -> bytes:
        if not frames:
            raise WireError("a message has no frames")
        if len(frames[0]) > self.limits.header:
            raise _long_header(self.limits.header, len(frames[0]))
        return frames[0]

    def _hello_reply(self, frames: Sequence[bytes], error: Exception | None) -> Reply:
        header = frames[0]
        peek = self.peek(frames)
        if peek is None or peek.re != "hello":
            raise WireError(f"the header of a reply: {error}")
        if not peek.ok and peek.version not in (0, PROTOCOL):
            return _foreign_refusal(peek)
        try:
            if not peek.ok:
                return self._decode_refusal(header)
            if peek.version != PROTOCOL:
                raise VersionError(peek.version, PROTOCOL)
            reply = self._decode_hello_reply(header)
        except (msgspec.MsgspecError, RecursionError) as wrong:
            raise WireError(f"the header of the reply to hello: {wrong}") from None
        check_keys(header, len(reply.__struct_fields__))
        check_maps(header)
        _check_names("outputs", [signal.name for signal in reply.outputs])
        _check_names("channels", [signal.name for signal in reply.channels])
        _check_names("points", [point.name for point in reply.points])
        _check_names("bodies", reply.bodies)
        return reply


def _arrays(raw: msgspec.Raw, frames: Sequence[bytes], known: Descriptions) -> Arrays:
    if raw is NO_ARRAYS:
        raise WireError("the header has no 'arrays'; where there are none it is an empty list")
    entries = known[bytes(raw)]
    if len(frames) != len(entries) + 1:
        raise WireError(
            f"the header describes {len(entries)} arrays, and {len(frames) - 1} frames follow"
        )
    arrays: Arrays = {}
    for (name, dtype, shape, size), frame in zip(entries, frames[1:], strict=True):
        if len(frame) != size:
            raise WireError(f"array '{name}' {shape} has {len(frame)} bytes, not {size}")
        array: Array = np.ndarray(shape, dtype, frame)
        if dtype is FLOAT and not isfinite(vdot(array, array)):
            check_finite(name, array)
        arrays[name] = array
    return arrays


def _long_header(most: int, size: int) -> WireError:
    return WireError(f"a header has at most {most} bytes, and this one {size}")


def _check_hello(hello: Hello) -> None:
    if hello.version != PROTOCOL:
        raise VersionError(hello.version, PROTOCOL)
    _check_names("bodies", hello.bodies)
    _check_names("points", hello.points)
    _check_names("channels", hello.channels)
    check_settings(hello.settings)


def _check_names(kind: str, names: Sequence[str]) -> None:
    twice = repeated(names)
    if twice:
        raise WireError(f"'{twice}' is twice among the {kind}")


def _foreign_refusal(peek: Peek) -> Refusal:
    return Refusal(
        "hello",
        peek.session,
        peek.seq,
        peek.t,
        False,
        peek.error or "refused",
        version=peek.version,
    )


def pack(message: Request | Reply, arrays: Sequence[tuple[str, Array]] = ()) -> list[bytes]:
    """Frames of a message, by a codec made for it; see :meth:`Codec.pack`."""
    return Codec().pack(message, arrays)


def unpack_request(frames: Sequence[bytes], limits: Limits | None = None) -> tuple[Request, Arrays]:
    """Read and check a request; see :meth:`Codec.unpack_request`."""
    return Codec(limits).unpack_request(frames)


def unpack_reply(frames: Sequence[bytes], limits: Limits | None = None) -> tuple[Reply, Arrays]:
    """Read and check a reply; see :meth:`Codec.unpack_reply`."""
    return Codec(limits).unpack_reply(frames)
