"""``cosim check``: a case looked over before it runs."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from cosim.cli.compiling import looking
from cosim.cli.console import Consoles
from cosim.cli.tables import damping, number, show_table, table

if TYPE_CHECKING:
    from cosim.analysis.equilibrium import Equilibrium
    from cosim.analysis.modes import Mode
    from cosim.case.build import Assembly
    from cosim.case.inspect import Balance, Cost, Coupling
    from cosim.multibody.interface import Float, MultibodyModel

__all__ = ["check_case"]


def check_case(path: Path, settings: list[str], *, level: int = logging.INFO) -> None:
    """Show balance, periods, findings in the input, stable steps and costs of a case.

    Parameters
    ----------
    path : Path
    settings : list of str
        ``name=value``.
    level : int
        Of the library's messages.
    """
    consoles = Consoles()
    with looking(consoles.err, level):
        from cosim.case.build import build
        from cosim.case.read import read_case

        case = read_case(path, settings)
        stable = _inspect(build(case), consoles.out)
    verdict = "the case is ready to run" if stable else "the case can run, but not stay at rest"
    consoles.out.print(verdict)


def _inspect(assembly: Assembly, out: Console) -> bool:
    """Show everything; False if the equilibrium is not stable."""
    from cosim.case import inspect
    from cosim.case.modes import at_rest

    case, free = assembly.case, assembly.model.nu - assembly.model.closures
    out.print(
        f"[bold]{escape(case.title or case.name)}[/bold]: "
        f"{_count(len(case.bodies), 'body', 'bodies')}, "
        f"{_count(free, 'degree of freedom', 'degrees of freedom')}, "
        f"{_count(len(case.elements), 'element')}, {_count(len(assembly.adapters), 'adapter')}"
    )
    for text in assembly.model.closure_findings():
        out.print(f"[bold]closed loops:[/bold] {escape(text)}", soft_wrap=True)
    out.print(_masses(assembly, inspect.added_masses(assembly)))
    trips = inspect.round_trips(assembly)
    for name, lines in inspect.findings(assembly).items():
        out.print(f"[bold]adapter '{name}'[/bold]: {escape(_traits(assembly, name))}")
        if name in trips:
            out.print(f"  it answers; a message there and back takes {1e6 * trips[name]:.0f} us")
        for line in lines:
            out.print(f"  {escape(line)}", soft_wrap=True)
    show_table(_balance(inspect.find_balance(assembly), _Units(assembly.model)), out)
    start = inspect.start_of(assembly)
    found = at_rest(assembly, start)
    if found is None:
        out.print("no equilibrium near the configuration described; the run does not need one")
    else:
        out.print(_equilibrium(assembly, found.equilibrium))
        if found.modes:
            _show_modes(found.modes, list(trips), out)
    growth, fastest = (found.growth, found.fastest) if found else ([], 0.0)
    for motion in growth:
        out.print(
            f"[red]not stable:[/red] from this equilibrium {motion.name} grows by the factor e in "
            f"{motion.time:.3g} s; check the heights of the centres of gravity, and springs",
            soft_wrap=True,
        )
    coupling = inspect.find_coupling(assembly, start, fastest)
    if coupling is not None:
        out.print(_coupling(coupling))
    out.print(_cost(inspect.measure_cost(assembly, start, fastest), assembly))
    return not growth


def _traits(assembly: Assembly, name: str) -> str:
    """What the adapter says of itself in a word or two each."""
    settings = assembly.adapters[name].settings()
    return ", ".join(
        f"{key} {value}"
        for key, value in settings.items()
        if "\n" not in value and "sha256" not in key and key != "findings"
    )


def _masses(assembly: Assembly, added: dict[str, Float]) -> Table:
    made = table("masses", "mass", "added, surge", "added, heave", "unit")
    for name, body in assembly.case.bodies.items():
        surge, heave = added.get(name, np.zeros(6))[[0, 2]]
        made.add_row(escape(name), number(body.mass), number(surge), number(heave), "kg")
    return made


def _balance(balance: Balance, units: _Units) -> Table:
    made = table("forces at rest as described", *balance.sources, "sum", "unit")
    for i, speed in enumerate(balance.speeds):
        values = [source[i] for source in balance.sources.values()]
        made.add_row(speed, *map(number, values), number(balance.total[i]), units.force(speed))
    return made


def _equilibrium(assembly: Assembly, found: Equilibrium) -> Table:
    model = assembly.model
    reference, _ = model.initial()
    moved = model.difference(found.q, reference)
    units = _Units(model)
    made = table("equilibrium", "displacement", "unit", "left over", "unit")
    for i, speed in enumerate(model.speeds):
        angular = units.is_angle(speed)
        value = np.degrees(moved[i]) if angular else moved[i]
        held = " (held)" if speed in found.held else ""
        made.add_row(
            f"{speed}{held}",
            number(value),
            "degree" if angular else "m",
            number(found.residual[i]),
            units.force(speed),
        )
    return made


def _show_modes(modes: list[Mode], peers: list[str], out: Console) -> None:
    made = table("natural modes", "period, s", "damping ratio")
    for mode in modes:
        made.add_row(mode.name, number(mode.period), damping(mode.damping_ratio))
    out.print(made)
    if peers:
        out.print(
            f"  they have the loads at rest of {escape(', '.join(peers))}, not its damping or "
            "control; `cosim modes` has both",
            soft_wrap=True,
        )


def _coupling(coupling: Coupling) -> Table:
    origin = "chosen" if coupling.chosen else "from the case"
    made = table(
        f"coupling with H = {coupling.step:g} s ({origin})", "growth per step", "S", "verdict"
    )
    for name, stability in coupling.schemes.items():
        verdict = "stable" if stability.stable else "[red]unstable[/red]"
        growth = f"{stability.growth:.4g} (system {stability.reference:.4g})"
        made.add_row(name, growth, number(stability.number, 3), verdict)
    return made


def _cost(cost: Cost, assembly: Assembly) -> Table:
    span = assembly.case.time.end - assembly.case.time.start
    made = table(f"cost, from a trial of {cost.trial:g} s", "elapsed", "unit")
    made.add_row("start", number(cost.start_up, 3), "s")
    made.add_row("one simulated second", number(1e3 * cost.running, 3), "ms")
    for name, seconds in cost.adapters.items():
        made.add_row(f"in {name}, start included", number(seconds, 3), "s")
    made.add_row("the whole run", f"about {cost.start_up + span * cost.running:.0f}", "s")
    return made


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


class _Units:
    """Units of generalised forces and displacements."""

    def __init__(self, model: MultibodyModel) -> None:
        from cosim.results.layout import split_speeds

        self._rotations = {model.coordinates[i] for i in split_speeds(model)[1]}

    def is_angle(self, speed: str) -> bool:
        return speed in self._rotations

    def force(self, speed: str) -> str:
        return "N m" if self.is_angle(speed) else "N"
