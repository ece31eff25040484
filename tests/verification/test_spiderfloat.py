"""The articulated float against a model of its own, written here from energies.

The reference has 15 coordinates (platform 6; hinge, slide, pivot of each leg), positions from
rotations about the hinges, potential energy from weight, buoyancy, stays, springs and elastic
catenaries, and mass by differences of positions. It shares the dimensions (properties.py) and
the added mass of the database with the case, no code with the package.
"""

import importlib.util
import sys
from functools import cache
from math import asinh, hypot
from pathlib import Path

import numpy as np
import pytest
from scipy.linalg import eigh
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

import cosim
from cosim.analysis.linear import linearise
from cosim.case.build import build
from cosim.case.start import start_state
from cosim.hydrodynamics.read import read_database

FOLDER = Path(__file__).parents[2] / "cases" / "spiderfloat"
YAWS = np.radians([0.0, 120.0, 240.0])
SLIDE, PIVOT = 6.0e6, 4.0e8  # springs of the case


def load_properties():
    spec = importlib.util.spec_from_file_location("spiderfloat", FOLDER / "properties.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["spiderfloat"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


p = load_properties()
SOLIDS = {solid.name: solid for solid in (p.platform(), p.leg(), p.arm(), p.buoy())}
BODIES = ["platform", *(f"leg{k}/{name}" for k in (1, 2, 3) for name in ("leg", "arm", "buoy"))]
FLOATING = [name for name in BODIES if name == "platform" or name.endswith("buoy")]
WATERLINE = {"platform": p.STEM[-1][0], "buoy": p.BUOY_RADIUS}


@pytest.fixture(scope="module")
def assembly():
    return build(cosim.read_case(FOLDER))


@pytest.fixture(scope="module")
def start(assembly):
    return start_state(assembly.case, assembly.model, assembly.adapters)


def solid_of(body):
    return SOLIDS[body.rpartition("/")[2]]


def turn_of(body):
    return np.eye(3) if body == "platform" else about("z", YAWS[int(body[3]) - 1])


def about(axis, angle):
    return Rotation.from_euler(axis, angle).as_matrix()


def placed(body, x, z):
    return turn_of(body) @ np.array([x, 0.0, z])


def poses(q):
    """Rotation, and map of points of the reference configuration, of every body."""
    origin, R0 = np.array(p.platform().centre), Rotation.from_rotvec(q[3:6]).as_matrix()

    def of_platform(point):
        return origin + q[:3] + R0 @ (point - origin)

    found = {"platform": (R0, of_platform)}
    for k, yaw in enumerate(YAWS):
        angle, slide, pivot = q[6 + 3 * k : 9 + 3 * k]
        Z = about("z", yaw)
        hinge, end = Z @ [p.HINGE_X, 0, p.LEG_Z], Z @ [p.BUOY_X, 0, p.LEG_Z]
        Rl, Rb = Z @ about("y", angle) @ Z.T, Z @ about("y", pivot) @ Z.T
        shift = Z @ [slide, 0, 0]

        def of_leg(point, hinge=hinge, Rl=Rl):
            return of_platform(hinge + Rl @ (point - hinge))

        def of_arm(point, of_leg=of_leg, shift=shift):
            return of_leg(point + shift)

        def of_buoy(point, of_arm=of_arm, end=end, Rb=Rb):
            return of_arm(end + Rb @ (point - end))

        for name, R, of in (
            ("leg", R0 @ Rl, of_leg),
            ("arm", R0 @ Rl, of_arm),
            ("buoy", R0 @ Rl @ Rb, of_buoy),
        ):
            found[f"leg{k + 1}/{name}"] = (R, of)
    return found


@cache
def catenary(reach, rise):
    """Horizontal and vertical pull, N, of a chain that lies partly on the bed."""
    EA, length = p.CHAIN["EA"], p.CHAIN["length"]
    w = p.G * (p.CHAIN["mass"] - p.RHO * 0.25 * np.pi * p.CHAIN["diameter"] ** 2)

    def lifted(H):
        return brentq(
            lambda s: H / w * (hypot(1, w * s / H) - 1) + w * s * s / 2 / EA - rise, rise, 9e3
        )

    def gap(H):
        s = lifted(H)
        return length - s + H / w * asinh(s * w / H) + H * length / EA - reach

    H = brentq(gap, 1e4, 4e6)
    return np.array([H, w * lifted(H)])


@cache
def mooring_stiffness():
    """Of one line along (radius, tangent, up), and its pull on the fairlead."""
    reach, rise, h = p.ANCHOR_RADIUS - p.FAIRLEAD_X, p.DEPTH + p.LEG_Z, 0.01
    by_reach = (catenary(reach + h, rise) - catenary(reach - h, rise)) / (2 * h)
    by_rise = (catenary(reach, rise + h) - catenary(reach, rise - h)) / (2 * h)
    H, V = catenary(reach, rise)
    K = np.array([[by_reach[0], 0, -by_rise[0]], [0, H / reach, 0], [-by_reach[1], 0, by_rise[1]]])
    return K, np.array([H, 0.0, -V])


def centre_of_buoyancy(name):
    if name == "buoy":
        return -0.5 * p.BUOY_DRAFT
    z = np.linspace(p.STEM[0][1], 0.0, 44001)
    r2 = np.interp(z, [s[1] for s in p.STEM], [s[0] for s in p.STEM]) ** 2
    return np.trapezoid(r2 * z, z) / np.trapezoid(r2, z)


HEIGHT_OF_BUOYANCY = {name: centre_of_buoyancy(name) for name in WATERLINE}


def energy_of_water(body, R, of):
    """Buoyancy about the centre of gravity, linear as in the package."""
    solid, name = solid_of(body), body.rpartition("/")[2]
    centre = placed(body, solid.centre[0], solid.centre[2])
    rise, tilt = (of(centre) - centre)[2], Rotation.from_matrix(R).as_rotvec()
    area, lever = np.pi * WATERLINE[name] ** 2, HEIGHT_OF_BUOYANCY[name] - solid.centre[2]
    heave = p.RHO * p.G * area
    pitch = p.RHO * p.G * (area * WATERLINE[name] ** 2 / 4 + solid.volume * lever)
    lift = p.RHO * p.G * solid.volume * rise
    return 0.5 * heave * rise**2 + 0.5 * pitch * (tilt[0] ** 2 + tilt[1] ** 2) - lift


def potential(q):
    found = poses(q)
    total = sum(energy_of_water(body, *found[body]) for body in FLOATING)
    for body in BODIES:
        solid = solid_of(body)
        centre = placed(body, solid.centre[0], solid.centre[2])
        height = (found[body][1](centre) - centre)[2]
        total += solid.gravity_scale * solid.mass * p.G * height
    K, pull = mooring_stiffness()
    for k in range(3):
        leg = f"leg{k + 1}/leg"
        for (stem, end, _), stay in zip((p.UPPER, p.LOWER), p.stays(), strict=True):
            ends = found["platform"][1](placed(leg, *stem)) - found[leg][1](placed(leg, *end))
            total += 0.5 * stay.stiffness * (np.linalg.norm(ends) - stay.unstretched) ** 2
        _, slide, pivot = q[6 + 3 * k : 9 + 3 * k]
        total += 0.5 * SLIDE * slide**2 + 0.5 * PIVOT * pivot**2
        fairlead = placed(leg, p.FAIRLEAD_X, p.LEG_Z)
        moved = turn_of(leg).T @ (found[leg][1](fairlead) - fairlead)
        total += 0.5 * moved @ K @ moved - pull @ moved
    return total


STEPS = np.array([1e-2] * 3 + [1e-3] * 3 + [1e-3, 1e-2, 1e-3] * 3)


def stiffness():
    K = np.empty((15, 15))
    units = np.diag(STEPS)
    for i, a in enumerate(units):
        for j, b in enumerate(units[: i + 1]):
            bend = potential(a + b) - potential(a - b) - potential(b - a) + potential(-a - b)
            K[i, j] = K[j, i] = bend / (4 * STEPS[i] * STEPS[j])
    return K


def mass():
    database = read_database(FOLDER / "hydrodynamics.nc").select(FLOATING)
    total = np.zeros((15, 15))
    columns = {body: np.empty((6, 15)) for body in BODIES}
    h = 1e-5
    for i, unit in enumerate(np.eye(15)):
        ahead, behind = poses(h * unit), poses(-h * unit)
        for body in BODIES:
            solid = solid_of(body)
            centre = placed(body, solid.centre[0], solid.centre[2])
            columns[body][:3, i] = (ahead[body][1](centre) - behind[body][1](centre)) / (2 * h)
            relative = Rotation.from_matrix(ahead[body][0] @ behind[body][0].T)
            columns[body][3:, i] = relative.as_rotvec() / (2 * h)
    for body in BODIES:
        solid, Z, B = solid_of(body), turn_of(body), columns[body]
        total += solid.mass * B[:3].T @ B[:3] + B[3:].T @ Z @ np.diag(solid.inertia) @ Z.T @ B[3:]
    B = np.vstack([columns[body] for body in FLOATING])
    return total + B.T @ database.added_mass_inf @ B


def test_case_file_holds_the_computed_properties(assembly):
    bodies = assembly.case.bodies
    for body in BODIES:
        solid = solid_of(body)
        assert bodies[body].mass == pytest.approx(solid.mass, rel=1e-6)
        assert bodies[body].gravity_scale == pytest.approx(solid.gravity_scale, rel=1e-5)
        np.testing.assert_allclose(bodies[body].inertia[:3], solid.inertia, rtol=1e-5)
        centre = placed(body, solid.centre[0], solid.centre[2])
        np.testing.assert_allclose(bodies[body].cog, centre, atol=1e-4)
    for name, stay in zip(("upper", "lower"), p.stays(), strict=True):
        element = assembly.case.elements[f"{name}2"]
        assert element.length == pytest.approx(stay.unstretched, abs=1e-4)
        assert element.stiffness == pytest.approx(stay.stiffness, rel=1e-4)


def test_weight_and_mooring_balance_buoyancy(assembly, start):
    """Reference configuration and equilibrium are 1 mm and 1e-3 degrees apart."""
    reference, _ = assembly.model.initial()
    moved = assembly.model.difference(start.q, reference)
    assert np.abs(moved).max() <= 1e-3
    angles = [k for k, name in enumerate(assembly.model.speeds) if name.endswith("angle")]
    assert np.degrees(np.abs(moved[angles])).max() <= 1e-3


def test_natural_periods_agree_with_energies(assembly, start):
    """0.1 %; surge and sway 4 %.

    The touch-down of a chain of 20 segments goes from node to node: with 20, 40 and 80 segments
    surge is 3.4 %, -2.7 % and 0.6 % slower than on the continuous catenary.
    """
    system = linearise(assembly.model, assembly.adapters, start.q)
    ours = eigh(0.5 * (system.K + system.K.T), system.M, eigvals_only=True)
    there = eigh(stiffness(), mass(), eigvals_only=True)
    assert (there > 0.0).all()
    tolerance = np.array([0.04] * 2 + [0.001] * 13)
    np.testing.assert_array_less(np.abs(np.sqrt(ours / there) - 1.0), tolerance)


def test_joint_loads_at_rest_carry_the_stays():
    """Hinge: stays, mooring and lifts of one leg; pivot: lift of the buoy; slide: of both."""
    case = cosim.read_case(FOLDER, ["environment.waves={type: still}", "time.end=0.2"])
    results = cosim.run(case)
    force = results["joint_force"].isel(time=-1)
    lift = {name: solid.lift for name, solid in SOLIDS.items()}
    assert force.sel(joint="leg1/pivot", xyz="z") == pytest.approx(-lift["buoy"], rel=1e-3)
    both = lift["buoy"] + lift["arm"]
    assert force.sel(joint="leg1/slide", xyz="z") == pytest.approx(-both, rel=1e-3)
    pull = p.mooring()
    hinge = np.array([pull.horizontal, 0.0, lift["leg"] + both - pull.vertical])
    for (stem, end, _), stay in zip((p.UPPER, p.LOWER), p.stays(), strict=True):
        way = np.array([stem[0] - end[0], 0.0, stem[1] - end[1]]) / stay.length
        hinge += stay.tension * way
    for k, yaw in enumerate(YAWS, start=1):
        ours = force.sel(joint=f"leg{k}/hinge").values
        np.testing.assert_allclose(ours, -about("z", yaw) @ hinge, atol=2e-3 * abs(hinge).max())


WAVES = "environment.waves={{type: regular, height: 2, period: 9, heading_deg: {}, ramp: 10}}"


def in_waves(heading):
    settings = [WAVES.format(heading), "time.end=40", "start.from=reference"]
    return cosim.run(cosim.read_case(FOLDER, settings))


def test_waves_from_another_leg_move_the_others_alike():
    """Turned by 120 degrees with the waves: 1 %, the 20-sided hulls are not quite alike."""
    here, there = in_waves(0), in_waves(120)
    turn = about("z", YAWS[1])
    following = {1: 2, 2: 3, 3: 1}
    pairs = {"platform": "platform"} | {
        f"leg{k}/buoy": f"leg{n}/buoy" for k, n in following.items()
    }
    for body, same in pairs.items():
        moved = here["position"].sel(body=body) - here["reference_position"].sel(body=body)
        turned = there["position"].sel(body=same) - there["reference_position"].sel(body=same)
        error = turned.values - moved.values @ turn.T
        assert np.abs(error).max() <= 0.01 * np.abs(moved.values).max()
    for k, n in following.items():
        force = here["joint_force"].sel(joint=f"leg{k}/hinge").values
        turned = there["joint_force"].sel(joint=f"leg{n}/hinge").values
        swing = np.abs(force - force[0]).max()
        assert np.abs(turned - force @ turn.T).max() <= 0.01 * swing
        line = here[f"lines/line{k}/fairlead_tension"].values
        turned = there[f"lines/line{n}/fairlead_tension"].values
        assert np.abs(turned - line).max() <= 0.01 * np.ptp(line)
