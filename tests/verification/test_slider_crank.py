"""Spatial slider-crank of the IFToMM library, with a loop closed by a spherical joint.

Two inertias of the rod are in the literature: `A` is what the library's reference solution has,
`B` what the port-Hamiltonian paper has (its energy 0.76643568 J). Reference numbers: one equation
of motion from the energy against directors with multipliers, equal to 3e-12. Tolerances: 1e-10 of
each number's scale at rtol 1e-12; 5e-6 m at the default rtol of 1e-6; the library's published
curve to 1e-6 m (it is exact to 8e-7 m).
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq

import cosim
from cosim.model import System
from cosim.multibody.joint import JointModel

CASE = Path(__file__).parents[2] / "cases" / "slider_crank"
VARIANTS = {"A": {"along": 0.004, "across": 0.0004}, "B": {}}
SCALE = (10.0, 15.0, 0.3, 1.0)
TABLE = {  # t: crank angle, its rate, slider position and velocity
    "A": {
        0.5: (5.255893129001, 13.258582905429, 0.18861737559937, -0.286766038981),
        1.0: (10.434576769586, 11.148608404889, 0.23636285600100, -0.584158464951),
    },
    "B": {
        0.5: (5.583762553307, 14.408160810199, 0.18495262977780, -0.004560290633),
        1.0: (10.913590729864, 10.427593000412, 0.21172166139348, -0.503491864925),
    },
}
PERIOD = {"A": 0.6004967349251059, "B": 0.578897439600736}
ENERGY = {"A": 0.7656984, "B": 0.76643568}
STROKE = (0.1849518884388551, 0.29015995409928863)
PUBLISHED = {  # P. Masoudi's solution with a Rosenbrock method, variant A: t, slider position
    0.016722408: 0.204068794,
    0.100334448: 0.22678101,
    0.200668896: 0.262960732,
    0.284280976: 0.290155796,
    0.401337793: 0.235293252,
    0.501672241: 0.188148922,
    1.003344482: 0.234415945,
    1.755852843: 0.189536383,
}


def run(variant, **time):
    changed = {f"parameters.{name}": value for name, value in VARIANTS[variant].items()}
    changed |= {f"time.{key}": value for key, value in time.items()} | {"output.step": 0.002}
    return cosim.run(cosim.read_case(CASE, [f"{path}={value}" for path, value in changed.items()]))


def motion(results):
    """Crank angle and rate, slider position and velocity."""
    slider = results.sel(body="slider", xyz="x")
    crank = results.sel(rotation="crank.angle")
    angle = np.radians(crank.joint_rotation_deg.values)
    return np.array([angle, crank.joint_rate.values, slider.position, slider.velocity])


@pytest.fixture(scope="module", params=VARIANTS)
def tight(request):
    return request.param, run(request.param, rtol=1e-12, atol=1e-14, end=2)


def test_tables(tight):
    variant, results = tight
    for t, reference in TABLE[variant].items():
        found = motion(results.sel(time=[t], method="nearest"))[:, 0]
        np.testing.assert_allclose(found / SCALE, np.divide(reference, SCALE), atol=1e-10)


def test_energy_period_and_stroke(tight):
    variant, results = tight
    energy = results["energy/kinetic"] + results["energy/potential"]
    np.testing.assert_allclose(energy, ENERGY[variant], atol=1e-10)
    times = results.time.values
    angle, _, slider, velocity = motion(results)
    turn = CubicSpline(times, angle)
    assert brentq(lambda t: turn(t) - 2.0 * np.pi, 0.0, 1.0) == pytest.approx(
        PERIOD[variant], abs=1e-9
    )
    path = CubicSpline(times, slider)
    ends = path(CubicSpline(times, velocity).roots(extrapolate=False))
    assert (ends.min(), ends.max()) == pytest.approx(STROKE, abs=1e-9)


def test_published_curve():
    results = run("A", end=2.0, rtol=1e-10, atol=1e-12)
    slider = CubicSpline(results.time.values, motion(results)[2])
    found = slider(list(PUBLISHED))
    np.testing.assert_allclose(found, list(PUBLISHED.values()), atol=1e-6)


def test_speeds_at_the_start():
    """Given the crank's 6 rad/s, slider and rod follow: 0.24 m/s, (1.92, -0.96, 0.48) rad/s."""
    start = run("B", end=0.02).isel(time=0)
    assert start.velocity.sel(body="slider", xyz="x") == pytest.approx(0.24, abs=1e-14)
    rod = start.angular_velocity.sel(body="rod").values
    np.testing.assert_allclose(rod, (1.92, -0.96, 0.48), atol=1e-14)


@pytest.mark.parametrize("cut", ["crank", "slider", "C", "B"])
def test_any_joint_of_the_loop_may_be_cut(cut):
    """Motion and joint loads are the same wherever the loop is cut."""
    data = dict(cosim.read_case(CASE).source)
    joints = {name: {**joint, "cut": name == cut} for name, joint in data["joints"].items()}
    if cut == "crank":  # the rod carries the crank
        joints["B"] |= {"parent": "rod", "child": "crank"}
    if cut == "slider":  # the crank carries the rod, the rod the slider
        axes = {"axis1": joints["C"]["axis2"], "axis2": joints["C"]["axis1"]}
        joints["C"] |= {"parent": "rod", "child": "slider", **axes}
    v_dot_whole, whole = at_start(data, data["joints"], {"crank.angle_rate": 6.0})
    speed = {"slider.position_rate": 0.24} if cut == "crank" else {"crank.angle_rate": 6.0}
    v_dot, loads = at_start(data, joints, speed)
    turned = np.array([joints[j]["child"] != data["joints"][j]["child"] for j in loads.joints])
    found = np.where(turned[:, None], -loads.wrench, loads.wrench)
    np.testing.assert_allclose(v_dot, v_dot_whole, atol=1e-9)
    np.testing.assert_allclose(found, whole.wrench, atol=1e-9)


def at_start(data, joints, speed):
    """Twist derivatives and joint loads of the system with these joints."""
    system = {key: data[key] for key in ("environment", "bodies", "parameters")}
    model = JointModel(System.from_dict({**system, "joints": joints}))
    model.kinematics(0.0, *model.initial(speed))
    _, v_dot = model.accelerations(np.zeros(model.nu))
    return v_dot, model.reactions(np.zeros((3, 6)), v_dot)
