"""The same case file in joint and in Cartesian coordinates, beside every kind of adapter.

Reference: the run in joint coordinates. Tolerances, as shares of the largest motion: ten times the
rtol of the case for the adaptive methods, whose steps differ; for the midpoint rule h^2 w^2 / 12
with the fastest w of the case's motion, three periods long at most.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.case.formulation import CartesianChoice

CASES = Path(__file__).parents[2] / "cases"
MIDPOINT = ("time.method=midpoint", "time.step=0.02")
RUNS = {  # file, end, fastest w, rad/s
    "RM3 with MoorDyn and hydrodynamics": ("rm3/moored.yaml", 10.0, 1.3),
    "RM3 in regular waves": ("rm3/regular.yaml", 20.0, 1.3),
    "RM3 with a power take-off in a process": ("power_take_off/rm3.yaml", 4.0, 1.3),
    "damper in a process": ("socket_damper/case.yaml", 3.0, 6.3),
    "articulated platform": ("spiderfloat/case.yaml", 3.0, 1.3),
}


@cache
def run(file, end, *settings):
    return cosim.run(cosim.read_case(CASES / file, [f"time.end={end}", *settings]))


def apart(file, end, *settings):
    """Largest difference of positions and of joint loads, as shares of the largest of each."""
    joint, other = run(file, end), run(file, end, "formulation=cartesian", *settings)
    moved = np.abs(joint["position"] - joint["position"][0]).max()
    assert float(moved) > 0.0
    loads = np.abs(other["joint_force"] - joint["joint_force"]).max()
    positions = np.abs(other["position"] - joint["position"]).max()
    return float(positions / moved), float(loads / np.abs(joint["joint_force"]).max())


@pytest.mark.parametrize("name", RUNS)
def test_adaptive_methods_find_the_same_motion_and_loads(name):
    file, end, _ = RUNS[name]
    close = 10.0 * cosim.read_case(CASES / file).time.rtol
    positions, loads = apart(file, end)
    assert positions <= close
    assert loads <= close


@pytest.mark.parametrize("name", RUNS)
def test_midpoint_rule_finds_the_same_motion(name):
    file, end, fastest = RUNS[name]
    error = (0.02 * fastest) ** 2 / 12.0
    positions, _ = apart(file, end, *MIDPOINT)
    assert positions <= 2.0 * np.pi * 3.0 * error


@pytest.mark.parametrize("name", ["RM3 in regular waves", "damper in a process"])
def test_reduced_bodies_are_the_same(name):
    file, end, _ = RUNS[name]
    case = cosim.read_case(CASES / file, [f"time.end={end}"])
    choice = CartesianChoice(type="cartesian", bodies="reduced")
    other, joint = cosim.run(case, formulation=choice), run(file, end)
    moved = np.abs(joint["position"] - joint["position"][0]).max()
    close = 10.0 * case.time.rtol * float(moved)
    np.testing.assert_allclose(other["position"], joint["position"], rtol=0, atol=close)
