"""Arithmetic written in a case file: ``=2*leg_length``.

A restricted grammar (numbers, names, + - * / ** and a few functions) is parsed with
:mod:`ast`, so that a case file can never run code.
"""

from __future__ import annotations

import ast
import difflib
import math
from collections.abc import Callable, Mapping

from cosim.errors import ModelError

__all__ = ["CONSTANTS", "FUNCTIONS", "evaluate", "parse"]

CONSTANTS: Mapping[str, float] = {"pi": math.pi}

FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log": math.log,
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "abs": abs,
    "sign": lambda x: math.copysign(1.0, x) if x else 0.0,
    "min": min,
    "max": max,
    "radians": math.radians,
    "degrees": math.degrees,
}

_BINARY: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: a**b,
}


def parse(text: str) -> ast.expr:
    """Parse an expression, with or without the leading ``=``.

    Raises
    ------
    ModelError
        The text is not an expression.
    """
    try:
        return ast.parse(text.removeprefix("=").strip(), mode="eval").body
    except SyntaxError as error:
        raise ModelError(f"'{text}' is not an expression: {error.msg}") from None


def evaluate(text: str, names: Mapping[str, float]) -> float:
    """Value of an expression of named parameters.

    Parameters
    ----------
    text : str
        For example ``=2*leg_length``.
    names : mapping
        Parameter values.

    Returns
    -------
    float

    Raises
    ------
    ModelError
        Unknown name or function, or a value that is not a finite number.
    """
    try:
        value = _value(parse(text), names, text)
    except (ZeroDivisionError, OverflowError, ValueError) as error:
        raise ModelError(f"'{text}' has no value: {error}") from None
    if isinstance(value, complex) or not math.isfinite(value):
        raise ModelError(f"'{text}' has no finite real value")
    return float(value)


def _value(node: ast.expr, names: Mapping[str, float], text: str) -> float:
    match node:
        case ast.Constant(value=bool()):
            pass
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name):
            return _lookup(name, names, text)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names, text)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, names, text)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](_value(left, names, text), _value(right, names, text))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](*(_value(arg, names, text) for arg in args))
    raise ModelError(
        f"'{text}' uses something other than numbers, parameters, + - * / ** and "
        f"{', '.join(FUNCTIONS)}"
    )


def _lookup(name: str, names: Mapping[str, float], text: str) -> float:
    if name in names:
        return float(names[name])
    if name in CONSTANTS:
        return CONSTANTS[name]
    near = difflib.get_close_matches(name, [*names, *CONSTANTS], n=1)
    hint = f"; did you mean '{near[0]}'?" if near else "; add it to 'parameters'"
    raise ModelError(f"'{text}' uses the unknown parameter '{name}'{hint}")
