"""``cosim show``: what a case describes, in tables and as a picture."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable
from rich.tree import Tree

from cosim.cli.compiling import looking
from cosim.cli.console import Consoles
from cosim.cli.tables import show_table, table
from cosim.errors import CaseError

if TYPE_CHECKING:
    from cosim.case.build import Assembly
    from cosim.case.start import StartState
    from cosim.case.tables import Cell, Table
    from cosim.model.system import System

__all__ = ["show_case"]

_DEPTH = 12
"""Joints in a row that the tree of bodies shows; more than that leaves the screen."""


def show_case(
    path: Path, settings: list[str], *, picture: Path | None, level: int = logging.INFO
) -> None:
    """Show the tables of a case and of its start; draw it where a picture is wanted.

    Parameters
    ----------
    path : Path
    settings : list of str
        ``name=value``.
    picture : Path or None
        Of the configuration at the start; the ending names the format.
    level : int
        Of the library's messages.
    """
    consoles = Consoles()
    with looking(consoles.err, level):
        from cosim.case.build import build
        from cosim.case.read import read_case
        from cosim.case.start import start_state

        case = read_case(path, settings)
        assembly = build(case)
        start = start_state(case, assembly.model, assembly.adapters)
        _show(assembly, start, consoles.out)
        if picture is not None:
            _draw(assembly, start, picture)
            consoles.out.print(escape(str(picture)), soft_wrap=True)


def _show(assembly: Assembly, start: StartState, out: Console) -> None:
    from cosim.case.start_tables import start_tables
    from cosim.case.tables import case_tables, joint_graph

    case = assembly.case
    out.print(f"[bold]{escape(case.title or case.name)}[/bold]")
    tables = [*case_tables(case), *start_tables(assembly, start)]
    for one in tables:
        show_table(_rendered(one), out)
        if one.title == "joints":
            out.print(_tree(case, joint_graph(case)))
            out.print()
    origin = "equilibrium" if start.equilibrium is not None else "reference configuration"
    out.print(f"start: {origin}{', with values set by the case' if case.start.set else ''}")


def _rendered(data: Table) -> RichTable:
    made = table(escape(data.title), *map(escape, data.columns[1:]))
    for index, column in enumerate(made.columns):
        cells = [row[index] for row in data.rows]
        texts = all(isinstance(cell, str) for cell in cells)
        column.justify = "left" if texts else "right"
        column.no_wrap = False
        # headers wrap, and texts between words; names and numbers stay whole
        whole = [text for cell in cells for text in _pieces(cell, name=index == 0)]
        column.min_width = max(map(len, [*str(column.header).split(), *whole]), default=0)
    for row in data.rows:
        made.add_row(*(escape(_cell(cell)) for cell in row))
    return made


def _pieces(cell: Cell, *, name: bool) -> list[str]:
    return cell.split() if isinstance(cell, str) and not name else [_cell(cell)]


def _cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    return ", ".join(f"{value:.7g}" for value in (cell if isinstance(cell, tuple) else (cell,)))


def _tree(system: System, graph: Mapping[str, Sequence[tuple[str, str]]]) -> Tree:
    tree = Tree("earth", guide_style="dim")
    _grow(tree, "earth", system, graph)
    for name, joint in system.joints.items():
        if joint.cut:
            tree.add(escape(f"{name} ({joint.type}, cut) closes {joint.parent} - {joint.child}"))
    return tree


def _grow(
    tree: Tree,
    body: str,
    system: System,
    graph: Mapping[str, Sequence[tuple[str, str]]],
    *,
    depth: int = 1,
) -> None:
    if depth > _DEPTH and graph[body]:
        tree.add("[dim]and so on, as the joints above say[/dim]")
        return
    for joint, child in graph[body]:
        branch = tree.add(
            f"{escape(child)}  [dim]{escape(joint)}: {system.joints[joint].type}[/dim]"
        )
        _grow(branch, child, system, graph, depth=depth + 1)


def _draw(assembly: Assembly, start: StartState, file: Path) -> None:
    from cosim.case.picture import start_figure

    figure = start_figure(assembly, start)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(file)
    except ValueError as error:
        raise CaseError(f"'{file}': {error}".split(";")[0]) from None
    except OSError as error:
        raise CaseError(f"'{file}' cannot be written: {error.strerror}") from None
