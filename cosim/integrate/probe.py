"""Steppers led along small prescribed motions from a saved state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from cosim.coupling.entry import Entry
from cosim.coupling.equations import CoupledEquations
from cosim.coupling.motion import Motion
from cosim.multibody.interface import Float, State

__all__ = ["Probe", "moved"]

_ARM = 10.0
"""Length, m, at which a rotation counts as a displacement."""


class Probe:
    """Drives the Steppers along small motions, always from the same saved state.

    Parameters
    ----------
    equations : CoupledEquations
        All Steppers Restorable.
    t, y : float, (n,)
        Committed point; the motions start from its pose.
    step : float
        Between two instants of a motion, s.
    """

    def __init__(self, equations: CoupledEquations, t: float, y: Float, step: float) -> None:
        assert equations.held is not None
        self._equations, self._held = equations, equations.held
        self._t, self._y, self._step = t, y, step
        self._saved = equations.save()

    def reach(self, shape: Float) -> float:
        """Largest displacement, m, of the Steppers' bodies per unit along `shape`, (nu,)."""
        state = moved(self._equations, self._t, self._y, 0.0 * shape, shape)
        largest = 0.0
        for part in self._equations.parts(state):
            largest = max(largest, np.abs(part.v[:, :3]).max(), _ARM * np.abs(part.v[:, 3:]).max())
        return largest

    def follow(self, shape: Float, path: Float) -> Iterator[Float]:
        """What the Steppers return, as in `HeldLoads.read`, at every instant of a motion.

        The model stands at the pose of the instant meanwhile.

        Parameters
        ----------
        shape : (nu,)
            Direction of the motion.
        path : (count, 2)
            Displacement and speed along it at the instants after the start, which is at rest.
        """
        equations = self._equations
        equations.restore(self._saved)
        starts = equations.parts(self._state(0, shape, np.zeros(2)))
        for n, point in enumerate(path):
            ends = equations.parts(self._state(n + 1, shape, point))
            for entry, start, end in zip(equations.steppers, starts, ends, strict=True):
                _advance(equations, entry, start, end)
            yield self._held.read(ends[0].t)
            starts = ends

    def end(self) -> None:
        """Leave the Steppers as they were found."""
        self._equations.restore(self._saved)
        self._held.fill(self._t, self._equations.state(self._t, self._y))

    def _state(self, n: int, shape: Float, point: Float) -> State:
        t = self._t + n * self._step
        return moved(self._equations, t, self._y, point[0] * shape, point[1] * shape)


def moved(equations: CoupledEquations, t: float, y: Float, d: Float, rate: Float) -> State:
    """State at the displacement d from the pose of y and with the speeds `rate`, (nu,) each."""
    q, _, _ = equations.split(y)
    return equations.model.kinematics(t, equations.model.retract(q, d), rate).copy()


def _advance(equations: CoupledEquations, entry: Entry, start: State, end: State) -> None:
    """Advance one Stepper, in pieces if the step is longer than it takes."""
    assert entry.stepper is not None
    motion = Motion(start, end)
    count = 1
    while (end.t - start.t) / count > entry.stepper.max_step * (1.0 + 1e-9):
        count *= 2
    inside = [motion.at(start.t + i * (end.t - start.t) / count).copy() for i in range(1, count)]
    points: Sequence[State] = [start, *inside, end]
    for first, last in pairwise(points):
        equations.advance(entry, first, last)
