"""The communication step where the case says `auto`."""

from __future__ import annotations

import logging
import math

import numpy as np

from cosim.coupling.equations import CoupledEquations
from cosim.environment import (
    Environment,
    JonswapWaves,
    PiersonMoskowitzWaves,
    RegularWaves,
    StillWater,
)
from cosim.integrate.settings import TimeSettings
from cosim.multibody.interface import Float

__all__ = [
    "choose_step",
    "communication_step",
    "default_step",
    "fastest_mode",
    "peak_period",
    "rigid_jacobian",
]

LOG = logging.getLogger(__name__)

_STEP = 1e-6
_ITERATED_LIMIT = 3.46
"""H w of an undamped mode at which linear interpolation of its load becomes unstable."""
_LONG_SHARE = 0.1
"""Part of a period over which linear interpolation is off by 5 % of the amplitude."""


def default_step(*, period: float | None, fastest: float, inner: float, longest: float) -> float:
    r"""Communication step :math:`H = \min(T_p / 50, 0.3 / \omega_{max})`.

    It is kept between 10 and 40 steps of the Steppers' own integration, and below the
    longest step they take.

    Parameters
    ----------
    period : float or None
        Peak period of the waves, s; None for still water.
    fastest : float
        Fastest coupled frequency, rad/s; 0 where nothing oscillates.
    inner : float
        Largest inner step, s; 0 where no Stepper has one.
    longest : float
        Longest step a Stepper takes, s.
    """
    step = math.inf if period is None else period / 50.0
    if fastest > 0.0:
        step = min(step, 0.3 / fastest)
    if inner > 0.0:
        step = min(max(step, 10.0 * inner), 40.0 * inner)
    step = min(step, longest)
    return step if math.isfinite(step) else 0.1


def communication_step(
    equations: CoupledEquations, settings: TimeSettings, y: Float, fastest: float
) -> float:
    """Communication step H of a run, s; inf without Steppers. Warns where it is long.

    Parameters
    ----------
    equations : CoupledEquations
        Initialised, at the start.
    settings : TimeSettings
    y : (n,)
    fastest : float
        See :func:`choose_step`.
    """
    wanted = settings.communication_step
    if not equations.steppers:
        return math.inf
    if wanted == "auto":
        wanted = choose_step(equations, settings.start, y, fastest)
        LOG.info("communication step: %g s", wanted)
    if settings.scheme == "iterated" and wanted * fastest > _ITERATED_LIMIT:
        LOG.warning(
            "the communication step %g s is long for the fastest mode (%.3g s): the iterated "
            "scheme is unstable beyond H w = %g",
            wanted,
            2.0 * np.pi / fastest,
            _ITERATED_LIMIT,
        )
    period = peak_period(equations.model.system.environment)
    if period is not None and wanted > _LONG_SHARE * period:
        LOG.warning(
            "the communication step %g s is long for waves of %.3g s: the loads of lines are "
            "interpolated over it",
            wanted,
            period,
        )
    return float(wanted)


def choose_step(equations: CoupledEquations, t: float, y: Float, fastest: float = 0.0) -> float:
    """Default communication step of a coupled system at its start.

    `fastest`, rad/s, is the fastest mode of the system with the stiffness of the Steppers,
    where it is known; without them it is found here.
    """
    steppers = [e.stepper for e in equations.steppers if e.stepper is not None]
    return default_step(
        period=peak_period(equations.model.system.environment),
        fastest=max(fastest, fastest_mode(equations, t, y)),
        inner=max((s.inner_step for s in steppers), default=0.0),
        longest=min((s.max_step for s in steppers), default=math.inf),
    )


def peak_period(environment: Environment) -> float | None:
    """Peak period of the waves, s; None in still water.

    As the case states it; for spectra and records the mean period, which is shorter.
    """
    match environment.waves:
        case StillWater():
            return None
        case RegularWaves(period=period):
            return float(period)
        case JonswapWaves(tp=tp) | PiersonMoskowitzWaves(tp=tp):
            return float(tp)
    sea = environment.sea_state
    energy = np.abs(sea.amplitude) ** 2
    return float(2.0 * math.pi * energy.sum() / (energy @ sea.omega))


def fastest_mode(equations: CoupledEquations, t: float, y: Float) -> float:
    """Largest |Im s| of the bodies, rad/s, with the Steppers' loads held.

    From differences of the accelerations at rest in the pose of y; adapters' own states
    stay where they are.
    """
    values = np.linalg.eigvals(rigid_jacobian(equations, t, y))
    return float(np.abs(values.imag).max(initial=0.0))


def rigid_jacobian(equations: CoupledEquations, t: float, y: Float) -> Float:
    """Jacobian A, (2 nu, 2 nu), of (d, u)' with d the displacement from the pose of y."""
    model, evaluation = equations.model, equations.evaluation
    q, _, x = equations.split(y)
    nu = model.nu

    def acceleration(d: Float, rate: Float) -> Float:
        point = np.concatenate([model.retract(q, d), rate, x])
        return evaluation(t, point)[model.nq : equations.states].copy()

    A = np.zeros((2 * nu, 2 * nu))
    A[:nu, nu:] = np.eye(nu)
    none = np.zeros(nu)
    for k in range(nu):
        d = np.zeros(nu)
        d[k] = _STEP
        A[nu:, k] = (acceleration(d, none) - acceleration(-d, none)) / (2.0 * _STEP)
        A[nu:, nu + k] = (acceleration(none, d) - acceleration(none, -d)) / (2.0 * _STEP)
    return A
