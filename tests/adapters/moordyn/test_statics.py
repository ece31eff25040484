"""Lines at rest against an elastic catenary with sea-bed contact, solved here on its own."""

import numpy as np
import pytest
from scipy.optimize import fsolve

# OC3-Hywind, NREL/TP-500-47535 table 5-1
GRAVITY, DENSITY = 9.80665, 1025.0
LENGTH, DIAMETER, MASS, EA = 902.2, 0.09, 77.7066, 384.243e6
WEIGHT = (MASS - DENSITY * np.pi * DIAMETER**2 / 4) * GRAVITY
ANCHOR_RADIUS, FAIRLEAD_RADIUS, DEPTH, FAIRLEAD_DEPTH = 853.87, 5.2, 320.0, 70.0


def catenary(span, height, *, length=LENGTH, weight=WEIGHT, stiffness=EA):
    """Horizontal and vertical force (H, V) that hold the upper end of a line.

    Elastic catenary of a line that lies partly on a bottom without friction
    (Jonkman, NREL/TP-500-41958, 2.4, with CB = 0).
    """

    def gap(unknown):
        H, V = np.exp(unknown)
        on_bottom = max(0.0, length - V / weight)
        lower = max(0.0, V - weight * length)
        arc = np.arcsinh(V / H) - np.arcsinh(lower / H)
        rise = np.hypot(1.0, V / H) - np.hypot(1.0, lower / H)
        hanging = length - on_bottom
        x = on_bottom + H / weight * arc + H * length / stiffness
        z = H / weight * rise + (V * hanging - weight * hanging**2 / 2) / stiffness
        return x - span, z - height

    return np.exp(fsolve(gap, np.log([7e5, 5e5]), xtol=1e-12))


def mooring_force(x):
    """Force of the three lines on a spar moved by x, (3,), m."""
    total = np.zeros(3)
    for angle in np.radians([0.0, 120.0, 240.0]):
        direction = np.array([np.cos(angle), np.sin(angle), 0.0])
        anchor = ANCHOR_RADIUS * direction - [0, 0, DEPTH]
        fairlead = FAIRLEAD_RADIUS * direction - [0, 0, FAIRLEAD_DEPTH] + x
        flat = (anchor - fairlead) * [1, 1, 0]
        span = np.linalg.norm(flat)
        H, V = catenary(span, fairlead[2] - anchor[2])
        total += H * flat / span - [0, 0, V]
    return total


def test_the_catenary_reproduces_the_published_tension():
    # MoorDyn's and MAP's documentation, and Jonkman (2010): about 911 kN
    H, V = catenary(ANCHOR_RADIUS - FAIRLEAD_RADIUS, DEPTH - FAIRLEAD_DEPTH)
    assert np.hypot(H, V) == pytest.approx(911e3, rel=2e-3)


def test_static_fairlead_tension_of_oc3(make_adapter, pose):
    """Within 2 % (the issue); the end of the line carries half a segment more than FairTen."""
    adapter = make_adapter()
    adapter.initialize(0.0, pose())
    tension = np.hypot(*catenary(ANCHOR_RADIUS - FAIRLEAD_RADIUS, DEPTH - FAIRLEAD_DEPTH))
    fairlead, anchor = adapter.outputs()[:2]
    assert fairlead == pytest.approx(tension, rel=0.02)
    assert anchor == pytest.approx(catenary(848.67, 250.0)[0], rel=0.02)
    vertical = adapter.forces()[0, 2]
    assert vertical == pytest.approx(mooring_force(np.zeros(3))[2], rel=2e-3)


@pytest.mark.parametrize("offset", [(5, 0, 0), (20, 0, 0), (-20, 0, 0), (0, 12, 0), (3, 4, -2)])
def test_offset_restoring_force_of_oc3(make_adapter, pose, offset):
    """Within 2 % of the catenary (the issue)."""
    adapter = make_adapter()
    force = adapter.static_forces(pose(r=np.add([0, 0, -78], offset)))[0]
    expected = mooring_force(np.array(offset, float))
    np.testing.assert_allclose(force[:3], expected, atol=0.02 * np.linalg.norm(expected[:2]))


def test_moments_are_about_the_centre_of_gravity(make_adapter, pose):
    adapter = make_adapter()
    force = adapter.static_forces(pose(r=(10, 0, -78)))[0]
    # fairleads are 8 m above the centre of gravity; their radius adds little
    assert force[4] == pytest.approx(8.0 * force[0], rel=0.3)
    shifted = make_adapter(bodies={"spar": {"cog": [0, 0, -70]}})
    other = shifted.static_forces(pose(r=(10, 0, -70)))[0]
    np.testing.assert_allclose(other[:3], force[:3], rtol=1e-6, atol=1.0)
    expected = force[3:] - np.cross([0, 0, 8.0], force[:3])
    np.testing.assert_allclose(other[3:], expected, atol=10.0)


def test_static_forces_do_not_depend_on_the_way_there(make_adapter, pose, monkeypatch, tmp_path):
    there = pose(r=(3.0, -2.0, -78.5))
    monkeypatch.setenv("COSIM_CACHE", str(tmp_path / "one"))
    direct = make_adapter().static_forces(there)
    monkeypatch.setenv("COSIM_CACHE", str(tmp_path / "two"))
    wandering = make_adapter()
    for x in (0.0, 8.0, -4.0):
        wandering.static_forces(pose(r=(x, 0, -78)))
    # 41 kN/m: 2 N are 0.05 mm
    np.testing.assert_allclose(wandering.static_forces(there)[0, :3], direct[0, :3], atol=2.0)


def test_the_run_starts_with_the_static_force(make_adapter, pose):
    adapter = make_adapter()
    place = pose(r=(2.0, 0.0, -78.0))
    static = adapter.static_forces(place)
    adapter.initialize(0.0, place)
    np.testing.assert_allclose(adapter.forces()[0, :3], static[0, :3], atol=2.0)
    np.testing.assert_allclose(adapter.forces()[0, 3:], static[0, 3:], atol=20.0)
