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

__all__ = ["build_scheme"]


def build_scheme(
    equations: CoupledEquations, method: Method, settings: TimeSettings, step: float
) -> Scheme:
    """Coupling scheme of a run; without Steppers the method runs alone.

    Parameters
    ----------
    equations : CoupledEquations
        Initialised.
    method : Method
    settings : TimeSettings
    step : float
        Communication step, s.

    Raises
    ------
    CaseError
        The scheme needs what an adapter cannot do, or has no such order.
    StabilityError
        The scheme would be unstable.
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
            order = 2 if settings.order is None else settings.order
            return Explicit(equations, method, settings, order)
        case _:
            order = 1 if settings.order is None else settings.order
            if order == 0:
                raise CaseError("time: scheme 'iterated' interpolates with order 1 or 2, not 0")
            return Iterated(equations, method, settings, order)
