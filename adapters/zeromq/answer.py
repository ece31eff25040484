"""What a peer is told of an instant, and what it answers as loads on the bodies."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from adapters.zeromq.inputs import Inputs
from adapters.zeromq.places import Points, pack_state
from cosim.multibody.interface import Float, State
from cosim.wire.arrays import Arrays, check_shapes
from cosim.wire.messages import HelloReply

__all__ = ["Answers", "View"]

Shapes = dict[str, tuple[int, ...]]


class View:
    """One instant as it is sent: memory that is written again for each.

    Parameters
    ----------
    bodies : int
    points : Points
    inputs : Inputs

    Attributes
    ----------
    state : (k, 18)
    points : (p, 6)
    channels : (c,)
    """

    __slots__ = ("_inputs", "_places", "channels", "points", "state")

    def __init__(self, bodies: int, points: Points, inputs: Inputs) -> None:
        self._places, self._inputs = points, inputs
        self.state = np.zeros((bodies, 18))
        self.points = np.zeros((len(points), 6))
        self.channels = np.zeros(len(inputs))

    def look(self, t: float, state: State) -> None:
        """Write down the instant t, s."""
        pack_state(state, self.state)
        self._places.place(self.state, self.points)
        self._inputs.read(t, self.state, self.channels)

    def load(self, answer: Arrays) -> Float:
        """Wrenches at the centres of gravity, (k, 6), of an answer for this instant."""
        load = answer.get("load")
        wrench = np.zeros((len(self.state), 6)) if load is None else load.copy()
        at_points = answer.get("point_load")
        if at_points is not None:
            self._places.add_loads(self.state, self.points, at_points.copy(), wrench)
        return wrench


class Answers:
    """Arrays that a peer answers with.

    Parameters
    ----------
    reply : HelloReply
        What it says of itself.
    """

    def __init__(self, reply: HelloReply) -> None:
        k, n, o = len(reply.bodies), reply.n_states, len(reply.outputs)
        loads: Mapping[str, tuple[int, ...]] = {
            "load": (k, 6),
            "point_load": (len(reply.points), 6),
        }
        instant: Shapes = {"mass": (6 * k, 6 * k)} if reply.added_mass else {}
        if n:
            instant["x_dot"] = (n,)
        if reply.event:
            instant["event"] = (1,)
        if o:
            instant["outputs"] = (o,)
        states: Shapes = {"x": (n,), "x_scale": (n,)} if n else {}
        self._static = _with(loads, {})
        self._instant = _with(loads, instant)
        self._start = _with(loads, {**states, **instant})

    def check_static(self, answer: Arrays) -> None:
        """Refuse an answer to `static` that is none; raises WireError."""
        check_shapes(answer, self._static[_key(answer)])

    def check_start(self, answer: Arrays) -> None:
        """Refuse an answer to `initialize` that is none; raises WireError."""
        check_shapes(answer, self._start[_key(answer)])

    def check(self, answer: Arrays) -> None:
        """Refuse an answer to `update`, `accept` or `advance` that is none; raises WireError."""
        check_shapes(answer, self._instant[_key(answer)])


_Key = tuple[bool, bool]


def _key(answer: Arrays) -> _Key:
    return "load" in answer, "point_load" in answer


def _with(loads: Mapping[str, tuple[int, ...]], others: Shapes) -> dict[_Key, Shapes]:
    """All arrays, by which loads there are: wrenches, loads at points, or both."""
    load, at_points = ({name: shape} for name, shape in loads.items())
    return {
        (False, False): {**load, **others},  # one is missing: the wrenches are missed
        (True, False): {**load, **others},
        (False, True): {**at_points, **others},
        (True, True): {**load, **at_points, **others},
    }
