"""Arithmetic written in a case file: ``=2*leg_length``, ``3*cos(1.5*t)``.

A restricted grammar is parsed with :mod:`ast`, so that a case file can never run code:
numbers, names, ``+ - * / **``, the functions of `FUNCTIONS`, comparisons (1 where true,
0 where not) and ``a if x > 2 else b``.
"""

from __future__ import annotations

import ast
import difflib
import math
import operator
from collections.abc import Callable, Collection, Iterable, Mapping

from cosim.errors import ModelError

__all__ = ["BINARY", "COMPARISONS", "CONSTANTS", "FUNCTIONS", "check", "evaluate", "names", "parse"]

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
_ARGUMENTS: Mapping[str, range] = {
    "atan2": range(2, 3),
    "min": range(2, 256),
    "max": range(2, 256),
}

BINARY: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}

COMPARISONS: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def parse(text: str) -> ast.expr:
    """Parse an expression, with or without the leading ``=``.

    Parameters
    ----------
    text : str

    Returns
    -------
    ast.expr
        Made of the nodes of this grammar only.

    Raises
    ------
    ModelError
        The text is not an expression of this grammar.
    """
    try:
        node = ast.parse(text.removeprefix("=").strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else str(error)
        raise ModelError(f"'{text}' is not an expression: {reason}") from None
    except (RecursionError, MemoryError):
        raise ModelError(f"'{text[:40]}...' is nested too deeply") from None
    _check_grammar(node, text)
    return node


def names(node: ast.expr) -> set[str]:
    """Names that a parsed expression needs values for, those of `CONSTANTS` included."""
    return {item.id for item in ast.walk(node) if isinstance(item, ast.Name)} - _called(node)


def check(text: str, variables: Collection[str], parameters: Collection[str]) -> None:
    """Refuse an expression of `variables` and `parameters` that could not be evaluated.

    Raises
    ------
    ModelError
        Not of this grammar, an unknown name, or a name with two meanings.
    """
    for name in sorted(names(parse(text))):
        if name in variables and name in parameters:
            raise ModelError(
                f"'{text}' uses '{name}', which is a variable here and also a parameter; "
                "rename the parameter"
            )
        if name not in variables and name not in parameters and name not in CONSTANTS:
            raise _unknown(name, text, variables, parameters)


def evaluate(text: str, values: Mapping[str, float]) -> float:
    """Value of an expression of named parameters.

    Parameters
    ----------
    text : str
        For example ``=2*leg_length``.
    values : mapping
        Parameter values.

    Returns
    -------
    float

    Raises
    ------
    ModelError
        Unknown name or function, or a value that is not a finite number.
    """
    node = parse(text)
    for name in sorted(names(node)):
        if name not in values and name not in CONSTANTS:
            raise _unknown(name, text, (), values)
    try:
        value = _value(node, {**CONSTANTS, **values})
    except (ArithmeticError, ValueError) as error:
        raise ModelError(f"'{text}' has no value: {error}") from None
    if not math.isfinite(value):
        raise ModelError(f"'{text}' has no finite value")
    return value


def _value(node: ast.expr, values: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=number):
            return float(number)  # type: ignore[arg-type]  # the grammar has numbers only
        case ast.Name(id=name):
            return float(values[name])
        case ast.UnaryOp(op=op, operand=operand):
            value = _value(operand, values)
            return -value if isinstance(op, ast.USub) else value
        case ast.BinOp(left=left, op=op, right=right):
            return BINARY[type(op)](_value(left, values), _value(right, values))
        case ast.Call(func=ast.Name(id=name), args=args):
            return float(FUNCTIONS[name](*(_value(arg, values) for arg in args)))
        case ast.Compare(left=left, ops=ops, comparators=others):
            pairs = zip(ops, [left, *others], others, strict=False)
            return float(
                all(
                    COMPARISONS[type(op)](_value(a, values), _value(b, values))
                    for op, a, b in pairs
                )
            )
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _value(body if _value(test, values) else orelse, values)
    raise AssertionError(f"{ast.dump(node)} passed the grammar")


def _check_grammar(node: ast.expr, text: str) -> None:
    match node:
        case ast.Constant(value=value) if isinstance(value, int | float):
            if isinstance(value, bool):
                raise _foreign(text)
        case ast.Name(id=name):
            if name in FUNCTIONS:
                raise ModelError(f"'{text}' uses the function '{name}' without arguments")
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            _check_grammar(operand, text)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            _check_all((left, right), text)
        case ast.Compare(left=left, ops=ops, comparators=others) if {*map(type, ops)} <= {
            *COMPARISONS
        }:
            _check_all((left, *others), text)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            _check_all((test, body, orelse), text)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
            _check_call(name, len(args), text)
            _check_all(args, text)
        case _:
            raise _foreign(text)


def _check_all(nodes: Iterable[ast.expr], text: str) -> None:
    for node in nodes:
        _check_grammar(node, text)


def _check_call(name: str, count: int, text: str) -> None:
    if name not in FUNCTIONS:
        near = difflib.get_close_matches(name, FUNCTIONS, n=1)
        hint = f"; did you mean '{near[0]}'?" if near else f"; there are {', '.join(FUNCTIONS)}"
        raise ModelError(f"'{text}' uses the unknown function '{name}'{hint}")
    allowed = _ARGUMENTS.get(name, range(1, 2))
    if count not in allowed:
        least = allowed.start if len(allowed) == 1 else f"at least {allowed.start}"
        raise ModelError(f"'{text}': '{name}' takes {least} argument(s), not {count}")


def _called(node: ast.expr) -> set[str]:
    calls = (item.func for item in ast.walk(node) if isinstance(item, ast.Call))
    return {func.id for func in calls if isinstance(func, ast.Name)}


def _foreign(text: str) -> ModelError:
    if "^" in text:
        return ModelError(f"'{text}': powers are written **, as in x**3, not ^")
    return ModelError(
        f"'{text}' uses something other than numbers, names, + - * / **, comparisons, "
        f"'a if x > 0 else b' and {', '.join(FUNCTIONS)}"
    )


def _unknown(
    name: str, text: str, variables: Collection[str], parameters: Collection[str]
) -> ModelError:
    near = difflib.get_close_matches(name, [*variables, *parameters, *CONSTANTS], n=1)
    if near:
        hint = f"; did you mean '{near[0]}'?"
    elif variables:
        hint = f"; the variables are {', '.join(variables)}; add others to 'parameters'"
    else:
        hint = "; add it to 'parameters'"
    kind = "name" if variables else "parameter"
    return ModelError(f"'{text}' uses the unknown {kind} '{name}'{hint}")
