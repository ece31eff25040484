"""One run: from the initial point to the end, by one method and one coupling scheme."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from cosim.coupling.equations import CoupledEquations
from cosim.coupling.ledger import Ledger, PowerQuadrature
from cosim.coupling.manager import ExternalForcesManager
from cosim.errors import SolverError
from cosim.integrate.clock import Clock
from cosim.integrate.events import Events
from cosim.integrate.methods import build_method
from cosim.integrate.piece import Outcome
from cosim.integrate.sample import Recorder
from cosim.integrate.sampling import Sampler
from cosim.integrate.scheme import NotConvergedError, Scheme
from cosim.integrate.schemes import build_scheme, check_stability
from cosim.integrate.settings import TimeSettings
from cosim.integrate.stability import Stability
from cosim.integrate.step_choice import choose_step, peak_period
from cosim.multibody.interface import Float

__all__ = ["Simulation", "Summary"]

LOG = logging.getLogger(__name__)

_ITERATED_LIMIT = 3.46
"""H w of an undamped mode at which linear interpolation of its load becomes unstable."""
_LONG_SHARE = 0.1
"""Part of a period over which linear interpolation is off by 5 % of the amplitude."""


@dataclass(frozen=True)
class Summary:
    """What a run cost, and how well its books balance.

    Attributes
    ----------
    start, end : float
        Simulated time, s.
    wall : float
        Elapsed time, s.
    communication_step : float or None
        H, s; None without communication instants.
    communications : int
        Communication steps taken.
    passes : int
        Integrations over communication steps; per step, the iterations of `iterated`.
    steps, rejected, evaluations : int
        Accepted and rejected steps of the method, evaluations of the equations.
    adapter_seconds : mapping
        Elapsed time inside each adapter, s; without what compiled stages spend there.
    balance : float or None
        Last value of the ledger's `balance`.
    stability : Stability or None
        Of an explicit scheme, measured before it ran.
    """

    start: float
    end: float
    wall: float
    communication_step: float | None
    communications: int
    passes: int
    steps: int
    rejected: int
    evaluations: int
    adapter_seconds: Mapping[str, float]
    balance: float | None
    stability: Stability | None

    @property
    def speed(self) -> float:
        """Simulated over elapsed time."""
        return (self.end - self.start) / self.wall if self.wall > 0.0 else float("inf")


class Simulation:
    """Integrates a coupled system and hands samples to a recorder.

    ::

        with ExternalForcesManager(model) as manager:
            manager.register(...)
            summary = Simulation(manager, settings, q0, u0).run(recorder, output_step=0.1)

    Parameters
    ----------
    manager : ExternalForcesManager
        With all adapters registered, not initialised yet.
    settings : TimeSettings
    q0 : (nq,)
    u0 : (nu,)
    fastest : float
        Fastest mode, rad/s, with the stiffness of the Steppers, where it is known: bounds
        the communication step.
    """

    def __init__(
        self,
        manager: ExternalForcesManager,
        settings: TimeSettings,
        q0: Float,
        u0: Float,
        *,
        fastest: float = 0.0,
    ) -> None:
        self._manager = manager
        self._fastest = fastest
        self._settings = settings
        self._q0, self._u0 = np.array(q0, dtype=float), np.array(u0, dtype=float)
        self._communications = 0

    def run(
        self,
        recorder: Recorder,
        output_step: float,
        progress: Callable[[float], None] | None = None,
    ) -> Summary:
        """Integrate to the end; what was recorded before an error stays recorded.

        Parameters
        ----------
        recorder : Recorder
        output_step : float
            s.
        progress : callable, optional
            Called with the time reached after every step.

        Raises
        ------
        StabilityError
            The coupling scheme would be unstable with this communication step.
        SolverError
            The motion diverges; names the time and the body that moves fastest.
        AdapterError
        """
        began = time.perf_counter()
        settings = self._settings
        y = self._manager.initialize(settings.start, self._q0, self._u0)
        equations = self._manager.equations
        step = self._communication_step(equations, y)
        stability = check_stability(equations, settings, settings.start, y, step)
        ledger = self._open_ledger(equations, y)
        scheme = build_scheme(equations, build_method(equations, settings), settings)
        scheme.start(settings.start, y)
        sampler = Sampler(equations, recorder, ledger, start=settings.start, step=output_step)
        sampler.first(settings.start, y)
        span = settings.end - settings.start
        clock = Clock(settings.start, settings.end, step if scheme.communicates else span)
        self._loop(scheme, clock, sampler, ledger, progress=progress or _ignore)
        return Summary(
            start=settings.start,
            end=scheme.t,
            wall=time.perf_counter() - began,
            communication_step=step if scheme.communicates else None,
            communications=self._communications,
            passes=scheme.passes,
            steps=scheme.method.steps,
            rejected=scheme.method.rejected,
            evaluations=equations.evaluation.count,
            adapter_seconds={e.name: e.seconds for e in equations.entries},
            balance=None if ledger is None else sampler.balance,
            stability=stability,
        )

    def _loop(
        self,
        scheme: Scheme,
        clock: Clock,
        sampler: Sampler,
        ledger: Ledger | None,
        *,
        progress: Callable[[float], None],
    ) -> None:
        events = Events(scheme.equations, scheme.t, scheme.y)
        while scheme.t < self._settings.end:
            try:
                outcome, event = _solve(scheme, clock, events)
                sampler.inside(scheme, outcome)
                scheme.commit(outcome)
            except SolverError as error:
                raise _located(error, scheme) from error
            scheme.equations.accept(outcome.t1, outcome.y1)
            if ledger is not None:
                ledger.commit(outcome.total(), scheme.error)
            events.accepted(outcome)
            if event:
                scheme.interrupted()
            self._communications += scheme.communicates
            clock.reached(outcome.t1)
            sampler.finish(outcome)
            progress(outcome.t1)

    def _communication_step(self, equations: CoupledEquations, y: Float) -> float:
        wanted = self._settings.communication_step
        if not equations.steppers:
            return np.inf
        if wanted == "auto":
            wanted = choose_step(equations, self._settings.start, y, self._fastest)
            LOG.info("communication step: %g s", wanted)
        if self._settings.scheme == "iterated" and wanted * self._fastest > _ITERATED_LIMIT:
            LOG.warning(
                "the communication step %g s is long for the fastest mode (%.3g s): the iterated "
                "scheme is unstable beyond H w = %g",
                wanted,
                2.0 * np.pi / self._fastest,
                _ITERATED_LIMIT,
            )
        period = peak_period(equations.model.system.environment)
        if period is not None and wanted > _LONG_SHARE * period:
            LOG.warning(
                "the communication step %g s is long for waves of %.3g s: the loads of lines are "
                "interpolated over it",
                wanted,
                period,
            )
        return float(wanted)

    def _open_ledger(self, equations: CoupledEquations, y: Float) -> Ledger | None:
        if not self._settings.ledger:
            return None
        held = None if self._settings.scheme == "solver-call" else equations.held
        quadrature = PowerQuadrature(equations.model, equations.entries, held)
        equations.evaluation.quadrature = quadrature
        equations.state(self._settings.start, y)
        names = [entry.name for entry in equations.entries]
        return Ledger(names, quadrature, equations.model.energy())


def _solve(scheme: Scheme, clock: Clock, events: Events) -> tuple[Outcome, bool]:
    """Next step, cut at an event if there is one in it."""
    while True:
        try:
            outcome = scheme.solve(clock.target())
            event = events.first(outcome)
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


def _ignore(t: float) -> None:
    """No progress wanted."""
