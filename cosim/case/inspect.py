"""What can be known of a case before it runs."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from cosim.analysis.static_loads import StaticBalance
from cosim.case.build import Assembly, build
from cosim.case.start import StartState, start_state
from cosim.coupling.capabilities import Linearisable, Remote
from cosim.coupling.entry import adapter_errors
from cosim.coupling.manager import ExternalForcesManager
from cosim.errors import EquilibriumError
from cosim.integrate.sample import Sample
from cosim.integrate.simulation import Simulation
from cosim.integrate.stability import Stability, measure_stability, unmeasurable
from cosim.integrate.step_choice import choose_step
from cosim.multibody.interface import Float

__all__ = [
    "Balance",
    "Cost",
    "Coupling",
    "added_masses",
    "find_balance",
    "find_coupling",
    "findings",
    "measure_cost",
    "round_trips",
    "start_of",
]

LOG = logging.getLogger(__name__)

_NODES: Mapping[str, tuple[int, ...]] = {
    "iterated": (0, 1),
    "explicit, order 0": (0,),
    "explicit, order 1": (0, -1),
    "explicit, order 2": (0, -1, -2),
}
_END = 1
"""Node at the end of the step: its load is known only by repeating the step."""
_TRIAL = 2.0
"""Length of the trial run that measures cost, s."""


@dataclass(frozen=True)
class Balance:
    """Generalised forces at rest in the reference configuration.

    Attributes
    ----------
    speeds : tuple of str
        The independent ones, where loops are closed.
    sources : mapping of source to (n,)
        N and N m, for each of them.
    total : (n,)
    """

    speeds: tuple[str, ...]
    sources: Mapping[str, Float]
    total: Float


@dataclass(frozen=True)
class Coupling:
    """Communication step and how stable each scheme is with it.

    Attributes
    ----------
    step : float
        H, s.
    chosen : bool
        The step is the default, not the case's.
    schemes : mapping of scheme to Stability
    """

    step: float
    chosen: bool
    schemes: Mapping[str, Stability]


@dataclass(frozen=True)
class Cost:
    """What a trial run took.

    Attributes
    ----------
    trial : float
        Simulated time, s.
    start_up : float
        Until the end of the first step, s.
    running : float
        Per simulated second after that, s.
    adapters : mapping of adapter to seconds
        Inside each, start included.
    """

    trial: float
    start_up: float
    running: float
    adapters: Mapping[str, float]


def findings(assembly: Assembly) -> dict[str, list[str]]:
    """What each adapter found in its input: sentences that start with their severity."""
    return {
        name: [line for line in adapter.settings().get("findings", "").split("\n") if line]
        for name, adapter in assembly.adapters.items()
    }


def round_trips(assembly: Assembly) -> dict[str, float]:
    """Time of a message to the program behind an adapter and back, s, where there is one."""
    times = {}
    for name, adapter in assembly.adapters.items():
        if isinstance(adapter, Remote):
            with adapter_errors(name, None):
                times[name] = adapter.round_trip()
    return times


def added_masses(assembly: Assembly) -> dict[str, Float]:
    """Diagonal of the added mass at infinite frequency of every body that has one, (6,)."""
    model = assembly.model
    q, u = model.initial()
    found: dict[str, Float] = {}
    for adapter in assembly.adapters.values():
        if not isinstance(adapter, Linearisable):
            continue
        index = model.index(adapter.bodies)
        state = model.kinematics(assembly.case.time.start, q, u).select(index)
        added = np.diag(adapter.linearise(state, np.zeros(0)).Ma).reshape(-1, 6)
        for body, values in zip(adapter.bodies, added, strict=True):
            found[body] = found.get(body, np.zeros(6)) + values
    return found


def find_balance(assembly: Assembly) -> Balance:
    """Loads at rest in the reference configuration, by source."""
    model = assembly.model
    reference, _ = model.initial()
    balance = StaticBalance(model, assembly.adapters, reference, assembly.case.time.start)
    sources = balance.by_source(np.zeros(balance.chart.size))
    total: Float = np.sum(list(sources.values()), axis=0)
    return Balance(balance.chart.speeds, sources, total)


def find_coupling(assembly: Assembly, start: StartState, fastest: float) -> Coupling | None:
    """Communication step and stability of the schemes; None without Steppers or freedom.

    Schemes that the Steppers cannot run are left out, and all if nothing can be measured.
    `fastest`, rad/s, is the fastest mode, 0 where it is not known. Starts the adapters of the
    assembly and ends them: it cannot be run afterwards.
    """
    case = assembly.case
    with ExternalForcesManager(assembly.model) as manager:
        for adapter in assembly.adapters.values():
            manager.register(adapter)
        y = manager.initialize(case.time.start, start.q, start.u)
        equations = manager.equations
        if not equations.steppers or assembly.model.nu == 0 or unmeasurable(equations):
            return None
        wanted = case.time.communication_step
        step = choose_step(equations, case.time.start, y, fastest) if wanted == "auto" else wanted
        schemes = {
            name: measure_stability(equations, case.time.start, y, step=step, nodes=nodes)
            for name, nodes in _NODES.items()
            if not (equations.not_restorable() and _END in nodes)
        }
    return Coupling(step, wanted == "auto", schemes)


def measure_cost(assembly: Assembly, start: StartState, fastest: float) -> Cost:
    """Cost of a short trial run of the same case, which is built anew.

    `fastest`, rad/s, is the fastest mode, 0 where it is not known.
    """
    case = assembly.case
    end = min(case.time.end, case.time.start + _TRIAL)
    fresh = build(case, assembly.types)
    reached: list[tuple[float, float]] = []
    began = time.perf_counter()
    with ExternalForcesManager(fresh.model) as manager:
        for adapter in fresh.adapters.values():
            manager.register(adapter)
        settings = case.time.model_copy(update={"end": end})
        simulation = Simulation(manager, settings, start.q, start.u, fastest=fastest)
        summary = simulation.run(
            _Nowhere(), case.output.step, lambda t: reached.append((t, time.perf_counter()))
        )
    (t0, wall0), (t1, wall1) = reached[0], reached[-1]
    running = (wall1 - wall0) / (t1 - t0) if t1 > t0 else summary.wall / (end - case.time.start)
    return Cost(
        trial=end - case.time.start,
        start_up=wall0 - began,
        running=running,
        adapters=summary.adapter_seconds,
    )


def start_of(assembly: Assembly) -> StartState:
    """Start of the run with its equilibrium, also where the case starts elsewhere.

    Raises
    ------
    EquilibriumError
        The case starts from an equilibrium and there is none.
    """
    case = assembly.case
    settled = case.model_copy(
        update={"start": case.start.model_copy(update={"from_": "equilibrium"})}
    )
    if case.start.from_ == "equilibrium":
        return start_state(settled, assembly.model, assembly.adapters)
    here = start_state(case, assembly.model, assembly.adapters)
    try:
        found = start_state(settled, assembly.model, assembly.adapters)
    except EquilibriumError as error:
        LOG.info("there is no equilibrium to show: %s", error)
        return here
    return replace(here, equilibrium=found.equilibrium)


class _Nowhere:
    """A recorder that forgets."""

    def record(self, sample: Sample) -> None: ...
