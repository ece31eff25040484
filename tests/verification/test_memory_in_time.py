"""Radiation memory in the time domain: step sizes, and state space against convolution.

Tolerances (pitfalls list, acceptance test 14): variable steps against a small fixed step below
0.5 %, state space against direct convolution below 1 %, both of each motion's maximum.
"""

import numpy as np
import pytest

import cosim
from cosim.errors import CaseError

STATE_SPACE, CONVOLUTION = "state_space", "convolution"


@pytest.fixture(scope="module")
def run(box):
    """Forty seconds in irregular waves with one kind of memory."""

    def in_waves(memory, **time):
        hydro = {"radiation": {"method": memory}}
        case = box({"adapters": {"hydro": hydro}, "time": {"end": 40.0, **time}})
        return cosim.run(case).sel(body="box")

    return in_waves


@pytest.fixture(scope="module")
def fixed(run):
    """Small fixed steps, a hundredth of a second."""
    return {memory: run(memory, method="RK4", step=0.01) for memory in (STATE_SPACE, CONVOLUTION)}


def worst(found, expected):
    """Largest difference of a motion over its own maximum."""

    def motion(results, name):
        x = results[name].values
        return x - x[0] if name == "position" else x

    return max(
        np.abs(motion(found, name) - motion(expected, name)).max()
        / np.abs(motion(expected, name)).max()
        for name in ("position", "velocity", "angular_velocity", "acceleration")
    )


# multistep methods and a history that grows with every step do not go together
@pytest.mark.parametrize(
    ("memory", "time"),
    [
        (STATE_SPACE, {}),
        (STATE_SPACE, {"rtol": 1e-3, "atol": 1e-5}),
        (STATE_SPACE, {"method": "RK23", "rtol": 1e-4}),
        (STATE_SPACE, {"method": "LSODA"}),
        (CONVOLUTION, {}),
        (CONVOLUTION, {"rtol": 1e-3, "atol": 1e-5}),
        (CONVOLUTION, {"method": "RK23", "rtol": 1e-4}),
    ],
)
def test_variable_steps_are_as_good_as_small_fixed_ones(run, fixed, memory, time):
    assert worst(run(memory, **time), fixed[memory]) < 5e-3


def test_state_space_is_as_good_as_convolution(fixed):
    assert worst(fixed[STATE_SPACE], fixed[CONVOLUTION]) < 0.01


def test_convolution_refuses_steps_that_jump_over_its_grid(run):
    with pytest.raises(CaseError, match=r"'step' = 0.5 s of method RK4 .*'hydro'.* 0.1 s or less"):
        run(CONVOLUTION, method="RK4", step=0.5)
