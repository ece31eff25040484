"""Instructions of the stack machine that evaluates the user's expressions."""

from __future__ import annotations

import ast
from collections.abc import Mapping

PUSH, LOAD = 0, 1
ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER = 2, 3, 4, 5, 6
LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, SELECT = 7, 8, 9, 10, 11
MINIMUM, MAXIMUM, ATAN2 = 12, 13, 14
NEGATE, SQRT, EXP, LOG = 20, 21, 22, 23
SIN, COS, TAN, ASIN, ACOS, ATAN = 24, 25, 26, 27, 28, 29
SINH, COSH, TANH = 30, 31, 32
ABSOLUTE, SIGN, RADIANS, DEGREES = 33, 34, 35, 36

BINARY_CODES: Mapping[type[ast.operator], int] = {
    ast.Add: ADD,
    ast.Sub: SUBTRACT,
    ast.Mult: MULTIPLY,
    ast.Div: DIVIDE,
    ast.Pow: POWER,
}
COMPARISON_CODES: Mapping[type[ast.cmpop], int] = {
    ast.Lt: LESS,
    ast.LtE: LESS_EQUAL,
    ast.Gt: GREATER,
    ast.GtE: GREATER_EQUAL,
}
FUNCTION_CODES: Mapping[str, int] = {
    "sqrt": SQRT,
    "exp": EXP,
    "log": LOG,
    "sin": SIN,
    "cos": COS,
    "tan": TAN,
    "asin": ASIN,
    "acos": ACOS,
    "atan": ATAN,
    "atan2": ATAN2,
    "sinh": SINH,
    "cosh": COSH,
    "tanh": TANH,
    "abs": ABSOLUTE,
    "sign": SIGN,
    "min": MINIMUM,
    "max": MAXIMUM,
    "radians": RADIANS,
    "degrees": DEGREES,
}
