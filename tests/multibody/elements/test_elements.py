"""Each element against closed forms."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cosim.errors import ModelError
from cosim.multibody.elements import ForceElements

seeds = st.integers(0, 2**32 - 1)
fast = settings(max_examples=40, deadline=None, derandomize=True)


def wrench(point, force, centre, moment=(0.0, 0.0, 0.0)):
    arm = np.subtract(point, centre)
    return np.concatenate([force, np.add(moment, np.cross(arm, force))])


# --- forces at points -----------------------------------------------------------------------


def test_force_of_the_time_at_a_point(kit):
    force = {"force": ["3*cos(1.5*t)", 2.0, "=2*k"], "moment": [0.0, "k*t", 1.0]}
    elements = kit.compiled(
        {"f": {"type": "force", "point": "a/p", **force}}, parameters={"k": 4.0}
    )
    pose = kit.Pose.random(7)
    result = kit.loads(elements, pose)
    expected = wrench(
        pose.place(0, (0.3, 0.1, 0.7)),
        [3.0 * math.cos(1.5 * pose.t), 2.0, 8.0],
        pose.r[0],
        [0.0, 4.0 * pose.t, 1.0],
    )
    np.testing.assert_allclose(result.g[0], expected, rtol=1e-14)
    assert result.power == pytest.approx(expected @ pose.v[0])
    assert not result.g[1:].any()


def test_follower_force_turns_with_the_body(kit):
    element = {
        "type": "force",
        "point": "a",
        "force": [1, 2, 3],
        "moment": [0, 0, 5],
        "axes": "body",
    }
    pose = kit.Pose.random(8)
    g = kit.loads(kit.compiled({"f": element}), pose).g[0]
    np.testing.assert_allclose(g[:3], pose.R[0] @ [1, 2, 3])
    np.testing.assert_allclose(g[3:], pose.R[0] @ [0, 0, 5])


# --- tension --------------------------------------------------------------------------------


@fast
@given(seed=seeds)
def test_tension_pulls_the_points_together(kit, seed):
    element = {"type": "tension", "points": ["a/p", "b/q"], "stiffness": 5.0, "damping": 0.7}
    elements = kit.compiled({"t": {**element, "length": 1.5, "law": "10*x**3 + v*t - l"}})
    pose = kit.Pose.random(seed)
    first, second = pose.place(0, (0.3, 0.1, 0.7)), pose.place(1, (2.5, -1.0, 1.5))
    rates = [
        pose.v[i, :3] + np.cross(pose.v[i, 3:], point - pose.r[i])
        for i, point in enumerate((first, second))
    ]
    length = np.linalg.norm(second - first)
    n = (second - first) / length
    x, rate = length - 1.5, (rates[1] - rates[0]) @ n
    tension = 5.0 * x + 0.7 * rate + 10.0 * x**3 + rate * pose.t - length
    result = kit.loads(elements, pose)
    np.testing.assert_allclose(result.g[0], wrench(first, tension * n, pose.r[0]), atol=1e-11)
    np.testing.assert_allclose(result.g[1], wrench(second, -tension * n, pose.r[1]), atol=1e-11)
    assert result.potential == pytest.approx(2.5 * x**2)


def test_unstretched_length_is_that_of_the_reference_configuration(kit):
    elements = kit.compiled({"t": {"type": "tension", "points": ["a/p", "b/q"], "stiffness": 5.0}})
    result = kit.loads(elements, kit.Pose.reference())
    np.testing.assert_allclose(result.g, 0.0, atol=1e-14)


def test_earth_point_is_a_world_position(kit):
    element = {"type": "tension", "points": ["earth/anchor", "b"], "stiffness": 2.0, "length": 0.0}
    pose = kit.Pose.random(2)
    result = kit.loads(kit.compiled({"t": element}), pose)
    np.testing.assert_allclose(result.g[1, :3], 2.0 * (np.array([0.0, 1.0, -3.0]) - pose.r[1]))
    assert not result.g[0].any()


@pytest.mark.parametrize(
    ("at", "rate", "tension", "energy"),
    [
        (1.5, 0.0, 5.0, 1.25),  # taut
        (0.5, 0.0, 0.0, 0.0),  # slack
        (1.5, -3.0, 0.0, 1.25),  # the damper would push
        (1.5, 1.0, 7.0, 1.25),
        (0.9, 1.0, 1.0, 0.0),  # spring and damper together just pull
    ],
)
def test_rope_never_pushes(kit, at, rate, tension, energy):
    element = {"type": "tension", "points": ["a", "b"], "stiffness": 10, "damping": 2, "length": 1}
    pose = kit.Pose.reference()
    pose.r[0], pose.r[1] = (0.0, 0.0, 0.0), (at, 0.0, 0.0)
    pose.v[1, 0] = rate
    result = kit.loads(kit.compiled({"t": {**element, "slack": True}}), pose)
    assert result.g[0, 0] == pytest.approx(tension)
    assert result.potential == pytest.approx(energy)


def coincident(kit, speed, **element):
    pose = kit.Pose.reference()
    pose.r[1] = pose.r[0]
    pose.v[1, :3] = speed
    both = {"type": "tension", "points": ["a", "b"], **element}
    return kit.loads(kit.compiled({"t": both}), pose)


def test_coincident_points_at_rest_do_not_load_each_other(kit):
    result = coincident(kit, (0, 0, 0), stiffness=10.0, damping=3.0, length=1.0)
    assert not result.g.any()
    assert result.potential == 5.0


def test_coincident_points_that_part_are_loaded_along_their_velocity(kit):
    result = coincident(kit, (0.0, 3.0, 4.0), damping=2.0, length=0.0)
    np.testing.assert_allclose(result.g[0, :3], [0.0, 6.0, 8.0])
    np.testing.assert_allclose(result.g[1, :3], [0.0, -6.0, -8.0])
    assert result.power == pytest.approx(-2.0 * 25.0)


# --- torsion --------------------------------------------------------------------------------


@pytest.mark.parametrize("angle", [-3.0, -0.4, 0.0, 1.2, 3.0])
def test_pure_twist(kit, angle):
    axis = np.array([1.0, 2.0, -2.0])
    element = {"type": "torsion", "bodies": ["a", "b"], "axis": list(axis), "stiffness": 6.0}
    elements = kit.compiled({"t": {**element, "damping": 0.5, "rest": 0.2, "law": "x**2 + v*t"}})
    pose = kit.Pose.random(4)
    n = pose.R[0] @ axis / 3.0
    pose.R[1] = kit.rotation(angle * n) @ pose.R[0]
    rate = n @ (pose.v[1, 3:] - pose.v[0, 3:])
    x = angle - 0.2
    moment = -6.0 * x - 0.5 * rate + x**2 + rate * pose.t
    result = kit.loads(elements, pose)
    np.testing.assert_allclose(result.g[1], [0, 0, 0, *(moment * n)], atol=1e-12)
    np.testing.assert_allclose(result.g[0], [0, 0, 0, *(-moment * n)], atol=1e-12)
    assert result.potential == pytest.approx(3.0 * x**2)


def test_twist_lies_within_half_a_turn(kit):
    element = {"type": "torsion", "bodies": ["earth", "b"], "axis": [0, 0, 1], "stiffness": 1.0}
    elements = kit.compiled({"t": element})
    pose = kit.Pose.reference()
    moments = []
    for angle in (math.pi - 1e-6, math.pi + 1e-6, 2.0 * math.pi + 0.1):
        pose.R[1] = kit.rotation((0.0, 0.0, angle))
        moments.append(kit.loads(elements, pose).g[1, 5])
    np.testing.assert_allclose(moments, [-math.pi + 1e-6, math.pi - 1e-6, -0.1], rtol=1e-12)


# --- matrix loads ---------------------------------------------------------------------------

K = np.arange(36.0).reshape(6, 6) + 10.0 * np.eye(6)
C, CQ = K[::-1].copy(), K.T + 1.0
MATRIX = {
    "type": "matrix",
    "body": "b",
    "at": [1.0, 0.5, -2.0],
    "preload": [1, 2, 3, 4, 5, 6],
    "stiffness": K.tolist(),
    "damping": C.tolist(),
    "quadratic_damping": CQ.tolist(),
}


def expected_matrix_load(pose, theta, axes):
    """World-axes force and moment at the point; `axes` has the load's axes as columns."""
    T = np.kron(np.eye(2), axes.T)
    point = pose.place(1, MATRIX["at"])
    v = pose.v[1].copy()
    v[:3] += np.cross(v[3:], point - pose.r[1])
    x, v = T @ np.concatenate([point - MATRIX["at"], theta]), T @ v
    load = np.arange(1.0, 7.0) - K @ x - C @ v - CQ @ (abs(v) * v)
    force, moment = (T.T @ load).reshape(2, 3)
    return wrench(point, force, pose.r[1], moment)


@pytest.mark.parametrize("yaw_deg", [0.0, 37.0])
def test_matrix_load_against_earth(kit, yaw_deg):
    theta = np.array([0.4, -0.7, 0.9])
    pose = kit.Pose.random(11)
    pose.R[1] = kit.rotation(theta)
    result = kit.loads(kit.compiled({"m": {**MATRIX, "yaw_deg": yaw_deg}}), pose)
    axes = kit.rotation((0.0, 0.0, math.radians(yaw_deg)))
    np.testing.assert_allclose(result.g[1], expected_matrix_load(pose, theta, axes), rtol=1e-12)
    assert not result.g[0].any()


def test_matrix_load_in_a_hydrodynamic_frame(kit):
    system = kit.two_bodies({"m": {**MATRIX, "axes": "hydro", "yaw_deg": 10.0}, "w": MATRIX})
    elements = ForceElements(system, tuple(system.bodies), weight=False)
    assert elements.axes == ("hydro",)
    theta = np.array([0.1, -0.2, 0.3])
    pose = kit.Pose.random(12)
    pose.R[1] = kit.rotation(theta)
    elements.set_frame("hydro", 0.5)
    own, world = (
        expected_matrix_load(pose, theta, kit.rotation((0.0, 0.0, yaw)))
        for yaw in (0.5 + math.radians(10.0), 0.0)
    )
    np.testing.assert_allclose(kit.loads(elements, pose).g[1], own + world, rtol=1e-12)
    with pytest.raises(ModelError, match="no matrix load uses the axes of 'lines'; in use: hydro"):
        elements.set_frame("lines", 0.0)


def test_small_relative_motion_of_two_bodies(kit):
    elements = kit.compiled({"m": {**MATRIX, "reference": "a", "damping": [0] * 6}})
    elements.arrays.matrix_loads["quadratic_damping"] = 0.0
    pose = kit.Pose.reference()
    pose.r[1] += (1e-6, 2e-6, -1e-6)
    pose.r[0] += (3e-6, 0.0, 0.0)
    result = kit.loads(elements, pose)
    load = np.arange(1.0, 7.0) - K @ np.array([-2e-6, 2e-6, -1e-6, 0.0, 0.0, 0.0])
    for row, sign in ((1, 1.0), (0, -1.0)):
        expected = wrench(MATRIX["at"], sign * load[:3], pose.r[row], sign * load[3:])
        np.testing.assert_allclose(result.g[row], expected, atol=1e-4)


def test_yaw_spring_of_a_spar_restores_its_yaw(kit):
    element = {"type": "matrix", "body": "a", "at": [0, 0, 0], "stiffness": [0] * 5 + [98.34e6]}
    pose = kit.Pose.reference()
    pose.R[0] = kit.rotation((0.0, 0.0, 0.1))
    result = kit.loads(kit.compiled({"m": element}), pose)
    np.testing.assert_allclose(result.g[0], [0, 0, 0, 0, 0, -98.34e5], rtol=1e-12)
    assert result.potential == pytest.approx(0.5 * 98.34e6 * 0.01)


# --- joint loads ----------------------------------------------------------------------------

PTO = {"type": "joint", "joint": "pto", "coordinate": "position"}


def on_coordinate(kit, x, rate=0.0, t=0.0, **element):
    pose = kit.Pose.reference()
    pose.x[0], pose.rate[0], pose.t = x, rate, t
    return kit.loads(kit.compiled({"j": {**PTO, **element}}), pose)


def test_terms_of_a_joint_load(kit):
    terms = {"stiffness": 2, "rest": 0.5, "damping": 3, "quadratic_damping": 4, "preload": 5}
    result = on_coordinate(kit, 1.5, -2.0, 3.0, **terms, law="x*v + t")
    assert result.Q[0] == pytest.approx(5 - 2 * 1.0 + 3 * 2 + 4 * 4 + (1.5 * -2 + 3))
    assert result.potential == pytest.approx(0.5 * 2 * 1.0 - 5 * 1.5)
    assert result.power == pytest.approx((3 * 2 + 4 * 4 + (1.5 * -2 + 3)) * -2)


STOP = {"lower": -1.0, "upper": 2.0, "stiffness": 100.0, "damping": 7.0, "smoothing": 0.1}


@pytest.mark.parametrize(("x", "side"), [(2.05, -1.0), (2.3, -1.0), (-1.05, 1.0), (-1.3, 1.0)])
@pytest.mark.parametrize("rate", [0.0, 0.4, -0.4, 1e3, -1e3])
def test_end_stop(kit, x, side, rate):
    depth = x - 2.0 if side < 0.0 else -1.0 - x
    s, slope = (depth**2 / 0.2, depth / 0.1) if depth < 0.1 else (depth - 0.05, 1.0)
    force = max(100.0 * s + 7.0 * slope * (-side * rate), 0.0)
    result = on_coordinate(kit, x, rate, end_stop=STOP)
    assert result.Q[0] == pytest.approx(side * force)
    assert result.power == pytest.approx((side * force - side * 100.0 * s) * rate)
    assert result.power <= 0.0 or force == 0.0


def test_end_stop_is_continuous_with_its_slope_and_energy(kit):
    for at in (2.0, 2.1, -1.0, -1.1):  # contact, and the end of the smoothing
        below, here, above = (
            on_coordinate(kit, x, 0.3, end_stop=STOP) for x in (at - 1e-7, at, at + 1e-7)
        )
        assert above.Q[0] - below.Q[0] == pytest.approx(0.0, abs=3e-4)
        # the damper's share c s'' x' has a kink; the spring's slope has none
        still = [on_coordinate(kit, at + d, end_stop=STOP).Q[0] for d in (-1e-6, 0.0, 1e-6)]
        assert still[2] - 2.0 * still[1] + still[0] == pytest.approx(0.0, abs=1e-8)
        assert above.potential - below.potential == pytest.approx(-2e-7 * here.Q[0], abs=1e-6)


def test_one_sided_stop_is_free_on_the_other_side(kit):
    stop = {"upper": 1.0, "stiffness": 100.0}
    assert on_coordinate(kit, -1e9, end_stop=stop).Q[0] == 0.0
    assert on_coordinate(kit, 1.0, end_stop=stop).Q[0] == 0.0


def test_coordinates_are_numbered_once(kit):
    angle = {**PTO, "coordinate": "angle"}
    elements = kit.compiled({"one": angle, "two": PTO, "three": angle})
    assert elements.coordinates == (("pto", "angle"), ("pto", "position"))
    assert elements.arrays.joint_loads["coordinate"].tolist() == [0, 1, 0]


def test_expression_that_cannot_be_compiled_names_the_element(kit):
    with pytest.raises(ModelError, match=r"element 'j': '1 / 0' has no value: .*zero"):
        kit.compiled({"j": {**PTO, "law": "x + 1/0"}})
