"""Reference coupling: Steppers restored and advanced before every trial evaluation."""

from __future__ import annotations

from cosim.coupling.equations import CoupledEquations
from cosim.coupling.evaluation import StepperLoads
from cosim.coupling.held import HeldLoads
from cosim.integrate.method import Method
from cosim.integrate.piece import Outcome
from cosim.integrate.scheme import Scheme
from cosim.multibody.interface import State

__all__ = ["SolverCall"]


class SolverCall(Scheme):
    """At every evaluation the Steppers go from the last accepted point to the trial point.

    As accurate as the solver's tolerance, and expensive: the reference for the others.

    Parameters
    ----------
    equations : CoupledEquations
    method : Method
    """

    communicates = False
    leads_trials = True

    def __init__(self, equations: CoupledEquations, method: Method) -> None:
        super().__init__(equations, method)
        assert equations.held is not None
        self._held: HeldLoads = equations.held
        equations.evaluation.steppers = _TrialLoads(self)

    def solve(self, t_end: float) -> Outcome:
        """One accepted step, or all steps to t_end when repeated with another end."""
        if self._saved is None:
            self._saved = self.equations.save()
        if self.method.t == self.t:
            return Outcome((self._step(t_end),))
        self.equations.restore(self._saved)
        self.method.restart(self.t, self.y)
        return self._integrate(t_end)

    def commit(self, outcome: Outcome) -> None:
        """Restore, advance over the accepted step, keep."""
        assert self._saved is not None
        self.equations.restore(self._saved)
        self._parts = self._advance_steppers(outcome)
        self._held.push(outcome.t1, self._held.read(outcome.t1))
        self._committed(outcome)
        if self.equations.history:
            self.method.refresh()

    def trial(self, t: float, state: State) -> None:
        """Loads of the Steppers at a trial point."""
        if t <= self.t:
            self._held.fill(self.t, state)
            return
        assert self._saved is not None
        self.equations.restore(self._saved)
        end = self.equations.parts(state)
        for entry, start, stop in zip(self.equations.steppers, self._parts, end, strict=True):
            self.equations.advance(entry, start, stop)
        self._held.show(self._held.read(t))


class _TrialLoads(StepperLoads):
    def __init__(self, scheme: SolverCall) -> None:
        self._scheme = scheme

    def fill(self, t: float, state: State) -> None:
        """Put loads of this very point into the Steppers' entries."""
        self._scheme.trial(t, state)
