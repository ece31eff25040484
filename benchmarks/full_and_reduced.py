"""Twelve coordinates per body against nine, and joint coordinates beside them.

Run ``python benchmarks/full_and_reduced.py [N ...]``. N four-bar loops in a row (IFToMM A02); a
call is what an integrator of the index-1 equations does: pose, constraints kept, accelerations. The
variants take turns, so that a busy machine slows all alike; medians of processor time.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions
from cosim.multibody.interface import MultibodyModel
from cosim.multibody.joint import JointModel

sys.path.insert(0, str(Path(__file__).parents[1] / "cases" / "four_bar_chain"))
from chain import chain

LOOPS, CALLS, REPEATS = (1, 10, 40), 50, 15
VARIANTS = ("joint", "full", "reduced")


def model_of(variant: str, loops: int) -> MultibodyModel:
    """The mechanism in joint coordinates, or with full or reduced bodies."""
    case = chain(loops)
    if variant == "joint":
        return JointModel(case)
    return CartesianModel(case, CartesianOptions.model_validate({"bodies": variant}))


def calls_of(model: MultibodyModel) -> Callable[[], None]:
    """Evaluations just after the start."""
    q, u = model.initial({"A0.angle_rate": 1.0})
    nothing = np.zeros(model.nu)

    def call() -> None:
        for _ in range(CALLS):
            model.kinematics(0.0, q, u)
            model.accelerations(nothing)

    return call


def microseconds(call: Callable[[], None]) -> float:
    begin = time.process_time()
    call()
    return 1e6 * (time.process_time() - begin) / CALLS


def main() -> None:
    """Print microseconds per evaluation and the ratio of reduced to full."""
    print("".join(f"{x:>10}" for x in ("N", *VARIANTS, "red./full")))
    for loops in tuple(map(int, sys.argv[1:])) or LOOPS:
        calls = {name: calls_of(model_of(name, loops)) for name in VARIANTS}
        for call in calls.values():
            call()
        taken: dict[str, list[float]] = {name: [] for name in VARIANTS}
        for _ in range(REPEATS):
            for name, call in calls.items():
                taken[name].append(microseconds(call))
        medians = [statistics.median(taken[name]) for name in VARIANTS]
        numbers = "".join(f"{x:10.1f}" for x in medians)
        print(f"{loops:10d}{numbers}{medians[2] / medians[1]:10.2f}", flush=True)


if __name__ == "__main__":
    main()
