"""Checks of headers that their types cannot express."""

from __future__ import annotations

import msgspec

from cosim.wire.errors import WireError

__all__ = ["SMALL_MAP", "check_keys", "check_maps", "check_settings"]

SMALL_MAP, _MAP16, _MAP32 = 0x80, 0xDE, 0xDF
_SMALL_ARRAY, _ARRAY16, _ARRAY32 = 0x90, 0xDC, 0xDD
_MAPS = msgspec.msgpack.Decoder(dict[str, msgspec.Raw])
_LISTS = msgspec.msgpack.Decoder(list[msgspec.Raw])
DEEPEST = 20


def check_keys(header: bytes, expected: int) -> None:
    """Refuse a header that leaves out keys, or has one twice.

    Unknown keys are refused when it is decoded, so the number of keys decides.

    Parameters
    ----------
    header : bytes
    expected : int
        Number of keys.

    Raises
    ------
    WireError
    """
    count = _entries(header)
    if count != expected:
        raise WireError(
            f"the header has {count} keys, not {expected}: all keys of the operation, each once"
        )


def check_settings(settings: object, depth: int = 0) -> None:
    """Refuse settings that are not what a YAML or JSON file can hold.

    Raises
    ------
    WireError
    """
    if depth > DEEPEST:
        raise WireError(f"'settings' are nested deeper than {DEEPEST}")
    match settings:
        case None | bool() | int() | float() | str():
            return
        case list():
            for value in settings:
                check_settings(value, depth + 1)
        case dict():
            for key, value in settings.items():
                if not isinstance(key, str):
                    raise WireError(f"'settings' have a key that is no text: {key!r}")
                check_settings(value, depth + 1)
        case _:
            raise WireError(f"'settings' cannot hold a {type(settings).__name__}")


def check_maps(raw: bytes | msgspec.Raw) -> None:
    """Refuse a header in which a map, at any depth, has a key twice, or one that is no text.

    Raises
    ------
    WireError
    """
    try:
        _check_maps(bytes(raw))
    except msgspec.MsgspecError as error:
        raise WireError(f"a map in the header: {error}") from None


def _check_maps(data: bytes) -> None:
    first = data[0]
    if first & 0xF0 == SMALL_MAP or first in (_MAP16, _MAP32):
        entries = _MAPS.decode(data)
        if len(entries) != _entries(data):
            raise WireError(f"a key is there twice among {', '.join(entries)}")
        for value in entries.values():
            _check_maps(bytes(value))
    elif first & 0xF0 == _SMALL_ARRAY or first in (_ARRAY16, _ARRAY32):
        for value in _LISTS.decode(data):
            _check_maps(bytes(value))


def _entries(header: bytes) -> int:
    first = header[0]
    if first & 0xF0 == SMALL_MAP:
        return first & 0x0F
    size = {_MAP16: 2, _MAP32: 4}[first]
    return int.from_bytes(header[1 : 1 + size], "big")
