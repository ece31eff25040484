"""What the results show of each element, against the loads applied and direct formulas."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cosim.multibody.elements import ElementOutputs

seeds = st.integers(0, 2**32 - 1)
fast = settings(max_examples=40, deadline=None, derandomize=True)

FULL = (np.arange(36.0).reshape(6, 6) % 7 - 2.0).tolist()
TENSION = {"type": "tension", "points": ["a/p", "b/q"], "stiffness": 5.0, "damping": 0.7}
TORSION = {"type": "torsion", "bodies": ["a", "b"], "axis": [1, 2, -2], "stiffness": 6.0}
PTO = {
    "type": "joint",
    "joint": "pto",
    "coordinate": "position",
    "stiffness": 2.0,
    "damping": 3.0,
    "quadratic_damping": 1.5,
    "preload": -2.0,
    "law": "x*v + cos(t)",
    "end_stop": {"upper": 0.2, "stiffness": 50.0, "damping": 20.0, "smoothing": 0.1},
}
MATRIX = {
    "type": "matrix",
    "body": "a",
    "reference": "b",
    "at": [0.5, 0.0, 1.0],
    "yaw_deg": 20.0,
    "preload": [1.0, -2.0, 3.0, 4.0, 5.0, -6.0],
    "stiffness": FULL,
    "damping": FULL,
    "quadratic_damping": FULL,
}
FORCE = {
    "type": "force",
    "point": "b/q",
    "force": [1.0, "2*sin(t)", 3.0],
    "moment": ["t", 0.0, -1.0],
    "axes": "body",
}
EVERYTHING = {
    "matrix": MATRIX,
    "tension": {**TENSION, "law": "2*x*abs(v) - l + sin(t)"},
    "rope": {**TENSION, "points": ["a", "earth/anchor"], "damping": 12.0, "slack": True},
    "pto": PTO,
    "force": FORCE,
    "torsion": {**TORSION, "damping": 0.5, "rest": 0.2, "law": "x**2 + v*t"},
}


@pytest.mark.parametrize("name", EVERYTHING)
@fast
@given(seed=seeds)
def test_power_is_what_all_loads_do_to_the_bodies(kit, name, seed):
    pose = kit.Pose.random(seed)
    loads, values = kit.shown({name: EVERYTHING[name]}, pose)
    scale = 1.0 + np.abs(loads.g).max() + np.abs(loads.Q).max()
    assert values[f"{name}/power"] == pytest.approx(loads.work_rate(pose), abs=1e-12 * scale)


@fast
@given(seed=seeds)
def test_elements_of_all_kinds_find_their_rows(kit, seed):
    pose = kit.Pose.random(seed)
    together, values = kit.shown(EVERYTHING, pose)
    for name, element in EVERYTHING.items():
        _, alone = kit.shown({name: element}, pose)
        assert alone == {key: values[key] for key in alone}
    np.testing.assert_array_equal(together.g, kit.loads(kit.compiled(EVERYTHING), pose).g)


def test_channels_come_in_the_order_of_the_elements(kit):
    names = [c.name for c in ElementOutputs(kit.two_bodies(EVERYTHING)).channels]
    assert list(dict.fromkeys(name.partition("/")[0] for name in names)) == list(EVERYTHING)
    assert len(set(names)) == len(names)


def test_no_elements_no_channels(kit):
    outputs = ElementOutputs(kit.two_bodies({}))
    assert outputs.channels == ()
    assert outputs.values().shape == (0,)


@fast
@given(seed=seeds)
def test_tension(kit, seed):
    pose = kit.Pose.random(seed)
    first, second = pose.place(0, (0.3, 0.1, 0.7)), pose.place(1, (2.5, -1.0, 1.5))
    rates = [
        pose.v[i, :3] + np.cross(pose.v[i, 3:], point - pose.r[i])
        for i, point in enumerate((first, second))
    ]
    length = np.linalg.norm(second - first)
    rate = (rates[1] - rates[0]) @ (second - first) / length
    tension = 5.0 * (length - 1.5) + 0.7 * rate
    _, values = kit.shown({"t": {**TENSION, "length": 1.5}}, pose)
    expected = {"tension": tension, "length": length, "elongation_rate": rate}
    expected["power"] = -tension * rate
    assert values == pytest.approx({f"t/{k}": v for k, v in expected.items()}, rel=1e-11)


@pytest.mark.parametrize("angle", [-3.0, -0.4, 0.0, 1.2, 3.0])
def test_torsion(kit, angle):
    pose = kit.Pose.random(4)
    n = pose.R[0] @ np.array([1.0, 2.0, -2.0]) / 3.0
    pose.R[1] = kit.rotation(angle * n) @ pose.R[0]
    rate = n @ (pose.v[1, 3:] - pose.v[0, 3:])
    moment = -6.0 * (angle - 0.2) - 0.5 * rate
    loads, values = kit.shown({"t": {**TORSION, "damping": 0.5, "rest": 0.2}}, pose)
    expected = {"t/moment": moment, "t/angle": angle, "t/power": moment * rate}
    assert values == pytest.approx(expected, rel=1e-12, abs=1e-14)
    np.testing.assert_allclose(loads.g[1, 3:], values["t/moment"] * n, rtol=1e-12, atol=1e-14)


def test_matrix_load_is_shown_at_its_point_in_world_axes(kit):
    theta, C = np.array([0.0, 0.0, 0.6]), np.array(FULL)
    pose = kit.Pose.random(11)
    pose.R[0] = kit.rotation(theta)
    point = pose.place(0, MATRIX["at"])
    v = pose.v[0].copy()
    v[:3] += np.cross(v[3:], point - pose.r[0])
    x = np.concatenate([point - MATRIX["at"], theta])
    load = np.array(MATRIX["preload"]) - C @ (x + v + abs(v) * v)
    _, values = kit.shown({"m": {**MATRIX, "reference": "earth", "yaw_deg": 0.0}}, pose)
    np.testing.assert_allclose(list(values.values()), [*load, load @ v], rtol=1e-12)


def test_point_force_is_shown_in_world_axes(kit):
    pose = kit.Pose.random(8)
    force = pose.R[1] @ [1.0, 2.0 * np.sin(pose.t), 3.0]
    moment = pose.R[1] @ [pose.t, 0.0, -1.0]
    arm = pose.place(1, (2.5, -1.0, 1.5)) - pose.r[1]
    power = force @ (pose.v[1, :3] + np.cross(pose.v[1, 3:], arm)) + moment @ pose.v[1, 3:]
    _, values = kit.shown({"f": FORCE}, pose)
    np.testing.assert_allclose(list(values.values()), [*force, *moment, power], rtol=1e-12)


def test_joint_load_in_its_stop(kit):
    pose = kit.Pose.reference()
    pose.x[0], pose.rate[0], pose.t = 0.5, 0.4, 2.0
    # linear beyond the smoothing of 0.1: spring 50 (0.3 - 0.05), damper 20 * 0.4
    stop = 50.0 * 0.25 + 20.0 * 0.4
    own = -2.0 - 2.0 * 0.5 - (3.0 + 1.5 * 0.4) * 0.4 + 0.5 * 0.4 + np.cos(2.0)
    loads, values = kit.shown({"j": PTO}, pose)
    assert values["j/force"] == pytest.approx(own - stop, rel=1e-14)
    assert values["j/force"] == loads.Q[0]
    assert (values["j/position"], values["j/rate"]) == (0.5, 0.4)
    assert values["j/power"] == pytest.approx(0.4 * (own - stop), rel=1e-14)


@pytest.mark.parametrize(
    ("name", "units"),
    [
        ("pto", ["N", "m", "m/s", "W"]),
        ("turn", ["N m", "rad", "rad/s", "W"]),
        ("tension", ["N", "m", "m/s", "W"]),
        ("torsion", ["N m", "rad", "W"]),
        ("matrix", ["N"] * 3 + ["N m"] * 3 + ["W"]),
        ("force", ["N"] * 3 + ["N m"] * 3 + ["W"]),
    ],
)
def test_channels_say_what_they_are(kit, name, units):
    elements = {**EVERYTHING, "turn": {"type": "joint", "joint": "pto", "coordinate": "angle"}}
    outputs = ElementOutputs(kit.two_bodies(elements))
    mine = [c for c in outputs.channels if c.name.startswith(f"{name}/")]
    assert [c.units for c in mine] == units
    assert all(c.long_name and (c.frame or c.point) for c in mine)
    assert all(c.frame == "world" for c in mine if c.name.endswith("_x"))
    assert mine[-1].name == f"{name}/power"
