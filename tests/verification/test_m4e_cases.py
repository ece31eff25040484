"""The planar cases of the joint-coordinate paper (M4E), run from their files.

Definitions: the paper, sections 4.1, 4.2.1 to 4.2.3 and 5.1, and the authors' input files
(double_pendulum.py, slider_w_dpend.py, spiderfloat.py, case_sp.py). The paper prints no
trajectories; the numbers here were computed independently of this package by two formulations
each that agree to 1e-13, and are printed to 12 digits. A third computation, with multipliers,
is cases/planar/multipliers.py: it gives references at every instant.

The paper's angles are absolute, clockwise from +z towards +x, which is a rotation about +y;
ours are relative. Its criterion is NRMSE (eq. 9-11) with 2e-4 as its "high accuracy" (after
Gonzalez et al. 2006).
"""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq
from scipy.special import ellipj

import cosim

CASES = Path(__file__).parents[2] / "cases"
HIGH_ACCURACY = 2e-4  # NRMSE, eq. 10 of the paper
POINTWISE = 1e-8  # of the issue
PRINTED = 2e-11  # what the twelve digits of the tables leave, with the solver at rtol 1e-12
HANGING = ("release_deg=0",)  # the authors' runs of the double pendulum start so


def absolute(results, *joints):
    """Angles of the links, rad, and their rates: sums of the relative ones along the chain."""
    names = [f"{joint}.angle" for joint in joints]
    angle = np.radians(results.joint_rotation_deg.sel(rotation=names).values)
    return np.cumsum(angle, axis=1), np.cumsum(results.joint_rate.sel(rotation=names).values, 1)


def energy(results):
    return (results["energy/kinetic"] + results["energy/potential"]).values


def at(results, times):
    """Results at these instants, which are among the stored ones."""
    chosen = results.sel(time=times, method="nearest")
    np.testing.assert_allclose(chosen.time, times, atol=1e-9)
    return chosen


# --- all of them -----------------------------------------------------------------------------

RUNS = [
    ("single_pendulum", ()),
    ("double_pendulum", ()),
    ("double_pendulum", (*HANGING, "push=-0.4")),
    ("double_pendulum", (*HANGING, "push=-0.4", "J=0.08333333333333333")),
    ("double_pendulum/forced.yaml", ()),
    ("cart_pendulum", ()),
    ("spiderfloat_sliders", ()),
    ("flexible_pendulum/spring.yaml", ("time.end=12",)),
    ("inverted_pendulum", ()),
]


@pytest.mark.parametrize(("name", "settings"), RUNS)
def test_default_settings_reach_high_accuracy(planar, nrmse, places, name, settings):
    case = cosim.read_case(CASES / name, [*settings, "output.step=0.05"])
    assert (case.time.method, case.time.rtol, case.time.atol) == ("RK45", 1e-6, 1e-8)
    results = cosim.run(case)
    expected, _ = planar(case).solve(results.time.values, rtol=1e-10)
    assert nrmse(places(results), expected[..., :2]).max() <= HIGH_ACCURACY


SHORT = {"cart_pendulum": 20.0, "single_pendulum": 10.0}


@pytest.mark.parametrize(
    ("name", "settings"), [*RUNS, ("double_pendulum", (*HANGING, "push=-4.0", "time.end=10"))]
)
def test_tight_run_agrees_with_multipliers(planar, tight, places, name, settings):
    case = cosim.read_case(CASES / name, settings)
    end = SHORT.get(name, min(case.time.end, 12.0))
    results = tight(name, *settings, step=0.25, end=end)
    second = planar(case)
    expected, rates = second.solve(results.time.values)
    stored = [second.energy(*state) for state in zip(expected, rates, strict=True)]
    np.testing.assert_allclose(energy(results), stored, rtol=1e-10, atol=POINTWISE)
    np.testing.assert_allclose(places(results), expected[..., :2], rtol=0, atol=POINTWISE)
    velocity = results.velocity.sel(xyz=["x", "z"]).values
    np.testing.assert_allclose(velocity, rates[..., :2], rtol=0, atol=POINTWISE)


@pytest.mark.parametrize(
    "name", ["double_pendulum/forced.yaml", "cart_pendulum", "spiderfloat_sliders"]
)
def test_symbolic_equations_move_and_load_joints_alike(tight, name):
    """The run and its joint loads from the equations derived with SymPy."""
    kernels = tight(name, step=0.1, end=1.0)
    symbolic = tight(name, step=0.1, end=1.0, formulation="symbolic")
    for channel in ("position", "velocity", "acceleration", "joint_force", "joint_moment"):
        expected = kernels[channel].values
        scale = max(1.0, np.abs(expected).max())  # hinges pass no moment
        np.testing.assert_allclose(symbolic[channel], expected, rtol=0, atol=1e-10 * scale)


def test_pictures_are_drawn(script, tmp_path):
    pictures = script("planar", "pictures")
    for name in ("inverted_pendulum", "flexible_pendulum"):
        assert pictures.draw(name, tmp_path).read_bytes().startswith(b"\x89PNG")


# --- case_sp: single pendulum -----------------------------------------------------------------

SINGLE = [(1.0, -0.185929631478407), (10.0, -0.159608119697401)]


def test_single_pendulum_is_the_closed_form(tight):
    """theta = -2 asin(k sn(w0 t, k)), period 3.18 s (benchmarks' digits beside)."""
    results = tight("single_pendulum", step=0.1, end=10.0)
    angle, _ = absolute(results, "hinge")
    w0 = math.sqrt(9.81 * 0.5 / 1.25)
    k = 0.4 / (2.0 * w0)
    sn = ellipj(w0 * results.time.values, k**2)[0]
    np.testing.assert_allclose(angle[:, 0], -2.0 * np.arcsin(k * sn), rtol=0, atol=PRINTED)
    for t, theta in SINGLE:
        assert absolute(at(results, [t]), "hinge")[0].item() == pytest.approx(theta, abs=PRINTED)


# --- section 4.2.1: double pendulum ------------------------------------------------------------

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


def test_double_pendulum_pointwise(tight, places):
    table = np.array(DOUBLE_PENDULUM)
    results = tight("double_pendulum", step=0.5, end=30.0)
    np.testing.assert_allclose(energy(results), -18.060305224736882, rtol=0, atol=1e-9)
    chosen = at(results, table[:, 0])
    got = np.hstack([*absolute(chosen, "top", "mid"), places(chosen).reshape(-1, 4)])
    np.testing.assert_allclose(got, table[:, 1:], rtol=0, atol=PRINTED)


@pytest.mark.parametrize("push", [-0.4, -4.0])
def test_energy_of_the_authors_runs_is_kept(push):
    """At the default tolerances, to 1e-4 of the kinetic energy in 10 s."""
    case = cosim.read_case(CASES / "double_pendulum", [*HANGING, f"push={push}", "time.end=10"])
    results = cosim.run(case)
    drift = np.abs(energy(results) - energy(results)[0]).max()
    assert drift <= 1e-4 * results["energy/kinetic"].values.max()


# --- section 5.1: force, torsion spring, dampers ------------------------------------------------


def test_forced_double_pendulum_starts_as_the_paper_says():
    results = cosim.run(cosim.read_case(CASES / "double_pendulum" / "forced.yaml"))
    angles, rates = absolute(results, "top", "mid")
    np.testing.assert_allclose(np.degrees(angles[0]), [135.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(rates[0], [-0.4, 0.0], atol=1e-12)
    # torsion spring of -135 degrees: turned by 270 degrees at the start
    spring = results["element/spring/force"].values[0]
    assert spring == pytest.approx(-10.0 * 1.5 * math.pi - 2.0 * -0.4)


def test_forced_double_pendulum_comes_to_rest_where_moments_balance():
    """Second link along the resultant of force and weight; the first by moments about the top."""
    k, m, g, half = 10.0, 1.0, 9.81, 0.5
    fx = fz = 28.2 / math.sqrt(2.0)
    second = math.atan2(-fx, -(fz - m * g))

    def moment(a):
        # the whole load on the second link acts through the lower hinge
        hinge = -2 * half * math.cos(a) * fx + 2 * half * math.sin(a) * (fz - m * g)
        return -k * (a + math.radians(135)) + hinge - half * math.sin(a) * m * g

    first = brentq(moment, -2.5, -1.5)
    settings = ["time.end=60", "output.step=60"]
    results = cosim.run(cosim.read_case(CASES / "double_pendulum" / "forced.yaml", settings))
    angles, _ = absolute(results, "top", "mid")
    np.testing.assert_allclose(angles[-1], [first, second], atol=1e-5)


# --- section 4.2.2: double pendulum on a cart ----------------------------------------------------

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


def test_cart_pointwise(tight, places):
    table = np.array(CART)
    tenths = at(tight("cart_pendulum", step=0.1, end=10.0), np.delete(table[:, 0], 1))
    odd = at(tight("cart_pendulum", step=0.5001, end=0.5001), [0.5001])
    for results, rows in ((tenths, np.delete(table, 1, axis=0)), (odd, table[1:2])):
        angles, rates = absolute(results, "top", "mid")
        columns = (
            *(results.joint_translation.values, angles),
            *(results.joint_speed.values, rates),
            places(results)[:, 1:].reshape(-1, 4),
        )
        np.testing.assert_allclose(np.hstack(columns), rows[:, 1:], rtol=0, atol=PRINTED)


def test_cart_at_the_end_of_the_papers_run(tight):
    results = tight("cart_pendulum", step=100.0, end=100.0)
    assert results.joint_translation.values[-1, 0] == pytest.approx(0.11524, abs=5e-6)  # 5 digits


# --- section 4.2.3: SpiderFLOAT with sliders -----------------------------------------------------

# t, Z1, theta2, S4, theta6 (absolute), their rates, kinetic energy plus that of the springs
SPIDER = [
    (1.0, 6.214643578571, 0.023796680253, 0.315075148564, -0.110087028970, 0.28516271868,
     0.02908001873, 0.57824277541, -0.20160577207, 0.705113492519),
    (5.0, 5.501053244708, -0.035520265973, 0.587302389529, -0.249570739664, 0.36098134236,
     0.07234679110, -0.65161337552, 0.24213214028, 1.160271856556),
]  # fmt: skip


@pytest.fixture(scope="module")
def spider(tight):
    return tight("spiderfloat_sliders", step=0.01, end=10.0)


def columns(results, translations, rotations):
    """Z1, theta2, S4, theta6 from the variables of coordinates, or from those of rates."""

    def speed(name):
        data = translations if name.endswith((".x", ".z", ".position")) else rotations
        return data.sel({data.dims[1]: name}).values

    leg = speed("free.angle") + speed("right_hinge.angle")
    pivot = leg + speed("right_pivot.angle")
    return np.column_stack([speed("free.z"), leg, speed("right_slide.position"), pivot])


def test_spiderfloat_pointwise(spider):
    table = np.array(SPIDER)
    chosen = at(spider, table[:, 0])
    rotations = np.radians(chosen.joint_rotation_deg)
    found = columns(chosen, chosen.joint_translation, rotations)
    found[:, 0] += 6.0  # ours counts from the reference configuration
    np.testing.assert_allclose(found, table[:, 1:5], rtol=0, atol=PRINTED)
    found = columns(chosen, chosen.joint_speed, chosen.joint_rate)
    np.testing.assert_allclose(found, table[:, 5:9], rtol=0, atol=PRINTED)
    np.testing.assert_allclose(energy(chosen), table[:, 9], rtol=0, atol=PRINTED)


def test_spiderfloat_moves_symmetrically(spider):
    x = spider.position.sel(xyz="x")
    z = spider.position.sel(xyz="z")
    for right, left in (("right_leg", "left_leg"), ("right_arm", "left_arm"),
                        ("right_buoy", "left_buoy")):  # fmt: skip
        np.testing.assert_allclose(x.sel(body=right) + x.sel(body=left), 20.0, atol=1e-11)
        np.testing.assert_allclose(z.sel(body=right) - z.sel(body=left), 0.0, atol=1e-11)
    np.testing.assert_allclose(spider.attitude_deg.sel(body="platform"), 0.0, atol=1e-10)


def test_spiderfloat_energy(spider):
    """At the start as given; then kinetic energy is what all elements did (splines, 0.01 s)."""
    assert energy(spider)[0] == pytest.approx(0.09795632453632, abs=1e-13)
    t = spider.time.values
    powers = [name for name in spider if name.startswith("element/") and name.endswith("/power")]
    assert len(powers) == 13
    work = CubicSpline(t, sum(spider[name].values for name in powers)).antiderivative()(t)
    kinetic = spider["energy/kinetic"].values
    np.testing.assert_allclose(kinetic - kinetic[0], work, rtol=0, atol=1e-7)


# --- section 4.1: Ginsberg, example 7.13 ---------------------------------------------------------


def test_inverted_pendulum_between_springs():
    """K = 2 k l0 a² b² / (a² + b²)^(3/2) - m g L / 2 (eq. 7 of the paper), mass m L² / 3."""
    a, b, k, l0, m, L = 0.6, 0.8, 1000.0, 0.9, 10.0, 2.0
    K = 2 * k * l0 * a**2 * b**2 / (a**2 + b**2) ** 1.5 - m * 9.81 * L / 2
    assert pytest.approx(316.62, abs=1e-12) == K
    omega = math.sqrt(3 * K / (m * L**2))
    assert omega == pytest.approx(4.8730380667505562741, rel=1e-15)
    # small enough for the cubic term: 1e-3 degrees squared is 3e-10
    settings = ["start.set.foot.angle_deg=1e-3", "time.rtol=1e-11", "time.atol=1e-15"]
    settings += ["time.method=DOP853", "output.step=0.005"]
    results = cosim.run(cosim.read_case(CASES / "inverted_pendulum", settings))
    angle = results.joint_rotation_deg.values[:, 0]
    roots = CubicSpline(results.time.values, angle).roots(extrapolate=False)
    assert math.pi / np.diff(roots).mean() == pytest.approx(omega, rel=1e-8)


def test_stiffness_of_the_inverted_pendulum_falls_out_in_symbols(script):
    """Term by term the formula of the paper, not only equal to it."""
    module = script("inverted_pendulum", "stiffness")
    assert module.mass_and_stiffness() == module.published()
