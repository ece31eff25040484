"""The planar cases of the joint-coordinate paper (Python Multibody for Everybody).

Definitions: the paper, sections 4.1, 4.2.1 to 4.2.3 and 4.4, and the authors' input files
(double_pendulum.py, slider_w_dpend.py, spiderfloat.py, _4_Flexible_pendulum.py). The paper
prints no trajectories; the numbers here were computed independently of this package by two
formulations each (joint coordinates and Cartesian coordinates with multipliers; polar and
Cartesian for case 4) that agree to 1e-13, and are printed to 12 digits.

The paper's angles are absolute, clockwise from +z towards +x, which is a rotation about +y;
ours are relative. Its criterion is NRMSE = sqrt(mean((x - ref)²)) / max|ref| with 2e-4 as
its "high accuracy" (eq. 9-11, after Gonzalez et al. 2006).
"""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from cosim.integrate.settings import TimeSettings
from cosim.model import System
from cosim.multibody.joint import JointModel

HIGH_ACCURACY = 2e-4  # NRMSE, eq. 10 of the paper
DEFAULT = TimeSettings(end=1.0)  # the package's own tolerances


def body(x, z, *, mass=1.0, J=1.0, **points):
    named = {name: [px, 0.0, pz] for name, (px, pz) in points.items()}
    return {"mass": mass, "cog": [x, 0.0, z], "inertia": [J, J, J], "points": named}


def revolute(child, x, z, parent="earth"):
    return {
        "type": "revolute",
        "parent": parent,
        "child": child,
        "at": [x, 0.0, z],
        "axis": [0.0, 1.0, 0.0],
    }


def slide(child, x, z, parent="earth"):
    return {**revolute(child, x, z, parent), "type": "prismatic", "axis": [1.0, 0.0, 0.0]}


def right_side(model):
    no_load = np.zeros(model.nu)

    def f(t, y):
        q, u = np.ascontiguousarray(y[: model.nq]), np.ascontiguousarray(y[model.nq :])
        model.kinematics(t, q, u)
        return np.concatenate([model.q_dot(q, u), model.accelerations(no_load)[0]])

    return f


def solve(model, start, times, **settings):
    """States at `times`, tightly by default."""
    options = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13, "max_step": 0.1, **settings}
    y0 = np.concatenate(model.initial(start))
    solution = solve_ivp(right_side(model), (0.0, times[-1]), y0, t_eval=times, **options)
    assert solution.success
    return solution.y.T


def body_rows(model, states, times):
    """(x, z) of all centres of gravity, (times, n, 2)."""
    places = []
    for t, y in zip(times, states, strict=True):
        state = model.kinematics(t, y[: model.nq].copy(), y[model.nq :].copy())
        places.append(state.r[:, [0, 2]].copy())
    return np.array(places)


def nrmse(model, start, end):
    """Of the bodies' x and z at the default tolerances against the tight solution."""
    times = np.linspace(0.0, end, int(end / 0.05) + 1)
    exact = solve(model, start, times)
    default = solve(
        *(model, start, times), method="RK45", rtol=DEFAULT.rtol, atol=DEFAULT.atol, max_step=np.inf
    )
    got, expected = (body_rows(model, y, times) for y in (default, exact))
    size = np.abs(expected).max(axis=0)
    moves = size > 1e-6
    return (np.sqrt(np.mean((got - expected) ** 2, axis=0))[moves] / size[moves]).max()


# --- section 4.2.1: double pendulum ---------------------------------------------------------


def double_pendulum(J=1.0):
    return JointModel(
        System.from_dict(
            {
                "bodies": {"one": body(0.0, -0.5, J=J), "two": body(0.0, -1.5, J=J)},
                "joints": {"top": revolute("one", 0, 0), "mid": revolute("two", 0, -1, "one")},
            }
        )
    )


START_DP = {"top.angle_deg": 23.0}
# t, theta1, theta2 (absolute), their rates, x1, z1, x2, z2
DOUBLE_PENDULUM = [
    (0.5, 0.136878929700, 0.320370050055, -0.90708109554, -0.36590259608,
     -0.068225953138, -0.495323348247, -0.293910808120, -1.465206170353),
    (1.0, -0.271763466528, -0.003786074571, -0.50102968671, -0.90985550798,
     0.134215299391, -0.481649513038, 0.270323631545, -1.463295442490),
    (2.0, 0.058785419907, -0.647492096060, 0.61365646945, 0.28594999889,
     -0.029375784022, -0.499136317365, 0.242842433432, -1.397072156138),
    (5.0, -0.044517941260, -0.668747924619, -0.67843990361, 0.17900680086,
     0.022251619046, -0.499504620049, 0.354505286454, -1.391308526371),
    (10.0, -0.062612576153, 0.707157536329, -0.31098690413, 0.72289588356,
     0.031285836898, -0.499020236473, -0.262266088487, -1.378146284787),
    (20.0, 0.119475909027, 0.379973120770, 0.90120507624, 0.30538490877,
     -0.059595934414, -0.496435619795, -0.304639622572, -1.457208542239),
    (30.0, 0.186380644373, 0.113224874611, -0.34552402515, 1.49490050871,
     -0.092651721592, -0.491340674569, -0.241794997298, -1.479479803558),
]  # fmt: skip


def test_double_pendulum_pointwise():
    model, table = double_pendulum(), np.array(DOUBLE_PENDULUM)
    y = solve(model, START_DP, table[:, 0])
    angles = np.stack([y[:, 0], y[:, 0] + y[:, 1], y[:, 2], y[:, 2] + y[:, 3]], axis=1)
    np.testing.assert_allclose(angles, table[:, 1:5], atol=1e-8)
    places = body_rows(model, y, table[:, 0]).reshape(-1, 4)
    np.testing.assert_allclose(places, table[:, 5:], atol=1e-8)


def test_double_pendulum_energy():
    model = double_pendulum()
    for y in solve(model, START_DP, [0.0, 10.0, 30.0]):
        model.kinematics(0.0, y[:2].copy(), y[2:].copy())
        assert model.energy().total == pytest.approx(-18.060305224736882, abs=1e-9)


def test_double_pendulum_at_default_tolerance():
    assert nrmse(double_pendulum(), START_DP, 30.0) <= HIGH_ACCURACY


@pytest.mark.parametrize(("J", "rate", "end"), [(1.0, -0.4, 30.0), (1.0, -4.0, 10.0),
                                                (1.0 / 12.0, -0.4, 30.0)])  # fmt: skip
def test_double_pendulum_of_the_authors_files(J, rate, end):
    """Both links hanging, the upper one pushed; against Lagrange's equations of absolute angles."""

    def lagrange(t, y):
        a, b, wa, wb = y
        c, s = 0.5 * math.cos(a - b), 0.5 * math.sin(a - b)
        M = [[J + 1.25, c], [c, J + 0.25]]
        f = [-s * wb**2 - 1.5 * 9.81 * math.sin(a), s * wa**2 - 0.5 * 9.81 * math.sin(b)]
        return [wa, wb, *np.linalg.solve(M, f)]

    times = np.linspace(0.0, end, 31)
    y = solve(double_pendulum(J), {"top.angle_rate": rate, "mid.angle_rate": -rate}, times)
    expected = solve_ivp(
        *(lagrange, (0.0, end), [0.0, 0.0, rate, 0.0]),
        method="DOP853", t_eval=times, rtol=1e-12, atol=1e-13, max_step=0.1,
    ).y.T  # fmt: skip
    got = np.stack([y[:, 0], y[:, 0] + y[:, 1], y[:, 2], y[:, 2] + y[:, 3]], axis=1)
    np.testing.assert_allclose(got, expected, atol=1e-8)


# --- section 4.2.2: double pendulum on a cart -----------------------------------------------


def cart():
    return JointModel(
        System.from_dict(
            {
                "bodies": {
                    "cart": body(0.0, 0.125),
                    "one": body(0.0, -0.5),
                    "two": body(0.0, -1.5),
                },
                "joints": {
                    "rail": slide("cart", 0, 0),
                    "top": revolute("one", 0, 0.125, "cart"),
                    "mid": revolute("two", 0, -1, "one"),
                },
                "elements": {
                    "push": {"type": "force", "point": "cart", "force": ["3*cos(1.5*t)", 0, 0]}
                },
            }
        )
    )


# t, S1, theta2, theta3 (absolute), their rates, x2, z2, x3, z3
CART = [
    (0.1, 0.008145423757, 0.005138925654, 0.000942589886, 0.16208576369, 0.10165736837,
     0.01896596946, 0.004933609360, -0.499991747344, 0.001892862969, -1.499984923101),
    (0.5001, 0.180562189383, 0.097670411028, 0.026303952439, 0.63234281147, 0.27371549002,
     0.11366376425, 0.119615191186, -0.497021272474, 0.057707132993, -1.494465325949),
    (1.0, 0.507758023363, 0.131685941531, 0.109160821707, 0.56662425863, -0.22299757258,
     0.18459831143, 0.425691977757, -0.494588705642, 0.305567063323, -1.487283605920),
    (2.0, 0.750088994552, -0.222198863023, -0.034807363266, 0.02806360966, 0.05409831612,
     -0.58113950504, 0.887823343675, -0.484634520899, 1.015410990574, -1.472039280063),
    (5.0, 0.425323569039, 0.144159568969, 0.311853129999, 0.22524497405, -0.52808031875,
     -0.60037951359, 0.335535589470, -0.493516870202, 0.110293751044, -1.464213677214),
    (10.0, 0.675325711565, -0.091373371971, -0.326980372641, 0.62011130152, 0.27645000948,
     0.16470440574, 0.732354635049, -0.497392723195, 0.938570203864, -1.468815160832),
]  # fmt: skip


def test_cart_pointwise():
    model, table = cart(), np.array(CART)
    y = solve(model, {}, table[:, 0])
    absolute = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 1]])
    got = np.concatenate([y[:, :3] @ absolute.T, y[:, 3:] @ absolute.T], axis=1)
    np.testing.assert_allclose(got, table[:, 1:7], atol=1e-8)
    places = body_rows(model, y, table[:, 0])[:, 1:].reshape(-1, 4)
    np.testing.assert_allclose(places, table[:, 7:], atol=1e-8)


def test_cart_at_the_end_of_the_papers_run():
    y = solve(cart(), {}, [100.0])
    assert y[0, 0] == pytest.approx(0.11524, abs=5e-6)  # printed to five digits


def test_cart_at_default_tolerance():
    assert nrmse(cart(), {}, 100.0) <= HIGH_ACCURACY


# --- section 4.2.3: SpiderFLOAT, planar -----------------------------------------------------


def spider_elements():
    def spring(first, second, length):
        return {"type": "tension", "points": [first, second], "stiffness": 0.1, "length": length}

    def damper(first, second):
        return {"type": "tension", "points": [first, second], "damping": 3.0}

    def torsion(first, second):
        return {"type": "torsion", "bodies": [first, second], "axis": [0, 1, 0],
                "stiffness": 100.0, "damping": 10.0}  # fmt: skip

    def force(point, x, z):
        return {"type": "force", "point": point, "force": [x, 0, z]}

    return {
        "heave": force("b1", 0, "cos(t)"),
        "push4": force("b4", "cos(t)", 0),
        "push5": force("b5", "-cos(t)", 0),
        "s1": spring("b1/p0", "b2/p0", 9.0139),
        "s2": spring("b1/p1", "b3/p0", 9.0139),
        "s3": spring("b1/p2", "b2/p1", 11.8004),
        "s4": spring("b1/p3", "b3/p1", 11.8004),
        "s5": spring("b2/p0", "earth/gr0", 3.0414),
        "s6": spring("earth/gr1", "b3/p0", 3.0414),
        "d1": damper("earth/gr0", "b2"),
        "d2": damper("earth/gr1", "b3"),
        "t12": torsion("b1", "b2"),
        "t13": torsion("b1", "b3"),
    }


def spiderfloat():
    bodies = {
        "b1": body(10, 6, J=2.0, p0=(10.5, 3.5), p1=(9.5, 3.5), p2=(10.5, 11), p3=(9.5, 11)),
        "b2": body(15.5, 4, J=2.0, p0=(19.5, 4), p1=(20, 4)),
        "b3": body(4.5, 4, J=2.0, p0=(0.5, 4), p1=(0, 4)),
        "b4": body(20.5, 4, J=2.0),
        "b5": body(-0.5, 4, J=2.0),
        "b6": body(20.5, 5.5, J=2.0),
        "b7": body(-0.5, 5.5, J=2.0),
    }
    joints = {
        "free": {"type": "planar", "child": "b1", "at": [10, 0, 6]},
        "r12": revolute("b2", 10.5, 4, "b1"),
        "r13": revolute("b3", 9.5, 4, "b1"),
        "p24": slide("b4", 20, 4, "b2"),
        "p35": slide("b5", 0, 4, "b3"),
        "r46": revolute("b6", 20.5, 4, "b4"),
        "r57": revolute("b7", -0.5, 4, "b5"),
    }
    return JointModel(
        System.from_dict(
            {
                "environment": {"gravity": 0.0},
                "bodies": bodies,
                "joints": joints,
                "earth_points": {"gr0": [20, 0, 0], "gr1": [0, 0, 0]},
                "elements": spider_elements(),
            }
        )
    )


# t, Z1, theta2, S4, theta6 (absolute), their rates, kinetic energy plus that of the springs
SPIDER = [
    (1.0, 6.214643578571, 0.023796680253, 0.315075148564, -0.110087028970, 0.28516271868,
     0.02908001873, 0.57824277541, -0.20160577207, 0.705113492519),
    (5.0, 5.501053244708, -0.035520265973, 0.587302389529, -0.249570739664, 0.36098134236,
     0.07234679110, -0.65161337552, 0.24213214028, 1.160271856556),
]  # fmt: skip


def test_spiderfloat_pointwise():
    model, table = spiderfloat(), np.array(SPIDER)
    assert model.speeds[:3] == ("free.x", "free.z", "free.angle")
    times = table[:, 0]
    for t, y, row in zip(times, solve(model, {}, times), table, strict=True):
        q, u = y[: model.nq].copy(), y[model.nq :].copy()
        coordinates = [(x[1], x[3], x[5], x[3] + x[7]) for x in (q, u)]
        got = np.concatenate(coordinates) + np.array([6.0, 0, 0, 0, 0, 0, 0, 0])
        np.testing.assert_allclose(got, row[1:9], atol=1e-8)
        # symmetric motion
        np.testing.assert_allclose(
            [q[0], q[2], q[3] + q[4], q[5] + q[6], q[7] + q[8]], 0, atol=1e-11
        )
        model.kinematics(t, q, u)
        assert model.energy().total == pytest.approx(row[9], abs=1e-8)


def test_spiderfloat_energy_at_the_start():
    model = spiderfloat()
    model.kinematics(0.0, *model.initial())
    assert model.energy().total == pytest.approx(0.09795632453632, abs=1e-13)


def test_spiderfloat_energy_is_the_work_of_dampers_and_forces():
    model = spiderfloat()
    f = right_side(model)

    def with_work(t, y):
        rate = f(t, y[:-1])
        return np.append(rate, model.nonconservative_power())

    y0 = np.append(np.concatenate(model.initial()), 0.0)
    solution = solve_ivp(with_work, (0.0, 10.0), y0, method="DOP853", rtol=1e-11, atol=1e-11)
    model.kinematics(10.0, *np.split(solution.y[:-1, -1].copy(), [model.nq]))
    gained = model.energy().total - 0.09795632453632
    assert gained == pytest.approx(solution.y[-1, -1], abs=1e-9)


def test_spiderfloat_at_default_tolerance():
    assert nrmse(spiderfloat(), {}, 10.0) <= HIGH_ACCURACY


# --- section 4.4: pendulum on a linear spring -----------------------------------------------

L0, STIFFNESS = 100.5, 1e9 / 100.5


def flexible_pendulum():
    return JointModel(
        System.from_dict(
            {
                "environment": {"gravity": 9.80665},
                "bodies": {"bob": body(10.0, -100.00216312373226, mass=1e5, J=1e5)},
                "joints": {"free": {"type": "planar", "child": "bob",
                                    "at": [10.0, 0, -100.00216312373226]}},
                "earth_points": {"top": [0, 0, 0]},
                "elements": {"spring": {"type": "tension", "points": ["earth/top", "bob"],
                                        "stiffness": STIFFNESS, "length": L0}},
            }
        )
    )  # fmt: skip


# t, x, z, vx, vz
FLEXIBLE = [
    (0.1, 9.99956927994, -100.04688829522, -0.0160725155, -0.8198906899),
    (1.0, 9.53600130830, -100.22839677148, -1.0029990337, 0.4134146019),
    (5.0, 0.10704981104, -100.50960788817, -3.1321514243, 0.3648033031),
    (12.0, -8.24315305432, -100.16774915616, 1.7436412514, -0.4510725222),
]


def test_flexible_pendulum_pointwise():
    model, table = flexible_pendulum(), np.array(FLEXIBLE)
    y = solve(model, {}, table[:, 0], atol=1e-12)
    np.testing.assert_allclose(body_rows(model, y, table[:, 0])[:, 0], table[:, 1:3], atol=1e-8)
    np.testing.assert_allclose(y[:, 3:5], table[:, 3:5], atol=1e-8)


def test_flexible_pendulum_energy():
    model = flexible_pendulum()
    for y in solve(model, {}, [0.0, 12.0]):
        model.kinematics(0.0, y[:3].copy(), y[3:].copy())
        assert model.energy().total == pytest.approx(-98068617.192501, rel=1e-11)


def test_flexible_pendulum_periods():
    """Passages through the vertical; twice their distance is the swing period, 20.1367 s."""
    model = flexible_pendulum()
    y0 = np.concatenate(model.initial())
    solution = solve_ivp(
        *(right_side(model), (0.0, 36.0), y0), method="DOP853", rtol=1e-11, atol=1e-11,
        max_step=0.05, dense_output=True,
    )  # fmt: skip
    got = [
        brentq(lambda t: solution.sol(t)[0] + 10.0, t - 0.5, t + 0.5, xtol=1e-12)
        for t in (5.0, 15.1, 25.2, 35.2)
    ]
    np.testing.assert_allclose(got, [5.03417763, 15.10253281, 25.17088771, 35.23924218], atol=2e-8)


def test_flexible_pendulum_at_default_tolerance():
    assert nrmse(flexible_pendulum(), {}, 12.0) <= HIGH_ACCURACY


# --- section 4.1: Ginsberg, example 7.13, inverted pendulum between two springs ---------------


def test_inverted_pendulum_between_springs():
    """K = 2 k l0 a² b² / (a² + b²)^(3/2) - m g L / 2 (eq. 7 of the paper), mass m L² / 3."""
    a, b, k, l0, m, L = 0.6, 0.8, 1000.0, 0.9, 10.0, 2.0
    spring = {"type": "tension", "stiffness": k, "length": l0}
    model = JointModel(
        System.from_dict(
            {
                "environment": {"gravity": 9.81},
                "bodies": {"rod": body(0.0, L / 2, mass=m, J=m * L**2 / 12, grip=(0.0, b))},
                "joints": {"foot": revolute("rod", 0, 0)},
                "earth_points": {"left": [-a, 0, 0], "right": [a, 0, 0]},
                "elements": {
                    "left": {**spring, "points": ["rod/grip", "earth/left"]},
                    "right": {**spring, "points": ["rod/grip", "earth/right"]},
                },
            }
        )
    )

    def acceleration(angle):
        model.kinematics(0.0, np.array([angle]), np.zeros(1))
        return model.accelerations(np.zeros(1))[0][0]

    h = 1e-3  # fourth-order difference
    slope = 8 * (acceleration(h) - acceleration(-h)) - acceleration(2 * h) + acceleration(-2 * h)
    slope /= 12 * h
    assert -slope * m * L**2 / 3 == pytest.approx(316.62, rel=1e-9)
    assert math.sqrt(-slope) == pytest.approx(4.8730380667505562741, rel=1e-9)
