"""One run of an assembled case, through the loss of programs that may be started again."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from cosim.case.build import Assembly, build
from cosim.case.formulation import name_of
from cosim.case.modes import CaseModes, at_rest
from cosim.case.saving import Saver, Settings, check_same, settings_of, why_not_saved
from cosim.case.schema import Case
from cosim.case.start import StartState, start_state
from cosim.coupling.capabilities import Relaunchable
from cosim.coupling.manager import ExternalForcesManager
from cosim.errors import CaseError, PeerLostError
from cosim.integrate.simulation import Simulation
from cosim.integrate.summary import Summary
from cosim.multibody.cartesian.model import CartesianModel
from cosim.results.kept import CHECKPOINTS, RUN
from cosim.results.layout import Layout
from cosim.results.provenance import provenance
from cosim.results.recorder import Instants, ResultRecorder
from cosim.results.sink import Sink

__all__ = ["Execution", "Observer", "RunReport"]

LOG = logging.getLogger(__name__)

_RESTARTS = 3
"""How often one run starts lost programs again."""


class Observer(Protocol):
    """Is told what a run is doing."""

    def stage(self, text: str) -> None:
        """A new stage of the run begins."""

    def started(self, start: StartState) -> None:
        """The start of the run is known."""

    def advanced(self, t: float) -> None:
        """The run reached t, s."""


@dataclass(frozen=True)
class RunReport:
    """How a run started and what it cost."""

    start: StartState
    summary: Summary


class Execution:
    """Runs a case from its start, or from its last checkpoint.

    Parameters
    ----------
    sinks : list of Sink
        Where the results go.
    watch : Observer
    saver : Saver
        Keeps the checkpoints, and knows the last one.
    """

    def __init__(self, sinks: list[Sink], watch: Observer, saver: Saver) -> None:
        self._sinks, self._watch, self._saver = sinks, watch, saver
        self._recorder: ResultRecorder | None = None

    def run(self, assembly: Assembly) -> RunReport:
        """Run to the end; what was recorded before an error stays recorded.

        Raises
        ------
        CosimError
        """
        try:
            return self._live(assembly, _RESTARTS)
        except BaseException as error:
            if self._recorder is not None:
                self._recorder.fail(error)
            raise

    def _live(self, assembly: Assembly, restarts: int) -> RunReport:
        try:
            return self._attempt(assembly)
        except PeerLostError as error:
            last, recorder = self._saver.last, self._recorder
            if last is None or recorder is None or not (restarts and _relaunches(assembly, error)):
                raise
            LOG.warning(
                "%s; everything starts again and goes on from t = %g s (restart %d of %d)",
                error,
                last.t,
                _RESTARTS - restarts + 1,
                _RESTARTS,
            )
        again = build(assembly.case, assembly.types, formulation=assembly.formulation)
        return self._live(again, restarts - 1)

    def _attempt(self, assembly: Assembly) -> RunReport:
        case, last = assembly.case, self._saver.last
        with ExternalForcesManager(assembly.model) as manager:
            for adapter in assembly.adapters.values():
                manager.register(adapter)
            start, fastest = self._start(assembly)
            settings = settings_of(assembly)
            if last is not None:
                check_same(last, assembly, settings)
            recorder = self._recorder or self._open(assembly, settings)
            self._recorder = recorder
            checkpoints = self._saver.checkpoints(assembly, start, recorder, settings)
            simulation = Simulation(manager, case.time, start.q, start.u, fastest=fastest)
            step, tell = case.output.step, self._watch.advanced
            if last is None:
                summary = simulation.run(recorder, step, tell, checkpoints=checkpoints)
            else:
                simulation.resume(last.state, recorder, step)
                recorder.rewind(last.rows)  # only now: what was lost may not come back
                self._saver.keep(last)
                summary = simulation.finish(tell, checkpoints=checkpoints)
            recorder.close()
            self._recorder = None
        return RunReport(start, summary)

    def _start(self, assembly: Assembly) -> tuple[StartState, float]:
        """Where the run starts, and the fastest mode there, rad/s, as far as it matters."""
        case, model, watch = assembly.case, assembly.model, self._watch
        if self._saver.last is not None:
            watch.stage(f"going on from t = {self._saver.last.t:g} s")
            q, u = np.array(self._saver.last.q0), np.array(self._saver.last.u0)
            return StartState(q, u, None), 0.0
        if case.start.from_ == "equilibrium":
            watch.stage("finding the equilibrium")
        tree = assembly.in_joints()
        rest = start_state(_led(case), tree.model, assembly.adapters)
        watch.started(rest)
        for text in model.closure_findings():
            LOG.warning("%s", text)
        watch.stage("starting")
        found = None if case.motions else at_rest(tree, rest)
        _warn_of_growth(found)
        return _handed_over(assembly, tree, rest), 0.0 if found is None else found.fastest

    def _open(self, assembly: Assembly, settings: Settings) -> ResultRecorder:
        """The recorder of the run, new or going on."""
        case, adapters, last = assembly.case, assembly.adapters, self._saver.last
        layout = Layout(
            assembly.model,
            bodies={name: adapter.bodies for name, adapter in adapters.items()},
            channels={name: adapter.channels() for name, adapter in adapters.items()},
            points=case.output.points,
            wanted=case.output.channels,
        )
        overrides = "".join(f"# {text}\n" for text in case.origin.overrides.values())
        constants = provenance(
            case,
            title=case.title or case.name,
            case_text=overrides + case.origin.text,
            settings={"formulation": name_of(assembly.formulation), **case.time.model_dump()},
            adapters=settings,
            drawing=case.output.drawing,
        )
        saved = {RUN: self._saver.run, CHECKPOINTS: why_not_saved(assembly)}
        constants = replace(constants, attributes={**constants.attributes, **saved})
        step = case.output.step
        stride = None if last is None else last.shape_stride * step
        return ResultRecorder(
            layout,
            assembly.model.twin(),
            self._sinks,
            Instants(case.time.start, case.time.end, step, stride),
            constants=constants,
            kept=None if last is None else last.rows,
        )


def _handed_over(assembly: Assembly, tree: Assembly, rest: StartState) -> StartState:
    """The start in the coordinates of the run."""
    if assembly.model is tree.model:
        return rest
    assert isinstance(assembly.model, CartesianModel)
    q, u = assembly.model.from_tree(tree.model, rest.q, rest.u, t=assembly.case.time.start)
    return StartState(q, u, rest.equilibrium)


def _led(case: Case) -> Case:
    """The case with prescribed joint coordinates among its start values."""
    if not case.motions:
        return case
    if case.start.from_ == "equilibrium":
        raise CaseError("start: an equilibrium knows no prescribed motions; take 'from: reference'")
    # SymPy takes half a second to import, and only prescribed motions need it
    from cosim.multibody.cartesian.motions import driven_start

    values = {**case.start.set, **driven_start(case, case.time.start)}
    return case.model_copy(update={"start": case.start.model_copy(update={"set": values})})


def _relaunches(assembly: Assembly, error: PeerLostError) -> bool:
    adapter = assembly.adapters.get(error.adapter)
    return isinstance(adapter, Relaunchable) and adapter.on_loss == "restart"


def _warn_of_growth(found: CaseModes | None) -> None:
    for motion in found.growth if found else ():
        LOG.warning(
            "the equilibrium is not stable: %s grows by the factor e in %.3g s; check centres of "
            "gravity, volumes and stiffness",
            motion.name,
            motion.time,
        )
