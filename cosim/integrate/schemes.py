"""Choice of the coupling scheme by its name in the case."""

from __future__ import annotations

from cosim.coupling.equations import CoupledEquations
from cosim.errors import CaseError
from cosim.integrate.explicit import Explicit
from cosim.integrate.iterated import Iterated
from cosim.integrate.method import Method
from cosim.integrate.scheme import Free, Scheme
from cosim.integrate.settings import TimeSettings
from cosim.integrate.solver_call import SolverCall
from cosim.integrate.stability import Stability, check_explicit, check_quadratic
from cosim.multibody.interface import Float

__all__ = ["build_scheme", "check_stability"]


def build_scheme(equations: CoupledEquations, method: Method, settings: TimeSettings) -> Scheme:
    """Coupling scheme of a run; without Steppers the method runs alone.

    Raises
    ------
    CaseError
        The scheme needs what an adapter cannot do, or has no such order.
    """
    if not equations.steppers:
        return Free(equations, method)
    stuck = equations.not_restorable()
    if settings.scheme != "explicit" and stuck:
        raise CaseError(
            f"time: scheme '{settings.scheme}' repeats steps, but adapter '{stuck[0]}' cannot be "
            "restored; use scheme: explicit"
        )
    match settings.scheme:
        case "solver-call":
            return SolverCall(equations, method)
        case "explicit":
            return Explicit(equations, method, settings, _order(settings))
        case _:
            if settings.order == 0:
                raise CaseError("time: scheme 'iterated' interpolates with order 1 or 2, not 0")
            return Iterated(equations, method, settings, _order(settings))


def check_stability(
    equations: CoupledEquations, settings: TimeSettings, t: float, y: Float, step: float
) -> Stability | None:
    """Refuse a scheme that would be unstable; None where there is nothing to measure.

    Raises
    ------
    StabilityError
    """
    if not equations.steppers or equations.model.nu == 0:
        return None
    order = _order(settings)
    if settings.scheme == "explicit":
        return check_explicit(equations, t, y, step=step, order=order, unchecked=settings.unchecked)
    if settings.scheme == "iterated" and order == 2:
        return check_quadratic(equations, t, y, step)
    return None


def _order(settings: TimeSettings) -> int:
    default = 2 if settings.scheme == "explicit" else 1
    return default if settings.order is None else settings.order
