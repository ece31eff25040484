"""What runs although it is probably not meant: one warning, with what to look at."""

import logging
from pathlib import Path

import pytest

import cosim

DATABASE = Path(__file__).parents[2] / "cases" / "sphere_decay" / "capytaine.nc"


def warnings(case, caplog):
    with caplog.at_level(logging.WARNING):
        cosim.run(case)
    return [record.getMessage() for record in caplog.records]


def pendulum(height):
    return cosim.Case(
        bodies={"bob": cosim.Body(mass=2, cog=(0, 0, height), inertia=(0.1, 0.1, 0.1))},
        joints={"hinge": cosim.Revolute(child="bob", at=(0, 0, 0), axis=(0, 1, 0))},
        time=cosim.TimeSettings(end=0.5),
    )


def test_an_equilibrium_that_is_not_stable(caplog):
    assert warnings(pendulum(-1.0), caplog) == []
    (text,) = warnings(pendulum(1.0), caplog)
    # sqrt((m l^2 + I) / (m g l)) of a rod standing on its end
    assert text.startswith("the equilibrium is not stable: hinge.angle grows by the factor e in ")
    assert float(text.split("e in ")[1].split(" s")[0]) == pytest.approx(0.327, abs=0.002)


def sphere(mass, *more):
    hydro = {"type": "capytaine", "bodies": {"s": "sphere"}, "database": str(DATABASE)}
    return cosim.Case.from_dict(
        {
            "environment": {"water_density": 1000},
            "bodies": {"s": {"mass": mass, "cog": [0, 0, -2], "inertia": [2.6e6, 2.6e6, 2.6e6]}},
            "joints": {
                "heave": {"type": "prismatic", "child": "s", "at": [0, 0, -2], "axis": [0, 0, 1]}
            },
            "adapters": {"hydro": hydro, **dict.fromkeys(more, hydro)},
            "time": {"end": 0.5},
        }
    )


def test_a_body_that_floats_far_from_where_it_was_described(caplog):
    assert warnings(sphere(261.8e3), caplog) == []
    mass, distance = warnings(sphere(2618e3), caplog)
    assert "has a mass of 2.618e+06 kg and displaces 2.618e+05 kg of water" in mass
    # 9 of 10 parts of the weight on the waterplane: 9 m / (rho A) = 30 m
    assert "body 's' lies 30 m below" in distance


def test_a_body_in_the_water_of_two_adapters(caplog):
    text = warnings(sphere(523.6e3, "again"), caplog)
    assert text == ["adapters 'hydro' and 'again' both load body 's'; is its buoyancy meant twice?"]
