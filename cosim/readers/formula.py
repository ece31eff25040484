"""Values of other programs' inputs that are numbers, texts or SymPy expressions.

A value is a number, or the text of an expression that starts with ``=``, as case files have
them. SymPy is not imported: what an expression prints is read.
"""

from __future__ import annotations

import ast
import math
import numbers
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import FunctionType

from cosim.errors import ModelError
from cosim.model.expressions import evaluate, names, parse

__all__ = ["Value", "minus", "piecewise_linear", "substitute", "text_of", "total", "used", "value"]

Value = float | str

_SYMPY_NAMES = {"Abs": "abs", "Max": "max", "Min": "min"}


def value(entry: object) -> Value:
    """A number, or ``=expression`` where names occur.

    Raises
    ------
    ModelError
        A Python function, or a text that is not of the grammar of case files.
    """
    if isinstance(entry, numbers.Real) and not isinstance(entry, bool):
        return float(entry)
    text = text_of(entry)
    return f"={text}" if used(text) else evaluate(text, {})


def text_of(entry: object) -> str:
    """The expression without the leading ``=``, functions under the names of case files."""
    if isinstance(entry, numbers.Real):
        return repr(float(entry))
    if isinstance(entry, FunctionType):
        raise ModelError("a Python function cannot be read; write it as an expression")
    try:
        node = ast.parse(str(entry).removeprefix("=").strip(), mode="eval")
    except SyntaxError as error:
        raise ModelError(f"'{entry}' is not an expression: {error.msg}") from None
    for item in ast.walk(node):
        if isinstance(item, ast.Name):
            item.id = _SYMPY_NAMES.get(item.id, item.id)
    text = ast.unparse(node)
    parse(text)
    return text


def used(entry: object) -> set[str]:
    """Names in an expression, pi aside."""
    return names(parse(text_of(entry))) - {"pi"}


def substitute(entry: object, replacements: Mapping[str, str]) -> str:
    """The expression with names replaced by expressions."""
    node = ast.parse(text_of(entry), mode="eval")
    parts = {name: ast.parse(text, mode="eval").body for name, text in replacements.items()}
    return ast.unparse(_Substitution(parts).visit(node))


class _Substitution(ast.NodeTransformer):
    def __init__(self, parts: Mapping[str, ast.expr]) -> None:
        self._parts = parts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._parts.get(node.id, node)


def total(*values: Value) -> Value:
    """Sum; an expression where one of them is."""
    told = [v for v in values if v != 0.0]
    if not any(isinstance(v, str) for v in told):
        return math.fsum(float(v) for v in told)
    return "=" + " + ".join(f"({text_of(v)})" for v in told)


def minus(entry: Value) -> Value:
    """The opposite."""
    return f"=-({text_of(entry)})" if isinstance(entry, str) else 0.0 - entry


def piecewise_linear(variable: str, table: Sequence[tuple[float, float]]) -> str:
    """Expression of the straight lines through the points; constant beyond the ends.

    Parameters
    ----------
    variable : str
        Name, or an expression of names.
    table : sequence of (x, y)
        Rising x, at least one.
    """
    text = repr(float(table[0][1]))
    for (x0, y0), (x1, y1) in pairwise(table):
        slope = (y1 - y0) / (x1 - x0)
        if slope:
            text += f" + {slope!r}*(min(max({variable}, {x0!r}), {x1!r}) - {x0!r})"
    return text
