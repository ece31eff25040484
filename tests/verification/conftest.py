"""Systems and scripts that several verification tests share."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

import cosim

CASES = Path(__file__).parents[2] / "cases"
BOX = Path(__file__).parent / "data" / "box.nc"

# to the tight tolerance of pointwise comparisons; bounded steps keep the dense output as good
TIGHT = ("time.method=DOP853", "time.rtol=1e-12", "time.atol=1e-13", "time.step=0.1")


@pytest.fixture(scope="session")
def script():
    """A script of a case folder as a module: ``script("planar", "multipliers")``."""

    def load(folder, name):
        label = f"{folder}_{name}"
        if label not in sys.modules:
            path = CASES / folder / f"{name}.py"
            spec = importlib.util.spec_from_file_location(label, path)
            module = importlib.util.module_from_spec(spec)
            sys.modules[label] = module  # dataclasses look their module up
            with pytest.MonkeyPatch.context() as patch:
                patch.syspath_prepend(str(path.parent))  # scripts import their neighbours
                spec.loader.exec_module(module)
        return sys.modules[label]

    return load


@pytest.fixture(scope="session")
def planar(script):
    """The second formulation of a planar case: ``planar(case).solve(times)``."""
    return script("planar", "multipliers").Planar


@pytest.fixture(scope="session")
def nrmse():
    """Equations 9 to 11 of the joint-coordinate paper, per body.

    Errors are divided by the largest absolute value of each coordinate, or by 1e-6, the
    tolerance of the integrator, where that is larger.
    """

    def of_bodies(found, expected):
        size = np.maximum(np.abs(expected).max(axis=0), 1e-6)
        each = np.sqrt(np.mean(((found - expected) / size) ** 2, axis=0))
        return np.sqrt(np.sum(each**2, axis=-1))

    return of_bodies


@pytest.fixture(scope="session")
def tight():
    """A case file run to the tight tolerance, results at whole multiples of `step` to `end`."""

    def run(name, *settings, step, end):
        times = (f"time.end={end}", f"output.step={step}")
        return cosim.run(cosim.read_case(CASES / name, [*TIGHT, *times, *settings]))

    return run


@pytest.fixture(scope="session")
def places():
    """x and z of all bodies, (times, n, 2)."""

    def of(results):
        return results.position.sel(xyz=["x", "z"]).values

    return of
