"""Finite segments against beam theory: the error falls with the square of their length.

References in closed form: Euler-Bernoulli deflection and natural frequencies (the roots of
cos x cosh x = -1 for the cantilever, tan x = tanh x for the pinned, cos x cosh x = 1 for the
free beam), and the elastica of a cantilever under a tip load by elliptic integrals
(Bisshopp and Drucker 1945), which Mattiasson (1981) tabulates to five digits.

Second order is claimed; the observed order, log2 of the ratio of errors at n and 2n, is asked
to lie within 0.1 of 2 from n = 8 on, 0.25 at the coarsest pair.
"""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad, solve_bvp
from scipy.optimize import brentq

from cosim.analysis.equilibrium import find_equilibrium
from cosim.analysis.linear import linearise
from cosim.analysis.modes import natural_modes
from cosim.case.read import read_case
from cosim.model import System
from cosim.model.beam_section import BeamSection
from cosim.model.flexible_beam import flexible_beam
from cosim.multibody.joint import JointModel

STRIP = Path(__file__).parents[2] / "cases" / "flexible_beam"
L, EI, MU = 2.0, 1.0e4, 10.0
SEGMENTS = (4, 8, 16, 32)
ROOTS = {
    "clamped": (1.8751040687119611, 4.6940911329741745),
    "pinned": (3.9266023120479188, 7.0685827456287321),
    "free": (4.7300407448627040, 7.8532046240958376),
}
# rotary inertia of a bar 0.2 mm thick: 1e-8 of the frequencies, far below the errors here
SECTIONS = {
    "planar": BeamSection(EI=EI, mass_per_length=MU),
    "spatial": BeamSection(EI=EI, mass_per_length=MU, rotary_inertia=MU * 0.0002**2 / 12.0),
    "twisting": BeamSection(
        EI=EI, GJ=0.8 * EI, mass_per_length=MU, rotary_inertia=MU * 0.0002**2 / 12.0
    ),
}


def beam(n, kind, root="clamped", direction=(1.0, 0.0, 0.0)):
    motion = "planar" if kind == "planar" else "spatial"
    end = tuple(L * c for c in direction)
    return flexible_beam((0, 0, 0), end, n, SECTIONS[kind], motion=motion, root=root)


def model_of(part, force=None):
    elements = dict(part["elements"])
    if force is not None:
        last = list(part["bodies"])[-1]
        elements["load"] = {"type": "force", "point": f"{last}/tip", "force": list(force)}
    data = {**part, "elements": elements, "environment": {"gravity": 0.0}}
    return JointModel(System.from_dict(data))


def tip_frame(model):
    """Position and rotation of the tip in equilibrium."""
    found = find_equilibrium(model, {}, model.initial()[0])
    state = model.kinematics(0.0, found.q, np.zeros(model.nu)).copy()
    last = list(model.system.bodies.values())[-1]
    arm = np.array(last.points["tip"]) - last.cog
    return state.r[-1] + state.R[-1] @ arm, state.R[-1]


def tip(model):
    """Position of the tip in equilibrium."""
    return tip_frame(model)[0]


def frequencies(model, count, each=1):
    """The lowest, rad/s; `each` of them in pairs for a beam that bends two ways."""
    q, _ = model.initial()
    found = natural_modes(linearise(model, {}, q))
    values = sorted(2.0 * math.pi / mode.period for mode in found)
    return np.array(values[: count * each : each])


def orders(errors):
    errors = np.abs(np.array(errors))
    return np.log2(errors[:-1] / errors[1:])


def assert_second_order(errors):
    found = orders(errors)
    np.testing.assert_allclose(found[0], 2.0, atol=0.25)
    np.testing.assert_allclose(found[1:], 2.0, atol=0.1)


@pytest.mark.parametrize("kind", list(SECTIONS))
def test_tip_deflection_of_a_cantilever(kind):
    """P L³ / 3 EI, with a load so small (w / L = 7e-5) that the beam stays linear."""
    P = 1.0
    exact = P * L**3 / (3.0 * EI)
    errors = [-tip(model_of(beam(n, kind), (0, 0, -P)))[2] / exact - 1.0 for n in SEGMENTS]
    assert_second_order(errors)
    # the midpoint rule: 1 / (4 n²) to the digit, but for the square of the slope
    np.testing.assert_allclose(errors, [-0.25 / n**2 for n in SEGMENTS], atol=2e-8)


def frequency_errors(kind, root):
    """Relative errors of the first two, (len(SEGMENTS), 2)."""
    exact = np.array(ROOTS[root]) ** 2 * math.sqrt(EI / MU) / L**2
    each = 1 if kind == "planar" else 2
    found = [frequencies(model_of(beam(n, kind, root)), 2, each) for n in SEGMENTS]
    return np.array(found) / exact - 1.0


@pytest.mark.parametrize("kind", list(SECTIONS))
def test_first_two_frequencies_of_a_cantilever(kind):
    errors = frequency_errors(kind, "clamped")
    for which in (0, 1):
        assert_second_order(errors[:, which])
    assert np.all(np.abs(errors[-1]) < 1e-3)


@pytest.mark.parametrize("root", ["pinned", "free"])
@pytest.mark.parametrize("kind", list(SECTIONS))
def test_first_two_frequencies_without_a_clamp(kind, root):
    """Fourth order: the errors of springs and masses cancel but for what a clamp leaves."""
    errors = frequency_errors(kind, root)
    np.testing.assert_allclose(orders(errors[1:]), 4.0, atol=0.35)
    assert np.all(np.abs(errors) < np.abs(frequency_errors(kind, "clamped")))
    assert np.all(np.abs(errors[-1]) < 3e-6)


def supported(n, root):
    """The tip pinned to a light shoe that slides along x: the joint there closes a loop."""
    part = beam(n, "planar", root)
    part["bodies"]["shoe"] = {"mass": 1e-6, "cog": [L, 0, 0], "inertia": [1e-8] * 3}
    part["joints"]["slot"] = {"type": "prismatic", "child": "shoe", "at": [L, 0, 0]}
    part["joints"]["slot"]["axis"] = [1, 0, 0]
    pin = {"type": "revolute", "parent": "shoe", "child": f"piece{n}", "at": [L, 0, 0]}
    part["joints"]["pin"] = {**pin, "axis": [0, 1, 0], "cut": True}
    return part


@pytest.mark.parametrize(
    ("root", "wave_numbers", "order"),
    [
        ("pinned", (math.pi, 2.0 * math.pi), 4.0),
        ("clamped", (3.9266023120479188, 7.0685827456287321), 2.0),  # tan x = tanh x
    ],
)
def test_beam_held_at_both_ends(root, wave_numbers, order):
    exact = np.array(wave_numbers) ** 2 * math.sqrt(EI / MU) / L**2
    found = np.array([frequencies(model_of(supported(n, root)), 2) for n in (8, 16)])
    np.testing.assert_allclose(orders(found / exact - 1.0)[0], order, atol=0.2)


def test_slanted_beam_in_space():
    """Nothing depends on where a beam points."""
    level = frequencies(model_of(beam(8, "twisting")), 2, 2)
    slanted = frequencies(model_of(beam(8, "twisting", direction=(0.6, -0.48, 0.64))), 2, 2)
    np.testing.assert_allclose(slanted, level, rtol=1e-6)


def hanging(case):
    """x and z of the tip of the case's strip under its own weight: a boundary-value problem.

    EI phi'' = - w (L - s) cos phi with phi(0) = phi'(L) = 0, phi downwards, s / L below.
    """
    p = case.parameters
    EI_strip = p["E"] * p["width"] * p["thickness"] ** 3 / 12.0
    weight = 9.81 * p["density"] * p["width"] * p["thickness"]
    alpha = weight * p["length"] ** 3 / EI_strip
    s = np.linspace(0.0, 1.0, 101)
    solved = solve_bvp(
        lambda s, y: np.array([y[1], -alpha * (1.0 - s) * np.cos(y[0])]),
        lambda a, b: np.array([a[0], b[1]]),
        s,
        np.array([s, 1.0 - s]),
        tol=1e-10,
        max_nodes=50000,
    )
    assert solved.success
    x, z = (
        quad(lambda s, way=way: way(solved.sol(s)[0]), 0.0, 1.0, epsabs=1e-10)[0]
        for way in (math.cos, math.sin)
    )
    return p["length"] * x, -p["length"] * z


def test_strip_of_the_case_under_its_own_weight():
    found = []
    for n in SEGMENTS:
        case = read_case(STRIP, [f"parts.strip.flexible_beam.segments={n}", "output.points=[]"])
        found.append(tip(JointModel(case)))
    x, z = hanging(case)
    assert_second_order([np.hypot(place[0] - x, place[2] - z) for place in found])
    assert found[1] == pytest.approx([x, 0.0, z], abs=5e-3)  # n = 8: half a percent of L


def elastica(alpha):
    """x / L and -z / L of the tip under the load P = alpha EI / L² across the root.

    With phi0 the slope at the tip, s(phi) = sqrt(EI / 2P) ∫ dphi / sqrt(sin phi0 - sin phi).
    The substitution sin phi = sin phi0 - u² takes the singularity out.
    """

    def integral(phi0, weight):
        top = math.sin(phi0)

        def integrand(u):
            sine = top - u * u
            return 2.0 * weight(sine) / math.sqrt(1.0 - sine * sine)

        return quad(integrand, 0.0, math.sqrt(top), epsabs=1e-13, epsrel=1e-13)[0]

    scale = 1.0 / math.sqrt(2.0 * alpha)
    phi0 = brentq(lambda p: scale * integral(p, lambda s: 1.0) - 1.0, 1e-6, 1.57)
    x = scale * integral(phi0, lambda s: math.sqrt(1.0 - s * s))
    z = scale * integral(phi0, lambda s: s)
    return x, z


@pytest.mark.parametrize(
    ("alpha", "shortening", "deflection"),
    [(1.0, 0.05643, 0.30172), (10.0, 0.55500, 0.81061)],  # Mattiasson (1981), table I
)
def test_elastica_is_the_published_one(alpha, shortening, deflection):
    x, z = elastica(alpha)
    assert (1.0 - x, z) == pytest.approx((shortening, deflection), abs=6e-6)


@pytest.mark.parametrize("kind", ["planar", "spatial"])
@pytest.mark.parametrize("alpha", [1.0, 10.0])
def test_large_deflection(kind, alpha):
    x, z = elastica(alpha)
    P = alpha * EI / L**2
    found = [tip(model_of(beam(n, kind), (0, 0, -P))) / L for n in SEGMENTS]
    assert_second_order([np.hypot(place[0] - x, -place[2] - z) for place in found])
    assert found[-1][0] == pytest.approx(x, abs=1e-3)
    assert -found[-1][2] == pytest.approx(z, abs=1e-3)


@pytest.mark.parametrize("kind", ["spatial", "twisting"])
def test_large_deflection_in_a_slanted_plane(kind):
    """Bent about both axes at once: the same elastica, and no turn about the beam."""
    x, z = elastica(10.0)
    way = np.array([0.0, -math.sin(0.9), -math.cos(0.9)])
    found = [tip_frame(model_of(beam(n, kind), 10.0 * EI / L**2 * way)) for n in SEGMENTS]
    exact = np.array([x, 0.0, 0.0]) + z * way
    assert_second_order([np.linalg.norm(place / L - exact) for place, _ in found])
    rolls = [math.atan2(R[2, 1] - R[1, 2], 1.0 + np.trace(R)) for _, R in found]
    assert_second_order(rolls)


def test_unequal_stiffness_in_space():
    """Universal joints and joints with a stiff twist converge to one shape."""
    load = 10.0 * EI / L**2 * np.array([0.0, -2.0, -0.3])
    limits = []
    for GJ in (None, 1e4 * EI):
        section = BeamSection(EI=EI, EI2=3 * EI, GJ=GJ, mass_per_length=MU, rotary_inertia=1e-6)
        places = [
            tip(model_of(flexible_beam((0, 0, 0), (L, 0, 0), n, section, motion="spatial"), load))
            for n in (16, 32, 64)
        ]
        limits.append((4.0 * places[2] - places[1]) / 3.0)
        changes = [np.linalg.norm(b - a) for a, b in itertools.pairwise(places)]
        assert math.log2(changes[0] / changes[1]) == pytest.approx(2.0, abs=0.25)
        assert np.linalg.norm(places[2] - limits[-1]) < 1e-3 * L
    np.testing.assert_allclose(*limits, atol=1e-4 * L)
