"""Loads and powers of force elements, from a case to its results."""

import math

import numpy as np
import pytest
import xarray as xr
from scipy.integrate import simpson

import cosim

MASS, DAMPING, SPEED = 100.0, 40.0, 2.0
GRAVITY = 9.81


def run(**case):
    return cosim.run(cosim.Case.from_dict({"case": 1, **case}))


@pytest.fixture(scope="module", params=["RK45", "compiled"])
def take_off(request):
    """A body that slides on a rail against a damper: v = v0 exp(-c t / m)."""
    return run(
        bodies={"float": {"mass": MASS, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
        joints={
            "slide": {"type": "prismatic", "child": "float", "at": [0, 0, 0], "axis": [1, 0, 0]}
        },
        elements={"pto": {"type": "joint", "joint": "slide", "damping": DAMPING}},
        start={"from": "reference", "set": {"slide.position_rate": SPEED}},
        time={"end": 5, "rtol": 1e-9, "method": request.param},
        output={"step": 0.1},
    )


def test_damper_force_and_power_follow_the_closed_form(take_off):
    t = take_off["time"].values
    speed = SPEED * np.exp(-DAMPING / MASS * t)
    for name, expected in (
        ("force", -DAMPING * speed),
        ("rate", speed),
        ("position", (SPEED - speed) * MASS / DAMPING),
        ("power", -DAMPING * speed**2),
    ):
        # the local tolerance 1e-9 of the run, over its few dozen steps
        values = take_off[f"element/pto/{name}"]
        np.testing.assert_allclose(values, expected, rtol=1e-7, atol=1e-7)


def test_force_is_minus_c_v_and_the_one_that_accelerates(take_off):
    force, rate = take_off["element/pto/force"].values, take_off["element/pto/rate"].values
    np.testing.assert_array_equal(force, -DAMPING * rate)
    acceleration = take_off["acceleration"].sel(body="float", xyz="x")
    np.testing.assert_allclose(force, MASS * acceleration, rtol=1e-14)


def test_absorbed_energy_is_the_kinetic_energy_lost(take_off):
    t, power = take_off["time"].values, take_off["element/pto/power"].values
    lost = 0.5 * MASS * SPEED**2 * (1.0 - math.exp(-2.0 * DAMPING / MASS * t[-1]))
    # Simpson's rule: h^4 / 180 of the fourth derivative, (0.8 h)^4 / 180 = 2e-7
    assert simpson(-power, x=t) == pytest.approx(lost, rel=1e-6)


LOADS = {
    "pto": {
        "type": "joint",
        "joint": "hinge",
        "stiffness": 30.0,
        "damping": 4.0,
        "preload": 2.0,
    },
    "mooring": {
        "type": "tension",
        "points": ["earth/anchor", "hull/fairlead"],
        "stiffness": 80.0,
        "damping": 5.0,
        "length": 2.0,
    },
    "twist": {
        "type": "torsion",
        "bodies": ["earth", "hull"],
        "axis": [0, 0, 1],
        "stiffness": 40.0,
        "law": "-3*v*abs(v)",
    },
    "water": {
        "type": "matrix",
        "body": "hull",
        "at": [0, 0, 0.2],
        "preload": [0, 0, 150.0, 0, 0, 0],
        "stiffness": [20.0, 20.0, 300.0, 100.0, 100.0, 0.0],
        "damping": [3.0, 3.0, 5.0, 2.0, 2.0, 1.0],
    },
    "push": {"type": "force", "point": "arm", "force": ["3*cos(2*t)", 1.0, 0.0]},
}


@pytest.fixture(scope="module")
def articulated():
    """Two hinged bodies under one element of every kind."""
    inertia = {"inertia": [2.0, 3.0, 4.0]}
    return run(
        environment={"gravity": GRAVITY},
        bodies={
            "hull": {"mass": 12, "cog": [0, 0, 0], "points": {"fairlead": [0, 0, -1]}, **inertia},
            "arm": {"mass": 3, "cog": [1, 0, 0], **inertia},
        },
        joints={
            "free": {"type": "floating", "child": "hull"},
            "hinge": {
                "type": "revolute",
                "parent": "hull",
                "child": "arm",
                "at": [0.5, 0, 0],
                "axis": [0, 1, 0],
            },
        },
        earth_points={"anchor": [2, 0, -3]},
        elements=LOADS,
        start={"from": "reference", "set": {"free.yaw_deg": 30, "hinge.angle_rate": 1.0}},
        time={"end": 6, "rtol": 1e-9},
        output={"step": 0.01},
    )


def test_energy_given_by_the_elements_is_their_work_and_what_they_store(articulated):
    """Sum of integrals of power = W_nonconservative - change of elastic energy."""
    t = articulated["time"].values
    given = sum(simpson(articulated[f"element/{name}/power"], x=t) for name in LOADS)
    heights = articulated["position"].sel(xyz="z")
    weight = GRAVITY * (12 * heights.sel(body="hull") + 3 * heights.sel(body="arm"))
    elastic = articulated["energy/potential"] - weight
    stored = float(elastic[-1] - elastic[0])
    work = float(articulated["ledger/work/elements"][-1])
    exchanged = float(articulated["ledger/exchanged"][-1])
    assert abs(work) > 0.1 * exchanged
    assert abs(stored) > 0.1 * exchanged
    kinetic = float(articulated["energy/kinetic"][-1] - articulated["energy/kinetic"][0])
    # Simpson's rule at 0.01 s for motions below 15 rad/s: (0.15)^4 / 180 = 3e-6
    assert given == pytest.approx(work - stored, abs=3e-6 * exchanged)
    assert given == pytest.approx(kinetic + float(weight[-1] - weight[0]), abs=3e-6 * exchanged)


def test_every_kind_is_there_and_says_what_it_is(articulated):
    names = {n for n in map(str, articulated.data_vars) if n.startswith("element/")}
    assert {n.split("/")[1] for n in names} == set(LOADS)
    assert len(names) == 4 + 4 + 3 + 7 + 7
    for name in names:
        attributes = articulated[name].attrs
        assert attributes["units"]
        assert attributes["long_name"]
        assert attributes["frame"] or attributes["point"]
    assert articulated["element/pto/force"].attrs["units"] == "N m"
    assert articulated["element/water/force_z"].attrs["frame"] == "world"
    assert "hull/fairlead" in articulated["element/mooring/tension"].attrs["point"]
    assert "negative" in articulated["element/pto/power"].attrs["long_name"]


def test_output_channels_pick_elements_too(tmp_path):
    case = cosim.Case.from_dict(
        {
            "case": 1,
            "bodies": {"a": {"mass": 1, "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
            "joints": {
                "hinge": {"type": "revolute", "child": "a", "at": [0, 0, 0], "axis": [0, 1, 0]}
            },
            "elements": {"spring": {"type": "joint", "joint": "hinge", "stiffness": 2}},
            "start": {"from": "reference", "set": {"hinge.angle_deg": 5}},
            "time": {"end": 0.5},
            "output": {"channels": ["element/*/power", "element/spring/force"]},
        }
    )
    results = cosim.run(case, out=tmp_path / "run.nc")
    assert {n for n in results.data_vars if results[n].dims == ("time",)} == {
        "element/spring/power",
        "element/spring/force",
    }
    assert results["element/spring/force"][0] == -2 * math.radians(5)
    xr.testing.assert_identical(cosim.open_results(tmp_path / "run.nc"), results)
