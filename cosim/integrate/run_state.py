"""Everything that the rest of a run depends on, as bytes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
import numpy as np

from cosim.coupling.held import HeldState
from cosim.coupling.ledger import LedgerState
from cosim.errors import SolverError
from cosim.integrate.sampling import SamplerState
from cosim.multibody.interface import Float

__all__ = ["RunState", "pack", "unpack"]


@dataclass(frozen=True)
class RunState:
    """A run at a committed point at which its method restarts.

    Attributes
    ----------
    t, y : float, (n,)
    communication_step : float or None
        H, s; None without communication instants.
    clock : (int, int)
        Tick, and ticks of the present step.
    step_size : float
        That the method takes next, s.
    counters : (int, int, int, int)
        Steps, rejected steps, evaluations, communication steps.
    scheme : list of arrays
        Memory of the coupling scheme.
    held : HeldState or None
        Past loads of the Steppers.
    events : mapping of adapter name to float
        Last values of the event functions.
    ledger : LedgerState or None
    sampler : SamplerState or None
    adapters : mapping of adapter name to bytes
        Of all that are Restorable.
    """

    t: float
    y: Float
    communication_step: float | None
    clock: tuple[int, int]
    step_size: float
    counters: tuple[int, int, int, int]
    scheme: list[Float]
    held: HeldState | None
    events: Mapping[str, float]
    ledger: LedgerState | None
    sampler: SamplerState | None
    adapters: Mapping[str, bytes]


def pack(state: RunState) -> bytes:
    """The state in MessagePack; arrays as their shape and raw float64 values."""
    return msgspec.msgpack.encode(state, enc_hook=_plain)


def unpack(data: bytes) -> RunState:
    """The state that `pack` wrote, bit for bit.

    Raises
    ------
    SolverError
        The bytes are something else.
    """
    try:
        return msgspec.msgpack.decode(data, type=RunState, dec_hook=_array)
    except (msgspec.DecodeError, ValueError, TypeError) as error:
        raise SolverError(f"these {len(data)} bytes are no state of a run: {error}") from None


def _plain(value: object) -> object:
    if isinstance(value, np.ndarray) and value.dtype == np.float64:
        return list(value.shape), value.astype("<f8", copy=False).tobytes()
    if isinstance(value, np.float64):
        return float(value)
    raise TypeError(f"a state cannot hold {type(value).__name__}")


def _array(kind: type, value: object) -> object:
    shape, data = msgspec.convert(value, tuple[tuple[int, ...], bytes])
    return np.frombuffer(data, "<f8").astype(np.float64).reshape(shape)
