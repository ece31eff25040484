"""Linear system and natural modes of a case about its equilibrium in still water."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cosim.algebra.types import Complex
from cosim.analysis.chart import chart_about
from cosim.analysis.equilibrium import Equilibrium
from cosim.analysis.growth import Growth, growing
from cosim.analysis.impedance import with_impedance
from cosim.analysis.linear import LinearSystem, linearise
from cosim.analysis.modes import Mode, natural_modes
from cosim.analysis.state_space import StateSpace, state_space
from cosim.analysis.waves import wave_response
from cosim.case.adapter_types import AdapterTypes
from cosim.case.build import Assembly, build
from cosim.case.schema import Case, Start
from cosim.case.start import StartState, rest_of
from cosim.coupling.equations import CoupledEquations
from cosim.coupling.manager import ExternalForcesManager
from cosim.coupling.template import TemplateInterface
from cosim.environment import StillWater
from cosim.errors import AdapterError
from cosim.integrate.harmonic import Harmonic, measure_impedance
from cosim.multibody.interface import Float

__all__ = ["CaseModes", "at_rest", "case_modes", "linear_system"]


@dataclass(frozen=True)
class CaseModes:
    """Natural modes of a case, and the linear system that they are of.

    Attributes
    ----------
    assembly : Assembly
        Model and adapters of the case in still water; the adapters have ended.
    equilibrium : Equilibrium
        About which they are.
    system : LinearSystem
    modes : list of Mode
        Slowest first.
    growth : list of Growth
        What grows there by itself.
    """

    assembly: Assembly
    equilibrium: Equilibrium
    system: LinearSystem
    modes: list[Mode]
    growth: list[Growth]

    @property
    def fastest(self) -> float:
        """Fastest frequency, rad/s; 0 without modes."""
        return max((2.0 * math.pi / mode.period for mode in self.modes), default=0.0)

    def state_space(self, inputs: Sequence[str] = (), outputs: Sequence[str] = ()) -> StateSpace:
        """Matrices A, B, C, D; names as for :func:`cosim.analysis.state_space.state_space`."""
        return state_space(self.system, self.assembly.model, inputs=inputs, outputs=outputs)

    def wave_response(self, omega: Float, heading: float = 0.0) -> Complex:
        """Response amplitude operators; see :func:`cosim.analysis.waves.wave_response`."""
        assembly = self.assembly
        return wave_response(self.system, assembly.model, assembly.adapters, omega, heading)


def case_modes(
    case: Case,
    *,
    static: bool = False,
    types: Mapping[str, type[TemplateInterface]] | None = None,
) -> CaseModes:
    """Natural modes of a case about its equilibrium, waves off, mean current on.

    Parameters
    ----------
    case : Case
    static : bool
        Steppers (mooring lines) enter by their stiffness at rest only, not by what they do in
        motion at the frequency of each mode.
    types : mapping of name to adapter class, optional
        Adapter types of your own, beside those installed.

    Raises
    ------
    EquilibriumError
    AdapterError
        A Stepper cannot go back to a saved state.
    """
    still = _still(case)
    assembly = build(still, AdapterTypes(types))
    with ExternalForcesManager(assembly.model) as manager:
        for adapter in assembly.adapters.values():
            manager.register(adapter)
        found = rest_of(still, assembly.model, assembly.adapters)
        y = manager.initialize(still.time.start, found.q, np.zeros(assembly.model.nu))
        system = linear_system(assembly, found, running=True)
        if not static and manager.equations.steppers:
            system = _in_motion(manager.equations, (still.time.start, y), system)
    return CaseModes(assembly, found, system, natural_modes(system), growing(system))


def linear_system(
    assembly: Assembly, equilibrium: Equilibrium, *, running: bool = False
) -> LinearSystem:
    """The linear system of a case about its equilibrium, lines by their stiffness at rest.

    Parameters
    ----------
    assembly : Assembly
    equilibrium : Equilibrium
    running : bool
        The adapters are initialised.
    """
    return linearise(
        assembly.model,
        assembly.adapters,
        equilibrium.q,
        t=assembly.case.time.start,
        settled=equilibrium.settled,
        running=running,
    )


def at_rest(assembly: Assembly, start: StartState) -> CaseModes | None:
    """Modes about the equilibrium of a start, found once for all who ask; None without one.

    Nothing is started, so lines enter by their stiffness at rest.
    """
    if start.equilibrium is None:
        return None
    system = linear_system(assembly, start.equilibrium)
    return CaseModes(assembly, start.equilibrium, system, natural_modes(system), growing(system))


def _still(case: Case) -> Case:
    """The case without waves, from its equilibrium."""
    environment = case.environment.model_copy(update={"waves": StillWater()})
    start = Start.model_validate({"from": "equilibrium"})
    return case.model_copy(update={"environment": environment, "start": start})


def _in_motion(
    equations: CoupledEquations, place: tuple[float, Float], system: LinearSystem
) -> LinearSystem:
    """The linear system with the Steppers by their dynamic impedance."""
    stuck = equations.not_restorable()
    if stuck:
        raise AdapterError(
            "it cannot go back to a saved state, so its loads in motion cannot be measured; "
            "take its stiffness at rest (--static, or static=True)",
            adapter=stuck[0],
        )
    model, (t, y) = equations.model, place
    chart = chart_about(model, t, equations.split(y)[0])
    equations.state(t, y)
    M = system.M.copy()
    for entry in equations.steppers:
        if entry.mass.size:
            M += chart.basis.T @ model.project_mass(entry.index, entry.mass) @ chart.basis

    def measure(shape: Float, omega: float) -> Harmonic:
        motion = chart.basis @ shape, omega
        weight = shape / omega**2  # the shapes have unit generalised mass
        return measure_impedance(equations, place, motion, reduce=chart.reduce, weight=weight)

    names = tuple(entry.name for entry in equations.steppers)
    return with_impedance(replace(system, M=M), measure, steppers=names)
