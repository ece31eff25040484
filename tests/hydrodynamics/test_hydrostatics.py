import numpy as np
import pytest

from cosim.algebra.attitude import skew
from cosim.hydrodynamics.facts import BodyFacts, apply_facts
from cosim.hydrodynamics.hydrostatics import (
    buoyancy_stiffness,
    load_at_rest,
    move_stiffness,
    remove_weight,
)
from cosim.hydrodynamics.rigid import transfer

RHO_G = 1025.0 * 9.81


def tilted_box(zeta, theta, *, corner, size, point, cells=40):
    """Buoyancy on a box that is moved by zeta and turned by theta about `point`.

    Column by column: every vertical line of the body is cut at the water, exact in z.
    """
    x = corner[0] + (np.arange(cells) + 0.5) / cells * size[0]
    y = corner[1] + (np.arange(cells) + 0.5) / cells * size[1]
    lift = np.array([0.0, 0.0, zeta])
    X, Y = np.meshgrid(x, y, indexing="ij")
    area = size[0] * size[1] / cells**2
    R = np.eye(3) + skew(theta) + 0.5 * skew(theta) @ skew(theta)
    arms = np.stack([X - point[0], Y - point[1], np.zeros_like(X)], axis=-1)
    axis = R[:, 2]
    bottom = point + lift + arms @ R.T + (corner[2] - point[2]) * axis
    length = -bottom[..., 2] / axis[2]
    middle = bottom + 0.5 * length[..., None] * axis
    volume = length * area
    force = RHO_G * volume.sum()
    arm = middle - point - lift
    moment = np.cross(arm, [0.0, 0.0, 1.0]) * (RHO_G * volume)[..., None]
    return np.concatenate([[0, 0, force], moment.sum(axis=(0, 1))])


@pytest.mark.parametrize("point", [(3.0, -1.0, -2.0), (0.0, 0.0, 0.0), (-4.0, 2.0, -9.0)])
def test_off_centre_waterplane_against_direct_integration(point):
    corner, size, point = np.array([1.0, -2.0, -6.0]), (10.0, 7.0), np.array(point)
    volume = size[0] * size[1] * 6.0
    centre = np.array([corner[0] + 5.0, corner[1] + 3.5, -3.0])
    x = corner[0] + (np.arange(400) + 0.5) / 400 * size[0]
    y = corner[1] + (np.arange(400) + 0.5) / 400 * size[1]
    X, Y = (v.ravel() for v in np.meshgrid(x - point[0], y - point[1]))
    ones = np.stack([np.ones_like(X), X, Y])
    waterplane = ones @ ones.T * size[0] * size[1] / X.size
    C = buoyancy_stiffness(
        waterplane=waterplane, volume=volume, centre=centre - point, weight_density=RHO_G
    )
    rest = load_at_rest(buoyancy=RHO_G * volume, centre=centre - point)
    step = 1e-5
    for i in range(2, 6):
        move = np.zeros(6)
        move[i] = step
        plus = tilted_box(move[2], move[3:], corner=corner, size=size, point=point)
        minus = tilted_box(-move[2], -move[3:], corner=corner, size=size, point=point)
        # the cell sum has an error of second order in the cell size: 40 cells, 6e-4
        slope = -(plus - minus) / (2.0 * step)
        np.testing.assert_allclose(C[:, i], slope, atol=1e-3 * np.abs(C).max())
    at_rest = tilted_box(0.0, np.zeros(3), corner=corner, size=size, point=point)
    np.testing.assert_allclose(rest, at_rest, atol=1e-9 * RHO_G * volume)


def test_oc3_buoyancy_stiffness_moves_from_the_water_level_to_the_centre_of_gravity():
    # NREL/TP-500-47535 section 4: buoyancy gives -4.999e9 N m/rad about the still-water
    # level (V = 8029.21 m3, 1025 kg/m3, 9.80665 m/s2); about z = -78 m that is +1.296e9
    C = np.zeros((6, 6))
    C[2, 2] = 332941.0
    C[3, 3] = C[4, 4] = -4.99918e9
    buoyancy = 1025.0 * 9.80665 * 8029.21
    moved = move_stiffness(C, [0.0, 0.0, 78.0], buoyancy=buoyancy)
    assert moved[4, 4] == pytest.approx(1.296e9, rel=5e-4)
    assert moved[3, 3] == moved[4, 4]
    np.testing.assert_allclose(
        move_stiffness(moved, [0.0, 0.0, -78.0], buoyancy=buoyancy), C, atol=1e-3
    )


def test_moving_agrees_with_computing_about_the_new_point():
    waterplane = np.array([[80.0, 12.0, -30.0], [12.0, 500.0, 40.0], [-30.0, 40.0, 700.0]])
    centre, shift = np.array([0.2, -0.4, -3.0]), np.array([1.5, -2.0, 4.0])
    old = buoyancy_stiffness(
        waterplane=waterplane, volume=300.0, centre=centre, weight_density=RHO_G
    )
    # a point at -shift from the old one sees everything further by shift
    T = np.array([[1.0, 0, 0], [shift[0], 1, 0], [shift[1], 0, 1]])
    new = buoyancy_stiffness(
        waterplane=T @ waterplane @ T.T,
        volume=300.0,
        centre=centre + shift,
        weight_density=RHO_G,
    )
    moved = move_stiffness(old, shift, buoyancy=RHO_G * 300.0)
    np.testing.assert_allclose(moved, new, atol=1e-9 * np.abs(new).max())


def test_weight_is_taken_out_of_all_five_places():
    C = remove_weight(np.zeros((6, 6)), mass=2.0, centre=[3.0, 5.0, 7.0], gravity=10.0)
    expected = np.zeros((6, 6))
    expected[3, 3] = expected[4, 4] = 140.0
    expected[3, 5], expected[4, 5] = -60.0, -100.0
    np.testing.assert_array_equal(C, expected)


def test_transfer_is_the_motion_of_a_rigid_body():
    d, v = np.array([1.0, -2.0, 3.0]), np.array([0.1, 0.2, 0.3, -0.4, 0.5, 0.6])
    moved = transfer(d) @ v
    np.testing.assert_allclose(moved[:3], v[:3] + np.cross(v[3:], d))


def test_true_volume_wins_over_the_mesh_and_the_difference_is_metres_of_draft(database):
    facts = {"buoy": BodyFacts(volume=510.0, centre_of_buoyancy=(0.0, 0.0, -2.55))}
    true = apply_facts(database, facts)
    assert true.bodies[0].volume == 510.0
    assert any("0.1 m too deep" in text for text in true.notes)
    body, old = true.bodies[0], database.bodies[0]
    specific = 1000.0 * 9.81
    change = body.stiffness[4, 4] - old.stiffness[4, 4]
    assert change == pytest.approx(specific * (510.0 * -2.55 - 500.0 * -2.5))
