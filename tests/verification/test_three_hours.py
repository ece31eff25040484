"""Three hours in irregular waves: no drift, no growth, and the response that theory predicts.

Users of other tools report runs that diverge after some 1000 s (WEC-Sim issue 377). The last
half hour is compared point by point with the sum of the frequency-domain responses to the same
components, written here from the coefficients; 1 % is the tolerance of the complex responses.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import cosim
from cosim.case.build import build

SPHERE = Path(__file__).parents[2] / "cases" / "sphere_decay" / "case.yaml"
HEAVE = 2


@pytest.mark.slow
def test_the_last_half_hour_of_three_hours():
    case = cosim.read_case(SPHERE)
    waves = cosim.JonswapWaves(hs=2.0, tp=8.0, seed=5, ramp=50.0)
    case = case.model_copy(
        update={
            "environment": case.environment.model_copy(update={"waves": waves}),
            "start": cosim.Start.model_validate({"from": "reference"}),
            "time": case.time.model_copy(update={"end": 10800.0}),
            "output": case.output.model_copy(update={"step": 0.5}),
        }
    )
    result = cosim.run(case)
    late = result.time.values > 9000.0
    found = result.position.sel(body="sphere", xyz="z").values[late] + 2.0

    database = build(case).adapters["hydro"].database
    sea = case.environment.sea_state
    omega = sea.omega

    def at(values):
        return CubicSpline(database.omega, values)(omega)

    mass = case.bodies["sphere"].mass + at(database.added_mass[:, HEAVE, HEAVE])
    damping = at(database.damping[:, HEAVE, HEAVE])
    stiffness = database.bodies[0].stiffness[HEAVE, HEAVE]
    heading = int(np.argmin(np.abs(database.headings)))
    force = at(database.excitation[:, heading, HEAVE]) * sea.amplitude
    response = force / (stiffness - omega**2 * mass - 1j * omega * damping)
    t = result.time.values[late]
    expected = np.real(np.exp(-1j * np.outer(t, omega)) @ response)
    assert np.sqrt(np.mean((found - expected) ** 2)) <= 0.01 * np.max(np.abs(expected))
