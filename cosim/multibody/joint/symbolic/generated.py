"""Python functions made from expressions."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp
from sympy.printing.pycode import PythonCodePrinter

__all__ = ["Definitions", "define", "plain_function"]

Definitions = Sequence[tuple[sp.Symbol, sp.Expr]]
"""Intermediates in order of evaluation."""


class _Printer(PythonCodePrinter):  # type: ignore[misc]
    """Python's arithmetic, with short names instead of those of the symbols."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[sp.Basic, str] = {}

    def _print_Symbol(self, expr: sp.Symbol) -> str:  # noqa: N802  (SymPy calls it by this name)
        return self.names[expr]

    def _print_Dummy(self, expr: sp.Dummy) -> str:  # noqa: N802
        return self.names[expr]

    def _print_Float(self, expr: sp.Float) -> str:  # noqa: N802
        return repr(float(expr))


def plain_function(
    inputs: Sequence[sp.Symbol], steps: Definitions, results: Sequence[sp.Expr]
) -> Callable[..., Sequence[float]]:
    """A function of plain numbers: values of the steps, then of the results.

    Parameters
    ----------
    inputs : sequence of Symbol
        Its arguments.
    steps : sequence of (Symbol, Expr)
    results : sequence of Expr
        Parts that they share are evaluated once.
    """
    printer = _Printer()
    printer.names.update((symbol, f"v{k}") for k, symbol in enumerate(inputs))
    lines = [f"def function({', '.join(printer.names.values())}):"]
    shared, reduced = sp.cse(list(results), sp.numbered_symbols("c", cls=sp.Dummy), order="none")
    for k, (symbol, expression) in enumerate([*steps, *shared]):
        lines.append(f"    d{k} = {printer.doprint(expression)}")
        printer.names[symbol] = f"d{k}"
    values = [*(printer.names[symbol] for symbol, _ in steps), *map(printer.doprint, reduced)]
    lines.append(f"    return [{', '.join(values)}]")
    namespace = define("\n".join(lines), {"math": math})
    function: Callable[..., Sequence[float]] = namespace["function"]
    return function


def define(code: str, names: Mapping[str, object]) -> dict[str, Any]:
    """What a piece of generated code defines, run with `names` known to it."""
    namespace = dict(names)
    exec(compile(code, "<equations>", "exec"), namespace)
    return namespace
