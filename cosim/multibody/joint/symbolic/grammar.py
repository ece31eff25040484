"""Expressions of a description as SymPy expressions.

The same grammar that :mod:`cosim.model.expressions` evaluates to numbers, read again into
symbols: comparisons and ``a if x > 2 else b`` become :class:`sympy.Piecewise`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from functools import reduce

import sympy as sp

from cosim.errors import ModelError
from cosim.model.expressions import parse

__all__ = ["exact", "to_sympy"]

_CONSTANTS: Mapping[str, sp.Expr] = {"pi": sp.pi}

_FUNCTIONS: Mapping[str, Callable[..., sp.Expr]] = {
    "sqrt": sp.sqrt,
    "exp": sp.exp,
    "log": sp.log,
    "sin": sp.sin,
    "cos": sp.cos,
    "tan": sp.tan,
    "asin": sp.asin,
    "acos": sp.acos,
    "atan": sp.atan,
    "atan2": sp.atan2,
    "sinh": sp.sinh,
    "cosh": sp.cosh,
    "tanh": sp.tanh,
    "abs": sp.Abs,
    "sign": sp.sign,
    "min": sp.Min,
    "max": sp.Max,
    "radians": lambda x: x * sp.pi / 180,
    "degrees": lambda x: x * 180 / sp.pi,
}

_COMPARISONS: Mapping[type[ast.cmpop], Callable[[sp.Expr, sp.Expr], sp.Basic]] = {
    ast.Lt: sp.Lt,
    ast.LtE: sp.Le,
    ast.Gt: sp.Gt,
    ast.GtE: sp.Ge,
}

_LARGEST_DENOMINATOR = 8


def exact(value: float) -> sp.Expr:
    """The number of SymPy that evaluates to the same double.

    Whole numbers and binary fractions down to 1/8 become exact (so that ``x**0.5`` is a
    root and 0 vanishes), everything else a :class:`sympy.Float` of double precision.

    Parameters
    ----------
    value : float
        Finite.
    """
    numerator, denominator = float(value).as_integer_ratio()
    if denominator <= _LARGEST_DENOMINATOR and abs(numerator) < 2**53:
        return sp.Rational(numerator, denominator)
    return sp.Float(value)


def to_sympy(text: str, symbols: Mapping[str, sp.Expr]) -> sp.Expr:
    """An expression of the grammar in symbols.

    Parameters
    ----------
    text : str
        With or without the leading ``=``.
    symbols : mapping
        What each name stands for; real.

    Raises
    ------
    ModelError
        Not of the grammar, a name without a meaning, or a number that does not exist (1/0).
    """
    known = {**_CONSTANTS, **symbols}
    return _expression(parse(text), known, text)


def _expression(node: ast.expr, known: Mapping[str, sp.Expr], text: str) -> sp.Expr:
    found = _translated(node, known, text)
    if found.is_number and (found is sp.nan or found.is_real is False):
        raise ModelError(f"'{text}' has no value: {ast.unparse(node)} is not a real number")
    return found


def _translated(node: ast.expr, known: Mapping[str, sp.Expr], text: str) -> sp.Expr:
    match node:
        case ast.Constant(value=number):
            return exact(float(number))  # type: ignore[arg-type]  # the grammar has numbers only
        case ast.Name(id=name):
            if name not in known:
                raise ModelError(f"'{text}' uses '{name}', which has no symbol here")
            return known[name]
        case ast.UnaryOp(op=op, operand=operand):
            value = _expression(operand, known, text)
            return -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right):
            return _combined(op, _expression(left, known, text), _expression(right, known, text))
        case ast.Call(func=ast.Name(id=name), args=args):
            return _FUNCTIONS[name](*(_expression(arg, known, text) for arg in args))
        case ast.Compare():
            return sp.Piecewise((1, _condition(node, known, text)), (0, True))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return sp.Piecewise(
                (_expression(body, known, text), _condition(test, known, text)),
                (_expression(orelse, known, text), True),
            )
    raise AssertionError(f"{ast.dump(node)} passed the grammar")


def _combined(op: ast.operator, a: sp.Expr, b: sp.Expr) -> sp.Expr:
    match op:
        case ast.Add():
            return a + b
        case ast.Sub():
            return a - b
        case ast.Mult():
            return a * b
        case ast.Div():
            return a / b
        case _:
            return a**b


def _condition(node: ast.expr, known: Mapping[str, sp.Expr], text: str) -> sp.Basic:
    """Where a test holds: a comparison does or does not, a number where it is not 0."""
    if not isinstance(node, ast.Compare):
        return sp.Ne(_expression(node, known, text), 0)
    terms = [_expression(term, known, text) for term in (node.left, *node.comparators)]
    held = (
        _COMPARISONS[type(op)](a, b) for op, a, b in zip(node.ops, terms, terms[1:], strict=False)
    )
    return reduce(sp.And, held)
