"""Radiation memory in the time domain: step sizes, and state space against convolution.

Tolerances (pitfalls list, acceptance test 14): variable steps against a small fixed step below
0.5 %, state space against direct convolution below 1 %, both of each motion's maximum.
"""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.errors import CaseError

BOX = Path(__file__).parent / "data" / "box.nc"
STATE_SPACE, CONVOLUTION = "state_space", "convolution"


def run(memory, **time):
    """A box between two springs in irregular waves."""
    case = {
        "environment": {
            "gravity": 9.81,
            "water_density": 1025,
            "waves": {
                "type": "jonswap",
                "hs": 2.0,
                "tp": 7.0,
                "heading_deg": 20.0,
                "components": 60,
                "seed": 5,
                "ramp": 10.0,
            },
        },
        "bodies": {"box": {"mass": 2050000.0, "cog": [0, 0, -1], "inertia": [8.5e7, 9.5e7, 1.4e8]}},
        "joints": {"free": {"type": "floating", "child": "box"}},
        "earth_points": {"a": [30.0, 0.0, -1.0], "b": [-30.0, 10.0, -1.0]},
        "elements": {
            name: {"type": "tension", "points": [f"earth/{name}", "box"], "stiffness": 1e5}
            for name in "ab"
        },
        "adapters": {
            "hydro": {
                "type": "capytaine",
                "bodies": ["box"],
                "database": str(BOX),
                "radiation": {"method": memory},
            }
        },
        "start": {"from": "reference"},
        "time": {"end": 40.0, **time},
        "output": {"step": 0.1},
    }
    return cosim.run(cosim.Case.model_validate(case)).sel(body="box")


@pytest.fixture(scope="module")
def fixed():
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
def test_variable_steps_are_as_good_as_small_fixed_ones(fixed, memory, time):
    assert worst(run(memory, **time), fixed[memory]) < 5e-3


def test_state_space_is_as_good_as_convolution(fixed):
    assert worst(fixed[STATE_SPACE], fixed[CONVOLUTION]) < 0.01


def test_convolution_refuses_steps_that_jump_over_its_grid():
    with pytest.raises(CaseError, match=r"'step' = 0.5 s of method RK4 .*'hydro'.* 0.1 s or less"):
        run(CONVOLUTION, method="RK4", step=0.5)
