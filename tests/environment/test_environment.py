import math

import numpy as np
import pytest
from pydantic import ValidationError

from cosim.environment import Environment, StillWater
from cosim.model.sentences import sentences

POINTS = np.array([[0.0, 0.0, 0.0], [10.0, 5.0, -25.0], [0.0, 0.0, -50.0], [0.0, 0.0, 2.0]])


def mistakes(**data):
    with pytest.raises(ValidationError) as caught:
        Environment.model_validate(data)
    return "\n".join(sentences(caught.value))


def test_defaults_are_still_deep_sea_water():
    environment = Environment()
    assert (environment.gravity, environment.water_density) == (9.81, 1025.0)
    assert math.isinf(environment.water_depth)
    assert isinstance(environment.waves, StillWater)
    assert environment.sea_state.is_still
    assert not environment.current_velocity(POINTS).any()


def test_sea_state_is_built_once_with_depth_and_gravity():
    environment = Environment(
        gravity=9.80665, water_depth=50.0, waves={"type": "regular", "height": 2.0, "period": 9.0}
    )
    sea = environment.sea_state
    assert sea is environment.sea_state
    assert (sea.depth, sea.gravity) == (50.0, 9.80665)
    k = sea.wavenumber[0]
    assert 9.80665 * k * math.tanh(50.0 * k) == pytest.approx((2.0 * math.pi / 9.0) ** 2, rel=1e-12)


def test_expressions_and_unbounded_depth():
    environment = Environment.model_validate(
        {
            "water_depth": "inf",
            "waves": {
                "type": "jonswap",
                "hs": "=h",
                "tp": "=2*h",
                "heading_deg": "=15*h",
                "seed": "=h-1",
            },
        },
        context={"parameters": {"h": 4.0}},
    )
    assert environment.sea_state.significant_height == pytest.approx(4.0)
    assert environment.waves.seed == 3
    assert environment.sea_state.heading[0] == pytest.approx(math.pi / 3.0)


def test_files_are_beside_the_case(tmp_path):
    (tmp_path / "s.csv").write_text("0.4 0\n0.8 2\n1.6 0\n", encoding="utf-8")
    waves = {"type": "spectrum", "file": "s.csv"}
    environment = Environment.model_validate({"waves": waves}, context={"folder": tmp_path})
    assert environment.sea_state.m0 == pytest.approx(0.5 * 2.0 * 1.2)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"waves": {"type": "jonswap", "hs": 2, "tp": 8, "gama": 3}}, "unknown key 'gama'"),
        ({"waves": {"type": "jonswap", "tp": 8}}, "'hs' is required"),
        ({"waves": {"type": "jonswap", "hs": -2, "tp": 8}}, "greater than 0"),
        ({"waves": {"type": "jonswap", "hs": 2, "tp": 8, "gamma": 0.5}}, "greater than or equal"),
        ({"waves": {"type": "jonswap", "hs": 2, "tp": 8, "components": 0}}, "greater than or eq"),
        ({"waves": {"type": "jonswap", "hs": 2, "tp": 8, "omega_max": 0.2}}, "must be below the"),
        ({"waves": {"type": "jonswap", "hs": 2, "tp": 8, "seed": 1.5}}, "whole number"),
        ({"waves": {"type": "regular", "height": 2, "period": 0}}, "greater than 0"),
        ({"waves": {"type": "spectrum"}}, "need 'file', or 'omega' and 'density'"),
        ({"waves": {"type": "spectrum", "omega": [1, 2]}}, "need 'file', or 'omega'"),
        ({"waves": {"type": "spectrum", "omega": [1, 2], "density": [1]}}, "2 frequencies and 1"),
        ({"waves": {"type": "spectrum", "omega": [2, 1], "density": [1, 1]}}, "positive and rise"),
        ({"waves": {"type": "spectrum", "omega": [1, 2], "density": [0, 0]}}, "all zero"),
        ({"waves": {"type": "spectrum", "file": "gone.csv"}}, "there is no file 'gone.csv'"),
        ({"waves": {"type": "tsunami"}}, "tsunami"),
        ({"gravity": 0, "waves": {"type": "regular", "height": 1, "period": 5}}, "gravity is 0"),
        ({"gravity": -9.81}, "greater than or equal to 0"),
        ({"water_depth": 0}, "greater than 0"),
        ({"water_density": math.nan}, "finite number"),
        ({"current": {"type": "power_law", "speed": 1}}, "needs 'layer'"),
        (
            {"water_depth": 30, "current": {"type": "power_law", "speed": 1, "layer": 40}},
            "the current's layer, 40 m, is below the bottom at 30 m",
        ),
        (
            {"water_depth": 30, "current": {"type": "table", "depth": [0, 40], "speed": [1, 0]}},
            "the current's last depth, 40 m, is below the bottom at 30 m",
        ),
        (
            {"current": {"type": "table", "depth": [0, 9], "speed": [1]}},
            "as many values of 'speed'",
        ),
        ({"current": {"type": "table", "depth": [9, 0], "speed": [1, 1]}}, "must rise"),
    ],
)
def test_mistakes_are_sentences(data, sentence):
    assert sentence in mistakes(**data)


def test_all_mistakes_at_once():
    text = mistakes(gravity=-1, water_density=0, waves={"type": "jonswap"})
    assert len(text.splitlines()) == 4


def test_a_copy_with_other_waves_has_their_sea():
    rough = Environment(waves={"type": "regular", "height": 2.0, "period": 8.0, "ramp": 0.0})
    assert rough.sea_state.elevation(0.0) == pytest.approx(1.0)
    calm = rough.model_copy(update={"waves": StillWater()})
    assert calm.sea_state.elevation(0.0) == 0.0
    assert rough.model_copy().sea_state.elevation(0.0) == pytest.approx(1.0)
