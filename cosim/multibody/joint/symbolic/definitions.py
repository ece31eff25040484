"""Named intermediates, and time derivatives through them.

Written out, the equations of a chain grow with the square of its length and worse in space;
with names for sines, attitudes, positions and velocities every entry stays a few terms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import sympy as sp

from cosim.errors import ModelError
from cosim.multibody.joint.symbolic.frames import Rows, Vector, vector
from cosim.multibody.joint.symbolic.names import Names

__all__ = ["Definitions"]


class Definitions:
    """Gives names to expressions, or hands them back where everything is to be written out.

    Parameters
    ----------
    names : Names
    inline : bool
        No names at all.
    """

    def __init__(self, names: Names, *, inline: bool) -> None:
        self.inline = inline
        self._names = names
        self._expressions: dict[sp.Symbol, sp.Expr] = {}
        self._rates: dict[sp.Symbol, sp.Expr] = {}
        self._of_speeds: set[sp.Symbol] = set()

    @property
    def items(self) -> tuple[tuple[sp.Symbol, sp.Expr], ...]:
        """Names and what they stand for, in order of evaluation."""
        return tuple(self._expressions.items())

    @property
    def of_speeds(self) -> frozenset[sp.Symbol]:
        """Those that depend on speeds too."""
        return frozenset(self._of_speeds)

    def name(
        self, letter: str, owner: str, expression: sp.Expr, *, moving: bool = False
    ) -> sp.Expr:
        """A symbol for an expression; what is one symbol or number already stays as it is.

        Parameters
        ----------
        letter, owner : str
            Make up the name ``letter_owner``.
        expression : Expr
            Of coordinates, the time, parameters and earlier names.
        moving : bool
            Depends on speeds too.
        """
        if self.inline or expression.is_Atom or (-expression).is_Symbol:
            return expression
        symbol = self._names.symbol(letter, owner)
        self._expressions[symbol] = expression
        if moving:
            self._of_speeds.add(symbol)
        return symbol

    def vector(self, letter: str, owner: str, values: Vector, *, moving: bool = False) -> Vector:
        """Symbols for three components."""
        return vector(
            [
                self.name(f"{letter}{axis}", owner, value, moving=moving)
                for axis, value in zip("xyz", values, strict=True)
            ]
        )

    def rows(self, letter: str, owner: str, values: Rows) -> Rows:
        """Symbols for nine entries, ``letter11`` to ``letter33``."""
        first, second, third = (
            vector([self.name(f"{letter}{i}{j}", owner, x) for j, x in enumerate(row, start=1)])
            for i, row in enumerate(values, start=1)
        )
        return first, second, third

    def set_rates(self, names: Sequence[sp.Expr], rates: Sequence[sp.Expr]) -> None:
        """Time derivatives of named expressions, in the names of their velocities."""
        if self.inline:
            return
        for name, rate in zip(names, rates, strict=True):
            self._rates.setdefault(name, rate)

    def rate(self, expression: sp.Expr, given: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
        """Total time derivative by the chain rule.

        Parameters
        ----------
        expression : Expr
        given : mapping
            Time derivatives of coordinates and of the time.

        Raises
        ------
        ModelError
            The expression depends on speeds, whose derivatives are not known here.
        """
        return sp.Add(
            *(
                sp.diff(expression, symbol) * self._symbol_rate(symbol, given)
                for symbol in sorted(expression.free_symbols, key=str)
            )
        )

    def expand(self, expression: sp.Expr) -> sp.Expr:
        """All names written out."""
        return expression.xreplace(self._written_out) if self._expressions else expression

    @cached_property
    def _written_out(self) -> Mapping[sp.Symbol, sp.Expr]:
        out: dict[sp.Symbol, sp.Expr] = {}
        for symbol, expression in self._expressions.items():
            out[symbol] = expression.xreplace(out)
        return out

    def _symbol_rate(self, symbol: sp.Symbol, given: Mapping[sp.Symbol, sp.Expr]) -> sp.Expr:
        if symbol in given:
            return given[symbol]
        if symbol in self._of_speeds:
            raise ModelError(
                f"'{symbol}' depends on speeds; only expressions of coordinates and time have a "
                "derivative in terms of coordinates and speeds"
            )
        if symbol in self._expressions and symbol not in self._rates:
            self._rates[symbol] = self.rate(self._expressions[symbol], given)
        return self._rates.get(symbol, sp.S.Zero)
