"""Explicit coupling: loads extrapolated, no iteration."""

from __future__ import annotations

from cosim.coupling.equations import CoupledEquations
from cosim.coupling.held import HeldLoads
from cosim.integrate.guard import PredictionGuard
from cosim.integrate.iterated import Iterated
from cosim.integrate.method import Method
from cosim.integrate.piece import Outcome
from cosim.integrate.scheme import Scheme
from cosim.integrate.settings import TimeSettings
from cosim.multibody.interface import Float

__all__ = ["Explicit"]


class Explicit(Scheme):
    """Steppers' loads extrapolated over the communication step; order k has order k + 1.

    The first k steps, where there is no past to extrapolate, are iterated if all Steppers
    can be restored; otherwise they have a lower order.

    Parameters
    ----------
    equations : CoupledEquations
    method : Method
    settings : TimeSettings
    order : {0, 1, 2}
    """

    def __init__(
        self, equations: CoupledEquations, method: Method, settings: TimeSettings, order: int
    ) -> None:
        super().__init__(equations, method)
        assert equations.held is not None
        self._held: HeldLoads = equations.held
        self._order = order
        self._guard = PredictionGuard(self._held)
        self._starter = (
            None if equations.not_restorable() else Iterated(equations, method, settings, order=1)
        )
        self._starting = False
        self._predicted: Float = self._held.latest

    def solve(self, t_end: float) -> Outcome:
        """Solution over one communication step with extrapolated loads."""
        if self._starter is not None and self._held.depth <= self._order:
            if not self._starting:
                self._starter.adopt(self)
            self._starting = True
            outcome = self._starter.solve(t_end)
            self._saved = self._starter.saved
            return outcome
        self._starting = False
        if self.equations.history:
            self._rewind()
        self._predicted = self._held.extrapolate(t_end, self._order)
        self.method.restart(self.t, self.y)
        self.passes += 1
        return self._integrate(t_end)

    def memory(self) -> list[Float]:
        """With the guard's errors and the memory of the scheme that starts this one."""
        starter = [] if self._starter is None else self._starter.memory()
        return [*super().memory(), self._guard.memory, *starter]

    def recall(self, t: float, y: Float, memory: list[Float]) -> None:
        """Stand at a committed point."""
        super().recall(t, y, memory[:1])
        self._guard.recall(memory[1])
        self._starting = False
        if self._starter is not None:
            self._starter.recall(t, y, memory[2:])

    def commit(self, outcome: Outcome) -> None:
        """Steppers follow the outcome."""
        if self._starting:
            assert self._starter is not None
            self._starter.commit(outcome)
            self.adopt(self._starter)
            self.passes += self._starter.passes
            self._starter.passes = 0
            return
        self._parts = self._advance_steppers(outcome)
        returned = self._held.read(outcome.t1)
        self.error = returned - self._predicted
        self._guard.check(outcome.t1, self.error, returned)
        self._held.push(outcome.t1, returned)
        self._committed(outcome)
        self.method.restart(self.t, self.y)
