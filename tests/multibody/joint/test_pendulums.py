"""Planar pendulums: closed forms and published cases.

Values with twelve digits were computed by two formulations that agree to them (multipliers
against minimal coordinates). Angles of the published planar cases are absolute, about +y,
from the hanging position.
"""

import numpy as np
import pytest
from scipy.special import ellipj, ellipk, ellipkinc

# the reference series are printed with twelve decimals; our solver runs at rtol 1e-12
PRINTED = 2e-11


def table(columns, text):
    return np.array(text.split(), dtype=float).reshape(-1, columns)


def rod(z, *, mass=1.0, inertia=1.0):
    """A body hanging with its centre of gravity at height z; `inertia` about y."""
    return {"mass": mass, "cog": [0, 0, z], "inertia": [inertia] * 3}


def hinge(child, z, parent="earth"):
    return {
        "type": "revolute",
        "parent": parent,
        "child": child,
        "at": [0, 0, z],
        "axis": [0, 1, 0],
    }


class TestDoublePendulum:
    """Two links of m = J = 1, hinges at z = 0 and -1, released at 23 degrees."""

    # t, theta1, theta2, rates, x1, z1, x2, z2
    REFERENCE = table(
        9,
        """
        0.5  0.136878929700  0.320370050055 -0.90708109554 -0.36590259608
            -0.068225953138 -0.495323348247 -0.293910808120 -1.465206170353
        1.0 -0.271763466528 -0.003786074571 -0.50102968671 -0.90985550798
             0.134215299391 -0.481649513038  0.270323631545 -1.463295442490
        2.0  0.058785419907 -0.647492096060  0.61365646945  0.28594999889
            -0.029375784022 -0.499136317365  0.242842433432 -1.397072156138
        5.0 -0.044517941260 -0.668747924619 -0.67843990361  0.17900680086
             0.022251619046 -0.499504620049  0.354505286454 -1.391308526371
        10.0 -0.062612576153  0.707157536329 -0.31098690413  0.72289588356
             0.031285836898 -0.499020236473 -0.262266088487 -1.378146284787
        20.0  0.119475909027  0.379973120770  0.90120507624  0.30538490877
            -0.059595934414 -0.496435619795 -0.304639622572 -1.457208542239
        30.0  0.186380644373  0.113224874611 -0.34552402515  1.49490050871
            -0.092651721592 -0.491340674569 -0.241794997298 -1.479479803558
        """,
    )

    @pytest.fixture
    def model(self, build):
        return build(
            {"upper": rod(-0.5), "lower": rod(-1.5)},
            {"top": hinge("upper", 0.0), "middle": hinge("lower", -1.0, "upper")},
        )

    def test_released_at_23_degrees(self, trees, model):
        q, u = model.initial({"top.angle_deg": 23.0})
        reference = self.REFERENCE
        qs, us = trees.solve(model, q, u, reference[:, 0])
        for q, u, row in zip(qs, us, reference, strict=True):
            r = model.kinematics(0.0, q, u).r
            ours = [q[0], q.sum(), u[0], u.sum(), r[0, 0], r[0, 2], r[1, 0], r[1, 2]]
            np.testing.assert_allclose(ours, row[1:], rtol=0.0, atol=PRINTED)

    def test_energy_at_the_start(self, model):
        model.kinematics(0.0, *model.initial({"top.angle_deg": 23.0}))
        assert model.energy().total == pytest.approx(-18.060305224736882, abs=1e-13)

    @pytest.mark.parametrize("rate", [-0.4, -4.0])
    def test_energy_is_kept_from_other_starts(self, trees, model, rate):
        q, u = model.initial({"top.angle_rate": rate, "middle.angle_rate": -rate})
        qs, us = trees.solve(model, q, u, np.array([0.0, 10.0]))
        model.kinematics(0.0, qs[0], us[0])
        start = model.energy()
        model.kinematics(0.0, qs[1], us[1])
        assert model.energy().total - start.total == pytest.approx(0.0, abs=1e-9 * start.kinetic)


class TestDoublePendulumOnACart:
    """A slider pushed by 3 cos(1.5 t) carries two links; m = J = 1."""

    # t, S1, theta2, theta3, rates, x2, z2, x3, z3
    REFERENCE = table(
        11,
        """
        0.1  0.008145423757  0.005138925654  0.000942589886
             0.16208576369   0.10165736837   0.01896596946
             0.004933609360 -0.499991747344  0.001892862969 -1.499984923101
        0.5001  0.180562189383  0.097670411028  0.026303952439
             0.63234281147   0.27371549002   0.11366376425
             0.119615191186 -0.497021272474  0.057707132993 -1.494465325949
        1.0  0.507758023363  0.131685941531  0.109160821707
             0.56662425863  -0.22299757258   0.18459831143
             0.425691977757 -0.494588705642  0.305567063323 -1.487283605920
        2.0  0.750088994552 -0.222198863023 -0.034807363266
             0.02806360966   0.05409831612  -0.58113950504
             0.887823343675 -0.484634520899  1.015410990574 -1.472039280063
        5.0  0.425323569039  0.144159568969  0.311853129999
             0.22524497405  -0.52808031875  -0.60037951359
             0.335535589470 -0.493516870202  0.110293751044 -1.464213677214
        10.0  0.675325711565 -0.091373371971 -0.326980372641
             0.62011130152   0.27645000948   0.16470440574
             0.732354635049 -0.497392723195  0.938570203864 -1.468815160832
        """,
    )

    def test_published_motion(self, trees, build):
        slide = {"type": "prismatic", "child": "cart", "at": [0, 0, 0.125], "axis": [2, 0, 0]}
        model = build(
            {"cart": rod(0.125), "upper": rod(-0.5), "lower": rod(-1.5)},
            {
                "rail": slide,
                "top": hinge("upper", 0.125, "cart"),
                "middle": hinge("lower", -1.0, "upper"),
            },
            elements={"push": {"type": "force", "point": "cart", "force": ["3*cos(1.5*t)", 0, 0]}},
        )
        qs, us = trees.solve(model, *model.initial(), self.REFERENCE[:, 0])
        for q, u, row in zip(qs, us, self.REFERENCE, strict=True):
            r = model.kinematics(row[0], q, u).r
            ours = [q[0], q[1], q[1:].sum(), u[0], u[1], u[1:].sum(), *r[1, ::2], *r[2, ::2]]
            np.testing.assert_allclose(ours, row[1:], rtol=0.0, atol=PRINTED)


class TestChainOfRods:
    """n uniform rods of 2 m and 10 kg, stretched out along +x, at rest."""

    # n, t, theta_1, theta_n, x_n, z_n
    REFERENCE = table(
        6,
        """
        1 0.5  -0.675995158817 -0.675995158817  0.625673934575 -0.780084692578
        1 1.0   1.079119465546  1.079119465546 -0.881542444166 -0.472104775589
        1 2.0   0.193537449151  0.193537449151 -0.192331496133 -0.981330013602
        1 10.0  0.899396001825  0.899396001825 -0.782951315480 -0.622082982880
        2 0.5  -0.883651826186 -1.583037239296  2.546046080452 -1.256423988328
        2 1.0  -0.055485663526  0.504546764399 -0.372496335077 -2.872315794191
        2 2.0   1.350261778149  1.878478450966 -2.904599410183 -0.134652085088
        5 0.5  -1.015793575759 -1.574592939821  8.681327740128 -1.227615947654
        5 1.0  -0.496675543924 -1.680511120904  6.533648836473 -4.933535636980
        5 2.0   0.447117926449  1.073074459784 -6.629072827186 -5.727370413071
        """,
    )

    def chain(self, build, n):
        bodies = {f"rod{i}": rod(-1.0 - 2.0 * i, mass=10.0, inertia=10.0 / 3.0) for i in range(n)}
        joints = {
            f"pin{i}": hinge(f"rod{i}", -2.0 * i, f"rod{i - 1}" if i else "earth") for i in range(n)
        }
        model = build(bodies, joints)
        q, u = model.initial({"pin0.angle": -np.pi / 2})
        return model, q, u

    @pytest.mark.parametrize("n", [1, 2, 5])
    def test_published_motion(self, trees, build, n):
        model, q, u = self.chain(build, n)
        reference = self.REFERENCE[self.REFERENCE[:, 0] == n]
        qs, us = trees.solve(model, q, u, reference[:, 1])
        for q, u, row in zip(qs, us, reference, strict=True):
            r = model.kinematics(0.0, q, u).r
            ours = [q[0], q.sum(), r[-1, 0], r[-1, 2]]
            np.testing.assert_allclose(ours, row[2:], rtol=0.0, atol=PRINTED)

    def test_first_angular_accelerations_of_a_long_chain(self, build):
        model, q, u = self.chain(build, 10)
        model.kinematics(0.0, q, u)
        angular = model.accelerations(np.zeros(10))[1][:, 4]
        expected = [6.21929079, -1.66645394, 0.44652499]
        np.testing.assert_allclose(angular[:3], expected, rtol=0.0, atol=1e-6)
        assert angular[9] == pytest.approx(-5.61454784037e-05, rel=1e-10)

    def test_energy_of_a_chaotic_chain_is_kept(self, trees, build):
        """The paper's chain has zero energy with the first hinge at the datum."""
        model, q, u = self.chain(build, 10)
        qs, us = trees.solve(model, q, u, np.array([5.0]), rtol=1e-11)
        model.kinematics(0.0, q, u)
        assert model.energy().total == pytest.approx(0.0, abs=1e-11)
        model.kinematics(0.0, qs[0], us[0])
        assert abs(model.energy().total) <= 1e-9 * model.energy().kinetic


def test_single_pendulum_against_elliptic_functions(trees, build):
    """theta = -2 asin(k sn(w0 t, k)) from theta' = -0.4 at the bottom."""
    model = build({"link": rod(-0.5)}, {"pin": hinge("link", 0.0)})
    w0 = np.sqrt(9.81 * 0.5 / 1.25)
    k = 0.4 / (2.0 * w0)
    assert 4.0 * ellipk(k * k) / w0 == pytest.approx(3.17999986093085585, abs=1e-13)
    times = np.array([1.0, 10.0, 30.0])
    qs, _ = trees.solve(model, *model.initial({"pin.angle_rate": -0.4}), times)
    exact = -2.0 * np.arcsin(k * ellipj(w0 * times, k * k)[0])
    np.testing.assert_allclose(qs[:, 0], exact, rtol=0.0, atol=1e-11)
    np.testing.assert_allclose(exact[:2], [-0.185929631478407, -0.159608119697401], atol=1e-13)


def test_pendulum_on_a_spherical_joint_swings_as_on_a_hinge(trees, build):
    """A quarter turn against the elliptic integral of the first kind."""
    body = {"mass": 2.0, "cog": [0.0, 0.0, -1.0], "inertia": [0.3, 0.2, 0.4]}
    model = build({"bob": body}, {"pin": {"type": "spherical", "child": "bob", "at": [0, 0, 0]}})
    amplitude = 1.2
    k = np.sin(0.5 * amplitude)
    frequency = np.sqrt(2.0 * 9.81 / (0.3 + 2.0))
    # from the amplitude to 0.4 rad
    t = (ellipk(k * k) - ellipkinc(np.arcsin(np.sin(0.2) / k), k * k)) / frequency
    q, u = model.initial({"pin.roll": amplitude})
    qs, us = trees.solve(model, q, u, np.array([t]))
    R = model.kinematics(0.0, qs[0], us[0]).R[0]
    assert np.arctan2(R[2, 1], R[2, 2]) == pytest.approx(0.4, abs=1e-11)
