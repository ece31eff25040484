"""The `time` section of a case: how far, how accurately, by which scheme."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from cosim.model.base import NonNegative, Number, Positive, Strict

__all__ = ["TimeSettings"]


class TimeSettings(Strict):
    """Time span, integration method and coupling scheme.

    Parameters
    ----------
    end, start : float
        s.
    method : str
        An adaptive method of SciPy (RK45, DOP853, Radau, BDF, LSODA, RK23), DOP853 in
        compiled code (``compiled``, for runs without Steppers whose adapters all offer a
        compiled load), or with fixed `step` ``RK4``, ``midpoint`` (the implicit midpoint rule
        of the Cartesian formulation, which keeps energy exactly) or ``midpoint_ggl`` (the same,
        which keeps velocities on the constraints too).
    rtol, atol : float
        Tolerances of adaptive methods; `atol` applies to m, rad, m/s, rad/s, and is
        multiplied by the scales of adapter states.
    step : float or None
        Step of RK4 and the midpoint rules, and upper bound of adaptive steps, s.
    scheme : {"iterated", "explicit", "solver-call"}
        How Steppers are coupled; see the page on coupling.
    communication_step : float or "auto"
        H, s.
    order : {0, 1, 2} or None
        Extrapolation of the explicit scheme, or interpolation of the iterated one
        (1 linear, 2 quadratic). None takes 2 for explicit and 1 for iterated.
    tolerance : float
        Iterated scheme: change of the Steppers' loads at which a step has converged,
        relative to their dynamic part.
    tolerance_floor : float
        Smallest scale of that comparison, relative to the largest load of the Stepper.
    max_iterations : int
        Passes over one communication step before it is halved.
    unchecked : bool
        Run an explicit scheme without measuring its stability first; a guard watches it.
    ledger : bool
        Keep the energy ledger.
    """

    end: Positive
    start: Number = 0.0
    method: Literal[
        "RK45",
        "RK23",
        "DOP853",
        "Radau",
        "BDF",
        "LSODA",
        "RK4",
        "compiled",
        "midpoint",
        "midpoint_ggl",
    ] = "RK45"
    rtol: Annotated[Positive, Field(ge=1e-14, lt=1.0)] = 1e-6
    atol: Annotated[Positive, Field(ge=1e-16)] = 1e-8
    step: Positive | None = None
    scheme: Literal["iterated", "explicit", "solver-call"] = "iterated"
    communication_step: Positive | Literal["auto"] = "auto"
    order: Literal[0, 1, 2] | None = None
    tolerance: Positive = 1e-4
    tolerance_floor: NonNegative = 1e-3
    max_iterations: int = Field(default=30, ge=1)
    unchecked: bool = False
    ledger: bool = True

    @model_validator(mode="after")
    def _time_goes_on(self) -> TimeSettings:
        if self.end <= self.start:
            raise ValueError(f"'end' = {self.end:g} s must be after 'start' = {self.start:g} s")
        fixed = self.method in ("RK4", "midpoint", "midpoint_ggl")
        if fixed and self.step is not None and self.step > self.end - self.start:
            raise ValueError(
                f"'step' = {self.step:g} s of method {self.method} is longer than the run"
            )
        step = self.communication_step
        if step != "auto" and step > self.end - self.start:
            raise ValueError(f"'communication_step' = {step:g} s is longer than the run")
        return self
