"""Energy and momentum, added mass in them, and the order of `step`."""

import numpy as np
import pytest

from cosim.multibody.joint import JointModel

# of the exchanged energy; the tolerance for added mass
ENERGY = 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_energy_of_random_trees(trees, seed):
    model = JointModel(trees.random_tree(seed, bodies=9))
    q, u = trees.random_point(model, seed)
    model.kinematics(0.0, q, u)
    start = model.energy()
    qs, us = trees.solve(model, q, u, np.array([1.0]))
    model.kinematics(1.0, qs[0], us[0])
    change = model.energy().total - start.total
    assert abs(change) <= ENERGY * max(start.kinetic, model.energy().kinetic)
    # something happened
    assert abs(model.energy().potential - start.potential) > 1e-2 * start.kinetic


def test_momentum_of_a_free_chain(trees):
    """No gravity: linear and angular momentum about the origin stay, whatever it does."""
    kinds = ("floating", "revolute", "spherical", "universal", "prismatic", "cylindrical")
    seed = next(
        s
        for s in range(100)
        if sum(j.parent == "earth" for j in trees.random_tree(s, kinds, 6).joints.values()) == 1
    )
    model = JointModel(trees.random_tree(seed, kinds, 6, gravity=0.0))
    q, u = trees.random_point(model, seed)

    def momentum(q, u):
        state = model.kinematics(0.0, q, u)
        p = (trees.mass_blocks(model, state) @ state.v.ravel()).reshape(-1, 6)
        return np.concatenate([p[:, :3].sum(0), (p[:, 3:] + np.cross(state.r, p[:, :3])).sum(0)])

    qs, us = trees.solve(model, q, u, np.array([5.0]))
    before, after = momentum(q, u), momentum(qs[0], us[0])
    np.testing.assert_allclose(after, before, atol=ENERGY * np.abs(before).max())


class AddedMassOfTwoHingedBodies:
    """A body hinged to earth, a second one to it, and a full (12, 12) M_a on both."""

    def __init__(self, build, turning):
        body = {"mass": 2.0, "inertia": [0.8, 1.0, 0.6]}
        hinge = {
            "type": "revolute",
            "parent": "a",
            "child": "b",
            "at": [1, 0, 0],
            "axis": [0, 1, 1],
        }
        root = {"type": "revolute", "child": "a", "at": [-1, 0, 0], "axis": [0, 1, 0]}
        self.model = build(
            {"a": {**body, "cog": [0, 0, 0]}, "b": {**body, "cog": [2, 0, 0.5]}},
            {"root": root, "hinge": hinge},
            environment={"gravity": 0.0},
        )
        A = np.random.default_rng(5).normal(size=(12, 12))
        self.reference = A @ A.T / 4.0
        self.turning = turning

    def added_mass(self, state):
        if not self.turning:
            return self.reference
        T = np.zeros((12, 12))
        for k in range(4):
            T[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = state.R[k // 2]
        return T @ self.reference @ T.T

    def energy(self, q, u):
        state = self.model.kinematics(0.0, q, u)
        v = state.v.ravel()
        return self.model.energy().kinetic + 0.5 * v @ self.added_mass(state) @ v

    def loads(self, *, bias=True, rate=True):
        """Generalised loads with or without the B' u term and that of a turning M_a."""

        def loads(t, state):
            Ma = self.added_mass(state)
            g = np.zeros(12)
            if bias:
                g -= Ma @ self.model.bias().ravel()
            if self.turning and rate:
                S = np.zeros((12, 12))
                for k in range(4):
                    x, y, z = state.v[k // 2, 3:]
                    S[3 * k : 3 * k + 3, 3 * k : 3 * k + 3] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
                g -= 0.5 * (S @ Ma - Ma @ S) @ state.v.ravel()
            mass = self.model.project_mass(np.arange(2), Ma)
            return self.model.project(g.reshape(2, 6)), mass

        return loads

    def change(self, trees, **terms):
        """Relative change of energy within 10 s."""
        q, u = self.model.initial({"root.angle_rate": 1.0, "hinge.angle_rate": -0.5})
        qs, us = trees.solve(self.model, q, u, np.array([10.0]), self.loads(**terms))
        start = self.energy(q, u)
        return (self.energy(qs[0], us[0]) - start) / start


class TestAddedMassOfTwoHingedBodies:
    def test_constant_in_world_axes(self, trees, build):
        case = AddedMassOfTwoHingedBodies(build, turning=False)
        assert abs(case.change(trees)) <= ENERGY

    def test_constant_in_world_axes_without_the_bias_term(self, trees, build):
        """The negative control: what a code loses that forgets M_a B' u."""
        case = AddedMassOfTwoHingedBodies(build, turning=False)
        assert abs(case.change(trees, bias=False)) >= 1e-2

    def test_turning_with_the_bodies(self, trees, build):
        case = AddedMassOfTwoHingedBodies(build, turning=True)
        assert abs(case.change(trees)) <= ENERGY

    @pytest.mark.parametrize("left_out", ["bias", "rate"])
    def test_turning_with_the_bodies_without_a_term(self, trees, build, left_out):
        case = AddedMassOfTwoHingedBodies(build, turning=True)
        assert abs(case.change(trees, **{left_out: False})) >= 1e-2


def test_step_is_of_order_four(build):
    """Errors of two step sizes against a hundred times smaller ones, with loads and M_a."""
    body = {"mass": 1.0, "cog": [0.3, 0.0, -0.5], "inertia": [0.2, 0.3, 0.25]}
    model = build({"bob": body}, {"pin": {"type": "spherical", "child": "bob", "at": [0, 0, 0]}})
    Ma = np.diag([0.5, 0.5, 0.2, 0.1, 0.1, 0.3])

    def loads(t, state):
        g = np.zeros((1, 6))
        g[0, 1] = np.sin(3.0 * t)
        g[0] -= 0.1 * state.v[0]
        return g, Ma

    def run(steps):
        q, u = model.initial({"pin.yaw_rate": 1.0})
        for k in range(steps):
            q, u = model.step(k / steps, 1.0 / steps, q, u, loads)
        return np.concatenate([q, u])

    exact = run(800)
    errors = [np.abs(run(steps) - exact).max() for steps in (10, 20, 40)]
    orders = np.log2(np.divide(errors[:-1], errors[1:]))
    np.testing.assert_allclose(orders, 4.0, atol=0.3)


def test_step_without_loads_keeps_a_pendulum_going(build):
    body = {"mass": 1.0, "cog": [0.0, 0.0, -0.5], "inertia": [0.2, 0.3, 0.25]}
    pin = {"type": "revolute", "child": "bob", "at": [0, 0, 0], "axis": [1, 0, 0]}
    model = build({"bob": body}, {"pin": pin})
    q, u = model.initial({"pin.angle": 1.0})
    model.kinematics(0.0, q, u)
    start = model.energy().total
    for k in range(200):
        q, u = model.step(0.01 * k, 0.01, q, u)
    model.kinematics(2.0, q, u)
    assert model.energy().total == pytest.approx(start, rel=1e-7)
