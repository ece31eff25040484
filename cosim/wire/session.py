"""One session of a peer: the sizes agreed on, instants from arrays, arrays from loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy import vdot
from numpy.typing import ArrayLike

from cosim.wire.arrays import FLOAT, Array, check_finite
from cosim.wire.errors import WireError
from cosim.wire.peer import Float, Instant, Loads

__all__ = ["Packed", "Session", "Sizes", "checked"]

Shapes = dict[str, tuple[int, ...]]
Packed = list[tuple[str, Array]]


@dataclass(frozen=True)
class Sizes:
    """Numbers of what a session exchanges.

    Attributes
    ----------
    bodies, points, channels, states, outputs : int
    added_mass, event : bool
    """

    bodies: int
    points: int
    channels: int
    states: int
    outputs: int
    added_mass: bool
    event: bool


class Session:
    """Checks and translates the arrays of one session.

    Parameters
    ----------
    number : int
    run : str
        Name of the run that opened it.
    sizes : Sizes
    """

    def __init__(self, number: int, run: str, sizes: Sizes) -> None:
        self.number = number
        self.run = run
        self.sizes = n = sizes
        state, points, channels = (n.bodies, 18), (n.points, 6), (n.channels,)
        place = {"state": state, "points": points, "channels": channels}
        self.at_rest = _sent({"state": state})
        self.begins = _sent(place)
        self.trial = _sent({**place, "x": (n.states,)})
        self.steps = _sent(
            {
                name: shape
                for end in ("start", "end")
                for name, shape in zip(_KEYS[end], place.values(), strict=True)
            }
        )
        self._loaded = n.bodies + n.points > 0
        self._expected = _expected(n)
        self._empty = {name: _nothing(shape) for name, shape in place.items()}
        self._empty["x"] = _nothing((n.states,))

    def instant(self, t: float, arrays: Mapping[str, Array], end: str = "") -> Instant:
        """The instant that arrays describe.

        Parameters
        ----------
        t : float
            s.
        arrays : mapping of str to array
            Checked.
        end : str
            ``""``, or which end of a step: ``start`` or ``end``.
        """
        state, points, channels = _KEYS[end]
        get, empty = arrays.get, self._empty
        return Instant(
            t,
            get(state, empty["state"]),
            get(points, empty["points"]),
            get(channels, empty["channels"]),
            get("x", empty["x"]),
        )

    def packed(self, loads: object, what: str) -> Packed:
        """Arrays of the loads that a peer returned.

        Parameters
        ----------
        loads : Loads
        what : str
            Name of the call; of ``static_loads`` only the wrenches are kept.

        Raises
        ------
        WireError
            Something is missing, has another shape, or is not finite.
        """
        if not isinstance(loads, Loads):
            raise WireError(f"{what} returned a {type(loads).__name__}, not Loads")
        if self._loaded and loads.wrenches is None and loads.at_points is None:
            raise WireError(f"{what} returned neither wrenches nor at_points")
        values = (
            loads.wrenches,
            loads.at_points,
            loads.added_mass,
            loads.x_dot,
            None if loads.event is None else (loads.event,),
            loads.outputs,
        )
        expected = self._expected[:2] if what == "static_loads" else self._expected
        packed: Packed = []
        for (name, field, shape, needed), value in zip(expected, values, strict=False):
            if needed or (shape and value is not None):
                packed.append((name, checked(value, shape, field, what)))
            elif value is not None and np.size(value):
                raise WireError(f"{what} returned {field}, and none are announced")
        return packed


_KEYS = {
    "": ("state", "points", "channels"),
    "start": ("start", "points_start", "channels_start"),
    "end": ("end", "points_end", "channels_end"),
}


_REAL = "biuf"  # kinds of numpy's types


def checked(value: ArrayLike | None, shape: tuple[int, ...], name: str, what: str = "") -> Float:
    """An array of numbers, of that shape and finite; the same object where it is one.

    Parameters
    ----------
    value : array
    shape : tuple of int
    name, what : str
        Of the array, and of the call that returned it, for the message.

    Raises
    ------
    WireError
        Not numbers, another shape, or not finite.
    """
    if value is None:
        raise WireError(f"{what} returned no {name}: {shape} is announced")
    try:
        array = np.asarray(value, order="C")
    except (TypeError, ValueError) as error:
        raise WireError(f"{_whole(name, what)} are not numbers: {error}") from None
    if array.dtype != FLOAT:
        if array.dtype.kind not in _REAL:
            raise WireError(f"{_whole(name, what)} are no real numbers, but {array.dtype}")
        array = array.astype(FLOAT)
    if array.shape != shape:
        raise WireError(f"{_whole(name, what)} have the shape {array.shape}, not {shape}")
    if not isfinite(vdot(array, array)):
        check_finite(_whole(name, what), array)
    return array


def _whole(name: str, what: str) -> str:
    return f"{name} of {what}" if what else name


def _expected(n: Sizes) -> tuple[tuple[str, str, tuple[int, ...], bool], ...]:
    """Name on the wire and in `Loads`, shape (empty for none), and whether it is needed."""
    side = 6 * n.bodies if n.added_mass else 0
    rows = (
        ("load", "wrenches", (n.bodies, 6)),
        ("point_load", "at_points", (n.points, 6)),
        ("mass", "added_mass", (side, side)),
        ("x_dot", "x_dot", (n.states,)),
        ("event", "event", (int(n.event),)),
        ("outputs", "outputs", (n.outputs,)),
    )
    return tuple(
        (name, field, _filled(shape), row >= 2 and 0 not in shape)
        for row, (name, field, shape) in enumerate(rows)
    )


def _filled(shape: tuple[int, ...]) -> tuple[int, ...]:
    return () if 0 in shape else shape


def _sent(shapes: Shapes) -> Shapes:
    return {name: shape for name, shape in shapes.items() if 0 not in shape}


def _nothing(shape: tuple[int, ...]) -> Float:
    array = np.zeros(shape)
    array.setflags(write=False)
    return array
