"""The coupling schemes with real MoorDyn lines.

Tolerances of the issue: error of surge at H = 0.1 s below 1e-4 of its amplitude in `iterated` and
in `explicit` of order 2. The reference is `solver-call`, whose only error is the integrator's
(rtol 1e-8) and MoorDyn's own.
"""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.errors import StabilityError

CASES = Path(__file__).parents[2] / "cases"
START = {"spar.surge": 2.0, "spar.pitch_deg": 1.0}


def spar_in_still_water(end=20.0, **time):
    case = cosim.read_case(CASES / "oc3_spar" / "case.yaml")
    settings = {**case.time.model_dump(), "end": end, "rtol": 1e-8, "atol": 1e-10, **time}
    return case.model_copy(
        update={
            "environment": case.environment.model_copy(update={"waves": cosim.StillWater()}),
            "start": cosim.Start.model_validate({"from": "equilibrium", "set": START}),
            "time": cosim.TimeSettings.model_validate(settings),
            "output": case.output.model_copy(update={"step": 1.0}),
        }
    )


def surge(case):
    return cosim.run(case).position.sel(body="spar", xyz="x").values


@pytest.fixture(scope="module")
def reference():
    return surge(spar_in_still_water(scheme="solver-call"))


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["iterated", "explicit"])
def test_surge_error_of_the_scheme(reference, scheme):
    found = surge(spar_in_still_water(scheme=scheme, communication_step=0.1))
    amplitude = np.max(np.abs(reference))
    assert np.max(np.abs(found - reference)) < 1e-4 * amplitude


def buoy(scheme):
    """A light buoy that carries a heavy chain to the sea bed; apparent mass many times its own."""
    return cosim.Case.model_validate(
        {
            "environment": {"gravity": 9.81, "water_density": 1025, "water_depth": 60},
            "bodies": {
                "buoy": {
                    "mass": 500.0,
                    "cog": [0, 0, 0],
                    "inertia": [200, 200, 200],
                    "points": {"eye": [0, 0, 0]},
                }
            },
            "joints": {"free": {"type": "floating", "child": "buoy"}},
            "elements": {
                "water": {
                    "type": "matrix",
                    "body": "buoy",
                    "at": [0, 0, 0],
                    # buoyancy that carries the chain and the buoy, waterplane 20 m2
                    "preload": [0, 0, 2.6e5, 0, 0, 0],
                    "stiffness": [0, 0, 2.0e5, 2e5, 2e5, 2e5],
                    "damping": [2e3, 2e3, 5e3, 1e3, 1e3, 1e3],
                }
            },
            "adapters": {
                "chain": {
                    "type": "moordyn",
                    "line_types": {"chain": {"diameter": 0.14, "mass": 390.0, "stiffness": 1.5e9}},
                    "anchors": {"anchor": [80, 0, -60]},
                    "lines": {
                        "leg": {
                            "type": "chain",
                            "ends": ["anchor", "buoy/eye"],
                            "length": 110.0,
                            "segments": 20,
                        }
                    },
                }
            },
            "start": {"from": "equilibrium", "set": {"buoy.heave_rate": 0.2}},
            "time": {"end": 10.0, "scheme": scheme, "communication_step": 0.1},
            "output": {"step": 0.1},
        }
    )


@pytest.mark.slow
def test_light_buoy_under_heavy_chain_runs_in_iterated():
    result = cosim.run(buoy("iterated")).sel(body="buoy")
    heave = result.position.sel(xyz="z").values
    assert np.all(np.isfinite(heave))
    # started upwards at 0.2 m/s: it oscillates and comes back, far from leaving
    assert np.max(np.abs(heave - heave[0])) < 0.5
    assert np.std(heave[-30:]) < np.std(heave[:30])


@pytest.mark.slow
def test_light_buoy_under_heavy_chain_is_refused_in_explicit():
    with pytest.raises(StabilityError, match=r"explicit.*unstable: growth [\d.e+]+ per step"):
        cosim.run(buoy("explicit"))
