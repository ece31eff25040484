"""The OC3-Hywind spar with MoorDyn lines against published periods and balances.

Sources: NREL/TP-500-47535 for the system, and the natural frequencies published by the OC3
participants (0.008, 0.032 and 0.034 Hz, read as 125, 30.9 and 29.5 s; 3 %). Coupled eigenvalues:
124.0, 30.9 and 29.5 s within 1 %, yaw 8.3 s within 5 %.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares

import cosim
from cosim.analysis.equilibrium import find_equilibrium
from cosim.analysis.linear import linearise
from cosim.analysis.modes import natural_modes
from cosim.case.build import build

CASE = Path(__file__).parents[2] / "cases" / "oc3_spar" / "case.yaml"


def still_case(end, displacement=None):
    case = cosim.read_case(CASE)
    still = case.environment.model_copy(update={"waves": cosim.StillWater()})
    return case.model_copy(
        update={
            "environment": still,
            "start": cosim.Start.model_validate({"from": "equilibrium", "set": displacement or {}}),
            "time": case.time.model_copy(update={"end": end}),
        }
    )


@pytest.fixture(scope="module")
def at_rest():
    assembly = build(still_case(1.0))
    q, _ = assembly.model.initial()
    yield assembly, find_equilibrium(assembly.model, assembly.adapters, q)
    for adapter in assembly.adapters.values():
        adapter.end()


@pytest.mark.slow
def test_coupled_eigenperiods(at_rest):
    assembly, found = at_rest
    linear = linearise(assembly.model, assembly.adapters, found.q, settled=found.settled)
    period = {mode.name.removeprefix("free."): mode.period for mode in natural_modes(linear)}
    assert period["surge"] == pytest.approx(124.0, rel=0.01)
    assert period["heave"] == pytest.approx(30.9, rel=0.01)
    assert period["pitch"] == pytest.approx(29.5, rel=0.01)
    assert period["yaw"] == pytest.approx(8.3, rel=0.05)


@pytest.mark.slow
def test_equilibrium_takes_few_evaluations_and_little_displacement(at_rest):
    _, found = at_rest
    assert found.evaluations <= 25
    assert found.held == ()
    # weight, buoyancy and pretension of the published system balance
    assert np.max(np.abs(found.displacement)) < 0.05


@pytest.mark.slow
def test_still_water_run_stays_where_it_is():
    """The first 10 s of a still-water run move less than 1 mm."""
    position = cosim.run(still_case(10.0)).position.sel(body="spar").values
    assert np.max(np.abs(position - position[0])) < 1e-3


def damped_period(t, x, guess):
    """Period of the least-squares fit of a damped oscillation about an offset."""

    def model(p):
        amplitude, rate, omega, phase, offset = p
        return amplitude * np.exp(-rate * t) * np.cos(omega * t + phase) + offset

    start = [x[0] - np.mean(x), 0.05 * 2 * np.pi / guess, 2 * np.pi / guess, 0.0, np.mean(x)]
    fit = least_squares(lambda p: model(p) - x, start, x_scale=np.maximum(np.abs(start), 1e-3))
    return 2 * np.pi / abs(fit.x[2])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("coordinate", "amount", "published", "end"),
    [
        ("surge", 5.0, 125.0, 260.0),
        ("heave", 1.0, 30.9, 120.0),
        ("pitch_deg", 2.0, 29.5, 120.0),
    ],
)
def test_decay_period(coordinate, amount, published, end):
    result = cosim.run(still_case(end, {f"spar.{coordinate}": amount}))
    t = result.time.values
    body = result.sel(body="spar")
    signal = {
        "surge": body.position.sel(xyz="x"),
        "heave": body.position.sel(xyz="z"),
        "pitch_deg": body.attitude_deg.sel(rpy="pitch"),
    }[coordinate].values
    assert damped_period(t, signal, published) == pytest.approx(published, rel=0.03)
