"""Stability of a coupling scheme, measured before it runs."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

import numpy as np

from cosim.coupling.equations import CoupledEquations
from cosim.errors import StabilityError
from cosim.integrate.impulse import ImpulseResponse, declared_response, measure_response
from cosim.integrate.recurrence import growth, own_growth
from cosim.integrate.step_choice import rigid_jacobian
from cosim.multibody.interface import Float

__all__ = [
    "Stability",
    "check_explicit",
    "check_quadratic",
    "measure_stability",
    "unmeasurable",
]

LOG = logging.getLogger(__name__)

_FACTORS = (1.0, 2.0, 11.0 / 3.0)
_MARGIN = 1e-3
_LINEAR = (0, 1)
"""Nodes of `iterated` with linear interpolation."""


@dataclass(frozen=True)
class Stability:
    r"""How a coupling scheme magnifies small motions.

    Attributes
    ----------
    step : float
        Communication step H, s.
    growth : float
        Magnification per step of the motion that the scheme magnifies most.
    reference : float
        What the system itself does to that motion, at least 1; `growth` above it is the
        scheme's own, and the scheme is unstable.
    number : float
        S = c ρ(M⁻¹ m_app(H)), m_app the apparent mass over one step and c = 1, 2, 11/3 for
        extrapolation of order 0, 1, 2. S < 1 is no proof of stability.
    substeps : int
        Length of the measured record in inner steps of the Steppers.
    """

    step: float
    growth: float
    reference: float
    number: float
    substeps: int

    @property
    def stable(self) -> bool:
        """Whether the scheme adds no growth of its own."""
        return self.growth <= self.reference * (1.0 + _MARGIN)

    def __str__(self) -> str:
        return (
            f"growth {self.growth:.4g} per step of {self.step:g} s "
            f"(the system itself: {self.reference:.4g}), S = {self.number:.3g}"
        )


def measure_stability(
    equations: CoupledEquations, t: float, y: Float, *, step: float, nodes: tuple[int, ...]
) -> Stability:
    """Put the measured response of the Steppers through the recurrence of a scheme.

    Parameters
    ----------
    equations : CoupledEquations
        Initialised, at the committed point (t, y).
    step : float
        Communication step, s.
    nodes : tuple of int
        Instants through which the scheme's load polynomial goes, in steps: 0 is now, 1 the
        end of the step.

    Returns
    -------
    Stability
    """
    A = rigid_jacobian(equations, t, y)
    mobility = _mobility(equations, t, y)
    response = _response(equations, t, y, step=step, bodies=(A, mobility))
    factor = _FACTORS[len(nodes) - 1] if 1 not in nodes else 1.0
    apparent = np.linalg.eigvals(-mobility @ response.first)
    if nodes == _LINEAR:
        # by what lasts and what answers at once: the memory of a short record, which the other
        # schemes share with this one and are compared with, may grow of its own
        short = replace(response, g=response.g[:, :1])
        magnitude, _ = growth(A, mobility, short, nodes)
        reference = max(1.0, own_growth(A, mobility, response))
    else:
        magnitude, reference = growth(A, mobility, response, nodes)
    return Stability(
        step=step,
        growth=magnitude,
        reference=reference,
        number=factor * float(np.abs(apparent).max()),
        substeps=response.substeps,
    )


def _response(
    equations: CoupledEquations, t: float, y: Float, *, step: float, bodies: tuple[Float, Float]
) -> ImpulseResponse:
    """Measured response of the Steppers, or the one that they declare."""
    if equations.not_restorable():
        first = declared_response(equations, t, y, step)
        nothing = np.zeros_like(first)
        g = np.array([[nothing], [first]])
        return ImpulseResponse(step=step, g=g, K=nothing, C=nothing, first=first, substeps=0)
    candidates = measure_response(equations, t, y, step)
    limit = own_growth(*bodies, candidates[-1]) * (1.0 + _MARGIN)
    # what makes the bodies drift away by itself is no stiffness but a record cut short
    return next(c for c in candidates if own_growth(*bodies, c) <= limit)


def check_explicit(
    equations: CoupledEquations, t: float, y: Float, *, step: float, order: int, unchecked: bool
) -> Stability | None:
    """Refuse an explicit scheme that would be unstable.

    Raises
    ------
    StabilityError
        With the numbers; or a Stepper can neither be restored nor declares its apparent
        mass, and the case does not say `unchecked`.
    """
    silent = unmeasurable(equations)
    if silent or unchecked:
        if not unchecked:
            raise StabilityError(
                f"the stability of scheme 'explicit' cannot be measured: adapter '{silent[0]}' "
                "cannot be restored and declares no apparent_mass; set unchecked: true to run "
                "it under the guard alone"
            )
        LOG.warning("the stability of the explicit coupling is not checked; a guard watches it")
        return None
    nodes = (0, -1, -2)[: order + 1]
    result = measure_stability(equations, t, y, step=step, nodes=nodes)
    LOG.info("explicit coupling of order %d: %s", order, result)
    if not result.stable:
        raise StabilityError(
            f"scheme 'explicit' of order {order} is unstable: {result}; use scheme: iterated, a "
            "lower order, or another communication_step"
        )
    return result


def unmeasurable(equations: CoupledEquations) -> list[str]:
    """Names of the Steppers that can neither be restored nor declare their apparent mass."""
    return [
        entry.name
        for entry in equations.steppers
        if entry.restorable is None and entry.stepper and entry.stepper.apparent_mass is None
    ]


def check_quadratic(equations: CoupledEquations, t: float, y: Float, step: float) -> Stability:
    """Refuse quadratic interpolation in `iterated` where it would be unstable.

    Raises
    ------
    StabilityError
    """
    result = measure_stability(equations, t, y, step=step, nodes=(0, -1, 1))
    LOG.info("iterated coupling with quadratic interpolation: %s", result)
    if not (result.stable and result.number < 1.0):
        raise StabilityError(
            "scheme 'iterated' of order 2 is safe only where S < 1 and nothing grows, but has "
            f"{result}; use order: 1"
        )
    return result


def _mobility(equations: CoupledEquations, t: float, y: Float) -> Float:
    """Acceleration u' per load of the Steppers, (nu, nl)."""
    held = equations.held
    assert held is not None
    nq, evaluation = equations.model.nq, equations.evaluation
    z = held.latest
    size = max(1.0, float(np.abs(z[held.is_load]).max(initial=0.0)))

    def acceleration(loads: Float) -> Float:
        held.hold(loads)
        return evaluation(t, y)[nq : equations.states].copy()

    base = acceleration(z)
    columns = []
    for i in np.flatnonzero(held.is_load):
        loads = z.copy()
        loads[i] += size
        columns.append((acceleration(loads) - base) / size)
    held.hold(z)
    return np.array(columns).T
