"""Bodies and points of the case that a peer knows, and their motion as it is sent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from adapters.zeromq.kernels import add_point_loads, place_points
from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.sentences import nearest
from cosim.model.system import System
from cosim.multibody.interface import Float, State

__all__ = ["Points", "carried", "check_bodies", "pack_state"]


def check_bodies(system: System, bodies: Sequence[str]) -> None:
    """Refuse bodies that there are not, or that stand twice.

    Raises
    ------
    ModelError
    """
    for position, name in enumerate(bodies):
        if name not in system.bodies:
            raise ModelError(f"there is no body '{name}'{nearest(name, system.bodies)}")
        if name in bodies[:position]:
            raise ModelError(f"body '{name}' stands twice in 'bodies'; keep one")


def carried(system: System, bodies: Sequence[str], address: str) -> tuple[int, Float]:
    """Row of the body that carries a point, and the point from its centre of gravity, (3,), m.

    Raises
    ------
    ModelError
        There is no such point, or it is not on one of these bodies.
    """
    body, place = system.point(address)
    if body == EARTH:
        raise ModelError(f"point '{address}' is on no body; take a point of {', '.join(bodies)}")
    if body not in bodies:
        raise ModelError(
            f"point '{address}' is on body '{body}'; add it to 'bodies' "
            f"([{', '.join([*bodies, body])}])"
        )
    return list(bodies).index(body), np.subtract(place, system.bodies[body].cog)


def pack_state(state: State, out: Float) -> None:
    """Write r, R and twist of k bodies into the rows of `out`, (k, 18)."""
    np.concatenate((state.r, state.R.reshape(-1, 9), state.v), axis=1, out=out)


class Points:
    """Points that bodies carry.

    Parameters
    ----------
    system : System
    bodies : sequence of str
        Rows of the states.
    addresses : sequence of str

    Raises
    ------
    ModelError
    """

    def __init__(self, system: System, bodies: Sequence[str], addresses: Sequence[str]) -> None:
        found = [carried(system, bodies, address) for address in addresses]
        self._owner: NDArray[np.intp] = np.array([row for row, _ in found], dtype=np.intp)
        self._lever = np.array([lever for _, lever in found]).reshape(-1, 3)

    def __len__(self) -> int:
        return self._owner.size

    def place(self, state: Float, out: Float) -> None:
        """Write positions and velocities, (p, 6), for the states of the bodies, (k, 18)."""
        if self._owner.size:
            place_points(state, self._owner, self._lever, out)

    def add_loads(self, state: Float, points: Float, load: Float, wrench: Float) -> None:
        """Add loads at the points, (p, 6), to the wrenches of the bodies, (k, 6)."""
        add_point_loads(state, self._owner, points, load, wrench)
