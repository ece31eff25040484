"""Zero crossings declared by adapters, located on the dense output."""

from __future__ import annotations

import math
from collections.abc import Mapping

from scipy.optimize import brentq

from cosim.coupling.entry import Entry, adapter_errors
from cosim.coupling.equations import CoupledEquations
from cosim.integrate.piece import Outcome, Piece
from cosim.multibody.interface import Float

__all__ = ["Events"]

_NEAR = 1e-3
"""A value this small, over that at the end of the step first tried, is the zero itself."""
_SKIP = 1e-6
"""Shortest part of a step that an event cuts off."""


class Events:
    """Finds the first zero of the adapters' event functions in a step.

    Parameters
    ----------
    equations : CoupledEquations
    t, y : float, (n,)
        Start of the run.
    """

    def __init__(self, equations: CoupledEquations, t: float, y: Float) -> None:
        self._equations = equations
        self._sources = [e for e in equations.entries if e.events is not None]
        self._before = {e.name: self._value(e, t, y) for e in self._sources}
        self._crossed: dict[str, float] = {}

    @property
    def memory(self) -> dict[str, float]:
        """What `recall` puts back."""
        return dict(self._before)

    def recall(self, memory: Mapping[str, float]) -> None:
        """Know the values that `memory` holds."""
        self._before = {entry.name: memory[entry.name] for entry in self._sources}
        self._crossed.clear()

    def first(self, outcome: Outcome) -> float | None:
        """Earliest zero in a step, or None."""
        self._crossed.clear()
        roots: dict[str, tuple[float, float]] = {}
        for entry in self._sources:
            before = self._before[entry.name]
            for piece in outcome.pieces:
                after = self._value(entry, piece.t1, piece.y1)
                if after == 0.0 and before != 0.0:
                    roots[entry.name] = (piece.t1, -before)
                    break
                if before * after < 0.0:
                    roots[entry.name] = (self._root(entry, piece, before), after)
                    break
                before = after
        if not roots:
            return None
        first = min(root for root, _ in roots.values())
        self._crossed = {name: after for name, (root, after) in roots.items() if root == first}
        return first

    def accepted(self, outcome: Outcome) -> None:
        """Note the values at the accepted end of a step.

        At a zero the function is within the error of the solution of either sign; the side
        it went to counts.
        """
        for entry in self._sources:
            value = self._value(entry, outcome.t1, outcome.y1)
            crossed = self._crossed.get(entry.name, 0.0)
            self._before[entry.name] = crossed if abs(value) <= _NEAR * abs(crossed) else value
        self._crossed.clear()

    def _value(self, entry: Entry, t: float, y: Float) -> float:
        assert entry.events is not None
        q, u, x = self._equations.split(y)
        state = entry.part(self._equations.model.kinematics(t, q, u))
        with adapter_errors(entry.name, t):
            return float(entry.events.event(t, state, x[entry.x]))

    def _root(self, entry: Entry, piece: Piece, before: float) -> float:
        start = piece.t0 + _SKIP * (piece.t1 - piece.t0)
        if self._value(entry, start, piece.at(start)) * before <= 0.0:
            return start
        return float(
            brentq(
                lambda t: self._value(entry, t, piece.at(t)),
                start,
                piece.t1,
                xtol=4.0 * math.ulp(max(abs(piece.t1), 1e-3)),
                rtol=8.9e-16,
            )
        )
