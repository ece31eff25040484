"""Steps per second of the energy-exact integrators, pydykit beside them.

Run ``python benchmarks/conserving_steps.py [N ...]``. Processor time of many steps in compiled
code, medians of runs that take turns. pydykit 0.0.6 (PyPI) needs Python 3.12: name an
interpreter that has it,

    python3.12 -m venv peer && peer/bin/pip install pydykit==0.0.6
    PYDYKIT_PYTHON=peer/bin/python python benchmarks/conserving_steps.py

without it that comparison is left out. Both turn the same free body (its example
``rigid_body_rotating_quaternion``) by the midpoint rule with the same steps; its prints are silent.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import cosim
from cosim.algebra.types import Float
from cosim.errors import SolverError
from cosim.model import System
from cosim.multibody.cartesian.bodies import coordinates_at
from cosim.multibody.cartesian.conserving.steps import ConservingSteps
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "cases" / "four_bar_chain"))
from chain import chain  # noqa: E402 - a script of the case

LOOPS, REPEATS = (1, 10, 40, 100, 400), 5
STEP, PEER_STEPS = 0.005, 100


def free_body() -> tuple[System, dict[str, float]]:
    """The body of pydykit: moments of inertia of 6, 8, 3 kg m2, quaternion rates 0, 5, 10, 10."""
    body = {"mass": 1.0, "cog": [0, 0, 0], "inertia": [6.0, 8.0, 3.0]}
    system = System.from_dict(
        {
            "environment": {"gravity": 0.0},
            "bodies": {"body": body},
            "joints": {"free": {"type": "floating", "child": "body"}},
        }
    )
    return system, {"free.roll_rate": 10.0, "free.pitch_rate": 20.0, "free.yaw_rate": 20.0}


def of_case(name: str) -> tuple[System, dict[str, float]]:
    case = cosim.read_case(ROOT / "cases" / name)
    return case, dict(case.start.set)


def runs(system: System, start: dict[str, float], h: float, steps: int) -> Callable[[], float]:
    """Seconds of processor time per step, of `steps` steps from the start."""
    model = free_model(system)
    return marching(model, model.initial(start), h, steps)


def free_model(system: System) -> CartesianModel:
    return CartesianModel(system, CartesianOptions(constraints="free"))


def chain_start(model: CartesianModel) -> tuple[Float, Float]:
    """Cranks at 1 rad/s, couplers at 1 m/s, without solving for it: N is large."""
    n = len(model.bodies)
    crank = np.array([name.startswith("crank") for name in model.bodies])
    twist = np.zeros((n, 6))
    twist[:, 0] = np.where(crank, 0.5, 1.0)
    twist[:, 4] = crank
    r = np.array([body.cog for body in model.system.bodies.values()])
    q, u = coordinates_at(model.parts.memory.frames, r, np.tile(np.eye(3), (n, 1, 1)), twist)
    return np.concatenate([q, np.zeros(model.nq - model.nu)]), u


def marching(
    model: CartesianModel, begin_at: tuple[Float, Float], h: float, steps: int
) -> Callable[[], float]:
    march = ConservingSteps(model.parts).march
    march(0.0, h, begin_at, 2)  # compiles or loads

    def run() -> float:
        begin = time.process_time()
        march(0.0, h, begin_at, steps)
        return (time.process_time() - begin) / steps

    return run


def medians(calls: dict[str, Callable[[], float]]) -> dict[str, float]:
    """Of each call; they take turns."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(REPEATS):
        for name, call in calls.items():
            taken[name].append(call())
    return {name: statistics.median(values) for name, values in taken.items()}


def peer() -> float:
    """Seconds per step of pydykit on its free body."""
    script = str(Path(__file__).parent / "peers" / "pydykit_bodies.py")
    example = ("rigid_body_rotating_quaternion", str(STEP), str(PEER_STEPS), "1")
    command = [os.environ["PYDYKIT_PYTHON"], script, *example]
    alone = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=alone)
    seconds: float = json.loads(done.stdout)["seconds"][0]
    return seconds


def mechanisms() -> None:
    """Free body (with pydykit), closed loop, slider-crank."""
    calls = {
        name: runs(*problem, h, steps)
        for name, problem, h, steps in (
            ("free body", free_body(), STEP, 20000),
            ("closed loop of four bars", of_case("bar_loop"), 0.1, 1000),
            ("spatial slider-crank", of_case("slider_crank"), 0.01, 1000),
        )
    }
    if os.environ.get("PYDYKIT_PYTHON"):
        calls["free body, pydykit"] = peer
    found = medians(calls)
    for name, seconds in found.items():
        print(f"{name:40}{1e6 * seconds:12.1f} us per step{1.0 / seconds:12.0f} steps/s")
    if "free body, pydykit" in found:
        ratio = found["free body, pydykit"] / found["free body"]
        print(f"pydykit takes {ratio:.0f} times as long per step of the free body")


def growth(sizes: tuple[int, ...]) -> None:
    """N four-bar loops in a row, and the exponent of N in the cost of a step."""
    cost: dict[int, float] = {}
    for n in sizes:
        try:
            model = free_model(chain(n))
            run = marching(model, chain_start(model), 0.001, max(20, 1000 // n))
        except SolverError as error:
            print(f"N = {n:4d} four-bar loops: {error}", flush=True)
            continue
        cost[n] = statistics.median(run() for _ in range(REPEATS))
        print(f"N = {n:4d} four-bar loops{'':19}{1e6 * cost[n]:12.1f} us per step", flush=True)
    large = [n for n in cost if n >= 10]
    if len(large) > 1:
        exponent = np.polyfit(np.log(large), np.log([cost[n] for n in large]), 1)[0]
        print(f"cost of a step grows as N^{exponent:.2f} from N = {large[0]} to {large[-1]}")


if __name__ == "__main__":
    mechanisms()
    growth(tuple(map(int, sys.argv[1:])) or LOOPS)
