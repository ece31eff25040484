"""Coupled natural modes of a case about its equilibrium."""

from __future__ import annotations

import math

from cosim.analysis.equilibrium import Equilibrium
from cosim.analysis.linear import linearise
from cosim.analysis.modes import Mode, natural_modes
from cosim.case.build import Assembly
from cosim.case.start import StartState

__all__ = ["fastest_mode", "find_modes"]


def find_modes(assembly: Assembly, equilibrium: Equilibrium) -> list[Mode]:
    """Coupled natural modes about the equilibrium, slowest first."""
    linear = linearise(
        assembly.model,
        assembly.adapters,
        equilibrium.q,
        t=assembly.case.time.start,
        stiffness=equilibrium.stiffness,
    )
    return natural_modes(linear)


def fastest_mode(assembly: Assembly, start: StartState) -> float:
    """Fastest coupled frequency, rad/s, mooring stiffness included; 0 where it is not known."""
    if start.equilibrium is None:
        return 0.0
    modes = find_modes(assembly, start.equilibrium)
    return max((2.0 * math.pi / mode.period for mode in modes), default=0.0)
