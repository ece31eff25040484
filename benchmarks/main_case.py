"""Speed of the main case in both fast schemes, beside MoorDyn driven alone.

Run ``python benchmarks/main_case.py``. MoorDyn alone follows the motion that the coupled run
recorded, cut into the same sub-steps, so that the ratio is what the coupling costs. Runs are
interleaved and medians shown: a busy machine slows all alike.
"""

from __future__ import annotations

import itertools
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import cosim
from cosim.case.build import build
from cosim.case.run import run_to
from cosim.case.schema import Case
from cosim.case.start import start_state
from cosim.coupling.motion import Motion
from cosim.integrate.simulation import Summary
from cosim.model import rotation_from_rpy
from cosim.multibody.interface import State
from cosim.results.memory import MemorySink

CASE = Path(__file__).parents[1] / "cases" / "oc3_spar" / "case.yaml"
END, REPEATS = 200.0, 3
HEADER = (
    f"{'':22}{'x real time':>12}{'s per run':>11}{'outside MoorDyn':>17}"
    f"{'/ MoorDyn alone':>17}{'H s':>8}{'passes':>8}"
)


def shortened(scheme: str, step: float | None = None) -> Case:
    """The main case over END seconds with a coupling scheme."""
    case = cosim.read_case(CASE)
    changes: dict[str, object] = {"end": END, "scheme": scheme}
    if step is not None:
        changes["communication_step"] = step
    output = case.output.model_copy(update={"step": step or case.output.step})
    time_settings = case.time.model_copy(update=changes)
    return case.model_copy(update={"time": time_settings, "output": output})


def coupled(scheme: str) -> Summary:
    """One coupled run."""
    return run_to([MemorySink()], build(shortened(scheme))).summary


def recorded_states(step: float) -> list[State]:
    """States of the spar at every communication instant of a coupled run."""
    result = cosim.run(shortened("iterated", step)).sel(body=["spar"])
    twist = np.concatenate([result.velocity.values, result.angular_velocity.values], axis=2)
    rpy = np.radians(result.attitude_deg.values)
    return [
        State(t, position, np.array([rotation_from_rpy(a[0])]), v)
        for t, position, a, v in zip(
            result.time.values, result.position.values, rpy, twist, strict=True
        )
    ]


def alone(states: list[State]) -> float:
    """Seconds that MoorDyn takes to follow the recorded motion."""
    case = shortened("iterated")
    assembly = build(case)
    start_state(case, assembly.model, assembly.adapters)
    lines = assembly.adapters["lines"]
    lines.initialize(states[0].t, states[0])
    begin = time.perf_counter()
    for before, after in itertools.pairwise(states):
        lines.advance(Motion(before, after))
    elapsed = time.perf_counter() - begin
    lines.end()
    return elapsed


def row(name: str, runs: list[Summary], reference: float) -> str:
    """One line of the table."""
    wall = statistics.median(run.wall for run in runs)
    outside = statistics.median(1.0 - run.adapter_seconds["lines"] / run.wall for run in runs)
    last = runs[-1]
    return (
        f"{name:22}{END / wall:12.1f}{wall:11.2f}{100 * outside:16.0f}%"
        f"{wall / reference:17.2f}{last.communication_step or 0.0:8.3f}"
        f"{last.passes / max(last.communications, 1):8.2f}"
    )


def start_up() -> tuple[float, float]:
    """Seconds to the end of a run of one step in a new process, and its peak memory, MB."""
    command = [sys.executable, "-m", "cosim.cli", "run", str(CASE), "--set", "time.end=0.5"]
    begin = time.perf_counter()
    subprocess.run([*command, "--quiet", "--out", "/tmp"], check=True)
    elapsed = time.perf_counter() - begin
    return elapsed, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024.0


def main() -> None:
    """Print the table."""
    step = coupled("iterated").communication_step or 0.2
    states = recorded_states(step)
    runs: dict[str, list[Summary]] = {"iterated": [], "explicit": []}
    reference: list[float] = []
    for _ in range(REPEATS):
        for scheme, listing in runs.items():
            listing.append(coupled(scheme))
        reference.append(alone(states))
    base = statistics.median(reference)
    print(f"{END:g} s of the main case, medians of {REPEATS} interleaved runs\n{HEADER}")
    for scheme, listing in runs.items():
        print(row(scheme, listing, base))
    print(f"{'MoorDyn alone':22}{END / base:12.1f}{base:11.2f}")
    seconds, memory = start_up()
    print(f"start of a second process to its first results: {seconds:.1f} s, {memory:.0f} MB peak")


if __name__ == "__main__":
    main()
