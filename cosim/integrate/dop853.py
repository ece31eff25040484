"""Dormand and Prince's method of order 8 for tight tolerances."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from cosim.coupling.evaluation import Evaluation
from cosim.integrate import dop853_coefficients as co
from cosim.integrate.method import Tolerances
from cosim.integrate.piece import Piece
from cosim.integrate.runge_kutta import RungeKutta
from cosim.integrate.tableaux import Tableau
from cosim.multibody.interface import Float

__all__ = ["DOP853"]

_TABLEAU = Tableau(c=co.C, A=co.A, b=co.B, e=np.zeros(0), P=np.zeros((13, 0)), error_order=7)


class DOP853(RungeKutta):
    """Order 8 with error estimates of orders 5 and 3 and dense output of order 7.

    Parameters
    ----------
    evaluation : Evaluation
    tolerances : Tolerances
    """

    def __init__(self, evaluation: Evaluation, tolerances: Tolerances) -> None:
        super().__init__(evaluation, _TABLEAU, tolerances)

    def _error(self, h: float, y1: Float) -> float:
        tol = self._tolerances
        scale = tol.atol + tol.rtol * np.maximum(np.abs(self.y), np.abs(y1))
        fifth = float(np.sum((co.E5 @ self._K / scale) ** 2))
        third = float(np.sum((co.E3 @ self._K / scale) ** 2))
        if fifth == 0.0 and third == 0.0:
            return 0.0
        return abs(h) * fifth / math.sqrt((fifth + 0.01 * third) * scale.size)

    def _piece(self, h: float, ends: tuple[float, float], y1: Float, total: Float) -> Piece:
        return _DensePiece(self._extra, (*ends, h), (self.y, y1, total), (self._K, self._KQ))

    def _extra(self, t: float, y: Float, out: tuple[Float, Float]) -> None:
        """Derivative and rates of the quadrature at a stage of the dense output."""
        out[0][:] = self.evaluation(t, y)
        out[1][:] = self.evaluation.quadrature.values


class _DensePiece(Piece):
    """Dense output of order 7; its three more stages are evaluated when first asked for."""

    def __init__(
        self,
        evaluate: Callable[[float, Float, tuple[Float, Float]], None],
        times: tuple[float, float, float],
        ends: tuple[Float, Float, Float],
        stages: tuple[Float, Float],
    ) -> None:
        self.t0, self.t1, self._h = times
        self._y0, self.y1, self.total = ends
        self._evaluate = evaluate
        self._K, self._KQ = stages[0].copy(), stages[1].copy()
        self._polynomials: tuple[Float, Float] | None = None

    def at(self, t: float) -> Float:
        if t == self.t1:
            return self.y1
        return self._y0 + self._value(t, self._build()[0])

    def total_to(self, t: float) -> Float:
        return self.total if t == self.t1 else self._value(t, self._build()[1])

    def _build(self) -> tuple[Float, Float]:
        if self._polynomials is None:
            K = np.vstack([self._K, np.zeros((3, self._K.shape[1]))])
            KQ = np.vstack([self._KQ, np.zeros((3, self._KQ.shape[1]))])
            for i, (row, c) in enumerate(zip(co.A_DENSE, co.C_DENSE.tolist(), strict=True)):
                y = self._y0 + self._h * (row @ K)
                self._evaluate(self.t0 + c * self._h, y, (K[13 + i], KQ[13 + i]))
            self._polynomials = (
                _coefficients(self._h, self.y1 - self._y0, K),
                _coefficients(self._h, self.total, KQ),
            )
        return self._polynomials

    def _value(self, t: float, F: Float) -> Float:
        x = (t - self.t0) / self._h
        value = np.zeros(F.shape[1])
        for i, row in enumerate(F[::-1]):
            value = (value + row) * (x if i % 2 == 0 else 1.0 - x)
        return value


def _coefficients(h: float, change: Float, K: Float) -> Float:
    F = np.empty((7, K.shape[1]))
    F[0] = change
    F[1] = h * K[0] - change
    F[2] = 2.0 * change - h * (K[12] + K[0])
    F[3:] = h * (co.D @ K)
    return F
