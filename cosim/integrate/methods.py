"""Choice of the integration method by its name in the case."""

from __future__ import annotations

import math
from typing import Literal

from cosim.coupling.equations import CoupledEquations
from cosim.errors import CaseError
from cosim.integrate.compiled import CompiledDOP853
from cosim.integrate.dop853 import DOP853
from cosim.integrate.method import Method, Tolerances
from cosim.integrate.runge_kutta import FixedRungeKutta, RungeKutta
from cosim.integrate.scipy_methods import ScipyMethod
from cosim.integrate.settings import TimeSettings
from cosim.integrate.tableaux import BOGACKI_SHAMPINE, CLASSICAL, DORMAND_PRINCE

__all__ = ["build_method"]


def build_method(equations: CoupledEquations, settings: TimeSettings) -> Method:
    """Integration method of a run, for the equations with their quadrature set.

    Raises
    ------
    CaseError
        RK4 without a step or with one too long for an adapter, or the compiled driver with
        an adapter that has no compiled load.
    """
    evaluation = equations.evaluation
    if settings.method == "RK4":
        if settings.step is None:
            raise CaseError("time: method RK4 needs 'step', its fixed step in s")
        _refuse_too_long(equations, settings.step, settings.method)
        return FixedRungeKutta(evaluation, CLASSICAL, settings.step)
    if settings.method in ("midpoint", "midpoint_ggl"):
        return _midpoint(equations, settings.method, settings.step)
    tolerances = Tolerances(
        settings.rtol,
        equations.tolerances(settings.atol),
        _longest_step(equations, settings),
    )
    match settings.method:
        case "RK45":
            return RungeKutta(evaluation, DORMAND_PRINCE, tolerances)
        case "compiled":
            return CompiledDOP853(evaluation, tolerances)
        case "RK23":
            return RungeKutta(evaluation, BOGACKI_SHAMPINE, tolerances)
        case "DOP853":
            return DOP853(evaluation, tolerances)
        case name:
            return ScipyMethod(evaluation, name, tolerances)


def _midpoint(
    equations: CoupledEquations, variant: Literal["midpoint", "midpoint_ggl"], step: float | None
) -> Method:
    # its kernels are those of no other method
    from cosim.integrate.midpoint import Midpoint

    if step is None:
        raise CaseError(f"time: method {variant} needs 'step', its fixed step in s")
    _refuse_too_long(equations, step, variant)
    return Midpoint(equations.evaluation, step, variant)


def _refuse_too_long(equations: CoupledEquations, step: float, method: str) -> None:
    for entry in equations.entries:
        if step > entry.adapter.longest_step * (1.0 + 1e-9):
            raise CaseError(
                f"time: 'step' = {step:g} s of method {method} is longer than adapter "
                f"'{entry.name}' can follow; take {entry.adapter.longest_step:g} s or less"
            )


def _longest_step(equations: CoupledEquations, settings: TimeSettings) -> float:
    """Bound of adaptive steps: of the case, of adapters, in `solver-call` of Steppers."""
    bounds = [math.inf if settings.step is None else settings.step]
    bounds += [entry.adapter.longest_step for entry in equations.entries]
    if settings.scheme == "solver-call":
        bounds += [e.stepper.max_step for e in equations.steppers if e.stepper is not None]
    return min(bounds)
