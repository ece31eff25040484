"""Joint coordinates, three directors and two: three derivations of one motion, on random trees.

All joint kinds, and every kind of element between random bodies. Tolerance: 1e-12 of the largest
acceleration, the issue of rounding through a chain of six bodies.
"""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cosim.model import System
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions
from cosim.multibody.joint import JointModel

SAME = 1e-12
OPTIONS = ({}, {"bodies": "reduced"}, {"joints": "redundant"})


def loaded(system, seed):
    """The system with elements of every kind."""
    rng = np.random.default_rng(seed)
    bodies = list(system.bodies)
    first, second = rng.choice(bodies, 2, replace=False).tolist()
    elements = {
        "force": {
            "type": "force",
            "point": first,
            "force": rng.normal(size=3).tolist(),
            "moment": [f"{rng.normal():.3f}*cos(2*t)", 0.5, -0.25],
            "axes": "body",
        },
        "spring": {
            "type": "tension",
            "points": [first, second],
            "stiffness": 20.0,
            "damping": 2.0,
            "length": 0.4,
            "law": "3*x*abs(x)",
        },
        "torsion": {
            "type": "torsion",
            "bodies": [second, first],
            "axis": [0.0, 0.6, 0.8],
            "stiffness": 5.0,
            "damping": 1.0,
        },
        "bushing": {
            "type": "matrix",
            "body": second,
            "reference": first,
            "at": [0.1, 0.2, 0.3],
            "stiffness": (10.0 * np.eye(6) + rng.normal(size=(6, 6))).tolist(),
            "damping": np.eye(6).tolist(),
        },
    }
    for name, joint in system.joints.items():
        if joint.type in ("revolute", "prismatic"):
            stop = {"lower": -0.2, "upper": 0.3, "stiffness": 50.0, "damping": 1.0}
            elements[f"on {name}".replace(" ", "_")] = {
                "type": "joint",
                "joint": name,
                "stiffness": 8.0,
                "rest": 0.1,
                "damping": 0.5,
                "quadratic_damping": 0.2,
                "end_stop": {**stop, "smoothing": 0.05},
            }
    return System.from_dict({**system.source, "elements": elements})


def motion_of(model, seed):
    rng = np.random.default_rng(seed)
    q, _ = model.initial()
    q = model.retract(q, 0.5 * rng.normal(size=model.nu))
    return model.closed(q, rng.normal(size=model.nu))


@settings(max_examples=20, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_accelerations_loads_and_energies_are_the_same(seed, trees):
    system = loaded(trees.random_tree(seed, bodies=6), seed)
    joint = JointModel(system)
    q, u = motion_of(joint, seed)
    joint.kinematics(0.4, q, u)
    nothing = np.zeros((len(joint.bodies), 6))
    expected = joint.accelerations(np.zeros(joint.nu))[1].copy()
    loads = joint.reactions(nothing, expected)
    energy, power = joint.energy(), joint.nonconservative_power()
    size = max(1.0, np.abs(expected).max())
    for options in OPTIONS:
        model = CartesianModel(system, CartesianOptions(**options))
        model.kinematics(0.4, *model.from_tree(joint, q, u))
        found = model.accelerations(np.zeros(model.nu))[1]
        np.testing.assert_allclose(found, expected, rtol=0, atol=SAME * size)
        own = model.reactions(nothing, found)
        largest = max(1.0, np.abs(loads.wrench).max())
        np.testing.assert_allclose(own.wrench, loads.wrench, rtol=0, atol=10 * SAME * largest)
        other = model.energy()
        total = max(1.0, abs(energy.kinetic) + abs(energy.potential))
        assert abs(energy.kinetic - other.kinetic) <= SAME * total
        assert abs(energy.potential - other.potential) <= SAME * total
        assert abs(power - model.nonconservative_power()) <= SAME * max(1.0, abs(power))


@settings(max_examples=20, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6))
def test_power_balances(seed, trees):
    """Kinetic and potential energy change by the power of what is not conservative."""
    system = loaded(trees.random_tree(seed, bodies=6), seed)
    joint = JointModel(system)
    q, u = motion_of(joint, seed)
    model = CartesianModel(system)
    x, v = model.from_tree(joint, q, u)
    model.kinematics(0.4, x, v)
    v_dot = model.accelerations(np.zeros(model.nu))[0].copy()
    x_dot, power = model.q_dot(x, v).copy(), model.nonconservative_power()

    def energy(h):
        model.kinematics(0.4, x + h * x_dot, v + h * v_dot)
        energies = model.energy()
        return energies.kinetic + energies.potential

    # fourth order: h^4 of fifth derivatives, some 1e-12, and rounding 1e-16 / h; both times sizes
    h = 1e-3
    slope = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h)
    scale = np.abs(v_dot).max() * np.abs(v).max() + abs(power) + 1.0
    assert abs(slope - power) <= 1e-6 * scale
