"""A whole case as a peer: one of its bodies is moved by the run that calls."""

from __future__ import annotations

import msgspec
import numpy as np

from cosim.case.adapter_types import AdapterTypes
from cosim.case.build import Assembly, build
from cosim.case.schema import Case
from cosim.case.start import named_coordinates
from cosim.coupling.capabilities import Restorable, Stepper
from cosim.coupling.manager import ExternalForcesManager
from cosim.errors import CaseError, SolverError
from cosim.integrate.settings import TimeSettings
from cosim.integrate.simulation import Simulation
from cosim.multibody.interface import Float, State
from cosim.serving.agreement import check_setup
from cosim.serving.driven import DrivenModel
from cosim.serving.held_rest import rest_with_held
from cosim.serving.prescribed import Prescribed, straight_on
from cosim.wire.peer import Instant, Loads, Peer, Setup, Step

__all__ = ["CasePeer"]


class _Saved(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """Where the interface is, and the run of all else."""

    t: float
    interface: list[float]
    run: bytes


class CasePeer(Peer):
    """Serves a case whose `interface` is a body of the run that calls.

    Over each step that body follows the caller's motion; all else is integrated by the methods
    and the coupling scheme of the served case. The answer is the load ``g - M v'`` at the end:
    what hangs on the interface enters the caller's equations with its inertia, so that it may be
    many times heavier than the caller's own body.

    The body is described in both cases, with the same centre of gravity; its mass counts in
    both, so the case that is served gives it what the calling one leaves out. `start`, `method`
    and `scheme` are those of the served case, start and end of the run those of the caller.

    Parameters
    ----------
    case : Case
    interface : str
        Child of a floating joint to earth.
    types : AdapterTypes, optional
        Those installed, by default.

    Raises
    ------
    CosimError
        What is wrong with the case or its adapters; the interface does not float.
    """

    mode = "advance"
    added_mass = True

    def __init__(self, case: Case, interface: str, types: AdapterTypes | None = None) -> None:
        self._case, self._types = case, types
        self.bodies = (interface,)
        self.name = case.name
        self._used = False
        self._manager: ExternalForcesManager | None = None
        self._open()

    def configure(self, setup: Setup) -> None:
        """See that both cases agree; a second session gets adapters of its own."""
        check_setup(self._case, setup)
        if self._used:
            self._open()
        self._used = True
        self._settings = _settings(self._case.time, setup)

    def static_loads(self, at: Instant) -> Loads:
        """Load on the interface at rest, with all else at rest below it."""
        return Loads(wrenches=self._rest(_state(at))[1][None])

    def initialize(self, at: Instant) -> None:
        """Start the case with the interface where the caller has it."""
        state, model = _state(at), self._model
        q, u = self._start(state)
        model.drive.motion = straight_on(state)
        manager = ExternalForcesManager(model)
        self._manager = manager
        for adapter in self._assembly.adapters.values():
            manager.register(adapter)
        self._simulation = Simulation(manager, self._settings, q, u)
        self._simulation.begin()
        self._end = state

    def advance(self, step: Step) -> Loads:
        """Let the interface follow the motion, and integrate all else."""
        motion, simulation = step.motion(), self._simulation
        if motion.t0 != simulation.t:
            raise SolverError(
                f"a step from t = {motion.t0:g} s, and the served case stands at "
                f"{simulation.t:g} s; restore it first"
            )
        self._model.drive.motion = Prescribed(motion)
        simulation.renew()
        simulation.advance(motion.t1)
        self._end = motion.end
        return self.loads_now()

    def loads_now(self) -> Loads:
        """Load and apparent inertia at the interface where the run stands."""
        simulation = self._simulation
        simulation.equations.evaluation(simulation.t, simulation.y)
        load = self._model.interface_load
        return Loads(wrenches=load.g[None], added_mass=load.mass)

    def save_state(self) -> bytes:
        """Everything the rest of the run depends on."""
        end = self._end
        interface = np.concatenate([end.r.ravel(), end.R.ravel(), end.v.ravel()]).tolist()
        return msgspec.msgpack.encode(_Saved(end.t, interface, self._simulation.snapshot()))

    def restore_state(self, state: bytes) -> None:
        """Put back what `save_state` returned."""
        try:
            saved = msgspec.msgpack.decode(state, type=_Saved)
        except msgspec.MsgspecError as error:
            raise SolverError(f"this is no state of a served case: {error}") from None
        numbers = np.array(saved.interface)
        if numbers.shape != (18,):
            raise SolverError(f"this is no state of a served case: {numbers.size} numbers, not 18")
        end = State(
            saved.t,
            numbers[:3].reshape(1, 3),
            numbers[3:12].reshape(1, 3, 3),
            numbers[12:].reshape(1, 6),
        )
        self._model.drive.motion = straight_on(end)
        self._simulation.restore(saved.run)
        self._end = end

    def end(self) -> None:
        """End all adapters of the case."""
        if self._manager is not None:
            self._manager.end()
        else:
            for adapter in self._assembly.adapters.values():
                adapter.end()
        self._manager = None

    def _open(self) -> None:
        """Construct the case, and say what it is."""
        assembly = build(self._case, self._types)
        (interface,) = self.bodies
        self._assembly: Assembly = assembly
        self._model = DrivenModel(assembly.model, interface)
        self._refuse_start_of_interface()
        steppers = [a for a in assembly.adapters.values() if isinstance(a, Stepper)]
        self.restorable = all(isinstance(stepper, Restorable) for stepper in steppers)
        self.inner_step = max((stepper.inner_step for stepper in steppers), default=0.0)
        self.static = self._case.start.from_ == "equilibrium"
        self.about = {"case": self._case.name, "interface": interface}
        if self.static and assembly.model.closures:
            raise CaseError(
                "the equilibrium of a served case with closed loops is not sought; write "
                "'start: {from: reference}'"
            )
        self._q, _ = assembly.model.initial()

    def _refuse_start_of_interface(self) -> None:
        (interface,) = self.bodies
        joint = self._model.speeds[self._model.rows.start].rpartition(".")[0]
        for key in self._case.start.set:
            if key.rpartition(".")[0] in (interface, joint):
                raise CaseError(
                    f"start.set: '{key}' is where the calling run has body '{interface}'; leave "
                    "it out"
                )

    def _start(self, state: State) -> tuple[Float, Float]:
        """Coordinates and speeds of all but the interface."""
        model, given = self._assembly.model, self._case.start.set
        if not self.static:
            return model.initial(given)
        q, _ = self._rest(state)
        return model.initial_near(named_coordinates(model, q, model.initial()[0]), given)

    def _rest(self, state: State) -> tuple[Float, Float]:
        """Pose of all at rest, and the load on the interface."""
        model = self._model
        still = State(state.t, state.r, state.R, np.zeros((1, 6)))
        model.drive.motion = straight_on(still)
        model.kinematics(state.t, self._q, np.zeros(model.nu))
        q, _ = model.placed(self._q, np.zeros(model.nu))
        model.drive.motion = None
        self._q, load = rest_with_held(
            self._assembly.model, self._assembly.adapters, (state.t, q), model.rows
        )
        return self._q, load


def _settings(time: TimeSettings, setup: Setup) -> TimeSettings:
    """Those of the served case over the span of the calling run."""
    method = "DOP853" if time.method == "compiled" else time.method  # the same, uncompiled
    span = {"start": setup.start, "end": setup.end, "ledger": False, "method": method}
    return time.model_copy(update=span)


def _state(at: Instant) -> State:
    return State(at.t, *(np.ascontiguousarray(part) for part in (at.r, at.R, at.v)))
