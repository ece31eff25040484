"""Quaternion, twist and rotation vector of relative rotations against Rodrigues and SciPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from cosim.algebra.rotations import inverse_left_jacobian, twist, vector_from_quaternion
from cosim.multibody.elements.bodies import Bodies, relative_quaternion

seeds = st.integers(0, 2**32 - 1)
fast = settings(max_examples=100, deadline=None, derandomize=True)
ANGLES = (0.0, 1e-12, 1e-7, 1e-3, 9e-3, 1.1e-2, 0.5, 1.0, 2.0, 3.0, np.pi - 1e-6, np.pi - 1e-12)


def bodies(kit, *vectors):
    R = np.array([kit.rotation(phi) for phi in vectors])
    return Bodies(np.zeros((len(R), 3)), R, np.zeros((len(R), 6)))


@pytest.mark.parametrize("angle", ANGLES)
@fast
@given(seed=seeds)
def test_rotation_vector_is_recovered(kit, angle, seed):
    axis = np.random.default_rng(seed).normal(size=3)
    phi = angle * axis / np.linalg.norm(axis)
    pair = bodies(kit, [0.3, -1.0, 2.0], [0, 0, 0])
    pair.R[1] = pair.R[0] @ kit.rotation(phi)  # R_rel = R_0^T R_1
    theta = np.array(vector_from_quaternion(relative_quaternion(pair, 0, 1)))
    if angle > 3.1:  # both signs of the axis describe half a turn
        theta *= np.sign(theta @ phi)
    np.testing.assert_allclose(theta, phi, atol=2e-15 * (1.0 + 10.0 * angle))


@fast
@given(seed=seeds)
def test_quaternion_agrees_with_scipy(kit, seed):
    phi = np.random.default_rng(seed).uniform(-2.0, 2.0, (2, 3))
    pair = bodies(kit, *phi)
    scalar, *p = relative_quaternion(pair, 0, 1)
    x, y, z, w = Rotation.from_matrix(pair.R[0].T @ pair.R[1]).as_quat(canonical=True)
    np.testing.assert_allclose([scalar, *p], [w, x, y, z], atol=1e-14)


@pytest.mark.parametrize("angle", ANGLES[:-2])
@fast
@given(seed=seeds)
def test_rate_of_the_rotation_vector(kit, angle, seed):
    rng = np.random.default_rng(seed)
    axis, rate = rng.normal(size=(2, 3))
    phi = angle * axis / np.linalg.norm(axis)
    step = 1e-4
    before, after = (
        (Rotation.from_rotvec(s * step * rate) * Rotation.from_rotvec(phi)).as_rotvec()
        for s in (-1.0, 1.0)
    )
    if np.linalg.norm(after - before) < 1.0:  # not across half a turn
        expected = (after - before) / (2.0 * step)
        got = inverse_left_jacobian(tuple(phi), tuple(rate))
        np.testing.assert_allclose(got, expected, atol=1e-7 * (1.0 + rate @ rate) ** 1.5)


def test_series_meets_closed_form_where_they_change_over():
    rate = (0.3, -0.2, 0.9)
    below, above = (inverse_left_jacobian((0.0, a, 0.0), rate) for a in (0.01 - 1e-9, 0.01 + 1e-9))
    np.testing.assert_allclose(below, above, atol=1e-9)


@fast
@given(seed=seeds)
def test_twist_of_a_swing_after_a_twist(kit, seed):
    rng = np.random.default_rng(seed)
    axis, other = rng.normal(size=(2, 3))
    axis /= np.linalg.norm(axis)
    across = np.cross(axis, other)
    across *= rng.uniform(0.0, 2.5) / np.linalg.norm(across)
    angle = rng.uniform(-3.1, 3.1)
    pair = bodies(kit, [0, 0, 0], [0, 0, 0])
    pair.R[1] = kit.rotation(across) @ kit.rotation(angle * axis)
    got, _ = twist(relative_quaternion(pair, 0, 1), tuple(axis))
    assert got == pytest.approx(angle, abs=1e-12)


def test_twist_at_a_swing_of_half_a_turn_has_no_direction():
    angle, h = twist((0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    assert angle == 0.0
    assert h == (0.0, 0.0, 0.0)
