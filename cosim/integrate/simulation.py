"""One run: from the initial point to the end, by one method and one coupling scheme."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from cosim.coupling.equations import CoupledEquations
from cosim.coupling.ledger import Ledger, PowerQuadrature
from cosim.coupling.manager import ExternalForcesManager
from cosim.errors import SolverError
from cosim.integrate.checkpoints import Checkpoints
from cosim.integrate.clock import Clock
from cosim.integrate.events import Events
from cosim.integrate.methods import build_method
from cosim.integrate.run_state import pack, unpack
from cosim.integrate.sample import Recorder
from cosim.integrate.sampling import Sampler
from cosim.integrate.schemes import build_scheme, check_stability
from cosim.integrate.settings import TimeSettings
from cosim.integrate.stability import Stability
from cosim.integrate.step_choice import communication_step
from cosim.integrate.stepping import Parts, Stepping
from cosim.integrate.summary import Summary
from cosim.multibody.interface import Float

__all__ = ["Simulation", "Summary"]


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
        self._stability: Stability | None = None
        self._stepping: Stepping
        self._began = self._resumed_at = 0.0

    def run(
        self,
        recorder: Recorder,
        output_step: float,
        progress: Callable[[float], None] | None = None,
        *,
        checkpoints: Checkpoints | None = None,
    ) -> Summary:
        """Integrate to the end; what was recorded before an error stays recorded.

        Parameters
        ----------
        recorder : Recorder
        output_step : float
            s.
        progress : callable, optional
            Called with the time reached after every step.
        checkpoints : Checkpoints, optional
            When and where the run is saved, its start included.

        Raises
        ------
        StabilityError
            The coupling scheme would be unstable with this communication step.
        SolverError
            The motion diverges; names the time and the body that moves fastest.
        AdapterError
        """
        self.begin(recorder, output_step)
        if checkpoints is not None:
            checkpoints.keep(self.t, self.snapshot())
        return self.finish(progress, checkpoints=checkpoints)

    def begin(self, recorder: Recorder | None = None, output_step: float = math.inf) -> None:
        """Start the adapters, choose and check the communication step, record the start.

        Parameters
        ----------
        recorder : Recorder, optional
        output_step : float
            s.

        Raises
        ------
        StabilityError, SolverError, AdapterError
        """
        settings, y = self._settings, self._initialize()
        equations = self._manager.equations
        step = communication_step(equations, settings, y, self._fastest)
        self._stability = check_stability(equations, settings, settings.start, y, step)
        self._open(y, step, recorder, output_step)
        if self._stepping.sampler is not None:
            self._stepping.sampler.first(settings.start, y)

    def resume(
        self, state: bytes, recorder: Recorder | None = None, output_step: float = math.inf
    ) -> None:
        """In place of `begin`: start the adapters, then stand where the state was taken.

        Parameters
        ----------
        state : bytes
            What `snapshot` returned in a run of the same system from the same q0 and u0.
        recorder : Recorder, optional
            Is given what comes after.
        output_step : float
            s; as in that run.

        Raises
        ------
        SolverError
            Not a state of this system.
        AdapterError
        """
        found = unpack(state)
        self._open(self._initialize(), found.communication_step or np.inf, recorder, output_step)
        self._stepping.recall(found)
        self._resumed_at = self.t

    def advance(self, t_end: float, progress: Callable[[float], None] | None = None) -> None:
        """Integrate exactly to t_end, s; the method begins anew there, its step size is kept.

        Raises
        ------
        SolverError, AdapterError
        """
        self._stepping.advance(t_end, progress or _ignore)

    def renew(self) -> None:
        """What drives the system from outside has jumped where the run rests: see it at once."""
        self._stepping.scheme.renew()

    def finish(
        self,
        progress: Callable[[float], None] | None = None,
        *,
        checkpoints: Checkpoints | None = None,
    ) -> Summary:
        """Integrate from where the run is to its end.

        Raises
        ------
        SolverError, AdapterError
        """
        stepping, end, watch = self._stepping, self._settings.end, progress or _ignore
        if checkpoints is not None:
            margin = checkpoints.margin
            while stepping.advance_past(checkpoints.after(self.t), end, margin, watch):
                checkpoints.keep(self.t, self.snapshot())
        stepping.advance(end, watch)
        return self.summary()

    def snapshot(self) -> bytes:
        """Everything the rest of the run depends on, where it rests; changes nothing.

        Raises
        ------
        SolverError
            An adapter's memory cannot be written down.
        """
        missing = self.unsaved()
        if missing:
            raise SolverError(
                f"the run cannot be saved: adapter '{missing[0]}' steps by itself and is not "
                "Restorable"
            )
        return pack(self._stepping.state())

    def restore(self, state: bytes) -> None:
        """Go back, or forward, to what `snapshot` returned, bit for bit.

        Raises
        ------
        SolverError
            Not a state of this system.
        AdapterError
        """
        self._stepping.recall(unpack(state))

    def unsaved(self) -> list[str]:
        """Names of the adapters whose memory cannot be written down."""
        return self.equations.not_restorable()

    @property
    def t(self) -> float:
        """Time reached, s."""
        return self._stepping.t

    @property
    def y(self) -> Float:
        """Coordinates, speeds and adapters' states there."""
        return self._stepping.scheme.y.copy()

    @property
    def equations(self) -> CoupledEquations:
        """The coupled system, after `begin` or `resume`."""
        return self._manager.equations

    def summary(self) -> Summary:
        """What the run cost so far."""
        stepping, equations = self._stepping, self.equations
        method, sampler = stepping.scheme.method, stepping.sampler
        booked = sampler is not None and self._settings.ledger
        return Summary(
            start=self._resumed_at,
            end=self.t,
            wall=time.perf_counter() - self._began,
            communication_step=stepping.communication_step,
            communications=stepping.communications,
            passes=stepping.scheme.passes,
            steps=method.steps,
            rejected=method.rejected,
            evaluations=equations.evaluation.count,
            adapter_seconds={e.name: e.seconds for e in equations.entries},
            balance=sampler.balance if booked and sampler is not None else None,
            stability=self._stability,
        )

    def _initialize(self) -> Float:
        self._began = time.perf_counter()
        self._resumed_at = self._settings.start
        return self._manager.initialize(self._settings.start, self._q0, self._u0)

    def _open(self, y: Float, step: float, recorder: Recorder | None, output_step: float) -> None:
        """Put the parts of the run together at its start."""
        settings, equations = self._settings, self.equations
        start = settings.start
        ledger = self._open_ledger(equations, y)
        scheme = build_scheme(equations, build_method(equations, settings), settings)
        scheme.start(start, y)
        sampler = None
        if recorder is not None:
            sampler = Sampler(equations, recorder, ledger, start=start, step=output_step)
        clock = Clock(start, step if scheme.communicates else np.inf)
        parts = Parts(scheme, clock, Events(equations, start, y), ledger, sampler)
        self._stepping = Stepping(parts, step if scheme.communicates else None)

    def _open_ledger(self, equations: CoupledEquations, y: Float) -> Ledger | None:
        if not self._settings.ledger:
            return None
        held = None if self._settings.scheme == "solver-call" else equations.held
        quadrature = PowerQuadrature(equations.model, equations.entries, held)
        equations.evaluation.quadrature = quadrature
        equations.state(self._settings.start, y)
        names = [entry.name for entry in equations.entries]
        return Ledger(names, quadrature, equations.model.energy())


def _ignore(t: float) -> None:
    """No progress wanted."""
