"""Random trees and an accurate solution in time, independent of the package's drivers."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from cosim.model import System
from cosim.multibody.joint import JointModel

KINDS = (
    "floating",
    "revolute",
    "prismatic",
    "cylindrical",
    "planar",
    "universal",
    "spherical",
    "fixed",
)


def random_joint(rng, kind, parent, child):
    joint = {"type": kind, "parent": parent, "child": child}
    if kind not in ("fixed", "floating"):
        joint["at"] = rng.normal(size=3).tolist()
    if kind in ("revolute", "prismatic", "cylindrical"):
        joint["axis"] = rng.normal(size=3).tolist()
    if kind == "planar":
        joint["plane"] = ("xz", "xy", "yz")[rng.integers(3)]
    if kind == "universal":
        first, other = rng.normal(size=(2, 3))
        joint |= {"axis1": first.tolist(), "axis2": np.cross(first, other).tolist()}
    return joint


def random_tree(seed, kinds=KINDS, bodies=12, gravity=9.81):
    """A system whose joints run through `kinds`, each body on earth or an earlier body."""
    rng = np.random.default_rng(seed)
    names = [f"body{i}" for i in range(bodies)]
    described, joints = {}, {}
    for i, name in enumerate(names):
        described[name] = {
            "mass": rng.uniform(0.5, 3.0),
            "cog": rng.normal(size=3).tolist(),
            "inertia": rng.uniform(0.5, 0.9, size=3).tolist(),
            "attitude_deg": rng.uniform(-180.0, 180.0, size=3).tolist(),
        }
        parent = names[rng.integers(i)] if i and rng.uniform() < 0.9 else "earth"
        joints[f"joint{i}"] = random_joint(rng, kinds[i % len(kinds)], parent, name)
    return System.from_dict(
        {"environment": {"gravity": gravity}, "bodies": described, "joints": joints}
    )


def random_point(model, seed):
    """Coordinates away from the reference configuration, and speeds."""
    rng = np.random.default_rng(seed)
    q, _ = model.initial()
    return model.retract(q, rng.normal(size=model.nu)), rng.normal(size=model.nu)


def mass_blocks(model, state):
    """M = diag(m, R J Rᵀ), (6n, 6n), straight from the description."""
    M = np.zeros((6 * len(model.bodies),) * 2)
    for i, name in enumerate(model.bodies):
        body, R = model.system.bodies[name], state.R[i]
        M[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = body.mass * np.eye(3)
        M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = R @ body.inertia_tensor() @ R.T
    return M


def gyroscopic(model, state):
    """c = [0; w x R J Rᵀ w], (n, 6)."""
    M, w = mass_blocks(model, state), state.v[:, 3:]
    momenta = np.array(
        [M[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] @ w[i] for i in range(len(w))]
    )
    return np.hstack([np.zeros_like(w), np.cross(w, momenta)])


def weights(model):
    """Weights, (n, 6)."""
    g = np.zeros((len(model.bodies), 6))
    for i, name in enumerate(model.bodies):
        body = model.system.bodies[name]
        g[i, 2] = -body.mass * body.gravity_scale * model.system.environment.gravity
    return g


def solve(model, q, u, times, loads=None, rtol=1e-12):
    """Coordinates and speeds at `times`; loads(t, state) -> Q, generalised mass or None."""

    def derivative(t, y):
        state = model.kinematics(t, y[: model.nq], y[model.nq :])
        Q, mass = loads(t, state) if loads else (np.zeros(model.nu), None)
        u_dot, _ = model.accelerations(Q, mass)
        return np.concatenate([model.q_dot(y[: model.nq], y[model.nq :]), u_dot])

    start = np.concatenate([q, u])
    solution = solve_ivp(
        derivative, (0.0, times[-1]), start, "DOP853", times, rtol=rtol, atol=1e-3 * rtol
    )
    assert solution.success, solution.message
    return solution.y[: model.nq].T, solution.y[model.nq :].T


@pytest.fixture(scope="session")
def trees():
    """The helpers of this file."""
    return SimpleNamespace(
        KINDS=KINDS,
        gyroscopic=gyroscopic,
        mass_blocks=mass_blocks,
        random_point=random_point,
        random_tree=random_tree,
        solve=solve,
        weights=weights,
    )


@pytest.fixture
def build():
    """Model of bodies, joints and anything else of a system."""

    def make(bodies, joints, **more):
        return JointModel(System.from_dict({"bodies": bodies, "joints": joints, **more}))

    return make
