"""Run a case: from its description to its results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from cosim.case.adapter_types import AdapterTypes
from cosim.case.build import Assembly, build
from cosim.case.execution import Execution, Observer, RunReport
from cosim.case.formulation import CartesianChoice, Formulation
from cosim.case.saving import Saver
from cosim.case.schema import Case
from cosim.case.start import StartState
from cosim.coupling.template import TemplateInterface
from cosim.results.memory import MemorySink
from cosim.results.netcdf import NetcdfSink
from cosim.results.sink import Sink

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Observer", "RunReport", "result_file", "run", "run_to"]


def run(
    case: Case,
    *,
    out: str | Path | None = None,
    types: Mapping[str, type[TemplateInterface]] | None = None,
    observer: Observer | None = None,
    formulation: Formulation | CartesianChoice | None = None,
) -> xr.Dataset:
    """Run a case.

    Parameters
    ----------
    case : Case
    out : path, optional
        Result file, written while the run goes on; it holds the same as what is returned.
        Beside it stands the checkpoint from which :func:`cosim.resume` goes on.
    types : mapping of name to adapter class, optional
        Adapter types of your own, beside those installed.
    observer : Observer, optional
    formulation : {"joint", "symbolic", "cartesian"} or CartesianChoice, optional
        Of the equations of motion, in place of what the case says.

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
    assembly = build(case, AdapterTypes(types), formulation=formulation or case.formulation)
    if out is not None:
        file = NetcdfSink(out)
        file.check()
        sinks.append(file)
    saver = Saver(None if out is None else Path(out))
    run_to(sinks, assembly, observer, saver=saver)
    return memory.dataset()


def result_file(case: Case, folder: str | Path) -> Path:
    """Where the command line puts the results of a case."""
    return Path(folder) / (case.output.file or f"{case.name}.nc")


def run_to(
    sinks: list[Sink],
    assembly: Assembly,
    observer: Observer | None = None,
    *,
    saver: Saver | None = None,
) -> RunReport:
    """Run an assembled case, its results going to `sinks` and its checkpoints to `saver`."""
    return Execution(sinks, observer or _Silent(), saver or Saver(None)).run(assembly)


class _Silent:
    def stage(self, text: str) -> None: ...

    def started(self, start: StartState) -> None: ...

    def advanced(self, t: float) -> None: ...
