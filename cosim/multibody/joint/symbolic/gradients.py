"""Derivatives of the reduced equations at a state, by the product rule."""

from __future__ import annotations

import sympy as sp

from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.first_order import Change, FirstOrder

__all__ = ["Gradients"]

Places = dict[tuple[int, int], Change]


class Gradients:
    """Derivatives of f - M u0' along the directions, by the product rule.

    Parameters
    ----------
    first : FirstOrder
        At the state.
    equations : Equations
    forces : (rows n, 1)
        All wrenches of the right-hand side, those of B' u included.
    """

    def __init__(self, first: FirstOrder, equations: Equations, forces: sp.Matrix) -> None:
        self._B = _by_place(first, equations.kin.B())
        self._mass = _by_place(first, equations.M)
        self._h = _by_place(first, forces)
        self._Q = _by_place(first, equations.Q_joint)

    def along(
        self, k: int, values: tuple[sp.Matrix, sp.Matrix], motion: tuple[sp.Matrix, sp.Matrix]
    ) -> sp.Matrix:
        """(f - Bᵀ M B u0')' = B'ᵀ (h - M B u0') + Bᵀ (h' - M' B u0' - M B' u0') + Q'."""
        B, mass = values
        h, a0 = motion
        B_k, mass_k = _matrix(self._B, k, B.shape), _matrix(self._mass, k, mass.shape)
        h_k, Q_k = _matrix(self._h, k, h.shape), _matrix(self._Q, k, (B.cols, 1))
        carried = B * a0
        return (
            B_k.T * (h - mass * carried) + B.T * (h_k - mass_k * carried - mass * (B_k * a0)) + Q_k
        )


def _by_place(first: FirstOrder, matrix: sp.Matrix) -> Places:
    found = {place: first.change(entry) for place, entry in matrix.todok().items()}
    return {place: change for place, change in found.items() if change}


def _matrix(places: Places, direction: int, shape: tuple[int, int]) -> sp.Matrix:
    entries = {place: c[direction] for place, c in places.items() if direction in c}
    return sp.SparseMatrix(*shape, entries)
