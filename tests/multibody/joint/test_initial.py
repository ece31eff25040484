"""Start values by name."""

import numpy as np
import pytest

from cosim.errors import ModelError
from cosim.model import rotation_from_rpy

BODY = {"mass": 1.0, "inertia": [1.0, 1.0, 1.0]}


@pytest.fixture
def model(build):
    return build(
        {"hull": {**BODY, "cog": [0, 0, 0]}, "arm": {**BODY, "cog": [1, 0, 0]}},
        {
            "moor": {"type": "floating", "child": "hull"},
            "hinge": {
                "type": "cylindrical",
                "parent": "hull",
                "child": "arm",
                "at": [1, 0, 0],
                "axis": [0, 0, 2],
            },
        },
    )


def test_names_of_joints_and_bodies_in_every_unit(model):
    q, u = model.initial(
        {
            "hull.heave": -0.5,
            "moor.pitch_rate": 0.1,
            "hinge.angle_deg": 90.0,
            "arm.position": 0.3,
            "hinge.angle_rate_deg": 180.0,
        }
    )
    np.testing.assert_allclose(q, [0, 0, -0.5, 1, 0, 0, 0, 0.3, np.pi / 2])
    np.testing.assert_allclose(u, [0, 0, 0, 0, 0.1, 0, 0, np.pi])
    assert model.speeds[:4] == ("moor.surge", "moor.sway", "moor.heave", "moor.roll")


def test_roll_pitch_and_yaw_form_one_rotation(model):
    q, u = model.initial({"hull.roll_deg": 20.0, "hull.pitch_deg": -35.0, "hull.yaw_deg": 110.0})
    state = model.kinematics(0.0, q, u)
    expected = rotation_from_rpy(np.radians([20.0, -35.0, 110.0]))
    np.testing.assert_allclose(state.R[0], expected, atol=1e-14)


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("hul.heave", "no joint or body 'hul'; did you mean 'hull'"),
        ("hull.heav", "no coordinate 'heav'; did you mean 'heave'"),
        ("hull.heave_deg", "'heave' is a length"),
        ("heave", "no joint or body ''"),
        ("hinge.angle_dg", "did you mean 'angle_deg'"),
    ],
)
def test_unknown_names_end_in_one_sentence(model, key, says):
    with pytest.raises(ModelError, match=says) as error:
        model.initial({key: 1.0})
    assert "\n" not in str(error.value)


def test_a_value_given_twice_is_refused(model):
    with pytest.raises(ModelError, match=r"'hull.heave' and 'moor.heave' are the same"):
        model.initial({"hull.heave": 1.0, "moor.heave": 1.0})


def test_a_value_that_is_not_finite_is_refused(model):
    with pytest.raises(ModelError, match="finite"):
        model.initial({"hull.heave": float("nan")})


def test_a_name_of_a_joint_and_of_another_joints_body_is_refused(build):
    model = build(
        {"a": {**BODY, "cog": [0, 0, 0]}, "b": {**BODY, "cog": [1, 0, 0]}},
        {
            "b": {"type": "floating", "child": "a"},
            "c": {"type": "floating", "child": "b"},
        },
    )
    with pytest.raises(ModelError, match="use 'c' for the body"):
        model.initial({"b.surge": 1.0})
