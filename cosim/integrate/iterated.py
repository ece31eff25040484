"""Iterated coupling: repeat the communication step until loads and motion agree."""

from __future__ import annotations

import logging

import numpy as np

from cosim.coupling.acceleration import Acceleration, acceleration
from cosim.coupling.equations import CoupledEquations
from cosim.coupling.held import HeldLoads
from cosim.integrate.convergence import DynamicLoads
from cosim.integrate.method import Method
from cosim.integrate.piece import Outcome
from cosim.integrate.scheme import NotConvergedError, Scheme
from cosim.integrate.settings import TimeSettings
from cosim.multibody.interface import Float, State

__all__ = ["Iterated"]

LOG = logging.getLogger(__name__)


class Iterated(Scheme):
    """Steppers' loads interpolated in time and iterated to convergence.

    Each pass integrates the equations over the communication step with the loads
    interpolated between the last returned ones and an iterate at its end, lets the
    Steppers follow the motion just computed, and compares what they return. The first
    iterate is the quadratic extrapolation of the past; the next come from
    :class:`~cosim.coupling.acceleration.IQNILS`. Linear interpolation has order 2,
    quadratic (through the previous instant) order 3.

    Parameters
    ----------
    equations : CoupledEquations
    method : Method
    settings : TimeSettings
    order : {1, 2}
        Degree of the interpolation.
    """

    def __init__(
        self, equations: CoupledEquations, method: Method, settings: TimeSettings, order: int
    ) -> None:
        super().__init__(equations, method)
        assert equations.held is not None
        self._held: HeldLoads = equations.held
        self._order = order
        self._limit = settings.max_iterations
        self._tolerance = settings.tolerance
        self._dynamic = DynamicLoads(equations.steppers, self._held, floor=settings.tolerance_floor)
        self._accelerator: Acceleration = acceleration(int(self._held.is_load.sum()))
        self._returned: Float = self._held.latest
        self._used: Float = self._held.latest
        self._end: list[State] = []

    def solve(self, t_end: float) -> Outcome:
        """Solution over one communication step whose loads agree.

        Raises
        ------
        NotConvergedError
        """
        self._accelerator.start_step()
        used = self._held.extrapolate(t_end, 2)
        for count in range(self._limit):
            self._rewind()
            outcome, returned = self._pass(used, t_end, again=count > 0)
            scale = self._dynamic.scale(returned)
            ratio = self._disagreement(used, returned, scale)
            if ratio <= self._tolerance:
                self._used, self._returned = used, returned
                return outcome
            used = self._next(used, returned, scale)
        raise NotConvergedError(
            f"the Steppers' loads still change by {ratio:.1e} of their dynamic part after "
            f"{self._limit} passes over {t_end - self.t:g} s (tolerance {self._tolerance:g}); "
            "take a shorter communication_step"
        )

    def commit(self, outcome: Outcome) -> None:
        """The last pass is history."""
        self._held.push(outcome.t1, self._returned)
        self._dynamic.note(self._returned)
        self.error = self._returned - self._used
        self._parts = self._end
        self._committed(outcome)
        self.method.restart(self.t, self.y)

    def memory(self) -> list[Float]:
        """With the range of the loads and the accelerator's columns."""
        return [*super().memory(), *self._dynamic.memory, *self._accelerator.memory]

    def recall(self, t: float, y: Float, memory: list[Float]) -> None:
        """Stand at a committed point."""
        super().recall(t, y, memory[:1])
        self._dynamic.recall(memory[1:3])
        self._accelerator.recall(memory[3:])

    def _pass(self, used: Float, t_end: float, *, again: bool) -> tuple[Outcome, Float]:
        self._held.interpolate(t_end, used, self._order)
        self.method.restart(self.t, self.y, again=again)
        outcome = self._integrate(t_end)
        self._end = self._advance_steppers(outcome)
        self.passes += 1
        return outcome, self._held.read(t_end)

    def _disagreement(self, used: Float, returned: Float, scale: Float) -> float:
        """Largest change of a load, inertia included, over its dynamic scale."""
        change = returned - used
        loads = change[self._held.is_load]
        offset = 0
        for entry, (_, mass) in zip(self.equations.steppers, self._held.slices, strict=True):
            size = entry.load.size
            if entry.mass.size:
                a = self.equations.evaluation.v_dot[entry.index].ravel()
                loads[offset : offset + size] -= change[mass].reshape(size, size) @ a
            offset += size
        return float(np.max(np.abs(loads) / scale))

    def _next(self, used: Float, returned: Float, scale: Float) -> Float:
        loads = self._held.is_load
        iterate = returned.copy()
        iterate[loads] = self._accelerator.next(used[loads], returned[loads], scale)
        return iterate
