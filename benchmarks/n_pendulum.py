"""The n-link pendulum of the joint-coordinate paper (its Table 5): both cores, n = 1 to 60.

Run ``python benchmarks/n_pendulum.py [n ...]``. Rods of 2 m and 10 kg on hinges about y, stretched
out along +x, at rest, fall for 30 s; rtol = atol = 1e-8. Every number comes from a process of its
own; times are those of the processor.

compiled  the general 3D kernels in the compiled driver (Dormand and Prince, order 8)
default   the same kernels in the driver of ``method: RK45``
symbolic  equations derived by SymPy in absolute angles, as the paper has them, their unlike entries
          evaluated and the reduced equations formed in numpy, driven by SciPy's RK45
"""

from __future__ import annotations

import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import curve_fit

from cosim.coupling.evaluation import Evaluation
from cosim.integrate.compiled import CompiledDOP853
from cosim.integrate.compiled_rates import CompiledRates
from cosim.integrate.method import Method, Tolerances
from cosim.integrate.runge_kutta import RungeKutta
from cosim.integrate.tableaux import DORMAND_PRINCE
from cosim.model import System
from cosim.multibody.joint import JointModel

if TYPE_CHECKING:
    from cosim.multibody.joint.symbolic import NumericEquations

ROWS = (1, 10, 20, 30, 40, 50, 60)
LENGTH, MASS, END, TOLERANCE = 2.0, 10.0, 30.0, 1e-8
# n: seconds to derive, seconds to integrate, of the paper, on its machine
PAPER = {
    1: (0.298, 0.072),
    10: (0.741, 3.188),
    20: (1.333, 19.084),
    30: (2.458, 40.085),
    40: (3.937, 81.702),
    50: (6.172, 141.56),
    60: (8.341, 245.876),
}
FIRST_ACCELERATION = 6.21929079  # theta_1'' at the start, rad/s², for 10 links and more
Row = dict[str, float]


def chain(links: int) -> System:
    """The pendulum hanging down."""
    moment = MASS * LENGTH**2 / 12.0
    bodies = {
        f"rod{i}": {
            "mass": MASS,
            "cog": [0, 0, -(i + 0.5) * LENGTH],
            "inertia": [moment, moment, 0.1],
        }
        for i in range(links)
    }
    joints = {
        f"hinge{i}": {
            "type": "revolute",
            "parent": f"rod{i - 1}" if i else "earth",
            "child": f"rod{i}",
            "at": [0, 0, -i * LENGTH],
            "axis": [0, 1, 0],
        }
        for i in range(links)
    }
    return System.from_dict({"bodies": bodies, "joints": joints})


def numeric(links: int, make: Callable[[Evaluation, Tolerances], Method]) -> Row:
    """One run of the compiled equations in a driver."""
    model = JointModel(chain(links))
    start = np.concatenate(model.initial({"hinge0.angle_deg": -90.0}))

    def run(end: float) -> tuple[list[np.ndarray], int]:
        evaluation = Evaluation(model, (), start.size)
        method = make(evaluation, Tolerances(TOLERANCE, np.full(start.size, TOLERANCE), math.inf))
        method.restart(0.0, start)
        points = [start]
        while method.t < end:
            method.step(end)
            points.append(method.y)
        return points, evaluation.count

    run(0.01)  # compiles or loads
    begin = time.process_time()
    points, count = run(END)
    seconds = time.process_time() - begin
    call = numeric_call(links)
    states = [model.kinematics(0.0, *np.split(y, 2)) and model.energy() for y in points]
    return {
        "seconds": seconds,
        "call": min(once(call) for _ in range(50)),
        "calls": count,
        "drift": max(abs(e.total) for e in states),  # it is 0 at the start
        "kinetic": max(e.kinetic for e in states),
    }


def ready(links: int, angles: Literal["absolute", "relative"]) -> tuple[NumericEquations, Row]:
    """Equations with their numeric functions, and what they cost."""
    # SymPy takes half a second to import, and memory, which the numeric rows do without
    from cosim.multibody.joint.symbolic import NumericEquations, derive

    system = chain(links)
    begin = time.process_time()
    equations = NumericEquations(derive(system, keep=(), angles=angles))
    seconds = time.process_time() - begin
    y = at_rest(links, angles)
    first = equations.rates(0.0, y)[links]
    if links >= 10 and abs(first - FIRST_ACCELERATION) > 1e-8:
        raise SystemExit(f"{links} links: theta_1'' = {first} rad/s², not {FIRST_ACCELERATION}")
    call = min(once(lambda: equations.rates(0.0, y)) for _ in range(200))
    entries = equations.program.entries
    return equations, {"ready": seconds, "call": call, "entries": entries, "memory": peak()}


def at_rest(links: int, angles: Literal["absolute", "relative"]) -> np.ndarray:
    """All links along +x."""
    turned = np.zeros(links)
    turned[: links if angles == "absolute" else 1] = -0.5 * np.pi
    return np.concatenate([turned, np.zeros(links)])


def symbolic(links: int) -> Row:
    """Derivation, numeric functions and one run on them."""
    equations, row = ready(links, "absolute")
    begin, y = time.process_time(), at_rest(links, "absolute")
    solution = solve_ivp(equations.rates, (0.0, END), y, rtol=TOLERANCE, atol=TOLERANCE)
    seconds = time.process_time() - begin
    model = JointModel(chain(links))
    energies = []
    for column in solution.y.T:
        q, u = (np.diff(part, prepend=0.0) for part in np.split(column, 2))
        model.kinematics(0.0, q, u)
        energies.append(abs(model.energy().total))
    return {**row, "seconds": seconds, "drift": max(energies)}


def once(call: Callable[[], object], repeats: int = 20) -> float:
    """Microseconds of processor time per call; the least of many is that of the code alone."""
    begin = time.process_time()
    for _ in range(repeats):
        call()
    return 1e6 * (time.process_time() - begin) / repeats


def peak() -> float:
    """Peak memory of this process, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


KINDS: dict[str, Callable[[int], Row]] = {
    "compiled": lambda links: numeric(links, CompiledDOP853),
    "default": lambda links: numeric(
        links, lambda evaluation, tolerances: RungeKutta(evaluation, DORMAND_PRINCE, tolerances)
    ),
    "symbolic": symbolic,
    "relative": lambda links: ready(links, "relative")[1],
}


def measured(kind: str, links: int) -> Row:
    """A row of numbers from a process of its own."""
    command = [sys.executable, "-P", __file__, "--row", kind, str(links)]
    # threads of the matrix library that wait for each other would count as processor time
    alone = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=alone)
    row: Row = json.loads(done.stdout)
    return row


def growth(links: tuple[int, ...]) -> str:
    """Fit of a + b n^p to the cost of a call of the numeric core.

    The lengths take turns, so that a busy machine slows all alike.
    """
    calls = {n: numeric_call(n) for n in links}
    costs = dict.fromkeys(links, math.inf)
    for _ in range(200):
        for n, call in calls.items():
            costs[n] = min(costs[n], once(call))
    sizes, values = np.array(list(costs), dtype=float), np.array(list(costs.values()))
    (a, b, p), _ = curve_fit(lambda n, a, b, p: a + b * n**p, sizes, values, (1.0, 0.1, 1.0))
    return f"{a:.1f} + {b:.3f} n^{p:.2f} us"


def numeric_call(links: int) -> Callable[[], None]:
    """One evaluation of the compiled equations at the start."""
    model = JointModel(chain(links))
    y = np.concatenate(model.initial({"hinge0.angle_deg": -90.0}))
    rates, out = CompiledRates(Evaluation(model, (), y.size)), (y.copy(), np.zeros(0))
    return lambda: rates.write(0.0, y, out)


def table(links: tuple[int, ...]) -> None:
    """Print one line per length as soon as it is known."""
    print(f"{'':3} |{'compiled':^37}|{'default':^17}|{'symbolic':^49}|{'paper':^16}")
    columns = (
        *("  n |", " run s", "  calls", " us/call", "  drift J", "  MB |", " run s", "  drift J |"),
        *(" ready s", " us/call", " entries", "  MB", "   run s", "  drift J |"),
        *(" ready s", "  run s"),
    )
    print("".join(columns))
    for n in links:
        rows = {kind: measured(kind, n) for kind in ("compiled", "default", "symbolic")}
        print(line(n, rows), flush=True)
    other = measured("relative", links[-1])
    print(
        f"{links[-1]} links in relative angles: symbols ready after {other['ready']:.2f} s, "
        f"{other['entries']:.0f} unlike entries, {other['call']:.0f} us per call"
    )
    if len(links) > 3:
        print(f"cost of one call of the numeric core: {growth(links)}")


def line(n: int, rows: dict[str, Row]) -> str:
    """One row of the table."""
    a, b, s = rows["compiled"], rows["default"], rows["symbolic"]
    derived, integrated = PAPER.get(n, (math.nan, math.nan))
    return (
        f"{n:3d} |{a['seconds']:6.2f}{a['calls']:7.0f}{a['call']:8.1f}{a['drift']:9.1e}"
        f"{a['peak']:4.0f} |{b['seconds']:6.2f}{b['drift']:9.1e} |{s['ready']:8.2f}{s['call']:8.0f}"
        f"{s['entries']:8.0f}{s['memory']:4.0f}{s['seconds']:8.2f}{s['drift']:9.1e} |"
        f"{derived:8.2f}{integrated:7.1f}"
    )


def main() -> None:
    """Print the table, or one row of numbers as JSON."""
    if sys.argv[1:2] == ["--row"]:
        kind, links = sys.argv[2], int(sys.argv[3])
        row = KINDS[kind](links)
        print(json.dumps({**row, "peak": peak()}))
    else:
        table(tuple(map(int, sys.argv[1:])) or ROWS)


if __name__ == "__main__":
    main()
