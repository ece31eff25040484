"""Every joint kind against a closed form or Lagrange's equations."""

import numpy as np
import pytest
import sympy as sp
from scipy.special import ellipj, ellipk

# the solver of these tests runs at rtol 1e-12
CLOSED = 1e-10
G = 9.81
BODY = {"mass": 2.0, "cog": [0.4, -0.3, 0.8], "inertia": [0.7, 0.9, 0.5]}


def test_prismatic_joint_slides_down_a_slope(trees, build):
    """Free, s = -g sin(slope) t² / 2; with a damper, towards the final speed."""
    slope = np.radians(25.0)
    joint = {
        "type": "prismatic",
        "child": "sledge",
        "at": [0, 0, 0],
        "axis": [3.0 * np.cos(slope), 0.0, 3.0 * np.sin(slope)],
    }
    pull = G * np.sin(slope)
    times = np.array([0.5, 2.0])
    model = build({"sledge": BODY}, {"rail": joint})
    qs, us = trees.solve(model, *model.initial({"rail.position_rate": 3.0}), times)
    np.testing.assert_allclose(qs[:, 0], 3.0 * times - 0.5 * pull * times**2, atol=CLOSED)
    damper = {"type": "joint", "joint": "rail", "damping": 3.0}
    model = build({"sledge": BODY}, {"rail": joint}, elements={"brake": damper})
    qs, us = trees.solve(model, *model.initial(), times)
    rate = 3.0 / 2.0
    np.testing.assert_allclose(us[:, 0], -pull / rate * (1.0 - np.exp(-rate * times)), atol=CLOSED)


def test_cylindrical_joint_falls_and_swings(trees, build):
    """Along the axis a free fall, about it a pendulum under the rest of gravity."""
    tilt = np.radians(50.0)
    axis = np.array([np.sin(tilt), 0.0, np.cos(tilt)])
    # the centre of gravity hangs 0.6 m down the slope from the axis
    down = np.array([np.cos(tilt), 0.0, -np.sin(tilt)])
    body = {"mass": 2.0, "cog": (0.6 * down).tolist(), "inertia": [0.7, 0.7, 0.7]}
    joint = {"type": "cylindrical", "child": "ring", "at": [0, 0, 0], "axis": axis.tolist()}
    model = build({"ring": body}, {"rod": joint})
    times = np.array([0.7, 3.0])
    qs, _ = trees.solve(model, *model.initial({"rod.angle_rate": 2.0}), times)
    np.testing.assert_allclose(qs[:, 0], -0.5 * G * np.cos(tilt) * times**2, atol=CLOSED)
    inertia = 0.7 + 2.0 * 0.6**2
    w0 = np.sqrt(2.0 * G * np.sin(tilt) * 0.6 / inertia)
    k = 2.0 / (2.0 * w0)
    exact = 2.0 * np.arcsin(k * ellipj(w0 * times, k * k)[0])
    np.testing.assert_allclose(qs[:, 1], exact, atol=CLOSED)


@pytest.mark.parametrize("plane", ["xz", "xy", "yz"])
def test_planar_joint_flies_in_its_plane(trees, build, plane):
    """The centre of gravity flies a parabola, the body spins at a constant rate."""
    first, second = ("xyz".index(letter) for letter in plane)
    normal = 3 - first - second
    joint = {"type": "planar", "child": "plate", "at": [0, 0, 0], "plane": plane}
    # the joint is not at the centre of gravity: its own path is no parabola
    model = build({"plate": BODY}, {"table": joint})
    spin = 1.7
    start = {f"table.{plane[0]}_rate": 1.0, f"table.{plane[1]}_rate": -2.0}
    q, u = model.initial({**start, "table.angle_rate": spin})
    state = model.kinematics(0.0, q, u).copy()
    times = np.array([0.3, 1.5])
    qs, us = trees.solve(model, q, u, times)
    np.testing.assert_allclose(qs[:, 2], spin * times, atol=CLOSED)
    weight = np.array([0.0, 0.0, -G])
    weight[normal] = 0.0
    for t, q, u in zip(times, qs, us, strict=True):
        now = model.kinematics(t, q, u)
        expected = state.r[0] + state.v[0, :3] * t + 0.5 * weight * t**2
        np.testing.assert_allclose(now.r[0], expected, atol=CLOSED)
        turn = np.zeros(3)
        turn[normal] = spin
        np.testing.assert_allclose(now.v[0, 3:], turn, atol=CLOSED)
        # counter-clockwise about the positive normal
        along = np.eye(3)[first]
        side = np.cross(np.eye(3)[normal], along)
        expected = np.cos(spin * t) * along + np.sin(spin * t) * side
        np.testing.assert_allclose(now.R[0] @ along, expected, atol=CLOSED)


def test_universal_joint_obeys_lagrange(build):
    """Second derivatives from the symbolic Lagrangian of a body on two crossed axes."""
    first, second = np.array([1.0, 2.0, -0.5]), np.array([2.0, -1.0, 0.0])
    joint = {
        "type": "universal",
        "child": "head",
        "at": [0, 0, 0],
        "axis1": first.tolist(),
        "axis2": second.tolist(),
    }
    model = build({"head": BODY}, {"cross": joint})
    accelerations = _lagrange(first, second)
    rng = np.random.default_rng(4)
    for _ in range(5):
        q, u = rng.normal(size=2), rng.normal(size=2)
        model.kinematics(0.0, q, u)
        ours, _ = model.accelerations(np.zeros(2))
        np.testing.assert_allclose(ours, accelerations(q, u), rtol=1e-11, atol=1e-11)


def _lagrange(first, second):
    """Angular accelerations as a function of angles and rates.

    Written in axes along those of the joint, where the rotation is about x, then about y.
    """
    t = sp.Symbol("t")
    a, b = (sp.Function(name)(t) for name in "ab")
    cog, gravity = sp.Matrix(sp.symbols("c:3")), sp.Matrix(sp.symbols("g:3"))
    inertia = sp.symbols("J:9")
    J = sp.Matrix(3, 3, inertia)
    R = sp.rot_ccw_axis1(a) * sp.rot_ccw_axis2(b)
    skew = R.T * R.diff(t)
    w = sp.Matrix([skew[2, 1], skew[0, 2], skew[1, 0]])
    r, v = R * cog, (R * cog).diff(t)
    m = BODY["mass"]
    L = m * v.dot(v) / 2 + w.dot(J * w) / 2 + m * gravity.dot(r)
    rates = [a.diff(t), b.diff(t)]
    residual = sp.Matrix(
        [L.diff(rate).diff(t) - L.diff(x) for x, rate in zip((a, b), rates, strict=True)]
    )
    second_order = [rate.diff(t) for rate in rates]
    plain = sp.symbols("p:6")
    residual = residual.subs(dict(zip([*second_order, *rates, a, b], plain, strict=True)))
    function = sp.lambdify([plain, cog, gravity, inertia], residual, cse=True)
    x, y = (axis / np.linalg.norm(axis) for axis in (first, second))
    P = np.column_stack([x, y, np.cross(x, y)])
    turned = P.T @ np.diag(BODY["inertia"]) @ P
    constants = (P.T @ BODY["cog"], P.T @ [0.0, 0.0, -G], turned.ravel())

    def accelerations(q, u):
        def f(rate):
            return np.ravel(function([*rate, *u, *q], *constants)).astype(float)

        zero = f([0.0, 0.0])
        return np.linalg.solve(np.column_stack([f(e) - zero for e in np.eye(2)]), -zero)

    return accelerations


def test_fixed_joint_makes_one_body_of_two(trees, build):
    """Two welded bodies move as their sum; the joint passes what the second one needs."""
    other = {"mass": 0.8, "cog": [-0.2, 0.5, 0.1], "inertia": [0.2, 0.1, 0.15]}
    pin = {"type": "spherical", "child": "a", "at": [0, 0, 0]}
    weld = {"type": "fixed", "parent": "a", "child": "b"}
    pair = build({"a": BODY, "b": other}, {"pin": pin, "weld": weld})
    mass = BODY["mass"] + other["mass"]
    cog = (BODY["mass"] * np.array(BODY["cog"]) + other["mass"] * np.array(other["cog"])) / mass
    inertia = np.zeros((3, 3))
    for body in (BODY, other):
        d = np.array(body["cog"]) - cog
        inertia += np.diag(body["inertia"]) + body["mass"] * (d @ d * np.eye(3) - np.outer(d, d))
    sum_of_both = {
        "mass": mass,
        "cog": cog.tolist(),
        "inertia": [*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]],
    }
    one = build({"a": sum_of_both}, {"pin": pin})
    start = {"pin.roll": 0.4, "pin.yaw_rate": 1.0, "pin.pitch_rate": -2.0}
    times = np.array([1.0, 3.0])
    qs, _ = trees.solve(pair, *pair.initial(start), times)
    expected, _ = trees.solve(one, *one.initial(start), times)
    np.testing.assert_allclose(qs, expected, atol=CLOSED)


def test_floating_joint_on_a_turning_body_leaves_its_child_free(trees, build):
    """A body described relative to a spinning one flies as if it were described to earth."""
    table = {"mass": 5.0, "cog": [1.0, 0.0, 0.0], "inertia": [2.0, 2.0, 3.0]}
    pivot = {"type": "revolute", "child": "table", "at": [0, 0, 0], "axis": [0.3, 0.1, 1]}
    model = build(
        {"table": table, "stone": BODY},
        {"pivot": pivot, "free": {"type": "floating", "parent": "table", "child": "stone"}},
    )
    q, u = model.initial({"pivot.angle_rate": 2.5, "stone.surge_rate": 1.0, "stone.roll_rate": 3.0})
    start = model.kinematics(0.0, q, u).copy()
    alone = build({"stone": BODY}, {"free": {"type": "floating", "child": "stone"}})
    q2, u2 = alone.initial()
    u2[:] = start.v[1]
    times = np.array([0.5, 2.0])
    qs, us = trees.solve(model, q, u, times)
    q2s, u2s = trees.solve(alone, q2, u2, times)
    for k in range(2):
        relative, free = model.kinematics(0.0, qs[k], us[k]), alone.kinematics(0.0, q2s[k], u2s[k])
        np.testing.assert_allclose(relative.r[1], free.r[0], atol=CLOSED)
        np.testing.assert_allclose(relative.R[1], free.R[0], atol=CLOSED)
        np.testing.assert_allclose(relative.v[1], free.v[0], atol=CLOSED)


def test_revolute_joint_with_a_torsional_spring_has_its_period(trees, build):
    """From 30 degrees: angle cos(w t) with w² = k / (J + m l²), gravity off."""
    body = {"mass": 2.0, "cog": [0.5, 0.0, 0.0], "inertia": [0.7, 0.9, 0.5]}
    pin = {"type": "revolute", "child": "door", "at": [0, 0, 0], "axis": [0, 0, 1]}
    spring = {"type": "joint", "joint": "pin", "stiffness": 40.0}
    model = build(
        {"door": body}, {"pin": pin}, elements={"s": spring}, environment={"gravity": 0.0}
    )
    w = np.sqrt(40.0 / (0.5 + 2.0 * 0.25))
    times = np.array([1.0, 7.3])
    qs, us = trees.solve(model, *model.initial({"pin.angle_deg": 30.0}), times)
    np.testing.assert_allclose(qs[:, 0], np.radians(30.0) * np.cos(w * times), atol=CLOSED)
    model.kinematics(times[1], qs[1], us[1])
    assert model.energy().total == pytest.approx(20.0 * np.radians(30.0) ** 2, rel=1e-10)


def test_period_of_a_full_turn_of_the_pendulum(trees, build):
    """Through the top: the period of the rotating pendulum is 2 k K(k) / w0."""
    body = {"mass": 1.0, "cog": [0.0, 0.0, -1.0], "inertia": [0.2, 0.3, 0.2]}
    pin = {"type": "revolute", "child": "bob", "at": [0, 0, 0], "axis": [0, 1, 0]}
    model = build({"bob": body}, {"pin": pin})
    w0 = np.sqrt(G / 1.3)
    rate = 3.0 * w0
    k = 2.0 * w0 / rate
    period = 2.0 * k * ellipk(k * k) / w0
    qs, us = trees.solve(model, *model.initial({"pin.angle_rate": rate}), np.array([period]))
    np.testing.assert_allclose([qs[0, 0], us[0, 0]], [2.0 * np.pi, rate], atol=CLOSED)
