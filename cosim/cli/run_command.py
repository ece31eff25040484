"""``cosim run``: a case to its results."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from cosim.cli.compiling import announce_compilation
from cosim.cli.console import Consoles, listen
from cosim.cli.display import RunDisplay
from cosim.cli.tables import number, statistics_table, table

if TYPE_CHECKING:
    from rich.console import Console

    from cosim.case.formulation import Formulation
    from cosim.case.run import RunReport
    from cosim.case.saving import Saver
    from cosim.case.schema import Case
    from cosim.results.netcdf import NetcdfSink

__all__ = ["run_case", "summarise", "told_what_is_left"]


def run_case(
    path: Path,
    settings: list[str],
    *,
    out: Path,
    quiet: bool,
    formulation: Formulation | None = None,
    level: int = logging.INFO,
) -> None:
    """Run a case file and show how it went.

    Parameters
    ----------
    path : Path
    settings : list of str
        ``name=value``.
    out : Path
        Folder of the result file.
    quiet : bool
        Only errors and warnings.
    formulation : str, optional
        Of the equations of motion, in place of what the case says.
    level : int
        Of the library's messages.
    """
    consoles = Consoles()
    consoles.err.quiet = quiet
    warnings = Consoles().err if quiet else consoles.err  # these are shown in any case
    with listen(warnings, logging.WARNING if quiet else level):
        from cosim.case.read import read_case
        from cosim.case.run import result_file

        case = read_case(path, settings)
        file = result_file(case, out)
        report = _run(case, file, consoles.err, formulation)
    if not quiet:
        summarise(consoles.out, file, report)


def _run(case: Case, file: Path, messages: Console, formulation: Formulation | None) -> RunReport:
    from cosim.case.build import build
    from cosim.case.run import run_to
    from cosim.case.saving import Saver
    from cosim.results.netcdf import NetcdfSink

    display = RunDisplay(messages, case.time.start, case.time.end)
    sink, saver = NetcdfSink(file), Saver(file)
    telling = told_what_is_left(sink, saver, display, messages)
    with telling, display, announce_compilation(display.compiling):
        assembly = build(case, formulation=formulation or case.formulation)
        sink.check()
        return run_to([sink], assembly, display, saver=saver)


@contextmanager
def told_what_is_left(
    sink: NetcdfSink, saver: Saver, display: RunDisplay, messages: Console
) -> Iterator[None]:
    """Say after an error what results there are, and how the run goes on."""
    try:
        yield
    except BaseException:
        if sink.written:
            text = f"results up to t = {display.t:g} s are in {sink.path}"
            if saver.last is not None:
                text += f"; go on with: cosim resume {shlex.quote(str(sink.path))}"
            messages.print(escape(text), soft_wrap=True)
        raise


def summarise(out: Console, file: Path, report: RunReport) -> None:
    """Show statistics of the results, and what the run cost."""
    from cosim.results.reader import open_results
    from cosim.results.statistics import largest_imbalance, settled_from, statistics

    results = open_results(file)
    out.print(statistics_table(statistics(results), settled_from(results)))
    summary = report.summary
    books = table("run", "")
    books.columns[1].justify = "left"
    books.add_row("simulated", f"{summary.end - summary.start:g} s")
    books.add_row("elapsed", f"{summary.wall:.1f} s, {summary.speed:.3g} x real time")
    for name, seconds in summary.adapter_seconds.items():
        books.add_row(f"  in {name}", f"{seconds:.1f} s, {100.0 * seconds / summary.wall:.0f} %")
    if summary.communication_step is not None:
        per_step = summary.passes / max(1, summary.communications)
        books.add_row(
            "coupling", f"H = {summary.communication_step:g} s, {per_step:.2f} passes per step"
        )
    books.add_row("steps", f"{summary.steps} accepted, {summary.rejected} rejected")
    if "ledger/balance" in results:
        books.add_row("energy balance", f"{number(largest_imbalance(results), 3)} at most")
    if "residual" in results:
        books.add_row("residual", f"{number(float(abs(results['residual']).max()), 3)} at most")
    for channel in map(str, results.data_vars):
        if channel.startswith("ledger/coupling/"):
            adapter = channel.removeprefix("ledger/coupling/")
            last = float(results[channel][-1])
            books.add_row("energy made by coupling", f"{number(last, 3)} ({adapter})")
    books.add_row("results", escape(str(file)))
    out.print(books)
