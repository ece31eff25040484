"""A hull that is held: no degree of freedom is left, and the joint carries everything."""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.case.build import build
from cosim.case.inspect import find_coupling, start_of
from cosim.case.modes import at_rest

CASE = Path(__file__).parents[2] / "cases" / "oc3_spar"
HELD = ("joints.free={type: fixed, child: spar}", "time.end=2", "environment.waves.ramp=0")


@pytest.fixture(autouse=True)
def _private_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("COSIM_CACHE", str(tmp_path))


@pytest.mark.parametrize("scheme", ["iterated", "explicit", "solver-call"])
def test_the_joint_of_a_held_spar_carries_water_waves_and_lines(scheme):
    case = cosim.read_case(CASE, [*HELD, f"time.scheme={scheme}"])
    results = cosim.run(case).sel(body="spar")
    assert np.ptp(results["position"].values) == 78.0  # it is where it was: z = -78 m
    spar = case.bodies["spar"]
    weight = np.array([0.0, 0.0, -spar.mass * case.environment.gravity])
    loads = results["force"].sum("source").values + weight
    assert np.ptp(loads[:, 0]) > 1e5  # the waves
    # what the joint passes to the spar, in equilibrium with all the rest at every instant
    np.testing.assert_allclose(
        results["joint_force"].sel(joint="free").values, -loads, rtol=1e-9, atol=1e-3
    )


def test_a_held_spar_can_be_checked():
    assembly = build(cosim.read_case(CASE, HELD))
    start = start_of(assembly)
    assert start.equilibrium is not None
    assert at_rest(assembly, start).modes == []
    assert find_coupling(assembly, start, 0.0) is None
