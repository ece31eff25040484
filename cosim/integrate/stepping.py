"""One run under way: steps of its scheme, with all that follows each of them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cosim.coupling.equations import CoupledEquations
from cosim.coupling.ledger import Ledger
from cosim.errors import SolverError
from cosim.integrate.clock import Clock
from cosim.integrate.events import Events
from cosim.integrate.piece import Outcome
from cosim.integrate.run_state import RunState
from cosim.integrate.sampling import Sampler
from cosim.integrate.scheme import NotConvergedError, Scheme

__all__ = ["Parts", "Stepping"]

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Parts:
    """What a run consists of, at its committed point.

    Attributes
    ----------
    scheme : Scheme
        Started.
    clock : Clock
    events : Events
    ledger : Ledger or None
    sampler : Sampler or None
        None for a run that records nothing.
    """

    scheme: Scheme
    clock: Clock
    events: Events
    ledger: Ledger | None
    sampler: Sampler | None


class Stepping:
    """Takes the steps of a run; it may rest after any of them.

    Where it rests the method begins anew, whether something is saved there or not. So a run
    that goes on from a saved state takes the same steps as the one that saved it.

    Parameters
    ----------
    parts : Parts
    communication_step : float or None
        H, s.
    """

    def __init__(self, parts: Parts, communication_step: float | None) -> None:
        self.scheme, self.clock, self.sampler = parts.scheme, parts.clock, parts.sampler
        self._events, self._ledger = parts.events, parts.ledger
        self.communication_step = communication_step
        self.communications = 0

    @property
    def equations(self) -> CoupledEquations:
        """The coupled system."""
        return self.scheme.equations

    @property
    def t(self) -> float:
        """The committed point, s."""
        return self.scheme.t

    def advance(self, t_end: float, progress: Callable[[float], None]) -> None:
        """Exactly to t_end, and rest there.

        Raises
        ------
        SolverError, AdapterError
        """
        while self.t < t_end:
            self._step(t_end, progress)
        self.scheme.rest()

    def advance_past(
        self, t: float, end: float, margin: float, progress: Callable[[float], None]
    ) -> bool:
        """To the first communication instant at or after t, or exactly to t without those.

        Parameters
        ----------
        t, end : float
            s; `end` is that of the run.
        margin : float
            By how much a communication instant may be early, s.
        progress : callable

        Returns
        -------
        bool
            False where a run that ends at `end` does not come there by the same steps as a
            longer one; it stands somewhere before.

        Raises
        ------
        SolverError, AdapterError
        """
        if self.scheme.communicates:
            while self.t < t - margin:
                if self.clock.cuts(end):
                    return False
                self._step(end, progress)
            self.scheme.rest()
        elif end - margin < t != end:
            return False
        else:
            self.advance(t, progress)
        return True

    def state(self) -> RunState:
        """The committed point; the run rests there."""
        scheme, equations = self.scheme, self.equations
        method = scheme.method
        counters = (method.steps, method.rejected, equations.evaluation.count, self.communications)
        return RunState(
            t=scheme.t,
            y=scheme.y.copy(),
            communication_step=self.communication_step,
            clock=self.clock.memory,
            step_size=method.step_size,
            counters=counters,
            scheme=scheme.memory(),
            held=None if equations.held is None else equations.held.memory,
            events=self._events.memory,
            ledger=None if self._ledger is None else self._ledger.memory,
            sampler=None if self.sampler is None else self.sampler.memory,
            adapters=equations.save_named(),
        )

    def recall(self, state: RunState) -> None:
        """Stand where `state` was taken.

        Raises
        ------
        SolverError
            It is of another system.
        AdapterError
        """
        scheme, equations = self.scheme, self.equations
        if state.y.size != equations.size:
            raise SolverError(
                f"the state has {state.y.size} variables, and this system {equations.size}"
            )
        equations.tell_coordinates(state.t, state.y)
        equations.restore_named(state.adapters)
        if equations.held is not None and state.held is not None:
            equations.held.recall(state.held)
        scheme.method.step_size = state.step_size
        scheme.recall(state.t, state.y, state.scheme)
        self.clock.recall(state.clock)
        self._events.recall(state.events)
        if self._ledger is not None and state.ledger is not None:
            self._ledger.recall(state.ledger)
        if self.sampler is not None and state.sampler is not None:
            self.sampler.recall(state.sampler)
        method, evaluation = scheme.method, equations.evaluation
        method.steps, method.rejected, evaluation.count, self.communications = state.counters

    def _step(self, t_end: float, progress: Callable[[float], None]) -> None:
        scheme = self.scheme
        try:
            outcome, event = self._solve(t_end)
            if self.sampler is not None:
                self.sampler.inside(scheme, outcome)
            scheme.commit(outcome)
        except SolverError as error:
            raise _located(error, scheme) from error
        scheme.equations.accept(outcome.t1, outcome.y1)
        if self._ledger is not None:
            self._ledger.commit(outcome.total(), scheme.error)
        self._events.accepted(outcome)
        if event:
            scheme.interrupted()
        self.communications += scheme.communicates
        self.clock.reached(outcome.t1)
        if self.sampler is not None:
            self.sampler.finish(outcome)
        progress(outcome.t1)

    def _solve(self, t_end: float) -> tuple[Outcome, bool]:
        """Next step, cut at an event if there is one in it."""
        scheme, clock = self.scheme, self.clock
        while True:
            try:
                outcome = scheme.solve(clock.target(t_end))
                event = self._events.first(outcome)
                if event is None or event == outcome.t1:
                    return outcome, event is not None
                return scheme.solve(event), True
            except NotConvergedError as error:
                if not scheme.communicates or not clock.halve():
                    raise
                LOG.debug("%s; the next step is %d ticks", error, clock.ticks)


def _located(error: SolverError, scheme: Scheme) -> SolverError:
    """The error with time and worst body."""
    state = scheme.equations.state(scheme.t, scheme.y)
    model = scheme.equations.model
    blamed = "".join(f"element '{name}' has no value; " for name in model.elements_without_value())
    speed = np.linalg.norm(state.v[:, :3], axis=1)
    turn = np.linalg.norm(state.v[:, 3:], axis=1)
    worst = int(np.argmax(speed + turn))
    return SolverError(
        f"the run stopped at t = {scheme.t:g} s: {error} ({blamed}body "
        f"'{model.bodies[worst]}' moves fastest, {speed[worst]:.3g} m/s and "
        f"{turn[worst]:.3g} rad/s)"
    )
