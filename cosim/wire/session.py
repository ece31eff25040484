"""One session of a peer: the sizes agreed on, instants from arrays, arrays from loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from cosim.wire.arrays import FLOAT, Array, check_finite, check_shapes
from cosim.wire.errors import WireError
from cosim.wire.peer import Float, Instant, Loads

__all__ = ["Session", "Sizes", "checked"]

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
        empty = self._empty
        if not end:
            return Instant(
                t,
                arrays.get("state", empty["state"]),
                arrays.get("points", empty["points"]),
                arrays.get("channels", empty["channels"]),
                arrays.get("x", empty["x"]),
            )
        return Instant(
            t,
            arrays.get(end, empty["state"]),
            arrays.get(f"points_{end}", empty["points"]),
            arrays.get(f"channels_{end}", empty["channels"]),
            empty["x"],
        )

    def at_rest_loads(self, loads: object) -> Packed:
        """Arrays of the loads on bodies at rest."""
        checked_loads = _is_loads(loads, "static_loads")
        return self._wrenches(checked_loads, "static_loads")

    def update_loads(self, loads: object) -> Packed:
        """Arrays of what `update` returned.

        Raises
        ------
        WireError
            Something is missing, has another shape, or is not finite.
        """
        given, n = _is_loads(loads, "update"), self.sizes
        packed = self._wrenches(given, "update")
        self._mass(given, packed, "update")
        _put(packed, "x_dot", given.x_dot, (n.states,), "update")
        event = None if given.event is None else (given.event,)
        _put(packed, "event", event, (1 if n.event else 0,), "update")
        _put(packed, "outputs", given.outputs, (n.outputs,), "update")
        return packed

    def advance_loads(self, loads: object, what: str) -> Packed:
        """Arrays of what `advance` or `loads_now` returned; raises as `update_loads`."""
        given = _is_loads(loads, what)
        packed = self._wrenches(given, what)
        self._mass(given, packed, what)
        _put(packed, "x_dot", given.x_dot, (0,), what)
        _put(packed, "event", None if given.event is None else (given.event,), (0,), what)
        _put(packed, "outputs", given.outputs, (self.sizes.outputs,), what)
        return packed

    def _wrenches(self, given: Loads, what: str) -> Packed:
        packed: Packed = []
        n = self.sizes
        if given.wrenches is not None:
            _put(packed, "load", given.wrenches, (n.bodies, 6), what)
        if given.at_points is not None:
            _put(packed, "point_load", given.at_points, (n.points, 6), what)
        if not packed and n.bodies + n.points > 0:
            raise WireError(f"{what} returned neither wrenches nor at_points")
        return packed

    def _mass(self, given: Loads, packed: Packed, what: str) -> None:
        side = 6 * self.sizes.bodies if self.sizes.added_mass else 0
        _put(packed, "mass", given.added_mass, (side, side), what)


NAMES = {"load": "wrenches", "point_load": "at_points", "mass": "added_mass"}


def checked(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Float:
    """A copy of an array of numbers, of that shape and finite.

    Raises
    ------
    WireError
        Not numbers, another shape, or not finite.
    """
    try:
        array = np.array(value, dtype=FLOAT, order="C")
    except (TypeError, ValueError) as error:
        raise WireError(f"{name} are not numbers: {error}") from None
    if array.shape != shape:
        raise WireError(f"{name} have the shape {array.shape}, not {shape}")
    check_finite(name, array)
    return array


def _put(
    packed: Packed, name: str, value: ArrayLike | None, shape: tuple[int, ...], what: str
) -> None:
    wanted = 0 not in shape
    if value is None:
        if wanted:
            raise WireError(f"{what} returned no {NAMES.get(name, name)}, {shape} was announced")
        return
    array = checked(f"{NAMES.get(name, name)} of {what}", value, shape) if wanted else None
    if array is None:
        if np.size(value):
            raise WireError(f"{what} returned {NAMES.get(name, name)}, none were announced")
        return
    packed.append((name, array))


def _is_loads(loads: object, what: str) -> Loads:
    if not isinstance(loads, Loads):
        raise WireError(f"{what} returned a {type(loads).__name__}, not Loads")
    return loads


def _sent(shapes: Shapes) -> Shapes:
    return {name: shape for name, shape in shapes.items() if 0 not in shape}


def _nothing(shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
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
