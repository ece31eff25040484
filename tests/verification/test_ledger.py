"""The energy ledger of floating bodies in irregular waves.

Tolerances (issue and design 6): balance <= 1e-6 at rtol 1e-8; a run with the ledger and one
without it equal bit for bit; the work of radiation without its A_inf part never positive.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import cosim

RM3 = Path(__file__).parents[2] / "cases" / "rm3" / "moored.yaml"
TIGHT = {"rtol": 1e-8, "atol": 1e-10}


def moored(**time):
    """Two bodies, power take-off, lines by MoorDyn."""
    settings = {"end": 10.0, **TIGHT, **time}
    return cosim.read_case(RM3, [f"time.{key}={value}" for key, value in settings.items()])


@pytest.fixture(scope="module")
def cases(box):
    """Cases by name, with settings of time."""

    def floating(**time):
        """Between two springs, one of them with a damper, released 0.5 m above rest."""
        return box(
            {
                "elements": {"a": {"damping": 2e4}},
                "start": {"set": {"box.heave": 0.5}},
                "time": {"end": 60.0, **TIGHT, **time},
                "output": {"step": 0.05},
            }
        )

    return {"floating": floating, "lines": moored}


@pytest.fixture(scope="module")
def floating(cases):
    return cosim.run(cases["floating"]())


@pytest.fixture(scope="module")
def lines(cases):
    return cosim.run(cases["lines"]())


def integral(results, rate):
    """Integral of a sampled rate since the start, at the output instants."""
    t = results.time.values
    return CubicSpline(t, rate).antiderivative()(t)


@pytest.mark.parametrize("run", ["floating", "lines"])
def test_books_balance(run, request):
    results = request.getfixturevalue(run)
    assert np.abs(results["ledger/balance"]).max() <= 1e-6
    # something was booked: at least the energy that the motion itself holds
    assert results["ledger/exchanged"][-1] > results["energy/kinetic"].max()


@pytest.mark.parametrize("run", ["floating", "lines"])
def test_ledger_changes_no_bit(run, cases, request):
    kept = request.getfixturevalue(run)
    plain = cosim.run(cases[run](ledger=False))
    assert "ledger/balance" not in plain
    for name in plain.data_vars:
        if name != "case_text":  # it says whether there is a ledger
            np.testing.assert_array_equal(kept[name].values, plain[name].values, name)


def test_work_is_that_of_the_loads_on_the_motion(floating):
    """Load times velocity in the results, integrated here, against the books.

    Tolerance: splines through instants 0.05 s apart.
    """
    power = (floating.force.sel(source="hydro") * floating.velocity).sum(("xyz", "body"))
    power = power + (floating.moment.sel(source="hydro") * floating.angular_velocity).sum(
        ("xyz", "body")
    )
    booked = floating["ledger/work/hydro"].values
    np.testing.assert_allclose(
        integral(floating, power.values), booked, atol=1e-5 * np.abs(booked).max()
    )


def test_radiation_never_gives_work_in_irregular_waves(floating):
    power = floating["hydro/radiation_power"].values
    work = integral(floating, power)
    # at times the memory gives power back
    assert power.max() > 0.0
    assert work[-1] < -1e6
    assert work.max() <= 0.0
