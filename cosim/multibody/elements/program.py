"""The user's expressions compiled to programs of a stack machine.

One compiled kernel (:func:`cosim.multibody.elements.machine.run`) interprets the programs
of all expressions, so that a new law costs no compilation and nothing of a case file is
ever executed as code.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

import numpy as np

from cosim.model.expressions import CONSTANTS, check, evaluate, names, parse
from cosim.multibody.elements import opcodes as op
from cosim.multibody.elements.machine import VARIABLES, Programs

__all__ = ["ProgramBuilder"]

Instruction = tuple[int, float]


class ProgramBuilder:
    """Collects expressions and returns their programs.

    Parameters
    ----------
    parameters : mapping
        Values of the names that are not variables; folded into constants.
    """

    def __init__(self, parameters: Mapping[str, float]) -> None:
        self._values = {**CONSTANTS, **parameters}
        self._code: list[Instruction] = []
        self._start = [0]
        self._depth = 1

    def add(self, text: str, variables: tuple[str, ...]) -> int:
        """Compile one expression.

        Parameters
        ----------
        text : str
        variables : tuple of str
            Those of `VARIABLES` that mean something here.

        Returns
        -------
        int
            Its number for `run`.

        Raises
        ------
        ModelError
            Not an expression of the grammar, an unknown name, a constant without value.
        """
        check(text, variables, self._values.keys() - CONSTANTS.keys())
        self._emit(parse(text), frozenset(variables))
        self._start.append(len(self._code))
        self._depth = max(self._depth, self._highest(self._code[self._start[-2] :]))
        return len(self._start) - 2

    def build(self) -> Programs:
        """All programs so far as arrays."""
        code, operand = zip(*self._code, strict=True) if self._code else ((), ())
        return Programs(
            np.array(code, dtype=np.int64),
            np.array(operand, dtype=np.float64),
            np.array(self._start, dtype=np.int64),
            np.zeros(len(VARIABLES) + self._depth),
        )

    def _emit(self, node: ast.expr, variables: frozenset[str]) -> None:
        if not names(node) & variables:
            self._code.append((op.PUSH, self._constant(node)))
            return
        match node:
            case ast.Name(id=name):
                self._code.append((op.LOAD, float(VARIABLES.index(name))))
            case ast.UnaryOp(op=sign, operand=operand):
                self._emit(operand, variables)
                if isinstance(sign, ast.USub):
                    self._code.append((op.NEGATE, 0.0))
            case ast.BinOp(left=left, op=kind, right=right):
                self._emit(left, variables)
                self._emit(right, variables)
                self._code.append((op.BINARY_CODES[type(kind)], 0.0))
            case ast.Call(func=ast.Name(id=name), args=[first, *others]):
                self._emit(first, variables)
                self._emit_call(op.FUNCTION_CODES[name], others, variables)
            case ast.Compare(left=left, ops=kinds, comparators=others):
                self._emit_comparison([left, *others], kinds, variables)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                for part in (test, body, orelse):
                    self._emit(part, variables)
                self._code.append((op.SELECT, 0.0))

    def _emit_call(self, code: int, others: list[ast.expr], variables: frozenset[str]) -> None:
        if not others:
            self._code.append((code, 0.0))
        for other in others:  # max(a, b, c) is max(max(a, b), c)
            self._emit(other, variables)
            self._code.append((code, 0.0))

    def _emit_comparison(
        self, terms: list[ast.expr], kinds: list[ast.cmpop], variables: frozenset[str]
    ) -> None:
        for number, kind in enumerate(kinds):
            self._emit(terms[number], variables)
            self._emit(terms[number + 1], variables)
            self._code.append((op.COMPARISON_CODES[type(kind)], 0.0))
            if number:  # a < b < c holds where both hold
                self._code.append((op.MULTIPLY, 0.0))

    def _constant(self, node: ast.expr) -> float:
        text = ast.unparse(node)
        used = {name: self._values[name] for name in names(node)}
        return evaluate(text, used)

    @staticmethod
    def _highest(code: list[Instruction]) -> int:
        height = highest = 0
        for opcode, _ in code:
            if opcode in (op.PUSH, op.LOAD):
                height += 1
            elif opcode == op.SELECT:
                height -= 2
            elif opcode < op.NEGATE:
                height -= 1
            highest = max(highest, height)
        return highest
