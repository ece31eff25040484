"""Points, loads at points, and inputs, against plain NumPy."""

import numpy as np
import pytest

from adapters.zeromq.answer import View
from adapters.zeromq.inputs import Inputs, available_inputs
from adapters.zeromq.places import Points
from cosim.errors import ModelError
from cosim.model import System
from cosim.multibody.joint import JointModel
from cosim.wire import Signal

BODIES = ("float", "buoy")  # not in the order of the model


@pytest.fixture
def state(model):
    rng = np.random.default_rng(3)
    q, _ = model.initial()
    q = model.retract(q, 0.4 * rng.normal(size=model.nu))
    return model.kinematics(1.5, q, rng.normal(size=model.nu)).select(model.index(BODIES))


def levers(system, state, address):
    body, place = system.point(address)
    row = BODIES.index(body)
    return row, state.R[row] @ np.subtract(place, system.bodies[body].cog)


def view_of(system, points, signals=()):
    return View(
        2,
        Points(system, BODIES, points),
        Inputs(system, BODIES, {name: name for name in points}, signals),
    )


def test_points_move_with_their_bodies(model, state):
    addresses = ["buoy/top", "float/end", "buoy"]
    view = view_of(model.system, addresses)
    view.look(1.5, state)
    for address, row in zip(addresses, view.points, strict=True):
        body, arm = levers(model.system, state, address)
        assert row[:3] == pytest.approx(state.r[body] + arm, abs=1e-14)
        velocity = state.v[body, :3] + np.cross(state.v[body, 3:], arm)
        assert row[3:] == pytest.approx(velocity, abs=1e-14)
    assert np.array_equal(view.state[:, 3:12].reshape(2, 3, 3), state.R)


def test_loads_at_points_and_wrenches_add_up(model, state):
    addresses = ["buoy/top", "buoy/deck", "float/end"]
    view = view_of(model.system, addresses)
    view.look(1.5, state)
    rng = np.random.default_rng(4)
    load, at_points = rng.normal(size=(2, 6)), rng.normal(size=(3, 6))
    expected = load.copy()
    for address, item in zip(addresses, at_points, strict=True):
        body, arm = levers(model.system, state, address)
        expected[body] += np.concatenate([item[:3], item[3:] + np.cross(arm, item[:3])])
    answer = {"load": load, "point_load": at_points}
    for array in answer.values():
        array.setflags(write=False)
    assert view.load(answer) == pytest.approx(expected, abs=1e-13)
    alone = view.load({"point_load": at_points})
    assert alone == pytest.approx(expected - load, abs=1e-13)
    assert np.array_equal(view.load({"load": load}), load)


@pytest.fixture
def wavy(model):
    waves = {"type": "jonswap", "hs": 2, "tp": 6, "seed": 1, "heading_deg": 30, "ramp": 10}
    data = {
        "environment": {"waves": waves, "water_depth": 50},
        "bodies": {k: b.model_dump() for k, b in model.system.bodies.items()},
        "joints": {k: j.model_dump() for k, j in model.system.joints.items()},
        "earth_points": model.system.earth_points,
    }
    return JointModel(System.from_dict(data)).system


def test_inputs_are_the_surface_where_the_point_is_now(wavy, state):
    signals = [
        Signal("elevation:hub", "m"),
        Signal("elevation:12.5, -3", "m"),
        Signal("elevation:float/end", "m"),
        Signal("elevation:earth/gauge", "m"),
    ]
    points = {"hub": "buoy/top"}
    inputs = Inputs(wavy, BODIES, points, signals)
    view = View(2, Points(wavy, BODIES, list(points.values())), inputs)
    view.look(1.5, state)
    row, arm = levers(wavy, state, "float/end")
    end = state.r[row] + arm
    places = np.array([view.points[0, :2], [12.5, -3.0], end[:2], [-5.0, 2.0]])
    expected = wavy.environment.sea_state.elevation(1.5, places[:, 0], places[:, 1])
    assert np.abs(expected).max() > 0.01
    assert view.channels == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(
    ("name", "units", "text"),
    [
        ("wind", "m/s", "no.* of that name; there are 'elevation:hub', 'elevation:body/point'"),
        ("elevation:hub", "ft", "in 'ft', and it is in m"),
        ("elevation:hup", "m", "no point 'hup'"),
    ],
)
def test_inputs_that_there_are_not(model, name, units, text):
    with pytest.raises(ModelError, match=text):
        Inputs(model.system, BODIES, {"hub": "buoy/top"}, [Signal(name, units)])


def test_what_there_is_can_be_listed():
    assert available_inputs({"hub": "buoy/top"}) == ["elevation:hub"]
