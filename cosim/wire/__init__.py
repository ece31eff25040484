"""Solvers in other programs: the wire protocol and what serves it.

Light on purpose: a peer needs msgspec, pyzmq and NumPy, and nothing else of this package.
"""

from cosim.wire.arrays import Limits
from cosim.wire.dispatch import Dispatcher
from cosim.wire.errors import VersionError, WireError
from cosim.wire.frames import Codec, pack, unpack_reply, unpack_request
from cosim.wire.messages import PROTOCOL, Signal
from cosim.wire.peer import Instant, Loads, Peer, Setup, Step

__all__ = [
    "PROTOCOL",
    "Codec",
    "Dispatcher",
    "Instant",
    "Limits",
    "Loads",
    "Peer",
    "Setup",
    "Signal",
    "Step",
    "VersionError",
    "WireError",
    "pack",
    "unpack_reply",
    "unpack_request",
]
