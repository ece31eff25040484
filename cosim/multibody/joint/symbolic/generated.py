"""Python functions made from expressions, and how expressions are written in Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import sympy as sp
from scipy.integrate import quad
from sympy.printing.pycode import PythonCodePrinter

__all__ = ["Definitions", "PythonWriter", "define", "plain_function"]

Definitions = Sequence[tuple[sp.Symbol, sp.Expr]]
"""Intermediates in order of evaluation."""


class PythonWriter(PythonCodePrinter):  # type: ignore[misc]
    """Python's arithmetic with names of our own choice and all digits of numbers.

    Parameters
    ----------
    names : mapping of Symbol to str
        Kept, and may grow.
    """

    # SymPy calls the methods below by the names of its classes

    def __init__(self, names: dict[sp.Basic, str]) -> None:
        super().__init__()
        self.names = names

    def _print_Symbol(self, expr: sp.Symbol) -> str:  # noqa: N802
        return self.names[expr]

    def _print_Dummy(self, expr: sp.Dummy) -> str:  # noqa: N802
        return self.names[expr]

    def _print_Float(self, expr: sp.Float) -> str:  # noqa: N802
        return repr(float(expr))

    def _print_Integral(self, expr: sp.Integral) -> str:  # noqa: N802
        """By a function `integral`: the energy of a law without an integral in closed form."""
        ((variable, lower, upper),) = expr.limits
        name = f"x{len(self.names)}"
        while name in self.names.values():
            name += "_"
        self.names[variable] = name
        law, start, end = map(self._print, (expr.function, lower, upper))
        return f"integral(lambda {name}: {law}, {start}, {end})"


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
    names: dict[sp.Basic, str] = {symbol: f"v{k}" for k, symbol in enumerate(inputs)}
    writer = PythonWriter(names)
    lines = [f"def function({', '.join(names.values())}):"]
    shared, reduced = sp.cse(list(results), sp.numbered_symbols("c", cls=sp.Dummy), order="none")
    for k, (symbol, expression) in enumerate([*steps, *shared]):
        lines.append(f"    d{k} = {writer.doprint(expression)}")
        names[symbol] = f"d{k}"
    values = [*(names[symbol] for symbol, _ in steps), *map(writer.doprint, reduced)]
    lines.append(f"    return [{', '.join(values)}]")
    namespace = define("\n".join(lines), {"math": math, "integral": _integral})
    function: Callable[..., Sequence[float]] = namespace["function"]
    return function


def _integral(law: Callable[[float], float], start: float, end: float) -> float:
    return float(quad(law, start, end)[0])


def define(code: str, names: Mapping[str, object]) -> dict[str, Any]:
    """What a piece of generated code defines, run with `names` known to it."""
    namespace = dict(names)
    exec(compile(code, "<equations>", "exec"), namespace)
    return namespace
