r"""First-order changes of expressions at a state, in the tangent space of the coordinates.

The directions are the displacements δ and the changes δu of the speeds: along δ_j the
coordinates change by column j of N(q), where q' = N u, so that quaternions turn and never
stretch. Values at the state are put in as early as possible: what is differentiated stays
small, also where the equations have named intermediates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import sympy as sp

from cosim.errors import ModelError
from cosim.model.sentences import nearest
from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["FirstOrder", "State", "full_state"]

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


class FirstOrder:
    """Values and derivatives of expressions at one state.

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
        self.kin = kin
        self._values = dict(state)
        self._changes: dict[sp.Symbol, Change] = {kin.t: {}}
        nu = len(kin.u)
        for q, rate in zip(kin.q, kin.q_dot, strict=True):
            columns = {j: sp.diff(rate, u) for j, u in enumerate(kin.u) if rate.has(u)}
            self._changes[q] = {j: self.value(entry) for j, entry in columns.items()}
        for j, u in enumerate(kin.u):
            self._changes[u] = {nu + j: sp.S.One}
        for k, symbol in enumerate(parameters):
            self._changes[symbol] = {2 * nu + k: sp.S.One}
        for symbol, expression in kin.definitions:
            self._changes[symbol] = self.change(expression)
            self._values[symbol] = self.value(expression)

    def value(self, expression: sp.Expr) -> sp.Expr:
        """Value at the state; also of a matrix."""
        if isinstance(expression, sp.MatrixBase):
            return expression.applyfunc(self.value)
        return _folded(expression.xreplace(self._values))

    def change(self, expression: sp.Expr) -> Change:
        """Derivatives at the state along all directions.

        Raises
        ------
        ModelError
            The expression has no derivative there.
        """
        total: dict[int, list[sp.Expr]] = {}
        for symbol in expression.free_symbols & self._changes.keys():
            along = self._changes[symbol]
            if not along:
                continue
            slope = self.value(sp.diff(expression, symbol))
            if slope.has(sp.nan, sp.zoo, sp.oo):
                raise ModelError(
                    f"the equations have no derivative with respect to '{symbol}' at this state: "
                    "take another state, or leave out the element that has no direction there"
                )
            for direction, value in along.items():
                total.setdefault(direction, []).append(slope * value)
        sums = {k: _folded(sp.Add(*terms)) for k, terms in total.items()}
        return {k: value for k, value in sums.items() if value != 0}


def _folded(value: sp.Expr) -> sp.Expr:
    """One number where doubles and exact roots have met; exact numbers stay exact."""
    return value.evalf() if value.is_number and value.has(sp.Float) else value
