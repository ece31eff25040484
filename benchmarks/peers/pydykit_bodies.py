"""Times per step of pydykit's own examples, as JSON: run by ``conserving_steps.py``.

Needs a Python of 3.12 or later with pydykit 0.0.6. Its prints go nowhere and their cost is
left out: what counts is its Newton iteration.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time

import numpy as np
from pydykit import utils
from pydykit.configuration import Configuration
from pydykit.examples import ExampleManager
from pydykit.managers import Manager

utils.print_residual_norm = lambda value: None
utils.print_current_step = lambda step: None


def seconds_per_step(name: str, step: float, steps: int) -> dict[str, object]:
    """One run of an example with a step of `step` s; also its last state and greatest drift."""
    content = ExampleManager().get_example(name)
    content["time_stepper"] |= {"class_name": "FixedIncrement", "step_size": step}
    content["time_stepper"]["end"] = step * steps
    manager = Manager()
    manager.configure(Configuration(**content))
    with contextlib.redirect_stdout(io.StringIO()):
        begin = time.process_time()
        result = manager.manage()
        seconds = time.process_time() - begin
    done = len(result.times) - 1
    last = np.asarray(result.results[-1], dtype=float)
    return {"seconds": seconds / done, "steps": done, "last": last.tolist()}


def main() -> None:
    """Time `repeats` runs of an example: name, step, steps, repeats."""
    name, step, steps, repeats = sys.argv[1:5]
    runs = [seconds_per_step(name, float(step), int(steps)) for _ in range(int(repeats))]
    print(json.dumps({**runs[0], "seconds": [run["seconds"] for run in runs]}))


if __name__ == "__main__":
    main()
