"""Four-bar mechanisms of the IFToMM library (A02) through their singular points.

Twice per revolution all rods lie on one line, where the loop ties one direction less and another
motion branches off. On the parallelogram branch the angle th of the cranks from the vertical obeys

    J th'' = P g sin th,   J = (N + 1)/3 + N,   P = (N + 1)/2 + N   (rods of 1 m, 1 kg, B at 1 m/s),

solved here by SciPy to 1e-13. Reference: passages and period for N = 1 and the table for N = 2,
closed form by Jacobi functions (the library's definition; 30 digits). Tolerances: the error of the
method, which is that of SciPy's same method on this one equation at the same rtol;
the library asks for 1e-3 (its high accuracy level).
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq

import cosim
from cosim.coupling.manager import ExternalForcesManager
from cosim.integrate.settings import TimeSettings
from cosim.integrate.simulation import Simulation
from cosim.model import System
from cosim.multibody.joint import JointModel

CASE = Path(__file__).parents[2] / "cases" / "four_bar"
G = 9.81
LIFT = np.array([0.0, 0.0, G])
PERIOD = 1.923711817338966
PASSAGES = (0.708450008836, 1.215261808503)
ENERGY = 20.453333333333
TWO_LOOPS = {
    0.5: (0.6952866331644, 0.7187325634357, 1.960205425372, -1.896261140587),
    1.0: (-0.1950203019494, -0.9807992056622, -6.676678036881, 1.327578325160),
    2.0: (0.0578157957680, 0.9983272678635, 1.017260136620, -0.058912248713),
    4.0: (0.1176161023768, 0.9930591384513, 1.069039265029, -0.126615049167),
    5.0: (-0.8113104610051, -0.5846155453490, -3.569117397193, 4.953105171313),
    9.99: (0.3143667284635, 0.9493016169981, 1.395339689192, -0.462074819354),
    10.0: (0.3284581115408, 0.9445185381786, 1.423051470207, -0.494868845487),
    20.0: (0.8397465743068, 0.5429785363529, 1.838222644197, -2.842913789274),
}


def one_equation(times, method="DOP853", rtol=1e-13, loops=1):
    """Angle of the cranks at `times` from the one equation of motion."""
    J, P = (loops + 1) / 3 + loops, (loops + 1) / 2 + loops
    solution = solve_ivp(
        lambda t, y: (y[1], P * G / J * np.sin(y[0])),
        (0.0, times[-1]),
        (0.0, 1.0),
        method,
        times,
        rtol=rtol,
        atol=max(1e-2 * rtol, 1e-15),
    )
    return solution.y[0]


def run(**time):
    return cosim.run(cosim.read_case(CASE, [f"time.{key}={value}" for key, value in time.items()]))


def angles(results):
    return np.radians(results.joint_rotation_deg.values)


@pytest.fixture(scope="module")
def default():
    return run()


@pytest.mark.parametrize(
    ("method", "rtol"), [("RK45", 1e-6), ("DOP853", 1e-8), ("DOP853", 1e-10), ("Radau", 1e-6)]
)
def test_singular_points_cost_no_accuracy(method, rtol):
    """Ten revolutions as exact as the one equation without a loop by the same method."""
    results = run(method=method, rtol=rtol, atol=1e-2 * rtol)
    times = results.time.values
    exact = one_equation(times)
    alone = np.abs(one_equation(times, method, rtol) - exact).max()
    theta = angles(results)
    assert np.abs(theta[:, 0] - exact).max() < 2.0 * alone
    # the parallelogram branch: coupler parallel to earth, rocker parallel to the crank
    np.testing.assert_allclose(theta[:, 1], -theta[:, 0], atol=1e-9)
    np.testing.assert_allclose(theta[:, 2], theta[:, 0], atol=1e-9)


def test_default_run(default):
    times = default.time.values
    error = np.abs(angles(default)[:, 0] - one_equation(times))
    assert error.max() < 1e-5
    assert error[times <= 2.0 * PERIOD].max() < 1e-7
    energy = default["energy/kinetic"] + default["energy/potential"]
    assert energy[0] == pytest.approx(ENERGY, rel=1e-13)
    np.testing.assert_allclose(energy, ENERGY, atol=1e-6 * 2.0 * 2.0 * G)
    assert np.abs(default["ledger/balance"]).max() < 1e-7


def test_passages_and_period():
    results = run(end=2.5, **{"rtol": 1e-10, "atol": 1e-12})
    theta = CubicSpline(results.time.values, angles(results)[:, 0])
    for angle, time in zip((0.5 * np.pi, 1.5 * np.pi), PASSAGES, strict=True):
        assert brentq(lambda t, a=angle: theta(t) - a, 0.0, 2.5) == pytest.approx(time, abs=1e-6)
    assert brentq(lambda t: theta(t) - 2.0 * np.pi, 0.0, 2.5) == pytest.approx(PERIOD, abs=1e-6)


def test_loads_of_the_hinges_balance(default):
    """On the parallelogram branch every rod's own balance gives the hinges in closed form."""
    results = default.sel(time=slice(0.02, None))
    force = results.joint_force
    for body, held, handed in (("crank", "A", "B"), ("coupler", "B", "C")):
        total = results.acceleration.sel(body=body).values + LIFT
        given = (force.sel(joint=held) - force.sel(joint=handed)).values
        np.testing.assert_allclose(given, total, atol=1e-7 * np.abs(total).max())
    # the cut hinge holds the rocker: its own weight and inertia, and what comes from C
    rocker = results.acceleration.sel(body="rocker").values + LIFT
    given = (force.sel(joint="C") + force.sel(joint="D")).values
    np.testing.assert_allclose(given, rocker, atol=1e-7 * np.abs(rocker).max())


def chain(loops):
    """N four-bar loops side by side; every coupler's far hinge is cut."""
    rod = {"mass": 1.0, "inertia": [1 / 12, 1 / 12, 1e-4]}
    hinge = {"type": "revolute", "axis": [0, 1, 0]}
    bodies = {"crank0": {**rod, "cog": [0, 0, 0.5]}}
    joints = {"A0": {**hinge, "child": "crank0", "at": [0, 0, 0]}}
    for i in range(1, loops + 1):
        bodies[f"coupler{i}"] = {
            "mass": 1.0,
            "inertia": [1e-4, 1 / 12, 1 / 12],
            "cog": [i - 0.5, 0, 1],
        }
        bodies[f"crank{i}"] = {**rod, "cog": [i, 0, 0.5]}
        ends = {"child": f"coupler{i}"}
        joints[f"A{i}"] = {**hinge, "child": f"crank{i}", "at": [i, 0, 0]}
        joints[f"B{i}"] = {**hinge, **ends, "parent": f"crank{i - 1}", "at": [i - 1, 0, 1]}
        joints[f"C{i}"] = {**hinge, **ends, "parent": f"crank{i}", "at": [i, 0, 1], "cut": True}
    return System.from_dict({"bodies": bodies, "joints": joints})


class Keep:
    """Keeps coordinates and speeds."""

    def __init__(self):
        self.points = {}

    def record(self, sample):
        self.points[round(sample.t, 6)] = sample.q[0], sample.u[0]


def test_two_loops():
    model = JointModel(chain(2))
    assert (model.nu, model.closures) == (5, 4)
    keep = Keep()
    with ExternalForcesManager(model) as manager:
        q, u = model.initial({"A0.angle_rate": 1.0})
        time = TimeSettings(end=20.0, method="DOP853", rtol=1e-9, atol=1e-11)
        Simulation(manager, time, q, u).run(keep, 0.01)
    for t, reference in TWO_LOOPS.items():
        angle, rate = keep.points[t]
        s, c = np.sin(angle), np.cos(angle)
        np.testing.assert_allclose((s, c, rate * c, -rate * s), reference, atol=5e-7 * t)


@pytest.mark.parametrize("loops", [1, 2, 5])
def test_every_planar_loop_has_three_equations_too_many(loops):
    model = JointModel(chain(loops))
    assert model.nu - model.closures == 1
    assert len(model.constraint_violation()) - model.closures == 3 * loops
    assert f"{3 * loops} of the {5 * loops} closure equations" in model.closure_findings()[0]
