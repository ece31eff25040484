"""Go on with a run from its last checkpoint."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cosim.case.adapter_types import AdapterTypes
from cosim.case.build import build
from cosim.case.formulation import CartesianChoice, Formulation
from cosim.case.record import read_again
from cosim.case.run import Observer, RunReport, run_to
from cosim.case.saving import Saver
from cosim.case.schema import Case
from cosim.coupling.template import TemplateInterface
from cosim.errors import CaseError
from cosim.results.checkpoint import Checkpoint, checkpoint_file, read_checkpoint
from cosim.results.kept import CHECKPOINTS, COMPLETED, Kept, attributes, time_settings
from cosim.results.netcdf import NetcdfSink
from cosim.results.reader import open_results

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Resumption", "prepare_resumption", "resume"]


@dataclass(frozen=True)
class Resumption:
    """A run that can go on.

    Attributes
    ----------
    case : Case
    checkpoint : Checkpoint
    results, out : Path
        Result file so far, and the one to be written; may be the same.
    saver : Saver
    complete : bool
        The run has reached its end already.
    """

    case: Case
    checkpoint: Checkpoint
    results: Path
    out: Path
    saver: Saver
    complete: bool

    def sink(self) -> NetcdfSink:
        """Where the results go: the file that keeps those up to the checkpoint."""
        checkpoint = self.checkpoint
        kept = Kept(self.results, checkpoint.run, checkpoint.rows, self.case.time.end)
        return NetcdfSink(self.out, kept=kept)

    def run(
        self,
        sink: NetcdfSink,
        observer: Observer | None = None,
        types: AdapterTypes | None = None,
    ) -> RunReport:
        """Go on to the end of the case.

        Raises
        ------
        CosimError
        """
        checkpoint = self.checkpoint
        sink.check()
        assembly = build(self.case, types, formulation=_formulation(checkpoint, self.case))
        return run_to([sink], assembly, observer, saver=self.saver)


def prepare_resumption(
    result: str | Path,
    *,
    end: float | None = None,
    out: str | Path | None = None,
    case: Case | None = None,
) -> Resumption:
    """Read what a run needs to go on.

    Parameters
    ----------
    result : path
        Result file, with its checkpoint beside it.
    end : float, optional
        New end, s.
    out : path, optional
        Result file to write; the same one by default.
    case : Case, optional
        See :func:`resume`.

    Raises
    ------
    CaseError
        There is nothing to go on from, or the end is before it.
    """
    results = Path(result)
    target = results if out is None or _same(results, Path(out)) else Path(out)
    for path in (results, target):
        if path.is_dir():
            raise CaseError(f"'{path}' is a folder; name a file for the results")
    if results.suffix == checkpoint_file(results).suffix:
        raise CaseError(f"name the result file that '{results}' belongs to, not the checkpoint")
    if end is not None and not math.isfinite(end):
        raise CaseError(f"the run cannot go on to t = {end} s; give an end that comes")
    _explain_absence(results)
    checkpoint = read_checkpoint(checkpoint_file(results))
    found = read_again(checkpoint.case, end=end, case=case)
    if found.time.end < checkpoint.t:
        raise CaseError(
            f"'{results}' was saved at t = {checkpoint.t:g} s, after the end at "
            f"{found.time.end:g} s; give a later one"
        )
    complete = target == results and _completed(results, found.time.end)
    return Resumption(found, checkpoint, results, target, Saver(target, checkpoint), complete)


def resume(
    result: str | Path,
    *,
    end: float | None = None,
    out: str | Path | None = None,
    case: Case | None = None,
    types: Mapping[str, type[TemplateInterface]] | None = None,
    observer: Observer | None = None,
) -> xr.Dataset:
    """Go on with a run from its last checkpoint: one that was ended, killed, or is to be longer.

    The results are those of a run that nobody disturbed, bit for bit.

    Parameters
    ----------
    result : path
        Result file, with its checkpoint beside it.
    end : float, optional
        New end, s.
    out : path, optional
        Result file to write; the same one by default.
    case : Case, optional
        Needed only for a case that was made, or changed, in Python.
    types : mapping of name to adapter class, optional
        Adapter types of your own, beside those installed.
    observer : Observer, optional

    Returns
    -------
    xarray.Dataset
        Of the whole run.

    Raises
    ------
    CosimError
        No checkpoint, a damaged one, or other inputs than those of the run.
    """
    resumption = prepare_resumption(result, end=end, out=out, case=case)
    if not resumption.complete:
        resumption.run(resumption.sink(), observer, AdapterTypes(types))
    return open_results(resumption.out)


def _explain_absence(results: Path) -> None:
    """Say why there is no checkpoint, where the result file knows it."""
    if not results.is_file() or checkpoint_file(results).exists():
        return
    reason = attributes(results).get(CHECKPOINTS)
    if reason:
        raise CaseError(f"'{results}' cannot be resumed: {reason}; run the case anew")


def _same(first: Path, second: Path) -> bool:
    return first.resolve() == second.resolve()


def _completed(results: Path, end: float) -> bool:
    """Whether the run in a file has reached this end."""
    if not results.is_file():
        return False
    found = attributes(results)
    return found.get("status") == COMPLETED and time_settings(found).get("end") == end


def _formulation(checkpoint: Checkpoint, case: Case) -> Formulation | CartesianChoice:
    """That of the run: the options are those of the case, which is the same."""
    name = checkpoint.case.formulation
    if isinstance(case.formulation, CartesianChoice) and name == "cartesian":
        return case.formulation
    return name
