"""Natural periods of the OC3 spar from the linear system against small decays in time.

Damped frequencies are compared. Tolerances: issue 3, 0.5 % with the lines by their dynamic
impedance, 1.5 % with their stiffness at rest. Sway and roll are surge and pitch turned.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares

import cosim
from cosim.case.modes import case_modes

CASE = Path(__file__).parents[2] / "cases" / "oc3_spar" / "case.yaml"
# displacement at release, and length of the run: two periods, of yaw four
RELEASES = {
    "surge": (0.5, 250.0),
    "heave": (0.1, 62.5),
    "pitch_deg": (0.2, 60.0),
    "yaw_deg": (0.5, 33.0),
}
CHANNELS = {
    "surge": ("position", {"xyz": "x"}),
    "heave": ("position", {"xyz": "z"}),
    "pitch_deg": ("attitude_deg", {"rpy": "pitch"}),
    "yaw_deg": ("attitude_deg", {"rpy": "yaw"}),
}


def periods(static):
    found = case_modes(cosim.read_case(CASE), static=static)
    manners = {c.adapter: c.manner for c in found.system.contributions}
    assert manners == {"hydro": "exact", "lines": "static" if static else "impedance"}
    return {mode.name.removeprefix("free."): mode.period for mode in found.modes}


@pytest.fixture(scope="module")
def in_motion():
    return periods(static=False)


@pytest.fixture(scope="module")
def at_rest():
    return periods(static=True)


def damped_period(t, x, guess):
    """Period of the least-squares fit of a damped oscillation about an offset."""

    def error(p):
        amplitude, rate, omega, phase, offset = p
        return amplitude * np.exp(-rate * t) * np.cos(omega * t + phase) + offset - x

    omega = 2.0 * np.pi / guess
    start = [x[0] - np.mean(x), 0.05 * omega, omega, 0.0, np.mean(x)]
    fit = least_squares(error, start, x_scale=np.maximum(np.abs(start), 1e-3))
    return 2.0 * np.pi / abs(fit.x[2])


@pytest.mark.slow
@pytest.mark.parametrize("coordinate", RELEASES)
def test_period_is_that_of_a_small_decay(coordinate, in_motion, at_rest):
    amount, end = RELEASES[coordinate]
    case = cosim.read_case(CASE, [f"time.end={end}", "output.step=0.1"])
    still = case.environment.model_copy(update={"waves": cosim.StillWater()})
    start = cosim.Start.model_validate({"set": {f"spar.{coordinate}": amount}})
    result = cosim.run(case.model_copy(update={"environment": still, "start": start}))
    variable, place = CHANNELS[coordinate]
    x = result[variable].sel(body="spar", **place).values
    name = coordinate.removesuffix("_deg")
    decay = damped_period(result.time.values, x, in_motion[name])
    assert in_motion[name] == pytest.approx(decay, rel=0.005)
    assert at_rest[name] == pytest.approx(decay, rel=0.015)


@pytest.mark.slow
def test_symmetry(in_motion, at_rest):
    for found in (in_motion, at_rest):
        assert found["sway"] == pytest.approx(found["surge"], rel=1e-3)
        assert found["roll"] == pytest.approx(found["pitch"], rel=1e-3)
