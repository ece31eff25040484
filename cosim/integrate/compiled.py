"""Dormand and Prince's method of order 8 with all stages of a step in compiled code."""

from __future__ import annotations

import numpy as np

from cosim.algebra.compiled import compiled
from cosim.coupling.evaluation import Evaluation
from cosim.errors import CaseError, SolverError
from cosim.integrate import dop853_coefficients as co
from cosim.integrate.dop853 import DOP853
from cosim.integrate.method import Tolerances
from cosim.multibody.interface import Float
from cosim.multibody.joint import JointModel
from cosim.multibody.joint.articulated import SOLVED
from cosim.multibody.joint.entry import Plain, derivative

__all__ = ["CompiledDOP853"]

_STAGES = co.STAGES
_A, _B, _C, _E3, _E5 = co.A, co.B, co.C, co.E3, co.E5


class CompiledDOP853(DOP853):
    """DOP853 for runs without adapters: one call of compiled code per trial step.

    Parameters
    ----------
    evaluation : Evaluation
        Of a joint-coordinate model, without adapters.
    tolerances : Tolerances

    Raises
    ------
    CaseError
        Adapters take part, or the model has no compiled equations.
    """

    def __init__(self, evaluation: Evaluation, tolerances: Tolerances) -> None:
        super().__init__(evaluation, tolerances)
        if evaluation.entries:
            names = ", ".join(f"'{entry.name}'" for entry in evaluation.entries)
            raise CaseError(
                f"time: method 'compiled' is for runs without adapters, here are {names}; "
                "use RK45 or DOP853"
            )
        if not isinstance(evaluation.model, JointModel):
            raise CaseError("time: method 'compiled' needs joint coordinates; use RK45 or DOP853")
        self._model = evaluation.model
        self._v_dot = np.zeros((len(self._model.bodies), 6))

    def _stage_values(self, h: float, t1: float) -> Float:
        y1 = np.empty_like(self.y)
        failed = _stages(
            self._model.plain, (self.t, h, t1), (self.y, y1), (self._K, self._KQ), self._v_dot
        )
        self.evaluation.count += _STAGES
        if failed != SOLVED:
            raise SolverError(f"at t = {self.t:g} s: {self._model.refuse(failed)}")
        return y1

    def _error(self, h: float, y1: Float) -> float:
        tolerances = self._tolerances
        return float(_error(h, self._K, (self.y, y1), tolerances.atol, tolerances.rtol))


@compiled
def _stages(
    model: Plain,
    times: tuple[float, float, float],
    ends: tuple[Float, Float],
    stages: tuple[Float, Float],
    v_dot: Float,
) -> int:
    """Stages 1 to 11, y1 and the derivative there; the first is known."""
    (t, h, t1), (y0, y1), (K, KQ) = times, ends, stages
    for i in range(1, _STAGES + 1):
        weights = _A[i] if i < _STAGES else _B
        y1[:] = y0
        for j in range(i):
            factor = h * weights[j]
            if factor != 0.0:
                for n in range(y1.size):
                    y1[n] += factor * K[j, n]
        time = t + _C[i] * h if i < _STAGES else t1
        failed = derivative(model, time, y1, K[i], v_dot)
        if failed != SOLVED:
            return failed
        _powers(model[3][1], KQ[i])
    return SOLVED


@compiled
def _powers(power: float, out: Float) -> None:
    """Power of the elements and its magnitude, where somebody keeps a ledger."""
    if out.size > 0:
        out[0], out[1] = power, abs(power)


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
