"""What a peer may ask to be told beside the motion: the surface of the sea."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from adapters.zeromq.kernels import place_points
from adapters.zeromq.places import carried
from cosim.environment.kinematics import elevation_sum
from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.system import System
from cosim.multibody.interface import Float
from cosim.wire import Signal

__all__ = ["Inputs", "available_inputs"]

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PLACE = re.compile(rf"elevation:\s*({_NUMBER})\s*,\s*({_NUMBER})\s*")
_ELEVATION = "elevation:"


def available_inputs(points: Mapping[str, str]) -> list[str]:
    """Names of the inputs at the points that the peer knows."""
    return [f"{_ELEVATION}{name}" for name in points]


class Inputs:
    """Elevation of the sea at points that move with bodies and at fixed places.

    ``elevation:<point>`` is the surface above the still-water level, m, at the present x and y of
    a point, with the ramp of the run; ``elevation:<x>,<y>`` that at a place, m.

    Parameters
    ----------
    system : System
    bodies : sequence of str
        Rows of the states.
    points : mapping of str to str
        The peer's name of points, and the case's; the case's names are understood too.
    signals : sequence of Signal
        What the peer wants.

    Raises
    ------
    ModelError
        There is no such input, or it has other units.
    """

    def __init__(
        self,
        system: System,
        bodies: Sequence[str],
        points: Mapping[str, str],
        signals: Sequence[Signal],
    ) -> None:
        sea = system.environment.sea_state
        self._table, self._ramp = sea.table, sea.ramp_duration
        rows, owner, lever = [], [], []
        self._x, self._y, self._t = np.zeros((3, len(signals)))
        for i, signal in enumerate(signals):
            address = _address(signal, points)
            fixed = _fixed(system, signal.name, address)
            if fixed is not None:
                self._x[i], self._y[i] = fixed
                continue
            row, arm = carried(system, bodies, address)
            rows.append(i)
            owner.append(row)
            lever.append(arm)
        self._rows = np.array(rows, dtype=np.intp)
        self._owner = np.array(owner, dtype=np.intp)
        self._lever = np.array(lever).reshape(-1, 3)
        self._places = np.zeros((len(rows), 6))

    def __len__(self) -> int:
        return self._t.size

    def read(self, t: float, state: Float, out: Float) -> None:
        """Write the inputs at t, s, for the states of the bodies, (k, 18), into `out`, (c,)."""
        if not self._t.size:
            return
        if self._rows.size:
            place_points(state, self._owner, self._lever, self._places)
            self._x[self._rows] = self._places[:, 0]
            self._y[self._rows] = self._places[:, 1]
        self._t.fill(t)
        elevation_sum(self._table, self._ramp, self._t, self._x, self._y, out)


def _address(signal: Signal, points: Mapping[str, str]) -> str:
    if not signal.name.startswith(_ELEVATION):
        there = ", ".join(f"'{name}'" for name in available_inputs(points))
        raise ModelError(
            f"the peer wants the input '{signal.name}', and there is none of that name; there are "
            f"{there + ', ' if there else ''}'elevation:body/point' and 'elevation:x,y'"
        )
    if signal.units != "m":
        raise ModelError(
            f"the peer wants the input '{signal.name}' in '{signal.units}', and it is in m"
        )
    name = signal.name.removeprefix(_ELEVATION)
    return points.get(name, name)


def _fixed(system: System, name: str, address: str) -> tuple[float, float] | None:
    """Coordinates of an input at a fixed place, m."""
    place = _PLACE.fullmatch(name)
    if place is not None:
        return float(place[1]), float(place[2])
    body, position = system.point(address)
    return (position[0], position[1]) if body == EARTH else None
