"""The implicit midpoint rule in runs of cases, against joint coordinates and itself."""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim import read_case
from cosim.case.formulation import CartesianChoice
from cosim.errors import CaseError, ModelError

CASES = Path(__file__).parents[2] / "cases"
PENDULUM = CASES / "double_pendulum" / "case.yaml"
METHODS = ("midpoint", "midpoint_ggl")


def pendulum(*settings, method="midpoint", step=2e-3):
    chosen = ["formulation=cartesian", f"time.method={method}", f"time.step={step}"]
    return read_case(PENDULUM, [*chosen, "time.end=2", "output.step=0.1", *settings])


@pytest.mark.parametrize("method", METHODS)
def test_energy_and_constraints_are_exact(method):
    results = cosim.run(pendulum(method=method))
    # the tolerances: 1e-12 of the energy exchanged, 1e-12 for positions of one metre
    assert float(abs(results["ledger/balance"]).max()) <= 1e-12
    assert float(results["closure/gap"].max()) <= 1e-12


def test_order_is_two():
    exact = cosim.run(read_case(PENDULUM, ["time.end=2", "output.step=0.1", "time.rtol=1e-11"]))
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        found = cosim.run(pendulum(step=step))
        errors.append(float(np.abs(found["position"] - exact["position"]).max()))
    slopes = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(slopes, 2.0, atol=0.02)


def test_a_resumed_run_is_the_same_bit_for_bit(tmp_path):
    case = pendulum("output.checkpoint=1")
    whole = cosim.run(case)
    half = pendulum("output.checkpoint=1", "time.end=1")
    cosim.run(half, out=tmp_path / "part.nc")
    resumed = cosim.resume(tmp_path / "part.nc", end=2.0)
    for name in ("position", "velocity", "joint_rotation_deg", "ledger/balance"):
        np.testing.assert_array_equal(resumed[name], whole[name])


@pytest.mark.parametrize("method", ["RK45", "midpoint"])
def test_moored_spar_with_hydrodynamics_agrees_with_joint_coordinates(method):
    # RK45 at the case's rtol of 1e-6 on both sides; midpoint: (w h)^2 / 12 = 5e-5 of a motion
    # with the waves' w of some 1.2 rad/s at most
    case = CASES / "oc3_spar" / "case.yaml"
    short = ["time.end=5", "output.step=0.5"]
    own = [f"time.method={method}", "formulation=cartesian"]
    own += ["time.step=0.02"] if method == "midpoint" else []
    joint = cosim.run(read_case(case, short))
    found = cosim.run(read_case(case, [*short, *own]))
    moved = np.abs(joint["position"] - joint["position"][0]).max()
    assert float(moved) > 0.0
    np.testing.assert_allclose(found["position"], joint["position"], rtol=0, atol=1e-4 * moved)
    np.testing.assert_allclose(found["force"], joint["force"], rtol=0, atol=1e-4 * 8e7)


def test_mistakes_end_in_one_sentence():
    with pytest.raises(CaseError, match="needs the Cartesian formulation; write"):
        cosim.run(pendulum("formulation=joint"))
    with pytest.raises(CaseError, match="needs 'step'"):
        cosim.run(read_case(PENDULUM, ["formulation=cartesian", "time.method=midpoint"]))
    choice = {"type": "cartesian", "constraints": "baumgarte"}
    case = pendulum().model_copy(update={"formulation": CartesianChoice(**choice)})
    with pytest.raises(CaseError, match="keeps the constraints by itself"):
        cosim.run(case)
    case = pendulum().model_copy(
        update={"formulation": CartesianChoice(type="cartesian", bodies="reduced")}
    )
    with pytest.raises(ModelError, match="three directors for every body"):
        cosim.run(case)
    thin = pendulum("bodies.upper.inertia=[1.0, 0.5, 0.5]")
    with pytest.raises(ModelError, match="'upper' is flat or thin"):
        cosim.run(thin)
    with pytest.raises(ModelError, match="did you mean 'upper'"):
        cosim.run(
            read_case(PENDULUM),
            formulation=CartesianChoice(type="cartesian", bodies={"uper": "reduced"}),
        )
