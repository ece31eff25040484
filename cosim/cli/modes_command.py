"""``cosim modes``: natural modes of a case about its equilibrium."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from cosim.cli.compiling import looking
from cosim.cli.console import Consoles
from cosim.cli.tables import damping, number, show_table, table
from cosim.errors import CaseError

if TYPE_CHECKING:
    from cosim.analysis.adapter_terms import Contribution
    from cosim.case.modes import CaseModes
    from cosim.case.schema import Case
    from cosim.case.sensitivity import CaseSensitivity

__all__ = ["ModesOptions", "show_modes"]

_MOST = 12
"""Coordinates up to which shapes are printed."""
_STEADY = 2e-2
_STILL_RINGING = (
    "; [yellow]resonances of the solver itself had not died out, so that the damping ratios are "
    "rough[/yellow]"
)


@dataclass(frozen=True)
class ModesOptions:
    """What to find and where to store it.

    Attributes
    ----------
    static : bool
        Lines by their stiffness at rest.
    sensitivities : tuple of str
        Numbers of the case to differentiate by.
    json, csv : Path or None
        Files to write.
    """

    static: bool = False
    sensitivities: tuple[str, ...] = ()
    json: Path | None = None
    csv: Path | None = None


def show_modes(
    path: Path, settings: list[str], options: ModesOptions, *, level: int = logging.INFO
) -> None:
    """Show natural modes, their shapes and sensitivities; write them to files.

    Parameters
    ----------
    path : Path
    settings : list of str
        ``name=value``.
    options : ModesOptions
    level : int
        Of the library's messages.
    """
    consoles = Consoles()
    with looking(consoles.err, level):
        from cosim.case.modes import case_modes
        from cosim.case.read import read_case
        from cosim.case.sensitivity import case_sensitivity

        case = read_case(path, settings)
        found = case_modes(case, static=options.static)
        changes = [case_sensitivity(case, name, found) for name in options.sensitivities]
    _print(case, found, consoles.out)
    for change in changes:
        consoles.out.print(_sensitivity(change))
    _write(case, found, changes, options)


def _print(case: Case, found: CaseModes, out: Console) -> None:
    out.print(
        f"[bold]{escape(case.title or case.name)}[/bold]: {_count(len(found.modes), 'mode')} of "
        f"{_count(len(found.system.speeds), 'coordinate')}, about the equilibrium in still water"
    )
    if found.modes:
        out.print(_modes(found))
    if found.modes and len(found.system.speeds) <= _MOST:
        show_table(_shapes(found), out)
    for contribution in found.system.contributions:
        sentence = _entered(contribution)
        if sentence:
            out.print(f"{escape(contribution.adapter)}: {sentence}", soft_wrap=True)
    for motion in found.growth:
        out.print(
            f"[red]not stable:[/red] {motion.name} grows by the factor e in {motion.time:.3g} s",
            soft_wrap=True,
        )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _modes(found: CaseModes) -> Table:
    from cosim.case.mode_table import participants

    made = table("natural modes", "period, s", "frequency, Hz", "damping ratio", "who takes part")
    made.columns[-1].justify = "left"
    made.columns[-1].no_wrap = False
    # where all of it is too wide, only the last column gives way
    for column in made.columns[:-1]:
        column.min_width = len(str(column.header))
    made.columns[0].min_width = max(len(mode.name) for mode in found.modes)
    for k, mode in enumerate(found.modes):
        shares = ", ".join(f"{name} {share:.0%}" for name, share in participants(found, k)[:3])
        made.add_row(
            mode.name,
            number(mode.period),
            number(mode.frequency),
            damping(mode.damping_ratio),
            shares,
        )
    return made


def _shapes(found: CaseModes) -> Table:
    """Amplitudes, negative where the phase is nearer to half a turn than to none."""
    made = table("shapes, m and rad", *(mode.name for mode in found.modes))
    for k, speed in enumerate(found.system.speeds):
        values = [mode.shape[k] for mode in found.modes]
        made.add_row(speed, *(number(float(np.copysign(abs(v), v.real)), 3) for v in values))
    return made


def _sensitivity(change: CaseSensitivity) -> Table:
    made = table(
        f"per unit of {change.name} = {change.value:g}",
        *("period, s", "frequency, Hz", "damping ratio", "period, % per %"),
    )
    for item in change.changes:
        relative = item.period * change.value / item.mode.period
        made.add_row(
            item.mode.name,
            number(item.period),
            number(item.frequency),
            number(item.damping_ratio),
            number(relative, 3),
        )
    return made


def _entered(contribution: Contribution) -> str:
    """What the reader should know of how an adapter entered."""
    error = contribution.error
    match contribution.manner:
        case "impedance":
            return (
                "led through small harmonic motions at the frequency of each mode; steady to "
                f"{error:.1e} of the stiffness" + (_STILL_RINGING if error > _STEADY else "")
            )
        case "static":
            return "stiffness at rest only: periods of moored bodies may be off by a percent"
        case "differences":
            return f"differences of its loads, error about {error:.1e}"
        case "none":
            return "[yellow]left out:[/yellow] it knows no loads at rest and cannot be led"
    return ""


def _write(
    case: Case, found: CaseModes, changes: list[CaseSensitivity], options: ModesOptions
) -> None:
    from cosim.case.mode_table import mode_records, sensitivity_records

    records = mode_records(found)
    if options.json:
        content = {
            "case": case.name,
            "adapters": {c.adapter: c.manner for c in found.system.contributions},
            "modes": records,
            "sensitivities": [record for c in changes for record in sensitivity_records(c)],
        }
        _store(options.json, json.dumps(content, indent=2) + "\n")
    if options.csv:
        keys = ("name", "period", "frequency", "undamped_period", "damping_ratio")
        rows = [",".join(keys), *(",".join(str(r[key]) for key in keys) for r in records)]
        _store(options.csv, "\n".join(rows) + "\n")


def _store(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CaseError(
            f"'{path}' cannot be written: {error.strerror}; choose another file"
        ) from None
