"""Positions, twists, bias and coordinates of random trees of all joint kinds."""

import numpy as np
import pytest

from cosim.multibody.joint import JointModel

# central differences with this step leave about 1e-9 of truncation and rounding
STEP, DIFFERENCE = 1e-5, 2e-8

SEEDS = range(4)


def moved(model, q, u, h):
    """Where constant speeds lead within h, by the midpoint rule (error h³)."""
    half = q + 0.5 * h * model.q_dot(q, u)
    return q + h * model.q_dot(half, u)


def vee(W):
    return np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=1)


@pytest.mark.parametrize("seed", SEEDS)
def test_twists_are_the_rates_of_the_poses(trees, seed):
    model = JointModel(trees.random_tree(seed))
    q, u = trees.random_point(model, seed)
    state = model.kinematics(0.0, q, u).copy()
    after = model.kinematics(0.0, moved(model, q, u, STEP), u).copy()
    before = model.kinematics(0.0, moved(model, q, u, -STEP), u).copy()
    velocity = (after.r - before.r) / (2.0 * STEP)
    turning = np.einsum("nij,nkj->nik", (after.R - before.R) / (2.0 * STEP), state.R)
    np.testing.assert_allclose(velocity, state.v[:, :3], atol=DIFFERENCE, rtol=DIFFERENCE)
    np.testing.assert_allclose(vee(turning), state.v[:, 3:], atol=DIFFERENCE, rtol=DIFFERENCE)


@pytest.mark.parametrize("seed", SEEDS)
def test_bias_is_the_rate_of_the_twists_at_constant_speeds(trees, seed):
    model = JointModel(trees.random_tree(seed))
    q, u = trees.random_point(model, seed)
    model.kinematics(0.0, q, u)
    bias = model.bias()
    after = model.kinematics(0.0, moved(model, q, u, STEP), u).copy()
    before = model.kinematics(0.0, moved(model, q, u, -STEP), u).copy()
    difference = (after.v - before.v) / (2.0 * STEP)
    np.testing.assert_allclose(difference, bias, atol=1e2 * DIFFERENCE, rtol=DIFFERENCE)


@pytest.mark.parametrize("seed", SEEDS)
def test_velocity_transformation_gives_the_twists(trees, seed):
    model = JointModel(trees.random_tree(seed))
    q, u = trees.random_point(model, seed)
    state = model.kinematics(0.0, q, u)
    np.testing.assert_allclose(
        model.velocity_transformation() @ u, state.v.ravel(), rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_projection_is_the_transpose_of_the_velocity_transformation(trees, seed):
    model = JointModel(trees.random_tree(seed))
    q, u = trees.random_point(model, seed)
    model.kinematics(0.0, q, u)
    B = model.velocity_transformation()
    rng = np.random.default_rng(seed)
    g = rng.normal(size=(len(model.bodies), 6))
    np.testing.assert_allclose(model.project(g), B.T @ g.ravel(), rtol=1e-12, atol=1e-12)
    some = np.array([7, 2, 5])
    rows = np.concatenate([np.arange(6 * i, 6 * i + 6) for i in some])
    A = rng.normal(size=(18, 18))
    expected = B[rows].T @ (A + A.T) @ B[rows]
    np.testing.assert_allclose(model.project_mass(some, A + A.T), expected, rtol=1e-12, atol=1e-11)


def test_bodies_stand_where_they_are_described_in_the_reference_configuration(trees):
    model = JointModel(trees.random_tree(3))
    state = model.kinematics(0.0, *model.initial())
    cogs = [body.cog for body in model.system.bodies.values()]
    np.testing.assert_allclose(state.r, cogs, atol=1e-14)
    np.testing.assert_allclose(state.R, np.tile(np.eye(3), (len(cogs), 1, 1)), atol=1e-14)


def test_state_is_read_only(trees):
    model = JointModel(trees.random_tree(0))
    state = model.kinematics(0.0, *model.initial())
    with pytest.raises(ValueError, match="read-only"):
        state.r[0, 0] = 1.0


@pytest.mark.parametrize("seed", SEEDS)
def test_difference_undoes_retract(trees, seed):
    model = JointModel(trees.random_tree(seed))
    q, displacement = trees.random_point(model, seed)
    there = model.retract(q, displacement)
    np.testing.assert_allclose(model.difference(there, q), displacement, rtol=1e-12, atol=1e-13)


def test_retract_follows_the_speeds(trees):
    model = JointModel(trees.random_tree(1))
    q, u = trees.random_point(model, 1)
    slope = (model.retract(q, STEP * u) - model.retract(q, -STEP * u)) / (2.0 * STEP)
    np.testing.assert_allclose(slope, model.q_dot(q, u), atol=DIFFERENCE)


def test_the_length_of_a_quaternion_heals_and_turns_nothing(build):
    body = {"mass": 1.0, "cog": [0, 0, 0], "inertia": [1, 1, 1]}
    model = build({"a": body}, {"free": {"type": "floating", "child": "a"}})
    q, u = model.initial({"a.roll": 0.7, "a.yaw": -0.4})
    R = model.kinematics(0.0, q, u).R[0].copy()
    long = q.copy()
    long[3:] *= 1.1
    np.testing.assert_allclose(model.kinematics(0.0, long, u).R[0], R, atol=1e-15)
    # p' = (1 - p.p) p for the length n: n' = (1 - n²) n
    np.testing.assert_allclose(model.q_dot(long, u)[3:], (1.0 - 1.21) * long[3:], atol=1e-15)
