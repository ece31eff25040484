"""Masses in a row between springs and dampers, against the closed form, to 1e-12.

With absolute coordinates M = diag(m) and K, C tridiagonal; relative coordinates x = T z, T the
lower triangle of ones, give the congruent matrices. Tolerance: issue 3, 1e-12 of the closed form.
The frequencies of equal masses m between equal springs k, free at one end, are
2 sqrt(k/m) sin((2 j - 1) pi / (4 n + 2)) (Rayleigh, Theory of Sound, section 120).
"""

import numpy as np
import pytest

from cosim.analysis.linear import linearise
from cosim.analysis.modes import natural_modes
from cosim.analysis.sensitivity import mode_changes, pencil_change
from cosim.analysis.state_space import state_space
from cosim.model import System
from cosim.multibody.joint.model import JointModel

TOLERANCE = 1e-12
COUNT = 8


def chain(m, k, c, kind):
    """Masses along x, the first tied to earth."""
    n = len(m)
    bodies = {
        f"b{i}": {"mass": m[i], "cog": [i + 1.0, 0, 0], "inertia": [1, 1, 1]} for i in range(n)
    }
    joints, elements = {}, {}
    for i in range(n):
        joint = {"type": "prismatic", "child": f"b{i}", "at": [i + 1.0, 0, 0], "axis": [1, 0, 0]}
        spring = {"stiffness": k[i], "damping": c[i]}
        if kind == "relative":
            joint["parent"] = f"b{i - 1}" if i else "earth"
            elements[f"k{i}"] = {"type": "joint", "joint": f"x{i}", **spring}
        else:
            points = [f"b{i - 1}" if i else "earth/wall", f"b{i}"]
            elements[f"k{i}"] = {"type": "tension", "points": points, **spring}
        joints[f"x{i}"] = joint
    return JointModel(
        System.from_dict(
            {
                "bodies": bodies,
                "joints": joints,
                "elements": elements,
                "earth_points": {"wall": [0, 0, 0]},
            }
        )
    )


def tridiagonal(k):
    step = np.eye(len(k)) - np.eye(len(k), k=-1)
    return step.T @ np.diag(k) @ step


@pytest.fixture(params=["absolute", "relative"])
def kind(request):
    return request.param


@pytest.fixture
def properties():
    random = np.random.default_rng(3)
    return (
        random.uniform(0.5, 3.0, COUNT),
        random.uniform(50.0, 500.0, COUNT),
        random.uniform(0.1, 3.0, COUNT),
    )


def closed_form(m, k, c, kind):
    T = np.tril(np.ones((COUNT, COUNT))) if kind == "relative" else np.eye(COUNT)
    return tuple(T.T @ A @ T for A in (np.diag(m), tridiagonal(c), tridiagonal(k)))


def linear(m, k, c, kind):
    model = chain(m, k, c, kind)
    return model, linearise(model, {}, model.initial()[0])


def worst(found, exact):
    return np.max(np.abs(found - exact)) / np.max(np.abs(exact))


def test_matrices(properties, kind):
    _, system = linear(*properties, kind)
    for found, exact in zip(
        (system.M, system.C, system.K), closed_form(*properties, kind), strict=True
    ):
        assert worst(found, exact) <= TOLERANCE
    assert system.error <= TOLERANCE


def test_damped_eigenvalues(properties, kind):
    M, C, K = closed_form(*properties, kind)
    A = np.block(
        [[np.zeros_like(M), np.eye(COUNT)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]]
    )
    exact = np.linalg.eigvals(A)
    exact = exact[exact.imag > 0.0]
    exact = exact[np.argsort(exact.imag)]
    _, system = linear(*properties, kind)
    found = np.array([mode.value for mode in natural_modes(system)])
    assert np.max(np.abs(found / exact - 1.0)) <= TOLERANCE


def test_equal_masses_have_rayleighs_frequencies():
    ones = np.ones(COUNT)
    _, system = linear(2.0 * ones, 300.0 * ones, 0.0 * ones, "relative")
    j = np.arange(1, COUNT + 1)
    exact = 2.0 * np.sqrt(150.0) * np.sin((2 * j - 1) * np.pi / (4 * COUNT + 2))
    found = [2.0 * np.pi * mode.frequency for mode in natural_modes(system)]
    np.testing.assert_allclose(found, exact, rtol=TOLERANCE)


def test_transfer_function_of_the_last_mass(properties):
    m, k, c = properties
    M, C, K = closed_form(m, k, c, "absolute")
    last = COUNT - 1
    model, system = linear(m, k, c, "absolute")
    space = state_space(system, model, inputs=[f"b{last}.fx"], outputs=["b0.x", "b0.vx", "b0.ax"])
    omega = np.array([1.0, 7.0, 20.0])
    found = space.frequency_response(omega)[:, :, 0]
    for k_w, w in enumerate(omega):
        x = np.linalg.solve(K - 1j * w * C - w**2 * M, np.eye(COUNT)[last])[0]
        np.testing.assert_allclose(found[k_w], [x, -1j * w * x, -(w**2) * x], rtol=1e-11)


@pytest.mark.parametrize("which", ["mass", "damper", "spring"])
def test_sensitivities(properties, kind, which):
    """ds/dp = -l (s² M' + s C' + K') r / l (2 s M + C) r, all symmetric here, so l = r."""
    place, at = ("mass", "spring", "damper").index(which), 3
    values = [np.array(p) for p in properties]

    def build(value):
        changed = [v.copy() for v in values]
        changed[place][at] = value
        return linear(*changed, kind)[1]

    value = values[place][at]
    change = pencil_change(build, value, 1e-2 * value)
    _, system = linear(*values, kind)
    unit = [np.zeros(COUNT) for _ in range(3)]
    unit[place][at] = 1.0
    dM, dC, dK = closed_form(*unit, kind)
    M, C, _ = closed_form(*values, kind)
    for found in mode_changes(system, change):
        s, r = found.mode.value, found.mode.shape
        exact = -(r @ (s**2 * dM + s * dC + dK) @ r) / (r @ (2.0 * s * M + C) @ r)
        assert abs(found.value - exact) <= 1e-9 * abs(exact)
