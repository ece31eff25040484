"""Linearised systems against closed forms: pendulums, tops, loops, at rest and moving.

Tolerance 1e-9 unless said otherwise: matrices are differentiated to rounding, and what is lost
comes from eigenvalue problems. Linear frequencies: issue 3 asks for agreement with closed forms.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import newton

import cosim
from cosim.analysis.equilibrium import find_equilibrium
from cosim.analysis.growth import growing
from cosim.analysis.linear import linearise
from cosim.analysis.modes import natural_modes
from cosim.analysis.state_space import state_space
from cosim.case.build import build
from cosim.case.modes import case_modes
from cosim.model import System
from cosim.multibody.joint.model import JointModel

CASES = Path(__file__).parents[2] / "cases"
G = 9.81
PIN = {"type": "revolute", "axis": [0, 1, 0]}


def model_of(bodies, joints, elements=None, **more):
    return JointModel(
        System.from_dict(
            {
                "environment": {"gravity": G},
                "bodies": bodies,
                "joints": joints,
                "elements": elements or {},
                **more,
            }
        )
    )


def frequencies(system):
    """Damped frequencies, rad/s, slowest first."""
    return np.array([2.0 * np.pi * mode.frequency for mode in natural_modes(system)])


def test_double_pendulum_of_rods():
    """Rods of mass m_i, length l_i and inertia J_i, angles from the vertical."""
    m, length, J = np.array([2.0, 3.0]), np.array([0.8, 1.1]), np.array([0.15, 0.4])
    half = length / 2.0
    model = model_of(
        {
            "a": {"mass": m[0], "cog": [0, 0, -half[0]], "inertia": [1, J[0], 1]},
            "b": {"mass": m[1], "cog": [0, 0, -length[0] - half[1]], "inertia": [1, J[1], 1]},
        },
        {
            "top": {**PIN, "child": "a", "at": [0, 0, 0]},
            "middle": {**PIN, "parent": "a", "child": "b", "at": [0, 0, -length[0]]},
        },
    )
    M = np.array(
        [
            [J[0] + m[0] * half[0] ** 2 + m[1] * length[0] ** 2, m[1] * length[0] * half[1]],
            [m[1] * length[0] * half[1], J[1] + m[1] * half[1] ** 2],
        ]
    )
    K = G * np.diag([m[0] * half[0] + m[1] * length[0], m[1] * half[1]])
    exact = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K))))
    system = linearise(model, {}, model.initial()[0])
    np.testing.assert_allclose(frequencies(system), exact, rtol=1e-12)


# a rod (inertia B about its swing axis, D = B minus the inertia about itself) on a carrier of
# inertia J that turns about the vertical
CARRIER, MASS, ARM, ACROSS, ALONG = 0.7, 2.0, 0.9, 0.05, 0.01
SWING = MASS * ARM**2 + ACROSS
DIFFERENCE = SWING - ALONG


def governor():
    return model_of(
        {
            "carrier": {"mass": 1.0, "cog": [0, 0, 0], "inertia": [1, 1, CARRIER]},
            "rod": {"mass": MASS, "cog": [0, 0, -ARM], "inertia": [ACROSS, ACROSS, ALONG]},
        },
        {
            "shaft": {"type": "revolute", "child": "carrier", "at": [0, 0, 0], "axis": [0, 0, 1]},
            "arm": {**PIN, "parent": "carrier", "child": "rod", "at": [0, 0, 0]},
        },
    )


@pytest.mark.parametrize("angle", [0.3, 1.0])
def test_conical_pendulum_on_a_turning_carrier(angle):
    """At rest relative to the carrier where W^2 D cos(a) = m g l; it swings about that with

    w^2 = W^2 D sin^2(a) (1 + 4 D cos^2(a) / I) / B, I the inertia about the vertical, because
    the angular momentum is kept (second derivative of the effective potential).
    """
    model = governor()
    s, c = np.sin(angle), np.cos(angle)
    spin = np.sqrt(MASS * G * ARM / (DIFFERENCE * c))
    vertical = CARRIER + DIFFERENCE * s**2 + ALONG
    exact = spin * s * np.sqrt(DIFFERENCE * (1.0 + 4.0 * DIFFERENCE * c**2 / vertical) / SWING)
    q, u = model.initial({"arm.angle": angle, "shaft.angle": 0.4, "shaft.angle_rate": spin})
    system = linearise(model, {}, q, u)
    np.testing.assert_allclose(frequencies(system), [exact], rtol=1e-9)


@pytest.mark.parametrize("spin", [30.0, 90.0])
def test_top_that_sleeps(spin):
    """An upright top: A w^2 - C s w + m g l = 0, A about the tip; it falls if C s is too small."""
    m, height, across, along = 1.5, 0.3, 0.02, 0.03
    A = across + m * height**2
    model = model_of(
        {"top": {"mass": m, "cog": [0, 0, height], "inertia": [across, across, along]}},
        {"tip": {"type": "spherical", "child": "top", "at": [0, 0, 0]}},
    )
    q, u = model.initial({"tip.yaw_rate": spin, "tip.yaw": 0.7})
    system = linearise(model, {}, q, u)
    root = np.sqrt(complex((along * spin) ** 2 - 4.0 * A * m * G * height))
    w = (along * spin + np.array([-1.0, 1.0]) * root) / (2.0 * A)
    if root.imag:
        (growth, *_) = growing(system)
        assert 1.0 / growth.time == pytest.approx(abs(w[0].imag), rel=1e-9)
    else:
        np.testing.assert_allclose(frequencies(system), np.sort(w.real), rtol=1e-9)


# two cranks of length l and a coupler that does not turn, a spring and a damper on one crank
CRANK, CRANK_INERTIA, COUPLER, LENGTH, WIDTH = 1.2, 0.3, 4.0, 1.5, 2.0
HINGE, FRICTION = 25.0, 0.8
INERTIA = 2.0 * (CRANK_INERTIA + CRANK * LENGTH**2 / 4.0) + COUPLER * LENGTH**2
PULL = (CRANK + COUPLER) * G * LENGTH


def parallelogram():
    rod = {"mass": CRANK, "inertia": [1, CRANK_INERTIA, 1]}
    return model_of(
        {
            "left": {**rod, "cog": [0, 0, -LENGTH / 2]},
            "right": {**rod, "cog": [WIDTH, 0, -LENGTH / 2]},
            "coupler": {"mass": COUPLER, "cog": [WIDTH / 2, 0, -LENGTH], "inertia": [2, 5, 4]},
        },
        {
            "a": {**PIN, "child": "left", "at": [0, 0, 0]},
            "b": {**PIN, "child": "right", "at": [WIDTH, 0, 0]},
            "c": {**PIN, "parent": "left", "child": "coupler", "at": [0, 0, -LENGTH]},
            "d": {**PIN, "parent": "right", "child": "coupler", "at": [WIDTH, 0, -LENGTH]}
            | {"cut": True},
        },
        {"hinge": {"type": "joint", "joint": "a", "stiffness": HINGE, "damping": FRICTION}},
    )


def test_parallelogram_swings_as_its_coupler_moves():
    model = parallelogram()
    system = linearise(model, {}, model.initial()[0])
    s = np.roots([INERTIA, FRICTION, PULL + HINGE])[0]
    (mode,) = natural_modes(system)
    found = [mode.value.real, abs(mode.value.imag)]
    np.testing.assert_allclose(found, [s.real, abs(s.imag)], rtol=1e-9)


def test_parallelogram_that_moves():
    """I a'' + c a' + k a + m g l sin(a) = 0 about any a, a'; the coupler is at -l sin(a)."""
    model = parallelogram()
    angle, rate = 0.7, 1.3
    q, u = model.initial({"a.angle": angle, "a.angle_rate": rate})
    system = linearise(model, {}, q, u)
    # every crank turns by the same angle, the coupler back by it
    sign = 1.0 if system.speeds[0] in ("a.angle", "b.angle") else -1.0
    K, C = PULL * np.cos(angle) + HINGE, FRICTION
    assert system.M[0, 0] == pytest.approx(INERTIA, rel=1e-12)
    assert system.K[0, 0] == pytest.approx(K, rel=1e-9)
    assert system.C[0, 0] == pytest.approx(C, rel=1e-9)
    space = state_space(system, model, inputs=["a.angle"], outputs=["coupler.ax", "coupler.wy"])
    gain = (-K / INERTIA, -C / INERTIA)  # a'' per a and a'
    change = -(PULL * np.sin(angle) + HINGE * angle + FRICTION * rate) / INERTIA
    s, c = np.sin(angle), np.cos(angle)
    by_angle = -LENGTH * (-s * change - c * rate**2 + c * gain[0])
    by_rate = -LENGTH * (-2.0 * s * rate + c * gain[1])
    np.testing.assert_allclose(sign * space.C[0], [by_angle, by_rate], rtol=1e-8)
    assert space.D[0, 0] == pytest.approx(-LENGTH * c / INERTIA, rel=1e-9)
    np.testing.assert_allclose(space.C[1], 0.0, atol=1e-9)


def test_irregular_loop_has_the_stiffness_of_its_energy():
    """A four-bar linkage with a spring: K is the second derivative of the energy on its path."""
    model = model_of(
        {
            "crank": {"mass": 1.0, "cog": [0.1, 0, -0.5], "inertia": [1, 0.2, 1]},
            "coupler": {"mass": 2.0, "cog": [1.1, 0, -0.9], "inertia": [1, 0.3, 1]},
            "rocker": {"mass": 1.5, "cog": [2.1, 0, -0.3], "inertia": [1, 0.25, 1]},
        },
        {
            "a": {**PIN, "child": "crank", "at": [0, 0, 0]},
            "b": {**PIN, "parent": "crank", "child": "coupler", "at": [0.2, 0, -1.0]},
            "c": {**PIN, "parent": "coupler", "child": "rocker", "at": [2.0, 0, -0.8]},
            "d": {**PIN, "child": "rocker", "at": [2.2, 0, 0.2], "cut": True},
        },
        {"s": {"type": "tension", "points": ["earth/o", "coupler"], "stiffness": 40.0}},
        earth_points={"o": [3.0, 0, 0.5]},
    )
    found = find_equilibrium(model, {}, model.initial()[0])
    assert np.max(np.abs(found.residual)) < 1e-8
    system = linearise(model, {}, found.q)
    (name,) = system.speeds
    k = model.speeds.index(name)

    def energy(y):
        """On the closed path, where the independent coordinate has moved by y."""
        q = found.q
        for _ in range(20):
            missing = y - model.difference(q, found.q)[k]
            q, _ = model.closed(model.retract(q, missing * system.basis[:, 0]), np.zeros(model.nu))
        model.kinematics(0.0, q, np.zeros(model.nu))
        return model.energy().potential

    h = 2e-3
    curvature = (
        -energy(2 * h) + 16 * energy(h) - 30 * energy(0.0) + 16 * energy(-h) - energy(-2 * h)
    ) / (12.0 * h**2)
    assert system.K[0, 0] == pytest.approx(curvature, rel=1e-6)
    model.kinematics(0.0, found.q, system.basis[:, 0])
    assert 0.5 * system.M[0, 0] == pytest.approx(model.energy().kinetic, rel=1e-12)


def test_sphere_heaves_with_its_characteristic_root():
    """s^2 (m + A) + s K(s) + C = 0, K(s) the transfer function of the same radiation memory."""
    case = cosim.read_case(CASES / "sphere_decay")
    found = case_modes(case)
    hydro = build(case).adapters["hydro"]
    memory = hydro.assembly.states.transfer
    mass = case.bodies["sphere"].mass + hydro.database.added_mass_inf[2, 2]
    stiffness = hydro.database.bodies[0].stiffness[2, 2]
    root = newton(
        lambda s: s * s * mass + s * memory(np.array([s]))[0, 2, 2] + stiffness,
        -0.2 + 1.44j,
        tol=1e-12,
    )
    (mode,) = found.modes
    assert abs(mode.value - root) <= 1e-8 * abs(root)


@pytest.mark.parametrize(
    ("line", "static", "tolerance"),
    [
        ("spring", False, 1e-12),
        # by differences of 5 cm, one-sided
        ("moordyn", True, 2e-4),
        # in motion of 2 cm
        ("moordyn", False, 2e-5),
    ],
)
def test_flexible_pendulum(line, static, tolerance):
    """Swing and stretch of a bob on an elastic line: sqrt(g / l), l stretched, and sqrt(k / m)."""
    case = cosim.read_case(CASES / "flexible_pendulum" / f"{line}.yaml")
    found = case_modes(case, static=static)
    p = case.parameters
    exact = [np.sqrt(p["g"] / p["rest"]), np.sqrt(p["EA"] / p["l0"] / p["m"])]
    np.testing.assert_allclose(frequencies(found.system), exact, rtol=tolerance)
