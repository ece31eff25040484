"""Numbers from expressions: every different entry is evaluated once, then scattered.

The entries of B, of its derivative, of M and of the loads repeat each other many times. An
:class:`ArrayProgram` evaluates the intermediates and the unlike entries only: those of a kind
together in numpy, kinds with few members in one function of plain numbers. What can be left
to numbers, such as :math:`B^T M B`, is never expanded here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.multibody.joint.symbolic.generated import Definitions, define, plain_function
from cosim.multibody.joint.symbolic.structure import structure

__all__ = ["ArrayProgram", "needed"]

_Kinds = dict[str, dict[sp.Expr, tuple[sp.Expr, ...]]]

_FEW = 12
"""Kinds with fewer members are cheaper as plain numbers."""


class ArrayProgram:
    """Matrices of expressions as arrays of numbers.

    Parameters
    ----------
    inputs : sequence of Symbol
        What the expressions depend on.
    definitions : sequence of (Symbol, Expr)
        Intermediates in order of evaluation; those not needed are left out.
    outputs : mapping of name to Matrix

    Attributes
    ----------
    arrays : dict of name to array
        Shaped as the matrices; :meth:`evaluate` writes them.
    entries : int
        Number of different entries that are neither numbers nor symbols.
    """

    def __init__(
        self,
        inputs: Sequence[sp.Symbol],
        definitions: Definitions,
        outputs: Mapping[str, sp.MatrixBase],
    ) -> None:
        elements = [e for matrix in outputs.values() for e in matrix.flat()]
        different = dict.fromkeys(e for e in elements if not e.is_number)
        steps = needed(definitions, different)
        given = {symbol for symbol, _ in steps}.union(inputs)
        plain, kinds = _sorted_out(e for e in different if e not in given)
        places = _Places(inputs)
        self.entries = len(different) - len(given & different.keys())
        self._function = plain_function(inputs, steps, plain)
        self._plain = places.take([*(symbol for symbol, _ in steps), *plain])
        self._kinds = [_Kind(text, members, places) for text, members in kinds.items()]
        self._inputs = len(inputs)
        self._work = places.values()
        self._flat = np.zeros(len(elements))
        self.arrays = _views(self._flat, outputs)
        self._targets, self._sources = self._scatter(elements, places)

    def evaluate(self, values: Float) -> None:
        """Write `arrays` for the values of the inputs.

        Raises
        ------
        ModelError
            An expression has no value there.
        """
        work = self._work
        work[: self._inputs] = values
        try:
            work[self._plain] = self._function(*values.tolist())
        except (ArithmeticError, ValueError) as error:
            raise ModelError(
                f"the equations have no value at this state ({error}): a force law leaves its "
                "domain, or two points of an element coincide"
            ) from None
        for kind in self._kinds:
            kind.evaluate(work)
        self._flat[self._targets] = work[self._sources]

    def _scatter(
        self, elements: Sequence[sp.Expr], places: _Places
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """To where and from where values go; numbers are written once, here."""
        targets, sources = [], []
        for k, element in enumerate(elements):
            if element.is_number:
                self._flat[k] = float(element)
            else:
                targets.append(k)
                sources.append(places.index[element])
        return np.array(targets, dtype=np.intp), np.array(sources, dtype=np.intp)


class _Places:
    """Where values stand in one vector: inputs, intermediates, entries, numbers."""

    def __init__(self, inputs: Sequence[sp.Symbol]) -> None:
        self.index: dict[sp.Expr, int] = {symbol: k for k, symbol in enumerate(inputs)}
        self._numbers: dict[int, float] = {}

    def take(self, expressions: Sequence[sp.Expr]) -> slice:
        """Consecutive places for expressions."""
        first = len(self.index)
        self.index.update((e, first + k) for k, e in enumerate(expressions))
        return slice(first, len(self.index))

    def of(self, leaf: sp.Expr) -> int:
        """Place of a symbol or number."""
        if leaf not in self.index:
            self._numbers[len(self.index)] = float(leaf)
            self.take([leaf])
        return self.index[leaf]

    def values(self) -> Float:
        """The vector with its numbers."""
        out = np.zeros(len(self.index))
        for place, number in self._numbers.items():
            out[place] = number
        return out


class _Kind:
    """Entries that differ in their leaves only."""

    def __init__(
        self, text: str, members: Mapping[sp.Expr, tuple[sp.Expr, ...]], places: _Places
    ) -> None:
        leaves = [[places.of(leaf) for leaf in row] for row in members.values()]
        self._leaves: NDArray[np.intp] = np.array(leaves, dtype=np.intp).T.copy()
        self._target = places.take(list(members))
        names = [f"x[{k}]" for k in range(self._leaves.shape[0])]
        known = {name: getattr(np, name) for name in ("sin", "cos", "exp", "abs", "sqrt")}
        self._function = define(f"kind = lambda x: {text.format(*names)}", known)["kind"]

    def evaluate(self, work: Float) -> None:
        """Write the members' places."""
        work[self._target] = self._function(work[self._leaves])


def needed(definitions: Definitions, expressions: Iterable[sp.Expr]) -> Definitions:
    """The definitions that some expressions depend on, in their order."""
    wanted: set[sp.Basic] = set()
    for expression in expressions:
        wanted |= expression.free_symbols
    kept = []
    for symbol, expression in reversed(definitions):
        if symbol in wanted:
            kept.append((symbol, expression))
            wanted |= expression.free_symbols
    return kept[::-1]


def _sorted_out(expressions: Iterable[sp.Expr]) -> tuple[list[sp.Expr], _Kinds]:
    """Expressions to evaluate one by one, and those of each kind with their leaves."""
    plain: list[sp.Expr] = []
    kinds: _Kinds = {}
    for expression in expressions:
        found = structure(expression)
        if found is None:
            plain.append(expression)
        else:
            kinds.setdefault(found[0], {})[expression] = found[1]
    for text in [text for text, members in kinds.items() if len(members) < _FEW]:
        plain += kinds.pop(text)
    return plain, kinds


def _views(flat: Float, outputs: Mapping[str, sp.MatrixBase]) -> dict[str, Float]:
    views, first = {}, 0
    for name, matrix in outputs.items():
        rows, columns = matrix.shape
        views[name] = flat[first : first + rows * columns].reshape(rows, columns)
        first += rows * columns
    return views
