"""The Cartesian model against the one in joint coordinates: two derivations of one motion."""

from pathlib import Path

import numpy as np
import pytest

from cosim import read_case
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions
from cosim.multibody.joint import JointModel

CASES = Path(__file__).parents[3] / "cases"
OPTIONS = (
    {},
    {"bodies": "reduced"},
    {"joints": "redundant"},
    {"joints": "redundant", "bodies": "reduced"},
)
# the tolerance for accelerations, relative to the largest
SAME = 1e-12


class Pair:
    """A system in both formulations, in one random motion."""

    def __init__(self, system, seed, options):
        self.joint = JointModel(system)
        self.cartesian = CartesianModel(system, CartesianOptions(**options))
        rng = np.random.default_rng(seed)
        q, _ = self.joint.initial()
        q = self.joint.retract(q, 0.5 * rng.normal(size=self.joint.nu))
        self.q, self.u = self.joint.closed(q, rng.normal(size=self.joint.nu))
        self.x, self.v = self.cartesian.from_tree(self.joint, self.q, self.u)
        n = len(self.joint.bodies)
        self.g = rng.normal(size=(n, 6))
        A = rng.normal(size=(n, 6, 6))
        self.body_mass = A @ np.swapaxes(A, 1, 2)
        A = rng.normal(size=(6 * n, 6 * n))
        self.added_mass = A @ A.T / (6 * n)

    def models(self):
        self.joint.kinematics(0.3, self.q, self.u)
        self.cartesian.kinematics(0.3, self.x, self.v)
        return self.joint, self.cartesian


def assert_same(a, b, tolerance=SAME):
    assert np.abs(a - b).max() <= tolerance * max(1.0, np.abs(a).max())


def systems(random_tree):
    yield from (random_tree(seed) for seed in range(4))
    for name in ("double_pendulum/case", "spiderfloat/case", "four_bar/case", "rm3/moored"):
        yield read_case(CASES / f"{name}.yaml")


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("number", range(8))
def test_twist_rates_are_those_of_joint_coordinates(number, options, trees):
    pair = Pair(list(systems(trees.random_tree))[number], number, options)
    first, second = pair.models()
    np.testing.assert_allclose(second.constraint_jacobian() @ pair.v, 0.0, atol=1e-12)
    Q = [m.accelerations(m.project(pair.g))[1] for m in (first, second)]
    assert_same(*Q)
    blocks = [
        m.accelerations(
            m.project(pair.g - np.einsum("iab,ib->ia", pair.body_mass, m.bias())),
            body_mass=pair.body_mass,
        )[1]
        for m in (first, second)
    ]
    assert_same(*blocks)
    bodies = np.arange(len(first.bodies))
    coupled = [
        m.accelerations(
            m.project(pair.g - (pair.added_mass @ m.bias().ravel()).reshape(-1, 6)),
            m.project_mass(bodies, pair.added_mass),
        )[1]
        for m in (first, second)
    ]
    assert_same(*coupled)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("number", range(8))
def test_energy_elements_coordinates_and_reactions_are_the_same(number, options, trees):
    pair = Pair(list(systems(trees.random_tree))[number], number, options)
    first, second = pair.models()
    energies = [(m.energy().kinetic, m.energy().potential) for m in (first, second)]
    np.testing.assert_allclose(*energies, rtol=SAME, atol=SAME)
    values = [np.append(m.element_values(), m.nonconservative_power()) for m in (first, second)]
    assert_same(*values)
    v_dot = first.accelerations(first.project(pair.g))[1]
    if not first.closures:  # those of a loop with dependent rows are not unique
        loads = [m.reactions(pair.g, v_dot) for m in (first, second)]
        np.testing.assert_allclose(loads[0].point, loads[1].point, rtol=0, atol=1e-12)
        weights = [body.mass * 9.81 for body in first.system.bodies.values()]
        scale = max(np.abs(loads[0].wrench).max(), *weights)
        np.testing.assert_allclose(loads[1].wrench / scale, loads[0].wrench / scale, atol=1e-12)
    shown, rates = second.coordinate_values(0.0, pair.x, pair.v)
    np.testing.assert_allclose(
        shown, first.difference(pair.q, first.initial()[0]), rtol=0, atol=1e-13
    )
    np.testing.assert_allclose(rates, pair.u, rtol=0, atol=1e-12)


@pytest.mark.parametrize("constraints", ["baumgarte", "augmented_lagrangian"])
@pytest.mark.parametrize("name", ["four_bar/case", "double_pendulum/case"])
def test_damped_constraints_have_the_accelerations_of_projected_ones(name, constraints):
    system = read_case(CASES / f"{name}.yaml")
    exact = CartesianModel(system)
    damped = CartesianModel(system, CartesianOptions(constraints=constraints, alpha=3, beta=4))
    q, u = exact.initial(dict(system.start.set))
    rates = []
    for model in (exact, damped):
        model.kinematics(0.0, q, u)
        rates.append(model.accelerations(np.zeros(model.nu))[0])
    assert_same(*rates, tolerance=1e-10)
    # off the constraints they obey gap'' + 2 alpha gap' + beta^2 gap = 0
    rng = np.random.default_rng(1)
    dq, du = 1e-6 * rng.normal(size=(2, damped.nu))
    off = damped.retract(q, dq)
    damped.kinematics(0.0, off, u + du)
    gap, J = damped.constraint_violation(), damped.constraint_jacobian()
    u_dot, _ = damped.accelerations(np.zeros(damped.nu))
    h = 1e-4
    ends = []
    for s in (-h, h):
        there = damped.retract(off, s * (u + du) + s * s / 2 * u_dot)
        damped.kinematics(0.0, there, u)
        ends.append(damped.constraint_violation())
    growth = (ends[0] + ends[1] - 2 * gap) / h**2
    wanted = -2 * 3 * J @ (u + du) - 4**2 * gap
    np.testing.assert_allclose(J.T @ growth, J.T @ wanted, atol=1e-6)
