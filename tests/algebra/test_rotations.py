"""Rotation kernels against SciPy and finite differences."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from cosim.algebra.rotations import (
    inverse_left_jacobian,
    left_jacobian,
    quaternion_from_matrix,
    quaternion_from_vector,
    quaternion_product,
    rotation_from_vector,
    vector_from_quaternion,
)

AXES = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [0.48, -0.6, 0.64]]
# either side of the switches between series and functions, and up to half a turn
ANGLES = [0.0, 1e-12, 9e-5, 1.1e-4, 1e-2, 1.0, 2.5, 3.14, np.pi - 1e-9]

VECTORS = [angle * np.array(axis) for axis in AXES for angle in ANGLES]


def call(kernel, *arguments, shape):
    """Result of a kernel over tuples as an array."""
    return np.reshape(kernel(*(tuple(np.ravel(a).tolist()) for a in arguments)), shape)


def vector_from_rotation(R):
    return vector_from_quaternion(quaternion_from_matrix(R))


@pytest.mark.parametrize("phi", VECTORS)
def test_all_forms_agree_with_scipy(phi):
    rotation = Rotation.from_rotvec(phi)
    R = call(rotation_from_vector, phi, shape=(3, 3))
    np.testing.assert_allclose(R, rotation.as_matrix(), atol=1e-15)
    p = call(quaternion_from_vector, phi, shape=4)
    np.testing.assert_allclose(p, rotation.as_quat(scalar_first=True), atol=1e-15)
    np.testing.assert_allclose(call(quaternion_from_matrix, R, shape=4), p, atol=1e-15)
    np.testing.assert_allclose(call(vector_from_quaternion, p, shape=3), phi, atol=1e-14)
    np.testing.assert_allclose(call(vector_from_quaternion, -3.0 * p, shape=3), phi, atol=1e-14)
    np.testing.assert_allclose(call(vector_from_rotation, R, shape=3), phi, atol=1e-14)


def test_product_is_the_second_rotation_followed_by_the_first():
    a, b = Rotation.random(2, rng=np.random.default_rng(0))
    product = call(
        quaternion_product, a.as_quat(scalar_first=True), b.as_quat(scalar_first=True), shape=4
    )
    turned = Rotation.from_quat(product, scalar_first=True)
    np.testing.assert_allclose(turned.as_matrix(), (a * b).as_matrix(), atol=1e-15)


@pytest.mark.parametrize("phi", VECTORS)
def test_left_jacobian_is_the_rate_of_the_rotation(phi):
    rate, h = np.array([0.3, -0.7, 0.2]), 1e-6
    after, before = (Rotation.from_rotvec(phi + s * h * rate) for s in (1.0, -1.0))
    difference = (after * before.inv()).as_rotvec() / (2.0 * h)
    omega = call(left_jacobian, phi, rate, shape=3)
    np.testing.assert_allclose(omega, difference, atol=1e-9)
    np.testing.assert_allclose(call(inverse_left_jacobian, phi, omega, shape=3), rate, atol=1e-12)


def test_rotation_vectors_against_scipy():
    random = np.random.default_rng(0)
    for angle in (0.0, 1e-9, 1e-3, 1.0, 3.0, 3.1415):
        axis = random.normal(size=3)
        vector = angle * axis / np.linalg.norm(axis)
        R = Rotation.from_rotvec(vector).as_matrix()
        out = call(vector_from_rotation, R, shape=3)
        np.testing.assert_allclose(out, vector, atol=1e-7)


def test_inverse_left_jacobian_is_the_rate_of_the_rotation_vector():
    theta, omega, step = np.array([0.4, -0.9, 0.3]), np.array([0.2, 0.5, -0.7]), 1e-6
    ends = [
        (Rotation.from_rotvec(s * step * omega) * Rotation.from_rotvec(theta)).as_rotvec()
        for s in (1.0, -1.0)
    ]
    rate = (ends[0] - ends[1]) / (2.0 * step)
    np.testing.assert_allclose(call(inverse_left_jacobian, theta, omega, shape=3), rate, rtol=1e-8)
    columns = [call(inverse_left_jacobian, np.zeros(3), axis, shape=3) for axis in np.eye(3)]
    np.testing.assert_allclose(columns, np.eye(3))
