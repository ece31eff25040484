"""``cosim equations``: the equations of motion of a case, to read and to take along."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich.markup import escape

from cosim.cli.console import Consoles, listen
from cosim.cli.tables import table
from cosim.errors import CaseError

if TYPE_CHECKING:
    from rich.console import Console

    from cosim.case.schema import Case
    from cosim.multibody.joint.symbolic import Equations
    from cosim.multibody.joint.symbolic.export import Form

__all__ = ["EquationsOptions", "write_equations"]


@dataclass(frozen=True)
class EquationsOptions:
    """What to derive, and how it is written.

    Attributes
    ----------
    out : Path
        Folder.
    forms : tuple of str
    angles : str
    keep : tuple of str
        Parameters that stay symbols; empty for all of them.
    numbers : bool
        No parameter stays a symbol.
    expand : bool
        Everything written out.
    """

    out: Path
    forms: tuple[str, ...]
    angles: Literal["relative", "absolute"]
    keep: tuple[str, ...] = ()
    numbers: bool = False
    expand: bool = False


def write_equations(
    path: Path, settings: list[str], options: EquationsOptions, *, level: int = logging.INFO
) -> None:
    """Derive the equations of a case and write them to files.

    Parameters
    ----------
    path : Path
    settings : list of str
        ``name=value``.
    options : EquationsOptions
    level : int
        Of the library's messages.
    """
    consoles = Consoles()
    with listen(consoles.err, level):
        from cosim.case.read import read_case
        from cosim.multibody.joint.symbolic import derive

        forms = [_form(name) for name in options.forms]
        case = read_case(path, settings)
        if options.keep and options.numbers:
            raise CaseError("--numbers keeps no parameter as a symbol; leave out --keep")
        keep = () if options.numbers else options.keep or None
        inline = True if options.expand else None
        equations = derive(case, keep=keep, angles=options.angles, inline=inline)
        _summarise(equations, consoles.out)
        for form in forms:
            file = _write(case, equations, form, options.out)
            consoles.out.print(escape(str(file)), soft_wrap=True)
        if case.adapters:
            consoles.err.print(
                f"the loads of {', '.join(case.adapters)} are not in these equations; their "
                "wrenches are an argument of the exported functions"
            )
        if case.motions:
            consoles.err.print(
                "prescribed motions are not in these equations: what they lead is free"
            )


def _form(name: str) -> Form:
    """The form of that name.

    Raises
    ------
    CaseError
        There is none.
    """
    from cosim.multibody.joint.symbolic.export import ENDINGS

    for form in ENDINGS:
        if form == name:
            return form
    raise CaseError(f"--format {name}: equations are written as {', '.join(ENDINGS)}")


def _write(case: Case, equations: Equations, form: Form, folder: Path) -> Path:
    from cosim.multibody.joint.symbolic.export import ENDINGS, Names, exported
    from cosim.multibody.joint.symbolic.start import start_of

    names = Names(case.title or case.name, re.sub(r"\W", "_", case.name))
    start = start_of(equations, case.start.set)
    text = exported(equations, form, names, start=start)
    file = folder / f"{names.word}_equations{ENDINGS[form]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CaseError(f"cannot write {file}: {error.strerror}; choose another --out") from None
    return file


def _summarise(equations: Equations, out: Console) -> None:
    kin = equations.kin
    shown = table("equations", "")
    shown.columns[1].justify = "left"
    shown.add_row("motion", f"{'in the x-z plane' if kin.planar else 'in space'}")
    shown.add_row("angles", kin.angles)
    shown.add_row("coordinates", escape(", ".join(map(str, kin.q)) or "none"))
    shown.add_row("speeds", escape(", ".join(map(str, kin.u)) or "none"))
    shown.add_row("parameters", escape(", ".join(map(str, kin.values.numbers)) or "none"))
    shown.add_row("intermediates", f"{len(kin.definitions) or 'none'}")
    for column in shown.columns:
        column.no_wrap = False
    out.print(shown)
