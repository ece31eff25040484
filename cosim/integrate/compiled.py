"""Dormand and Prince's method of order 8 with all stages of a step in compiled code."""

from __future__ import annotations

import numpy as np

from cosim.algebra.compiled import compiled
from cosim.coupling.evaluation import Evaluation
from cosim.integrate import dop853_coefficients as co
from cosim.integrate.compiled_rates import CompiledRates, Tables, rates_and_powers
from cosim.integrate.dop853 import DOP853
from cosim.integrate.method import Tolerances
from cosim.multibody.interface import Float
from cosim.multibody.joint.articulated import SOLVED

__all__ = ["CompiledDOP853"]

_STAGES = co.STAGES
_A, _B, _C, _E3, _E5 = co.A, co.B, co.C, co.E3, co.E5


class CompiledDOP853(DOP853):
    """DOP853 for runs without Steppers: one call of compiled code per trial step.

    Parameters
    ----------
    evaluation : Evaluation
        Of a joint-coordinate model; its adapters offer compiled loads.
    tolerances : Tolerances

    Raises
    ------
    CaseError
        See :class:`~cosim.integrate.compiled_rates.CompiledRates`.
    """

    def __init__(self, evaluation: Evaluation, tolerances: Tolerances) -> None:
        super().__init__(evaluation, tolerances)
        self._rates = CompiledRates(evaluation)

    def _stage_values(self, h: float, t1: float) -> Float:
        y1 = np.empty_like(self.y)
        times, stages = (self.t, h, t1), (self._K, self._KQ)
        failed = _stages(self._rates.tables, times, (self.y, y1), stages)
        self.evaluation.count += _STAGES
        if failed != SOLVED:
            self._rates.refuse(failed, self.t)
        return y1

    def _extra(self, t: float, y: Float, out: tuple[Float, Float]) -> None:
        self._rates.write(t, y, out)

    def _error(self, h: float, y1: Float) -> float:
        tolerances = self._tolerances
        return float(_error(h, self._K, (self.y, y1), tolerances.atol, tolerances.rtol))


@compiled
def _stages(
    tables: Tables,
    times: tuple[float, float, float],
    ends: tuple[Float, Float],
    stages: tuple[Float, Float],
) -> int:
    """Stages 1 to 11, y1 and the derivative there; the first is known."""
    (t, h, t1), (y0, y1), (K, KQ) = times, ends, stages
    for i in range(1, _STAGES + 1):
        weights = _A[i] if i < _STAGES else _B
        for n in range(y1.size):
            y1[n] = y0[n]
        for j in range(i):
            factor = h * weights[j]
            if factor != 0.0:
                for n in range(y1.size):
                    y1[n] += factor * K[j, n]
        time = t + _C[i] * h if i < _STAGES else t1
        failed = rates_and_powers(tables, time, y1, K[i], KQ[i])
        if failed != SOLVED:
            return failed
    return SOLVED


@compiled
def _error(h: float, K: Float, ends: tuple[Float, Float], atol: Float, rtol: float) -> float:
    """Error estimate of DOP853 over the tolerances."""
    y0, y1 = ends
    fifth = third = 0.0
    for n in range(y0.size):
        scale = atol[n] + rtol * max(abs(y0[n]), abs(y1[n]))
        a = b = 0.0
        for i in range(_STAGES + 1):
            a += _E5[i] * K[i, n]
            b += _E3[i] * K[i, n]
        fifth += (a / scale) ** 2
        third += (b / scale) ** 2
    if fifth == 0.0 and third == 0.0:
        return 0.0
    return float(abs(h) * fifth / np.sqrt((fifth + 0.01 * third) * y0.size))
