r"""First-order changes of expressions at a state, in the tangent space of the coordinates.

The directions are the displacements δ and the changes δu of the speeds: along δ_j the
coordinates change by column j of N(q), where q' = N u, so that quaternions turn and never
stretch. Values at the state are put in as early as possible: what is differentiated stays
small, also where the equations have named intermediates.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import sympy as sp

from cosim.errors import ModelError
from cosim.model.sentences import nearest
from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["FirstOrder", "Forward", "State", "full_state"]

State = Mapping[str | sp.Symbol, sp.Expr | float]
"""Values of coordinates, speeds and the time, by symbol or by its name."""

Change = dict[int, sp.Expr]
"""Derivatives by direction: δ are 0 to nu - 1, δu nu to 2 nu - 1, then parameters; no zeros."""


def full_state(kin: Kinematics, given: State | None = None) -> dict[sp.Symbol, sp.Expr]:
    """A value for the time and every coordinate and speed.

    Those not given are 0, quaternions as in the reference configuration.

    Parameters
    ----------
    kin : Kinematics
    given : mapping, optional
        By symbol or by its name; values may be expressions of parameters.

    Raises
    ------
    ModelError
        A name that is no coordinate or speed.
    """
    state = dict.fromkeys((kin.t, *kin.q, *kin.u), sp.S.Zero)
    state |= {form.quaternion[0]: sp.S.One for form in kin.forms.values() if form.quaternion}
    known = {str(symbol): symbol for symbol in state}
    for key, value in (given or {}).items():
        if str(key) not in known:
            hint = nearest(str(key), known)
            raise ModelError(f"the state has no coordinate or speed '{key}'{hint}")
        state[known[str(key)]] = sp.sympify(value)
    return state


class Forward:
    """Values and derivatives of expressions at one point, by forward differentiation.

    Every part of an expression is visited once: its value there, and its derivatives from
    those of its parts by the chain rule.

    Parameters
    ----------
    values : mapping of Symbol to Expr
        Other symbols stand for themselves.
    changes : mapping of Symbol to Change
        Derivatives of the symbols; those of others are zero.
    definitions : sequence of (Symbol, Expr)
        Symbols that stand for expressions.
    """

    def __init__(
        self,
        values: Mapping[sp.Symbol, sp.Expr],
        changes: Mapping[sp.Symbol, Change],
        definitions: Sequence[tuple[sp.Symbol, sp.Expr]] = (),
    ) -> None:
        self._definitions = dict(definitions)
        self._order = {symbol: k for k, symbol in enumerate(self._definitions)}
        self._values: dict[sp.Basic, sp.Basic] = dict(values)
        self._changes: dict[sp.Basic, Change] = dict(changes)

    def value(self, part: sp.Basic) -> sp.Basic:
        """Value at the state; also of a matrix."""
        if isinstance(part, sp.MatrixBase):
            return part.applyfunc(self.value)
        if part not in self._values:
            self._values[part] = self._value(part)
        return self._values[part]

    def change(self, part: sp.Expr) -> Change:
        """Derivatives at the state along all directions.

        Raises
        ------
        ModelError
            The expression has no derivative there.
        """
        if part not in self._changes:
            self._changes[part] = self._change(part)
        return self._changes[part]

    def _value(self, part: sp.Basic) -> sp.Basic:
        if part in self._definitions:
            for symbol in self._behind(part, self._values):
                self._values[symbol] = self.value(self._definitions[symbol])
            return self._values[part]
        if not part.args:
            return part
        if isinstance(part, sp.Piecewise):
            return sp.Piecewise(*((self.value(e), c) for e, c in self._branches(part)))
        return _folded(part.func(*(self.value(arg) for arg in part.args)))

    def _behind(self, symbol: sp.Basic, done: Collection[sp.Basic]) -> list[sp.Basic]:
        """Definitions that a symbol is made of, itself the last: long chains exceed recursion."""
        found: set[sp.Basic] = set()
        pending = [symbol]
        while pending:
            part = pending.pop()
            if part in self._definitions and part not in done and part not in found:
                found.add(part)
                pending += self._definitions[part].free_symbols
        return sorted(found, key=self._order.__getitem__)

    def _branches(self, part: sp.Piecewise) -> list[tuple[sp.Expr, sp.Basic]]:
        """Those that may hold at the state, with their conditions there."""
        possible = []
        for expression, condition in part.args:
            holds = self.value(condition)
            if holds is not sp.false:
                possible.append((expression, holds))
            if holds is sp.true:
                break
        return possible

    def _change(self, part: sp.Expr) -> Change:
        if part in self._definitions:
            for symbol in self._behind(part, self._changes):
                self._changes[symbol] = self.change(self._definitions[symbol])
            return self._changes[part]
        if not part.args:
            return {}
        if isinstance(part, sp.Piecewise):
            return self._piecewise(part)
        moving = [k for k, arg in enumerate(part.args) if self.change(arg)]
        if part.is_Add:
            slopes = [sp.S.One] * len(moving)
        elif part.is_Mul:
            values = [self.value(arg) for arg in part.args]
            slopes = [sp.Mul(*values[:k], *values[k + 1 :]) for k in moving]
        else:
            slopes = [self._slope(part, k) for k in moving]
        total: dict[int, list[sp.Expr]] = {}
        for k, slope in zip(moving, slopes, strict=True):
            for direction, value in self.change(part.args[k]).items():
                total.setdefault(direction, []).append(slope * value)
        return _without_zeros({k: sp.Add(*terms) for k, terms in total.items()})

    def _slope(self, part: sp.Expr, k: int) -> sp.Expr:
        """Derivative of a function with respect to its argument k."""
        place, here = sp.Dummy(real=True), self.value(part.args[k])
        others = [place if i == k else self.value(arg) for i, arg in enumerate(part.args)]
        slope = sp.diff(part.func(*others), place).xreplace({place: here})
        if slope.has(sp.nan, sp.zoo, sp.oo, sp.DiracDelta):
            raise ModelError(
                f"the equations have no derivative at this state: that of {part.func.__name__} at "
                f"{here} is infinite; take another state, or leave out the element that has no "
                "direction there"
            )
        return slope

    def _piecewise(self, part: sp.Piecewise) -> Change:
        branches = [(self.change(e), c) for e, c in self._branches(part)]
        directions = {k: None for change, _ in branches for k in change}
        return _without_zeros(
            {
                k: sp.Piecewise(*((change.get(k, sp.S.Zero), c) for change, c in branches))
                for k in directions
            }
        )


class FirstOrder(Forward):
    """Values and derivatives in the tangent space at one state of a system.

    Parameters
    ----------
    kin : Kinematics
        All intermediates of the equations already in it.
    state : mapping of Symbol to Expr
        Of every coordinate and speed, and the time.
    parameters : sequence of Symbol
        Directions after those of the state: what the parameters change at a fixed state.
    """

    def __init__(
        self,
        kin: Kinematics,
        state: Mapping[sp.Symbol, sp.Expr],
        parameters: Sequence[sp.Symbol] = (),
    ) -> None:
        nu = len(kin.u)
        changes: dict[sp.Symbol, Change] = {u: {nu + j: sp.S.One} for j, u in enumerate(kin.u)}
        changes |= {symbol: {2 * nu + k: sp.S.One} for k, symbol in enumerate(parameters)}
        for q, rate in zip(kin.q, kin.q_dot, strict=True):
            columns = {j: sp.diff(rate, u) for j, u in enumerate(kin.u) if rate.has(u)}
            changes[q] = {j: entry.xreplace(dict(state)) for j, entry in columns.items()}
        super().__init__(state, changes, kin.definitions)


def _without_zeros(change: Change) -> Change:
    folded = {k: _folded(value) for k, value in change.items()}
    return {k: value for k, value in folded.items() if value != 0}


def _folded(value: sp.Basic) -> sp.Basic:
    """One number where doubles and exact roots have met; exact numbers stay exact."""
    return value.evalf() if value.is_number and value.has(sp.Float) else value
