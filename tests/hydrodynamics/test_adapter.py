"""The adapter against its own database: options, errors, life, linearisation."""

import logging
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from adapters.capytaine.adapter import CapytaineAdapter
from cosim.errors import DatabaseError, ModelError
from cosim.hydrodynamics.storage import save_database
from cosim.model.system import System
from cosim.multibody.interface import State
from cosim.multibody.joint.model import JointModel

STIFF = {"mass": 5e5, "inertia": [8e6, 8e6, 8e6]}
PLACES = {"left": (0.0, 0.0, -1.0), "right": (30.0, 5.0, -2.0)}


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("COSIM_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def file(pair, tmp_path):
    path = tmp_path / "pair.nc"
    save_database(pair, path)
    return path


def model(places=PLACES, **environment):
    water = {"gravity": 9.81, "water_density": 1000.0, **environment}
    return JointModel(
        System.from_dict(
            {
                "environment": water,
                "bodies": {name: {**STIFF, "cog": place} for name, place in places.items()},
                "joints": {f"{name}_free": {"type": "floating", "child": name} for name in places},
            }
        )
    )


def adapter(file, where=None, **options):
    where = where or model()
    given = {"bodies": ["left", "right"], "database": str(file), **options}
    return CapytaineAdapter(where, "hydro", CapytaineAdapter.Options.model_validate(given))


def states(where):
    q, u = where.initial()
    return where.kinematics(0.0, q, u).copy()


def test_life(file):
    where = model(waves={"type": "regular", "height": 2.0, "period": 8.0})
    hydro = adapter(file, where)
    state = states(where)
    static = hydro.static_forces(state)
    np.testing.assert_allclose(static[:, 2], 1000.0 * 9.81 * 500.0)
    hydro.initialize(0.0, state)
    x = hydro.initial_states(0.0, state)
    assert x.shape == hydro.state_scales().shape == (hydro.n_states,)
    assert (hydro.state_scales() > 0.0).all()
    hydro.update(60.0, state, x)
    assert hydro.forces().shape == (2, 6)
    assert hydro.derivatives().shape == (hydro.n_states,)
    np.testing.assert_array_equal(hydro.added_mass(), hydro.added_mass().T)
    names = [channel.name for channel in hydro.channels()]
    outputs = dict(zip(names, hydro.outputs(), strict=True))
    assert outputs["left.buoyancy_fz"] == pytest.approx(1000.0 * 9.81 * 500.0)
    assert outputs["right.waves_fx"] != 0.0
    assert outputs["right.radiation_fx"] == 0.0
    hydro.accept(60.0, state, x)
    assert hydro.save_state() == b""
    hydro.end()
    hydro.end()


def test_parts_add_up_to_the_load(file):
    where = model(waves={"type": "regular", "height": 2.0, "period": 8.0})
    hydro = adapter(file, where)
    state = states(where)
    x = np.random.default_rng(0).normal(size=hydro.n_states)
    hydro.update(33.0, state, x)
    parts = hydro.outputs()[:36].reshape(2, 3, 6)
    np.testing.assert_allclose(parts.sum(axis=1), hydro.forces(), rtol=1e-12)


def test_settings_name_origin_and_fit(file):
    settings = adapter(file).settings()
    assert settings["tool"] == "synthetic 1"
    assert len(settings["sha256"]) == 64
    assert "radiation of" in settings["findings"]


def test_a_current_that_hulls_do_not_feel_is_said(file):
    said = "the current gives no load on hulls"
    current = {"type": "uniform", "speed": 0.5}
    assert said in adapter(file, model(current=current)).settings()["findings"]
    assert said not in adapter(file).settings()["findings"]


def test_linearisation_is_that_of_the_load(file):
    hydro = adapter(file, frame={"yaw_deg": 0.0})
    where = hydro.model
    state = states(where)
    turn = np.array([[np.cos(0.1), -np.sin(0.1), 0], [np.sin(0.1), np.cos(0.1), 0], [0, 0, 1]])
    state = State(0.0, state.r + 0.2, state.R @ turn, state.v)
    x = np.zeros(hydro.n_states)
    linear = hydro.linearise(state, x)
    np.testing.assert_allclose(linear.F0, hydro.static_forces(state).ravel())
    random = np.random.default_rng(1)
    v, y = random.normal(size=(2, 6)), random.normal(size=hydro.n_states)
    moved = State(0.0, state.r, state.R, v)
    hydro.update(0.0, moved, y)
    load = linear.F0 - linear.C @ v.ravel() + linear.Cx @ y
    scale = np.abs(load).max()
    np.testing.assert_allclose(hydro.forces().ravel(), load, atol=1e-12 * scale)
    rate = linear.Ax @ y + linear.Bv @ v.ravel()
    np.testing.assert_allclose(hydro.derivatives(), rate, atol=1e-12 * np.abs(rate).max())
    np.testing.assert_array_equal(linear.Ma, hydro.added_mass())


def test_bodies_are_mapped_by_name(file):
    places = {"north": PLACES["right"], "south": PLACES["left"]}
    hydro = adapter(file, model(places), bodies={"north": "right", "south": "left"})
    assert hydro.bodies == ("north", "south")
    np.testing.assert_allclose(hydro.database.bodies[0].reference_point, PLACES["left"])
    straight = adapter(file)
    np.testing.assert_array_equal(hydro.added_mass()[:6, :6], straight.added_mass()[6:, 6:])


def test_one_body_of_two(file):
    hydro = adapter(file, bodies=["right"])
    assert hydro.added_mass().shape == (6, 6)


def test_database_for_other_bodies(file):
    places = {"buoy": (0.0, 0.0, -1.0)}
    with pytest.raises(DatabaseError, match="no body 'buoy'; it holds left, right"):
        adapter(file, model(places), bodies=["buoy"])
    with pytest.raises(ModelError, match="no body 'boat'"):
        adapter(file, bodies={"boat": "left"})


def test_body_at_another_draft(file):
    places = {"left": (0.0, 0.0, -1.0), "right": (30.0, 5.0, -2.4)}
    with pytest.raises(DatabaseError, match=r"body 'right' .* z differs by 0.4 m"):
        adapter(file, model(places))


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("water_depth", 50.0, "water_depth = inf m, the environment has 50"),
        ("water_density", 1025.0, "water_density = 1000 kg/m3, the environment has 1025"),
        ("gravity", 9.7, "gravity = 9.81 m/s2, the environment has 9.7"),
    ],
)
def test_another_sea_is_refused_unless_meant(file, name, value, sentence):
    where = model(**{name: value})
    with pytest.raises(DatabaseError, match=sentence):
        adapter(file, where)
    theirs = {"water_depth": "inf", "water_density": 1000.0, "gravity": 9.81}
    adapter(file, where, **{name: theirs[name]})


def test_warnings_go_to_the_log(file, caplog):
    with caplog.at_level(logging.WARNING):
        adapter(file)
    assert "adapter 'hydro': above 2.5 rad/s the frequencies are too far apart" in caplog.text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"bodies": [], "database": "a.nc"}, "'bodies' is empty"),
        ({"bodies": ["a"]}, "either 'database' or 'hulls'"),
        ({"bodies": {"a": "x", "b": "x"}, "database": "a.nc"}, "share one body"),
        (
            {"bodies": ["a"], "hulls": {"a": {"shape": "sphere", "radius": 1}}},
            "'hulls' need 'omega",
        ),
        (
            {
                "bodies": ["a"],
                "hulls": {"b": {"shape": "sphere", "radius": 1}},
                "omega": {"min": 0.1, "max": 3, "count": 10},
            },
            "must name the same bodies",
        ),
        ({"bodies": ["a"], "database": "a.nc", "depth": 3}, "Extra inputs"),
        (
            {"bodies": ["a"], "database": "a.nc", "omega": {"min": 2, "max": 1, "count": 9}},
            "must be above 'min'",
        ),
    ],
)
def test_options_that_make_no_sense(options, sentence):
    with pytest.raises(ValidationError, match=sentence):
        CapytaineAdapter.Options.model_validate(options)


def test_paths_start_at_the_case(file):
    options = CapytaineAdapter.Options.model_validate(
        {"bodies": ["left"], "database": file.name}, context={"folder": str(file.parent)}
    )
    assert options.database == file
    assert options.folder == Path(file.parent)


def test_convolution_keeps_and_restores_its_history(file):
    hydro = adapter(file, radiation={"method": "convolution", "step": 0.05, "memory": 20.0})
    assert hydro.n_states == 0
    state = states(hydro.model)
    hydro.initialize(0.0, state)
    moving = State(0.0, state.r, state.R, np.ones((2, 6)))
    hydro.accept(0.3, moving, np.zeros(0))
    saved = hydro.save_state()
    hydro.update(0.5, moving, np.zeros(0))
    first = hydro.forces().copy()
    hydro.accept(0.9, moving, np.zeros(0))
    hydro.restore_state(saved)
    hydro.update(0.5, moving, np.zeros(0))
    np.testing.assert_array_equal(hydro.forces(), first)


def test_a_moving_frame_shows_its_pose(file):
    where = model()
    hydro = adapter(file, where, frame={"follow": "slow", "body": "right"})
    state = states(where)
    hydro.update(0.0, state, hydro.initial_states(0.0, state))
    outputs = dict(zip((c.name for c in hydro.channels()), hydro.outputs(), strict=True))
    assert outputs["frame_x"] == outputs["frame_yaw"] == pytest.approx(0.0, abs=1e-12)
    assert hydro.state_scales().shape == (hydro.n_states,)
