"""Which arrays each message may have, and how many keys its header has."""

from __future__ import annotations

from cosim.wire.messages import (
    Abort,
    Accept,
    Advance,
    End,
    Hello,
    Initialize,
    Reply,
    Request,
    RestoreState,
    SaveState,
    Static,
    Update,
)

__all__ = ["REPLY_ARRAYS", "REPLY_KEYS", "REQUEST_ARRAYS", "REQUEST_KEYS"]

_MOTION = ("state", "points", "channels", "x")
_LOADS = ("load", "point_load", "mass")
_RATES = ("x_dot", "event", "outputs")
_ENDS = ("start", "end", "points_start", "points_end", "channels_start", "channels_end")
REQUEST_ARRAYS: dict[type[Request], tuple[str, ...]] = {
    Hello: (),
    Static: ("state",),
    Initialize: ("state", "points", "channels"),
    Update: _MOTION,
    Accept: _MOTION,
    Advance: _ENDS,
    SaveState: (),
    RestoreState: ("data",),
    End: (),
    Abort: (),
}
REPLY_ARRAYS: dict[str, tuple[str, ...]] = {
    "restore_state": (),
    "end": (),
    "abort": (),
    "hello": ("apparent_mass",),
    "static": ("load", "point_load"),
    "initialize": ("x", "x_scale", *_LOADS, *_RATES),
    "update": (*_LOADS, *_RATES),
    "accept": (*_LOADS, *_RATES),
    "advance": (*_LOADS, "outputs"),
    "save_state": ("data",),
}
REQUEST_KEYS = {kind: len(kind.__struct_fields__) + 1 for kind in REQUEST_ARRAYS}
REPLY_KEYS = len(Reply.__struct_fields__)
