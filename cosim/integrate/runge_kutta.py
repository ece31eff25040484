"""Explicit Runge-Kutta methods that restart cheaply at every communication step."""

from __future__ import annotations

import math

import numba as nb
import numpy as np

from cosim.coupling.evaluation import Evaluation
from cosim.errors import SolverError
from cosim.integrate.method import Method, Tolerances
from cosim.integrate.piece import Piece
from cosim.integrate.tableaux import Tableau
from cosim.multibody.interface import Float

__all__ = ["FixedRungeKutta", "RungeKutta", "first_step"]

_SAFETY, _SHRINK, _GROW = 0.9, 0.2, 10.0


class RungeKutta(Method):
    """An adaptive embedded pair; the last derivative of a step is the first of the next.

    The step control is that of Hairer, Nørsett and Wanner (Solving Ordinary Differential
    Equations I, II.4), as SciPy has it.

    Parameters
    ----------
    evaluation : Evaluation
    tableau : Tableau
    tolerances : Tolerances
    """

    def __init__(self, evaluation: Evaluation, tableau: Tableau, tolerances: Tolerances) -> None:
        super().__init__(evaluation)
        self._tableau = tableau
        self._tolerances = tolerances
        self._rows = [np.ascontiguousarray(tableau.A[i, :i]) for i in range(tableau.c.size)]
        self._c: list[float] = tableau.c.tolist()
        self._exponent = -1.0 / (tableau.error_order + 1)
        self._stages = tableau.c.size
        n, m = tolerances.atol.size, evaluation.quadrature.values.size
        self._K = np.zeros((self._stages + 1, n))
        self._KQ = np.zeros((self._stages + 1, m))
        self._trial = np.zeros(n)
        self.step_size = 0.0
        self._have_first = False
        self._start: tuple[Float, Float, float] | None = None
        self._taken: list[tuple[float, float]] = []
        self._count = 0

    def restart(self, t: float, y: Float, *, again: bool = False) -> None:
        """Begin at a point; `again` repeats the accepted steps, as far as they are accurate.

        So passes of an iterated scheme differ by their loads only, not by their steps.
        """
        self.t, self.y = t, y
        self._count = 0
        self._have_first = again and self._start is not None
        if self._have_first:
            assert self._start is not None
            self._K[0], self._KQ[0], self.step_size = self._start
        else:
            self._start = None
            self._taken.clear()

    def refresh(self) -> None:
        """Evaluate the derivative at the present point anew."""
        self._have_first = False

    def step(self, t_end: float) -> Piece:
        """One accepted step, not beyond t_end."""
        if not self._have_first:
            self._evaluate(0, self.t, self.y)
            self._have_first = True
        if self.step_size == 0.0:
            limit = min(self._tolerances.max_step, t_end - self.t)
            self.step_size = first_step(self, self._K[0], limit)
        if self._start is None:
            self._start = (self._K[0].copy(), self._KQ[0].copy(), self.step_size)
        return self._accepted(t_end)

    @property
    def error_control(self) -> tuple[Tolerances, int]:
        """Tolerances, and the order of the error estimate."""
        return self._tolerances, self._tableau.error_order

    def _accepted(self, t_end: float) -> Piece:
        rejected_before = False
        h, t1 = self._first_try(t_end)
        while True:
            y1 = self._stage_values(h, t1)
            error = self._error(h, y1)
            if error < 1.0:
                break
            rejected_before = True
            self.rejected += 1
            del self._taken[self._count :]
            shrink = _SAFETY * error**self._exponent if math.isfinite(error) else 0.0
            h *= max(_SHRINK, shrink)
            if h < 10.0 * math.ulp(self.t):
                raise SolverError(
                    f"the step size fell below {10.0 * math.ulp(self.t):.1e} s; the motion "
                    "diverges, or a load jumps or has no value there"
                )
            h, t1 = _fit(h, self.t, t_end)
        grow = _GROW if error == 0.0 else min(_GROW, _SAFETY * error**self._exponent)
        self.step_size = h * (min(1.0, grow) if rejected_before else grow)
        if self._count == len(self._taken):
            self._taken.append((h, t1))
        self._count += 1
        return self._finish(h, t1, y1)

    def _first_try(self, t_end: float) -> tuple[float, float]:
        """The step taken here before, or the one that the last error suggests."""
        if self._count < len(self._taken) and self._taken[self._count][1] <= t_end:
            return self._taken[self._count]
        return _fit(min(self.step_size, self._tolerances.max_step), self.t, t_end)

    def _stage_values(self, h: float, t1: float) -> Float:
        """All stages, y1 and the derivative there."""
        tableau = self._tableau
        for i in range(1, self._stages):
            _combine(self.y, h, self._K, self._rows[i], self._trial)
            self._evaluate(i, self.t + self._c[i] * h, self._trial)
        y1 = np.empty_like(self.y)
        _combine(self.y, h, self._K, tableau.b, y1)
        self._evaluate(self._stages, t1, y1)
        return y1

    def _evaluate(self, i: int, t: float, y: Float) -> None:
        self._K[i] = self.evaluation(t, y)
        if self._KQ.shape[1]:
            self._KQ[i] = self.evaluation.quadrature.values

    def _error(self, h: float, y1: Float) -> float:
        tolerance = (self._tolerances.atol, self._tolerances.rtol)
        return float(_error_norm(h, self._K, self._tableau.e, (self.y, y1), tolerance))

    def _finish(self, h: float, t1: float, y1: Float) -> Piece:
        with np.errstate(over="ignore", invalid="ignore"):  # the last steps of a divergence
            total = h * (self._tableau.b @ self._KQ[: self._stages])
        piece = self._piece(h, (self.t, t1), y1, total)
        self.t, self.y = t1, y1
        self._K[0], self._KQ[0] = self._K[self._stages], self._KQ[self._stages]
        self.steps += 1
        return piece

    def _piece(self, h: float, ends: tuple[float, float], y1: Float, total: Float) -> Piece:
        rows = self._tableau.P.shape[0]
        stages = self._K[:rows].copy(), self._KQ[:rows].copy()
        return _PolynomialPiece((*ends, h), (self.y, y1, total), stages, self._tableau.P)


class FixedRungeKutta(Method):
    """A method of fixed steps; the last step before an end is cut to fit.

    Parameters
    ----------
    evaluation : Evaluation
    tableau : Tableau
    step : float
        s.
    """

    def __init__(self, evaluation: Evaluation, tableau: Tableau, step: float) -> None:
        super().__init__(evaluation)
        self._tableau = tableau
        self.step_size = step
        self._stages = tableau.c.size
        self._rows = [np.ascontiguousarray(tableau.A[i, :i]) for i in range(self._stages)]
        self._c: list[float] = tableau.c.tolist()
        self._K: Float = np.zeros((self._stages, 0))
        self._KQ = np.zeros((self._stages, evaluation.quadrature.values.size))
        self._origin, self._count = 0.0, 0

    def restart(self, t: float, y: Float, *, again: bool = False) -> None:
        """Begin at a point."""
        self.t, self.y = t, y
        self._origin, self._count = t, 0
        if self._K.shape[1] != y.size:
            self._K = np.zeros((self._stages, y.size))

    def refresh(self) -> None:
        """Nothing to do: every step evaluates its first derivative."""

    def step(self, t_end: float) -> Piece:
        """One step, not beyond t_end."""
        t1 = self._origin + (self._count + 1) * self.step_size
        if t1 > t_end - 1e-9 * self.step_size:
            t1 = t_end
        h = t1 - self.t
        tableau = self._tableau
        trial = self.y
        for i in range(self._stages):
            if i > 0:
                trial = np.empty_like(self.y)
                _combine(self.y, h, self._K, self._rows[i], trial)
            self._K[i] = self.evaluation(self.t + self._c[i] * h, trial)
            self._KQ[i] = self.evaluation.quadrature.values
        y1 = np.empty_like(self.y)
        _combine(self.y, h, self._K, tableau.b, y1)
        if not np.isfinite(y1).all():
            raise SolverError(f"the motion is not finite after a step of {h:g} s")
        total = h * (tableau.b @ self._KQ)
        piece = _PolynomialPiece(
            (self.t, t1, h), (self.y, y1, total), (self._K.copy(), self._KQ.copy()), tableau.P
        )
        self.t, self.y = t1, y1
        self._count += 1
        self.steps += 1
        return piece


class _PolynomialPiece(Piece):
    """Dense output by a continuous extension of the method."""

    def __init__(
        self,
        times: tuple[float, float, float],
        ends: tuple[Float, Float, Float],
        stages: tuple[Float, Float],
        P: Float,
    ) -> None:
        self.t0, self.t1, self._h = times
        self._y0, self.y1, self.total = ends
        (self._K, self._KQ), self._P = stages, P

    def at(self, t: float) -> Float:
        return self.y1 if t == self.t1 else self._y0 + self._weights(t) @ self._K

    def total_to(self, t: float) -> Float:
        return self.total if t == self.t1 else self._weights(t) @ self._KQ

    def _weights(self, t: float) -> Float:
        theta = (t - self.t0) / self._h
        powers = theta ** np.arange(1, self._P.shape[1] + 1)
        return np.asarray(self._h * (self._P @ powers))


def _fit(h: float, t: float, t_end: float) -> tuple[float, float]:
    """Step and its end: reach t_end exactly, and leave no dust before it."""
    remaining = t_end - t
    if h >= remaining * (1.0 - 1e-12):
        return remaining, t_end
    if h > 0.5 * remaining:
        h = 0.5 * remaining
    return h, t + h


def first_step(method: RungeKutta, f: Float, limit: float) -> float:
    """Step size to begin with (Hairer, Nørsett, Wanner, II.4).

    Raises
    ------
    SolverError
        The derivative there is not finite.
    """
    tolerances, order = method.error_control
    t, y = method.t, method.y
    scale = tolerances.atol + tolerances.rtol * np.abs(y)
    d0, d1 = _rms(y / scale), _rms(f / scale)
    if not np.isfinite(f).all():
        raise SolverError(
            "the accelerations are not finite; an expression has no value there, or numbers are "
            "out of all proportion"
        )
    h0 = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else max(0.01 * d0 / d1, 1e-12 * limit)
    h0 = min(h0, limit)
    d2 = _rms((method.evaluation(t + h0, y + h0 * f) - f) / scale) / h0
    largest = max(d1, d2)
    h1 = max(1e-6, h0 * 1e-3) if largest <= 1e-15 else (0.01 / largest) ** (1.0 / (order + 1))
    return min(100.0 * h0, h1, limit)


def _rms(x: Float) -> float:
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.linalg.norm(x)) / math.sqrt(max(x.size, 1))


@nb.njit(cache=True)
def _combine(y: Float, h: float, K: Float, weights: Float, out: Float) -> None:
    """Set out = y + h Σ_i weights_i K_i."""
    for n in range(y.size):
        total = 0.0
        for i in range(weights.size):
            total += weights[i] * K[i, n]
        out[n] = y[n] + h * total


@nb.njit(cache=True)
def _error_norm(
    h: float, K: Float, e: Float, ends: tuple[Float, Float], tolerance: tuple[Float, float]
) -> float:
    """Root mean square of the error estimate over atol + rtol max(|y0|, |y1|)."""
    (y0, y1), (atol, rtol) = ends, tolerance
    squared = 0.0
    for n in range(y0.size):
        total = 0.0
        for i in range(e.size):
            total += e[i] * K[i, n]
        error = h * total / (atol[n] + rtol * max(abs(y0[n]), abs(y1[n])))
        squared += error * error
    return math.sqrt(squared / max(y0.size, 1))
