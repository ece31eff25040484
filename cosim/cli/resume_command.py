"""``cosim resume``: a run goes on from its last checkpoint."""

from __future__ import annotations

import logging
from pathlib import Path

from rich.markup import escape

from cosim.cli.compiling import announce_compilation
from cosim.cli.console import Consoles, listen
from cosim.cli.display import RunDisplay
from cosim.cli.run_command import summarise, told_what_is_left

__all__ = ["resume_run"]


def resume_run(
    result: Path,
    *,
    end: float | None = None,
    out: Path | None = None,
    quiet: bool = False,
    level: int = logging.INFO,
) -> None:
    """Go on with a run and show how it went.

    Parameters
    ----------
    result : Path
        Its result file.
    end : float, optional
        New end, s.
    out : Path, optional
        Another folder for the result file.
    quiet : bool
        Only errors and warnings.
    level : int
        Of the library's messages.
    """
    consoles = Consoles()
    consoles.err.quiet = quiet
    warnings = Consoles().err if quiet else consoles.err  # these are shown in any case
    with listen(warnings, logging.WARNING if quiet else level):
        from cosim.case.resume import prepare_resumption

        file = result if out is None else out / result.name
        resumption = prepare_resumption(result, end=end, out=file)
        case, saver, sink = resumption.case, resumption.saver, resumption.sink()
        if resumption.complete:
            text = f"the run in '{file}' is complete at t = {case.time.end:g} s; give a later --end"
            consoles.err.print(escape(text))
            return
        display = RunDisplay(consoles.err, resumption.checkpoint.t, case.time.end)
        telling = told_what_is_left(sink, saver, display, consoles.err)
        with telling, display, announce_compilation(display.compiling):
            report = resumption.run(sink, display)
    if not quiet:
        summarise(consoles.out, file, report)
