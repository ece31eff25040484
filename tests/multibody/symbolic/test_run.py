"""Whole runs on the symbolic equations against runs on the compiled ones.

Both integrate the same equations at the same tolerances, with the same steps: they differ by
rounding, far below the error of the method (rtol 1e-6).
"""

import json
from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.errors import CaseError, ModelError

CASES = Path(__file__).parents[3] / "cases"


def both(case):
    return (cosim.run(case, formulation=name) for name in ("symbolic", "joint"))


def same(ours, theirs, tolerance):
    """All floating-point variables agree, relative to their largest value."""
    for name in theirs.data_vars:
        values = theirs[name].values
        if values.dtype.kind == "f":
            scale = max(1.0, float(np.nanmax(np.abs(values), initial=0.0)))
            np.testing.assert_allclose(
                ours[name].values, values, rtol=0.0, atol=tolerance * scale, err_msg=str(name)
            )


def test_a_floating_sphere_with_its_hydrodynamics():
    case = cosim.read_case(CASES / "sphere_decay", ["time.end=5"])
    ours, theirs = both(case)
    same(ours, theirs, 1e-9)
    assert json.loads(ours.attrs["settings"])["formulation"] == "symbolic"
    assert json.loads(theirs.attrs["settings"])["formulation"] == "joint"


def test_an_articulated_float_with_springs_and_sliders():
    ours, theirs = both(cosim.read_case(CASES / "spiderfloat_sliders", ["time.end=3"]))
    same(ours, theirs, 1e-9)


def test_a_moored_device_in_waves():
    """Two bodies, hydrodynamic interaction, MoorDyn's lines, in the iterated scheme."""
    ours, theirs = both(cosim.read_case(CASES / "rm3" / "moored.yaml", ["time.end=5"]))
    same(ours, theirs, 1e-9)


def test_closed_loops_need_the_compiled_equations():
    with pytest.raises(ModelError, match=r"closes a loop.* use the formulation 'joint'"):
        cosim.run(cosim.read_case(CASES / "four_bar"), formulation="symbolic")


def test_the_compiled_driver_needs_the_compiled_equations():
    case = cosim.read_case(CASES / "spiderfloat_sliders", ["time.end=1", "time.method=compiled"])
    with pytest.raises(CaseError, match="formulation 'joint'"):
        cosim.run(case, formulation="symbolic")
