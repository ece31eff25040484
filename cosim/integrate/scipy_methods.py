"""SciPy's implicit and multistep methods behind the same interface."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy.integrate import BDF, LSODA, OdeSolver, Radau

from cosim.coupling.evaluation import Evaluation
from cosim.errors import SolverError
from cosim.integrate.method import Method, Tolerances
from cosim.integrate.piece import Piece
from cosim.multibody.interface import Float

__all__ = ["SOLVERS", "ScipyMethod"]

SOLVERS: dict[str, type[OdeSolver]] = {"Radau": Radau, "BDF": BDF, "LSODA": LSODA}

_GROW = 2.0
# of a coordinate or its rate, m, rad, m/s or rad/s; relative above one
_DIFFERENCE = 1.5e-8

_ROOT6 = math.sqrt(6.0)
_RADAU_NODES = np.array([(4.0 - _ROOT6) / 10.0, (4.0 + _ROOT6) / 10.0, 1.0])
_RADAU_WEIGHTS = np.array([(16.0 - _ROOT6) / 36.0, (16.0 + _ROOT6) / 36.0, 1.0 / 9.0])
_GAUSS_NODES, _GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(4)
_GAUSS_NODES, _GAUSS_WEIGHTS = 0.5 * (_GAUSS_NODES + 1.0), 0.5 * _GAUSS_WEIGHTS


class ScipyMethod(Method):
    """One of SciPy's `OdeSolver` classes.

    The quadrature uses Radau's own collocation nodes, and Gauss nodes on the dense output
    of the multistep methods.

    Parameters
    ----------
    evaluation : Evaluation
    name : str
        Key of `SOLVERS`.
    tolerances : Tolerances
    """

    def __init__(self, evaluation: Evaluation, name: str, tolerances: Tolerances) -> None:
        super().__init__(evaluation)
        self._name = name
        self._tolerances = tolerances
        self._solver: OdeSolver | None = None
        self._h: float | None = None
        self._start_h: float | None = None
        self._rule = (
            (_RADAU_NODES, _RADAU_WEIGHTS) if name == "Radau" else (_GAUSS_NODES, _GAUSS_WEIGHTS)
        )

    @property
    def step_size(self) -> float:
        """Of the next step, s."""
        return 0.0 if self._h is None else self._h

    @step_size.setter
    def step_size(self, h: float) -> None:
        self._h = h if h > 0.0 else None

    def restart(self, t: float, y: Float, *, again: bool = False) -> None:
        """Begin at a point; the solver keeps its step size, not its history."""
        self.t, self.y = t, y
        self._solver = None
        if again:
            self._h = self._start_h
        else:
            self._start_h = self._h

    def refresh(self) -> None:
        """Rebuild the solver at the present point; its next step may be longer than the last.

        A solver that begins anew takes its first step as it is told. Told the last one each
        time, it would never take a longer one.
        """
        self._solver = None
        if self._h is not None:
            self._h = min(_GROW * self._h, self._tolerances.max_step)

    def step(self, t_end: float) -> Piece:
        """One accepted step, not beyond t_end."""
        solver, message = self._advanced(t_end)
        if solver.status == "failed":
            raise SolverError(f"{self._name} failed: {message}")
        y1 = np.array(solver.y)
        if not np.isfinite(y1).all():
            raise SolverError(f"{self._name} failed: the motion is not finite")
        times = self.t, float(solver.t)
        piece = _SolverPiece(times, y1, solver.dense_output(), self._integral)
        if solver.status != "finished":
            self._h = times[1] - self.t
        self.t, self.y = times[1], y1
        self.steps += 1
        return piece

    def _advanced(self, t_end: float) -> tuple[OdeSolver, str | None]:
        """The solver after one step, and what it says of it."""
        try:
            if self._solver is None or self._solver.t_bound != t_end:
                self._solver = self._build(t_end)
            return self._solver, self._solver.step()
        except ValueError as error:  # linear algebra with a Jacobian that is not finite
            raise SolverError(
                f"{self._name} failed: {error}; an expression has no value there, or numbers are "
                "out of all proportion"
            ) from None

    def _build(self, t_end: float) -> OdeSolver:
        tol = self._tolerances
        first = None if self._h is None else min(self._h, t_end - self.t)
        more = {} if self._name == "LSODA" else {"jac": self._jacobian}
        return SOLVERS[self._name](
            self._rates,
            self.t,
            self.y,
            t_end,
            first_step=first,
            max_step=tol.max_step,
            rtol=tol.rtol,
            atol=tol.atol,
            **more,
        )

    def _rates(self, t: float, y: Float) -> Float:
        return self.evaluation(float(t), y).copy()

    def _jacobian(self, t: float, y: Float) -> Float:
        """Derivatives of the rates by differences.

        SciPy's own differences widen without end for what the rates do not depend on: the place
        of a free body, or directions that constraints forbid.
        """
        y = np.asarray(y, dtype=np.float64)
        base, moved = self._rates(t, y), y.copy()
        jacobian = np.empty((y.size, y.size))
        for k in range(y.size):
            moved[k] = y[k] + _DIFFERENCE * max(abs(y[k]), 1.0)
            jacobian[:, k] = (self._rates(t, moved) - base) / (moved[k] - y[k])
            moved[k] = y[k]
        return jacobian

    def _integral(self, t0: float, t1: float, dense: Callable[[float], Float]) -> Float:
        quadrature = self.evaluation.quadrature
        total = np.zeros(quadrature.values.size)
        if total.size == 0:
            return total
        for node, weight in zip(*(part.tolist() for part in self._rule), strict=True):
            t = t0 + node * (t1 - t0)
            self.evaluation(t, dense(t))
            total += weight * (t1 - t0) * quadrature.values
        return total


class _SolverPiece(Piece):
    def __init__(
        self,
        times: tuple[float, float],
        y1: Float,
        dense: Callable[[float], Float],
        integral: Callable[[float, float, Callable[[float], Float]], Float],
    ) -> None:
        self.t0, self.t1 = times
        self.y1 = y1
        self._dense, self._integral = dense, integral
        self.total = integral(self.t0, self.t1, dense)

    def at(self, t: float) -> Float:
        return self.y1 if t == self.t1 else np.asarray(self._dense(t))

    def total_to(self, t: float) -> Float:
        return self.total if t == self.t1 else self._integral(self.t0, t, self._dense)
