"""Tables that the commands print."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from cosim.results.statistics import Statistic

__all__ = ["damping", "fitted", "number", "show_table", "statistics_table", "table"]

_UNDAMPED = 1e-12
"""Damping ratio below which only rounding is left."""
_GAP = 3
"""Between columns, characters."""
_PREFIXED = {"N": "N", "N m": "N m", "W": "W", "J": "J", "Pa": "Pa"}
_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))


def table(*columns: str, title: str = "") -> Table:
    """An empty table: the first column is text, the others are numbers."""
    made = Table(box=SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False)
    for index, column in enumerate(columns):
        made.add_column(column, justify="left" if index == 0 else "right", no_wrap=True)
    return made


def fitted(made: Table, width: int) -> list[Table]:
    """A table in parts that fit a width, each with the first column; nothing is cut off.

    Columns that may wrap need room for their `min_width` only.
    """
    first, *others = made.columns
    parts: list[list[Column]] = [[]]
    left = room = width - _need(first) - 2
    for column in others:
        if parts[-1] and left < _need(column) + _GAP:
            parts.append([])
            left = room
        parts[-1].append(column)
        left -= _need(column) + _GAP
    return [made] if len(parts) == 1 else [_part([first, *columns]) for columns in parts]


def show_table(made: Table, out: Console) -> None:
    """Print a table, in parts where it is wider than the terminal."""
    for part in fitted(made, out.width):
        out.print(part)


def _need(column: Column) -> int:
    if column.min_width is not None:
        return column.min_width
    return max(len(Text.from_markup(str(cell))) for cell in (column.header, *column.cells))


def _part(columns: Sequence[Column]) -> Table:
    part = table(*(str(column.header) for column in columns))
    for new, old in zip(part.columns, columns, strict=True):
        new.justify, new.no_wrap, new.min_width = old.justify, old.no_wrap, old.min_width
    for cells in zip(*(column.cells for column in columns), strict=True):
        part.add_row(*cells)
    return part


def number(value: float, digits: int = 4) -> str:
    """A number as an engineer writes it."""
    if not math.isfinite(value):
        return "-"
    if value == 0.0:
        return "0"
    if 1e-3 <= abs(value) < 1e6:
        decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
        return f"{value:.{decimals}f}"
    return f"{value:.{digits - 2}e}"


def damping(ratio: float) -> str:
    """A damping ratio; 0 where only rounding is left of it."""
    return number(ratio if abs(ratio) > _UNDAMPED else 0.0, 3)


def statistics_table(rows: Sequence[Statistic], start: float) -> Table:
    """Mean, deviation and extremes, large units with a prefix."""
    made = table(f"from t = {start:g} s", "mean", "std", "min", "max", "unit")
    made.columns[-1].justify = "left"
    for row in rows:
        factor, units = _scale(row)
        values = (row.mean, row.std, row.minimum, row.maximum)
        made.add_row(row.name, *(number(value / factor) for value in values), units)
    return made


def _scale(row: Statistic) -> tuple[float, str]:
    if row.units not in _PREFIXED:
        return 1.0, row.units
    largest = max(abs(row.minimum), abs(row.maximum))
    for factor, prefix in _PREFIXES:
        if largest >= factor:
            return factor, prefix + row.units
    return 1.0, row.units
