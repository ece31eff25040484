"""One session of a peer: the sizes agreed on, instants from arrays, arrays from loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cosim.wire.arrays import FLOAT, Array, check_finite, check_shapes
from cosim.wire.errors import WireError
from cosim.wire.peer import Float, Instant, Loads

__all__ = ["Packed", "Session", "Sizes", "check_arrays", "checked"]

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
        self.sizes = sizes
        n = sizes
        state, points, channels = (n.bodies, 18), (n.points, 6), (n.channels,)
        self.at_rest = _sent({"state": state})
        self.begins = _sent({"state": state, "points": points, "channels": channels})
        self.trial = _sent(
            {"state": state, "points": points, "channels": channels, "x": (n.states,)}
        )
        self.steps = _sent(
            {
                "start": state,
                "end": state,
                "points_start": points,
                "points_end": points,
                "channels_start": channels,
                "channels_end": channels,
            }
        )
        side = 6 * n.bodies if n.added_mass else 0
        self._shapes = {
            "load": _filled((n.bodies, 6)),
            "point_load": _filled(points),
            "mass": _filled((side, side)),
            "x_dot": _filled((n.states,)),
            "event": (1,) if n.event else (),
            "outputs": _filled((n.outputs,)),
        }
        self._loaded = n.bodies + n.points > 0
        self._empty = {
            "state": _nothing(state),
            "points": _nothing(points),
            "channels": _nothing(channels),
            "x": _nothing((n.states,)),
        }

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

    def static_loads(self, loads: object) -> Packed:
        """Arrays of the loads on bodies at rest; raises as `update_loads`."""
        return self._packed(loads, "static_loads", _WRENCHES)

    def update_loads(self, loads: object) -> Packed:
        """Arrays of what `update` returned.

        Raises
        ------
        WireError
            Something is missing, has another shape, or is not finite.
        """
        return self._packed(loads, "update", _ALL)

    def advance_loads(self, loads: object, what: str) -> Packed:
        """Arrays of what `advance` or `loads_now` returned; raises as `update_loads`."""
        return self._packed(loads, what, _ALL)

    def _packed(self, loads: object, what: str, names: tuple[str, ...]) -> Packed:
        if not isinstance(loads, Loads):
            raise WireError(f"{what} returned a {type(loads).__name__}, not Loads")
        if self._loaded and loads.wrenches is None and loads.at_points is None:
            raise WireError(f"{what} returned neither wrenches nor at_points")
        packed: Packed = []
        for name, value in zip(names, _values(loads), strict=False):
            shape = self._shapes[name]
            if value is None:
                if shape and name not in _EITHER:
                    raise WireError(f"{what} returned no {_FIELDS[name]}: {shape} is announced")
            elif shape:
                packed.append((name, checked(f"{_FIELDS[name]} of {what}", value, shape)))
            elif np.size(value):
                raise WireError(f"{what} returned {_FIELDS[name]}, and none are announced")
        return packed


_KEYS = {
    "": ("state", "points", "channels"),
    "start": ("start", "points_start", "channels_start"),
    "end": ("end", "points_end", "channels_end"),
}
_FIELDS = {
    "load": "wrenches",
    "point_load": "at_points",
    "mass": "added_mass",
    "x_dot": "x_dot",
    "event": "event",
    "outputs": "outputs",
}
_ALL = tuple(_FIELDS)
_WRENCHES = _ALL[:2]
_EITHER = frozenset(_WRENCHES)


def _values(loads: Loads) -> tuple[ArrayLike | None, ...]:
    event = loads.event
    return (
        loads.wrenches,
        loads.at_points,
        loads.added_mass,
        loads.x_dot,
        None if event is None else (event,),
        loads.outputs,
    )


def checked(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Float:
    """An array of numbers, of that shape and finite; the same object where it is one.

    Raises
    ------
    WireError
        Not numbers, another shape, or not finite.
    """
    try:
        array = np.asarray(value, dtype=FLOAT, order="C")
    except (TypeError, ValueError) as error:
        raise WireError(f"{name} are not numbers: {error}") from None
    if array.shape != shape:
        raise WireError(f"{name} have the shape {array.shape}, not {shape}")
    check_finite(name, array)
    return array


def _filled(shape: tuple[int, ...]) -> tuple[int, ...]:
    return () if 0 in shape else shape


def _sent(shapes: Shapes) -> Shapes:
    return {name: shape for name, shape in shapes.items() if 0 not in shape}


def _nothing(shape: tuple[int, ...]) -> Float:
    array = np.zeros(shape)
    array.setflags(write=False)
    return array


def check_arrays(arrays: Mapping[str, Array], expected: Shapes, op: str) -> None:
    """Refuse arrays of a request that are not those its session has.

    Raises
    ------
    WireError
    """
    try:
        check_shapes(arrays, expected)
    except WireError as error:
        raise WireError(f"{op}: {error}") from None
