"""Coupled natural modes of a case about its equilibrium, and what grows there."""

from __future__ import annotations

import math

from cosim.analysis.equilibrium import Equilibrium
from cosim.analysis.growth import Growth, growing
from cosim.analysis.linear import LinearSystem, linearise
from cosim.analysis.modes import Mode, natural_modes
from cosim.case.build import Assembly
from cosim.case.start import StartState

__all__ = ["fastest_mode", "find_growth", "find_modes"]


def find_modes(assembly: Assembly, equilibrium: Equilibrium) -> list[Mode]:
    """Coupled natural modes about the equilibrium, slowest first."""
    return natural_modes(_linear(assembly, equilibrium))


def find_growth(assembly: Assembly, equilibrium: Equilibrium) -> list[Growth]:
    """Motions that grow from the equilibrium by themselves, fastest first."""
    return growing(_linear(assembly, equilibrium))


def fastest_mode(assembly: Assembly, start: StartState) -> float:
    """Fastest coupled frequency, rad/s, mooring stiffness included; 0 where it is not known."""
    if start.equilibrium is None:
        return 0.0
    modes = find_modes(assembly, start.equilibrium)
    return max((2.0 * math.pi / mode.period for mode in modes), default=0.0)


def _linear(assembly: Assembly, equilibrium: Equilibrium) -> LinearSystem:
    return linearise(
        assembly.model,
        assembly.adapters,
        equilibrium.q,
        t=assembly.case.time.start,
        settled=equilibrium.settled,
    )
