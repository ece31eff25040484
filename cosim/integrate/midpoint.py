r"""The implicit midpoint rule in Cartesian coordinates, with adapters.

Adapters are called at the middle of the step, with the mean of the twists at its ends,

.. math:: t_m, \quad \mathrm{polar}(R_m), \quad V_m = \tfrac12 (T(q) v + T(q_+) v_+),

and load the bodies with :math:`T_m^T [g_e - M_a (V_+ - V)/h]`; states of adapters follow by the
same rule. Loads and step are repeated until they agree. Without adapters energy, momenta and
position constraints are exact; with them the ledger shows what the difference between V_m and
T_m v_m makes.
"""

from __future__ import annotations

import numpy as np

from cosim.coupling.evaluation import Evaluation
from cosim.errors import SolverError
from cosim.integrate.method import Method
from cosim.integrate.piece import Piece
from cosim.multibody.cartesian.conserving.midway import midway, twist_gain
from cosim.multibody.cartesian.conserving.steps import Advance, ConservingSteps, Variant
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.interface import Float

__all__ = ["Midpoint"]

_PASSES = 60
_AGREED = 1e-13
_CLOSE = 1e-9


class Midpoint(Method):
    """Steps of fixed length that keep energy, momenta and position constraints exactly.

    The last step before an end is cut to fit.

    Parameters
    ----------
    evaluation : Evaluation
        Of a model in Cartesian coordinates, all bodies with three directors.
    step : float
        s.
    variant : {"midpoint", "midpoint_ggl"}
        See :class:`~cosim.multibody.cartesian.conserving.steps.ConservingSteps`.
    """

    def __init__(self, evaluation: Evaluation, step: float, variant: Variant = "midpoint") -> None:
        super().__init__(evaluation)
        model = evaluation.model
        if not isinstance(model, CartesianModel):
            raise SolverError("the midpoint rule needs the Cartesian formulation")
        self._model, self._memory = model, model.parts.memory
        self.step_size, self._variant = step, variant
        self._steps: ConservingSteps | None = None
        self._origin, self._count = 0.0, 0

    def restart(self, t: float, y: Float, *, again: bool = False) -> None:
        """Begin at a point."""
        self.t, self.y = t, y
        self._origin, self._count = t, 0
        if self._steps is None:
            massive = self.evaluation.massive(t, y)
            self._steps = ConservingSteps(self._model.parts, massive, variant=self._variant)
        self._steps.forget()

    def refresh(self) -> None:
        """Nothing to do: every step asks for its loads."""

    def step(self, t_end: float) -> Piece:
        """One step, not beyond t_end."""
        t1 = self._origin + (self._count + 1) * self.step_size
        if t1 > t_end - 1e-9 * self.step_size:
            t1 = t_end
        y1, total = self._advance(t1)
        piece = _MidpointPiece((self.t, t1), (self.y, y1), total, self._model)
        self.t, self.y = t1, y1
        self._count += 1
        self.steps += 1
        return piece

    def _advance(self, t1: float) -> tuple[Float, Float]:
        assert self._steps is not None
        model, h = self._model, t1 - self.t
        nq, nv = model.nq, model.nq + model.nu
        q, u, x = np.split(self.y, [nq, nv])
        middle = 0.5 * (self.t + t1)
        q1, u1, x1 = model.retract(q, h * u), u, x
        size = float(np.abs(q).max(initial=1.0))
        before, g = np.inf, np.zeros((0, 6))
        for _ in range(_PASSES):
            state = midway(self._memory, middle, ((q, u), (q1, u1)))
            loads, x_dot = self.evaluation.loads_at(middle, state, 0.5 * (x + x1))
            guess = model.difference(q1, q) / h
            made = self._steps.step(self.t, h, (q, u), loads, guess=guess)
            moved = float(np.abs(made.q - q1).max() + h * np.abs(made.u - u1).max()) / size
            change = max(moved, _change(g, loads[0]))
            q1, u1, x1, g = made.q, made.u, x + h * x_dot, loads[0]
            if change <= _AGREED or (before <= _CLOSE and change > 0.5 * before):
                self.evaluation.count += 1
                return np.concatenate([q1, u1, x1]), self._books(made, (middle, h), (q, u))
            before = change
        raise SolverError(
            f"the loads of the adapters and the midpoint step of {h:g} s do not agree after "
            f"{_PASSES} passes (they differ by {change:.2g} of the motion); take a smaller step"
        )

    def _books(self, made: Advance, when: tuple[float, float], start: tuple[Float, Float]) -> Float:
        """Integral of the quadrature over the step: h times the powers at its middle."""
        quadrature, (middle, h) = self.evaluation.quadrature, when
        if not quadrature.values.size:
            return quadrature.values.copy()
        ends = start, (made.q, made.u)
        state = midway(self._memory, middle, ends)
        v_dot = twist_gain(self._memory, ends) / h
        quadrature.evaluate(middle, state, v_dot, made.power)
        return h * quadrature.values


class _MidpointPiece(Piece):
    """A step with the cubic through its ends and their derivatives as dense output."""

    def __init__(
        self,
        times: tuple[float, float],
        ends: tuple[Float, Float],
        total: Float,
        model: CartesianModel,
    ) -> None:
        self.t0, self.t1 = times
        self._y0, self.y1 = ends
        self.total = total
        self._nu, self._nq = model.nu, model.nq

    def at(self, t: float) -> Float:
        """Directors by the cubic with the speeds at both ends; all else linear."""
        if t == self.t1:
            return self.y1
        h = self.t1 - self.t0
        s = (t - self.t0) / h
        y = self._y0 + s * (self.y1 - self._y0)
        nu, nq = self._nu, self._nq
        u0, u1 = self._y0[nq : nq + nu], self.y1[nq : nq + nu]
        chord = (self.y1[:nu] - self._y0[:nu]) / h
        bend = s * (1.0 - s) * h
        y[:nu] += bend * ((1.0 - s) * (u0 - chord) - s * (u1 - chord))
        return y

    def total_to(self, t: float) -> Float:
        """In proportion to the time: powers are those of the middle."""
        return self.total if t == self.t1 else (t - self.t0) / (self.t1 - self.t0) * self.total


def _change(old: Float, new: Float) -> float:
    """Largest change beside the largest load; all of it where there was none before."""
    scale = float(np.abs(new).max(initial=0.0))
    if scale == 0.0:
        return 0.0
    return 1.0 if old.shape != new.shape else float(np.abs(new - old).max()) / scale
