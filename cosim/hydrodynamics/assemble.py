"""From a checked database and the sea to the load in time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from cosim.environment.sea_state import SeaState
from cosim.errors import DatabaseError
from cosim.hydrodynamics.database import HydroDatabase
from cosim.hydrodynamics.excitation import (
    Excitation,
    FixedExcitation,
    MovingExcitation,
    StillExcitation,
)
from cosim.hydrodynamics.findings import Finding, note, warning
from cosim.hydrodynamics.fit_cache import cached_fit
from cosim.hydrodynamics.frame import HydroFrame
from cosim.hydrodynamics.kernel import radiation_kernel
from cosim.hydrodynamics.loads import HydroLoads, only_own_blocks
from cosim.hydrodynamics.memory import ConvolutionMemory, Memory, StateSpaceMemory
from cosim.hydrodynamics.radiation import FitOptions, RadiationFit
from cosim.hydrodynamics.record_excitation import RecordExcitation
from cosim.hydrodynamics.rigid import DOFS, Float
from cosim.hydrodynamics.state_space import RadiationStates
from cosim.hydrodynamics.transfer_function import ExcitationTransfer
from cosim.model.base import Positive, Strict

__all__ = ["Assembly", "RadiationOptions", "assemble"]

_GOOD_R2 = 0.99
_FAR_APART = math.radians(30.0) * (1.0 + 1e-9)
"""Cubic interpolation misses the cosine of headings so far apart by 2e-4, at an end by 1e-2."""
_BEYOND = 1e-3
_BELOW = 1e-2
_MOSTLY_BEYOND = 0.5
_PASSIVE = 1e-5
_TAIL = 0.01


class RadiationOptions(Strict):
    """How the radiation memory is computed.

    Parameters
    ----------
    method : {"state_space", "convolution"}
        States inside the ODE, or direct convolution (slow; the check of the former).
    tolerance : float
        Of the fit, root mean square over the largest value.
    max_order : int
        Largest number of poles of a group of coupled degrees of freedom.
    memory : float
        Length of the convolution, s.
    step : float
        Grid of the convolution, s; time steps are at most twice as long.
    """

    method: Literal["state_space", "convolution"] = "state_space"
    tolerance: Positive = 3e-3
    max_order: Annotated[int, Field(ge=2)] = 24
    memory: Positive = 60.0
    step: Positive = 0.05

    @model_validator(mode="after")
    def _resolves_its_memory(self) -> RadiationOptions:
        if self.step > 0.1 * self.memory:
            raise ValueError(
                f"'step' = {self.step:g} s must be a tenth of 'memory' = {self.memory:g} s or less"
            )
        return self


@dataclass(frozen=True)
class Assembly:
    """Load in time and what was found on the way.

    Attributes
    ----------
    loads : HydroLoads
    fit : RadiationFit
        In the order of the database.
    states : RadiationStates
        The fit in the order of the loads.
    findings : tuple of Finding
    """

    loads: HydroLoads
    fit: RadiationFit
    states: RadiationStates
    findings: tuple[Finding, ...]


def assemble(
    database: HydroDatabase,
    bodies: Sequence[str],
    *,
    frame: HydroFrame,
    sea: SeaState,
    radiation: RadiationOptions | None = None,
    interaction: bool = True,
) -> Assembly:
    """Build the load of `bodies` (their order) from a checked, placed database.

    The fit is made in the order of the database, so that the order of `bodies` changes no
    number.

    Parameters
    ----------
    database : HydroDatabase
        About the centres of gravity, checked; exactly the bodies wanted.
    bodies : sequence of str
    frame : HydroFrame
    sea : SeaState
    radiation : RadiationOptions, optional
    interaction : bool
        Whether the bodies radiate into each other.

    Raises
    ------
    DatabaseError
        The fit failed, or the sea comes from headings that the database lacks.
    """
    radiation = radiation or RadiationOptions()
    damping = database.damping if interaction else only_own_blocks(database.damping)
    options = FitOptions(radiation.tolerance, radiation.max_order)
    fit = cached_fit(database.omega, damping, options)
    rows = np.concatenate([6 * database.index(name) + np.arange(6) for name in bodies])
    states = fit.states.reorder(rows)
    ordered = database.select(bodies)
    excitation, found = _excitation(ordered, sea, frame)
    if radiation.method == "state_space":
        memory: Memory = StateSpaceMemory(states)
    else:
        t, K = _kernel(database.omega, damping[:, rows[:, None], rows], radiation)
        found += _tail_findings(t, K, ordered.names)
        memory = ConvolutionMemory(K, radiation.step)
    loads = HydroLoads(
        ordered, memory=memory, excitation=excitation, frame=frame, interaction=interaction
    )
    return Assembly(loads, fit, states, (*_fit_findings(fit, database.names), *found))


def _kernel(omega: Float, damping: Float, options: RadiationOptions) -> tuple[Float, Float]:
    t = np.arange(round(options.memory / options.step) + 1, dtype=np.float64) * options.step
    symmetric = 0.5 * (damping + damping.transpose(0, 2, 1))
    return t, radiation_kernel(omega, symmetric, t)


def _tail_findings(t: Float, K: Float, names: tuple[str, ...]) -> list[Finding]:
    """Kernels that the convolution cuts off before they have died away."""
    size = np.abs(np.diagonal(K, axis1=1, axis2=2))
    left = size[t >= 0.9 * t[-1]].max(axis=0)
    peak = size.max(axis=0)
    kinds = peak.reshape(-1, 2, 3).max(axis=(0, 2)).repeat(3)
    matters = peak > 1e-4 * np.tile(kinds, len(names))
    share = np.where(matters, left / np.where(peak > 0.0, peak, 1.0), 0.0)
    worst = int(np.argmax(share))
    if share[worst] <= _TAIL:
        return []
    return [
        warning(
            f"the radiation kernel of {names[worst // 6]}.{DOFS[worst % 6]} still has "
            f"{100 * share[worst]:.2g} % of its largest value where the convolution cuts it off; "
            f"take a 'memory' longer than {t[-1]:g} s"
        )
    ]


def _fit_findings(fit: RadiationFit, names: tuple[str, ...]) -> list[Finding]:
    out = []
    for group in fit.quality:
        poor = group.r2 < _GOOD_R2 or group.violation_after > _PASSIVE
        out.append((warning if poor else note)(group.sentence(names)))
    return out


def _excitation(
    database: HydroDatabase, sea: SeaState, frame: HydroFrame
) -> tuple[Excitation, list[Finding]]:
    if sea.is_still:
        return StillExcitation(), []
    if not database.headings.size:
        raise DatabaseError("there are waves, but the hydrodynamic database has no excitation")
    transfer = ExcitationTransfer(database, (sea.depth, sea.gravity))
    found = [*_coverage(transfer, sea), *_spacing(transfer, sea, frame)]
    if frame.moves:
        transfer.headings.require(sea.heading - frame.reference_yaw, "waves")
        if not transfer.headings.closed:
            found.append(
                warning(
                    "the frame H turns, but the database does not hold all headings; where the "
                    "waves leave them, its nearest heading is used"
                )
            )
        return MovingExcitation(transfer, sea), found
    if sea.record is not None:
        record = RecordExcitation(transfer, sea.record, ramp=sea.ramp_duration, pose=frame.pose)
        return record, found
    return FixedExcitation(transfer, sea, frame.pose), found


def _spacing(transfer: ExcitationTransfer, sea: SeaState, frame: HydroFrame) -> list[Finding]:
    widest = transfer.headings.widest(sea.heading - frame.pose[2])
    if widest <= _FAR_APART:
        return []
    return [
        warning(
            f"the waves come between headings of the database that are {math.degrees(widest):.3g} "
            "deg apart; the excitation is interpolated over that, compute it for headings at most "
            f"{math.degrees(_FAR_APART):.3g} deg apart"
        )
    ]


def _coverage(transfer: ExcitationTransfer, sea: SeaState) -> list[Finding]:
    found = []
    below = _share(sea, sea.omega < transfer.omega_min)
    if below > _BELOW:
        found.append(
            warning(
                f"{100 * below:.3g} % of the wave energy lies below {transfer.omega_min:.3g} "
                "rad/s, where the database begins; its load is interpolated to that in still water"
            )
        )
    above = _share(sea, sea.omega > transfer.omega_max)
    if above > _BEYOND:
        sentence = (
            f"{100 * above:.3g} % of the wave energy lies above {transfer.omega_max:.3g} rad/s, "
            "where the database ends"
        )
        if above > _MOSTLY_BEYOND:
            raise DatabaseError(f"{sentence}; compute it for higher frequencies")
        found.append(warning(f"{sentence}; it gives no load"))
    return found


def _share(sea: SeaState, which: NDArray[np.bool_]) -> float:
    return float(np.sum(np.abs(sea.amplitude[which]) ** 2)) / (2.0 * sea.m0)
