"""Run a case: from its description to its results."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from cosim.case.adapter_types import AdapterTypes
from cosim.case.build import Assembly, build
from cosim.case.formulation import Formulation
from cosim.case.modes import CaseModes, at_rest
from cosim.case.schema import Case
from cosim.case.start import StartState, start_state
from cosim.coupling.manager import ExternalForcesManager
from cosim.coupling.template import TemplateInterface
from cosim.integrate.simulation import Simulation, Summary
from cosim.results.layout import Layout
from cosim.results.memory import MemorySink
from cosim.results.netcdf import NetcdfSink
from cosim.results.provenance import provenance
from cosim.results.recorder import Instants, ResultRecorder
from cosim.results.sink import Sink

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Observer", "RunReport", "result_file", "run", "run_to"]

LOG = logging.getLogger(__name__)


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


def run(
    case: Case,
    *,
    out: str | Path | None = None,
    types: Mapping[str, type[TemplateInterface]] | None = None,
    observer: Observer | None = None,
    formulation: Formulation = "joint",
) -> xr.Dataset:
    """Run a case.

    Parameters
    ----------
    case : Case
    out : path, optional
        Result file, written while the run goes on; it holds the same as what is returned.
    types : mapping of name to adapter class, optional
        Adapter types of your own, beside those installed.
    observer : Observer, optional
    formulation : {"joint", "symbolic"}
        Compiled equations of motion, or those that SymPy derives from the same description.

    Returns
    -------
    xarray.Dataset
        See :mod:`cosim.results.layout`.

    Raises
    ------
    CosimError
        The message says what is wrong, where, and what to do.
    """
    memory = MemorySink()
    sinks: list[Sink] = [memory]
    assembly = build(case, AdapterTypes(types), formulation=formulation)
    if out is not None:
        file = NetcdfSink(out)
        file.check()
        sinks.append(file)
    run_to(sinks, assembly, observer)
    return memory.dataset()


def result_file(case: Case, folder: str | Path) -> Path:
    """Where the command line puts the results of a case."""
    return Path(folder) / (case.output.file or f"{case.name}.nc")


def run_to(sinks: list[Sink], assembly: Assembly, observer: Observer | None = None) -> RunReport:
    """Run an assembled case, its results going to `sinks`."""
    case, model, adapters = assembly.case, assembly.model, assembly.adapters
    watch: Observer = observer or _Silent()
    with ExternalForcesManager(model) as manager:
        for adapter in adapters.values():
            manager.register(adapter)
        if case.start.from_ == "equilibrium":
            watch.stage("finding the equilibrium")
        start = start_state(case, model, adapters)
        watch.started(start)
        for text in model.closure_findings():
            LOG.warning("%s", text)
        watch.stage("starting")
        found = at_rest(assembly, start)
        fastest = 0.0 if found is None else found.fastest
        _warn_of_growth(found)
        simulation = Simulation(manager, case.time, start.q, start.u, fastest=fastest)
        with _recorder(assembly, sinks) as recorder:
            summary = simulation.run(recorder, case.output.step, watch.advanced)
    return RunReport(start, summary)


def _warn_of_growth(found: CaseModes | None) -> None:
    for motion in found.growth if found else ():
        LOG.warning(
            "the equilibrium is not stable: %s grows by the factor e in %.3g s; check centres of "
            "gravity, volumes and stiffness",
            motion.name,
            motion.time,
        )


def _recorder(assembly: Assembly, sinks: list[Sink]) -> ResultRecorder:
    case, adapters = assembly.case, assembly.adapters
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
        settings={"formulation": assembly.formulation, **case.time.model_dump()},
        adapters={name: dict(adapter.settings()) for name, adapter in adapters.items()},
        drawing=case.output.drawing,
    )
    instants = Instants(case.time.start, case.time.end, case.output.step)
    return ResultRecorder(layout, assembly.model.twin(), sinks, instants, constants=constants)


class _Silent:
    def stage(self, text: str) -> None: ...

    def started(self, start: StartState) -> None: ...

    def advanced(self, t: float) -> None: ...
