"""Derivatives with respect to parameters, against finite differences of everything rebuilt."""

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import root

from cosim.errors import ModelError
from cosim.model import System
from cosim.multibody.joint.model import JointModel
from cosim.multibody.joint.symbolic.equations import derive
from cosim.multibody.joint.symbolic.linear import linearise
from cosim.multibody.joint.symbolic.sensitivity import (
    eigenvalue_changes,
    equation_changes,
    matrix_changes,
)

PARAMETERS = {"m": 2.0, "L": 1.3, "k": 40.0, "c": 0.9, "tilt": 0.3, "water": 15.0}


def crane(**changed):
    """A pendulum on a floating pontoon whose springs pull to one side: no symmetry."""
    bodies = {
        "deck": {"mass": "=5*m", "cog": [0, 0, 0], "inertia": ["=2*m", "=3*m", "=2*m"]}
        | {"points": {"eye": [1, 0, 0.25]}},
        "load": {
            "mass": "=m",
            "cog": [0.25, 0, "=-L"],
            "inertia": ["=m*L**2/12", "=m*L**2/12", 0.1],
        },
    }
    joints = {
        "float": {"type": "planar", "child": "deck", "at": [0, 0, 0]},
        "hook": {"type": "revolute", "parent": "deck", "child": "load"}
        | {"at": [0.25, 0, 0], "axis": [0, 1, 0]},
    }
    elements = {
        "water": {"type": "matrix", "body": "deck", "at": [0, 0, 0]}
        | {"preload": [0, 0, "=6*m*9.81", 0, 0, 0], "stiffness": [0, 0, "=20*water", 0, 90, 0]}
        | {"damping": [4, 0, 8, 0, 9, 0]},
        "line": {"type": "tension", "points": ["deck/eye", "earth/pile"], "stiffness": "=k"}
        | {"damping": "=c", "length": "=3*L", "law": "k*x**3/10"},
        "spring": {"type": "joint", "joint": "hook", "stiffness": "=k", "rest": "=tilt"}
        | {"damping": "=c"},
        "stay": {"type": "tension", "points": ["deck", "earth/stay"], "stiffness": "=k"},
    }
    return System.from_dict(
        {
            "parameters": {**PARAMETERS, **changed},
            "bodies": bodies,
            "joints": joints,
            "elements": elements,
            "earth_points": {"pile": [5, 0, 1], "stay": [-4, 0, 0]},
        }
    )


def equilibrium(system):
    model = JointModel(system)
    still = np.zeros(model.nu)

    def residual(q):
        model.kinematics(0.0, q, still)
        u_dot, v_dot = np.zeros(model.nu), np.zeros((len(model.bodies), 6))
        model.derive(None, u_dot, v_dot)
        return u_dot

    return root(residual, model.initial()[0], tol=1e-13).x


def by_name(equations, q):
    return dict(zip(equations.kin.q, q, strict=True))


def eigenvalues(system):
    equations = derive(system, keep=())
    M, C, K = linearise(equations, by_name(equations, equilibrium(system))).evaluate()
    n = len(M)
    below = np.linalg.solve(M, np.hstack([-K, -C]))
    return np.linalg.eigvals(np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), below]))


def derivative(function, name):
    """Fourth-order central difference."""
    step = 1e-3 * PARAMETERS[name]
    values = [function(crane(**{name: PARAMETERS[name] + j * step})) for j in (-2, -1, 1, 2)]
    return (values[0] - 8 * values[1] + 8 * values[2] - values[3]) / (12 * step)


def sorted_eigenvalues(system):
    values = eigenvalues(system)
    return values[np.lexsort((values.imag, np.round(np.abs(values), 6)))]


@pytest.mark.parametrize("name", ["m", "L", "k", "c", "tilt", "water"])
def test_eigenvalues_change_as_finite_differences_say(name):
    system = crane()
    equations = derive(system)
    state = by_name(equations, equilibrium(system))
    linear = linearise(equations, state)
    found = eigenvalue_changes(linear, matrix_changes(equations, name, state))
    np.testing.assert_allclose(
        [change.value for change in found], sorted_eigenvalues(system), rtol=1e-9
    )
    expected = derivative(sorted_eigenvalues, name)
    scale = np.abs(expected).max()
    # the difference quotient itself is good to 1e-9 or so
    np.testing.assert_allclose(
        [change.change for change in found], expected, rtol=0, atol=1e-7 * scale
    )
    frequencies = derivative(lambda s: np.abs(sorted_eigenvalues(s)), name)
    np.testing.assert_allclose(
        [change.natural_frequency_change for change in found],
        frequencies,
        rtol=0,
        atol=1e-7 * scale,
    )


def test_equilibrium_moves_as_finite_differences_say():
    system = crane()
    equations = derive(system)
    state = by_name(equations, equilibrium(system))
    for name in PARAMETERS:
        changes = matrix_changes(equations, name, state)
        found = np.array(changes.displacement.subs(equations.kin.values.numbers), dtype=float)
        expected = derivative(equilibrium, name)
        np.testing.assert_allclose(
            found[:, 0], expected, atol=1e-8 * np.abs(expected).max() + 1e-12
        )


def test_equations_change_as_finite_differences_say():
    equations = derive(crane())
    kin = equations.kin
    rng = np.random.default_rng(1)
    place = {symbol: rng.uniform(-0.5, 0.5) for symbol in (*kin.q, *kin.u, kin.t)}
    for name in PARAMETERS:
        lhs, rhs = (
            np.array(side.subs({**place, **kin.values.numbers}), dtype=float)
            for side in equation_changes(equations, name)
        )

        def sides(system):
            other = derive(system, keep=())
            both = [*sp.Matrix(other.lhs), *other.rhs]
            return np.array([float(e.subs(place)) for e in both])

        expected = derivative(sides, name)
        np.testing.assert_allclose([*lhs.ravel(), *rhs.ravel()], expected, atol=1e-8)


def test_coinciding_eigenvalues_split():
    """Two equal oscillators, coupled by a spring kc: the modes are k/m and (k + 2 kc)/m."""
    body = {"mass": 2.0, "inertia": [1, 1, 1]}
    bodies = {"a": {**body, "cog": [0, 0, 0]}, "b": {**body, "cog": [0, 1, 0]}}
    joints = {
        name: {"type": "prismatic", "child": name, "at": [0, k, 0], "axis": [1, 0, 0]}
        for k, name in enumerate("ab")
    }
    elements = {name: {"type": "joint", "joint": name, "stiffness": "=k"} for name in "ab"} | {
        "c": {"type": "matrix", "body": "a", "reference": "b", "at": [0, 0, 0]}
        | {"stiffness": ["=kc", 0, 0, 0, 0, 0]}
    }
    system = System.from_dict(
        {
            "parameters": {"k": 8.0, "kc": 0.0},
            "bodies": bodies,
            "joints": joints,
            "elements": elements,
        }
    )
    equations = derive(system)
    found = eigenvalue_changes(linearise(equations), matrix_changes(equations, "kc"))
    frequencies = sorted(change.natural_frequency_change for change in found)
    # w = sqrt((k + 2 kc)/m) = 2: dw/dkc = 1/(m w)
    np.testing.assert_allclose(frequencies, [0, 0, 0.25, 0.25], atol=1e-12)


def test_mistakes_are_told():
    equations = derive(crane(), keep=("m", "L"))
    with pytest.raises(ModelError, match="'k' is not a parameter that was kept"):
        matrix_changes(equations, "k")
    with pytest.raises(ModelError, match="equilibrium at rest"):
        matrix_changes(equations, "m", {equations.kin.u[0]: 1.0})
