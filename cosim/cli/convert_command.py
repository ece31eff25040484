"""``cosim convert``: another program's model to a case file of ours."""

from __future__ import annotations

import logging
from pathlib import Path

from rich.markup import escape

from cosim.cli.console import Consoles, listen
from cosim.errors import CaseError

__all__ = ["convert_model"]


def convert_model(
    path: Path,
    out: Path | None,
    *,
    simulation: Path | None,
    end: float | None,
    force: bool,
    level: int = logging.INFO,
) -> None:
    """Read a model in Chrono's dialect and write a case file.

    Parameters
    ----------
    path : Path
        Model, MBS or setup file.
    out : Path or None
        The case file; None shows it.
    simulation : Path or None
        Simulation file.
    end : float or None
        End of the run, s.
    force : bool
        Write over a file that is there.
    level : int
        Of the library's messages.

    Raises
    ------
    CaseError
        The model cannot be read, or the file is there or cannot be written.
    """
    consoles = Consoles()
    with listen(consoles.err, level):
        from cosim.case.write import case_text, write_case
        from cosim.readers import read_chrono_yaml

        if out is not None and out.exists() and not force:
            raise CaseError(f"'{out}' is there already; choose another name, or --force")
        reading = read_chrono_yaml(path, simulation)
        sections = reading.sections(end=end)
        reading.case(end=end)
        comment = f"Converted from {path.name}, a model in Chrono's dialect."
        if out is None:
            text = case_text(sections, comment=comment)
            consoles.out.print(text, markup=False, soft_wrap=True, end="")
            return
        write_case(out, sections, comment=comment)
        if end is None and reading.end is None:
            last = sections["time"]["end"]
            consoles.err.print(f"nothing says how long to run: time.end is {last:g} s (--end)")
    consoles.out.print(escape(str(out)))
