"""The stack machine that evaluates the user's expressions."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cosim.algebra.compiled import compiled
from cosim.multibody.elements import opcodes as op

__all__ = ["NO_PROGRAM", "VARIABLES", "Programs", "run", "run_or"]

VARIABLES = ("x", "v", "l", "t")
"""What programs may use: elongation, its rate, length, time."""

NO_PROGRAM = -1
"""Index that stands for "no expression here"."""


class Programs(NamedTuple):
    """Programs of all expressions, one after the other.

    Attributes
    ----------
    opcode : (m,) int
    operand : (m,) float
        The constant of PUSH, the index into `VARIABLES` of LOAD.
    start : (k + 1,) int
        Program i is the instructions ``start[i]`` to ``start[i + 1]``.
    stack : (4 + depth,) float
        The variables, then the working values; scratch of `run`, one thread at a time.
    """

    opcode: NDArray[np.int64]
    operand: NDArray[np.float64]
    start: NDArray[np.int64]
    stack: NDArray[np.float64]


@compiled
def run(programs: Programs, number: int, x: float, v: float, l: float, t: float) -> float:  # noqa: E741
    """Value of one program; NaN or infinite where the expression has none.

    Parameters
    ----------
    programs : Programs
    number : int
        What `ProgramBuilder.add` returned.
    x, v, l, t : float
        The variables.
    """
    stack = programs.stack
    stack[0], stack[1], stack[2], stack[3] = x, v, l, t
    top = 3
    for i in range(programs.start[number], programs.start[number + 1]):
        code = programs.opcode[i]
        if code == op.PUSH:
            top += 1
            stack[top] = programs.operand[i]
        elif code == op.LOAD:
            top += 1
            stack[top] = stack[int(programs.operand[i])]
        elif code == op.SELECT:
            top -= 2
            stack[top] = stack[top + 1] if stack[top] != 0.0 else stack[top + 2]
        elif code < op.NEGATE:
            top -= 1
            stack[top] = _binary(code, stack[top], stack[top + 1])
        else:
            stack[top] = _unary(code, stack[top])
    return float(stack[top])


@compiled
def run_or(programs: Programs, number: int, constant: float, t: float) -> float:
    """Value of a program of the time alone, or `constant` where there is none."""
    if number == NO_PROGRAM:
        return constant
    return run(programs, number, 0.0, 0.0, 0.0, t)


@compiled
def _binary(code: int, a: float, b: float) -> float:
    if code == op.ADD:
        return a + b
    if code == op.SUBTRACT:
        return a - b
    if code == op.MULTIPLY:
        return a * b
    if code == op.DIVIDE:
        return a / b
    if code == op.POWER:
        return math.pow(a, b)
    if code == op.MINIMUM:
        return b if b < a else a
    if code == op.MAXIMUM:
        return b if b > a else a
    if code == op.ATAN2:
        return math.atan2(a, b)
    return _compare(code, a, b)


@compiled
def _compare(code: int, a: float, b: float) -> float:
    if code == op.LESS:
        return 1.0 if a < b else 0.0
    if code == op.LESS_EQUAL:
        return 1.0 if a <= b else 0.0
    if code == op.GREATER:
        return 1.0 if a > b else 0.0
    return 1.0 if a >= b else 0.0


@compiled
def _unary(code: int, a: float) -> float:
    if code == op.NEGATE:
        return -a
    if code == op.SQRT:
        return math.sqrt(a)
    if code == op.EXP:
        return math.exp(a)
    if code == op.LOG:
        return math.log(a)
    if code == op.ABSOLUTE:
        return abs(a)
    if code == op.SIGN:
        return 1.0 if a > 0.0 else (-1.0 if a < 0.0 else 0.0)
    if code == op.RADIANS:
        return a * (math.pi / 180.0)
    if code == op.DEGREES:
        return a * (180.0 / math.pi)
    if code == op.TANH:
        return math.tanh(a)
    return _trigonometric(code, a)


@compiled
def _trigonometric(code: int, a: float) -> float:
    if code == op.SIN:
        return math.sin(a)
    if code == op.COS:
        return math.cos(a)
    if code == op.TAN:
        return math.tan(a)
    if code == op.ASIN:
        return math.asin(a)
    if code == op.ACOS:
        return math.acos(a)
    if code == op.ATAN:
        return math.atan(a)
    if code == op.SINH:
        return math.sinh(a)
    return math.cosh(a)
