"""The system whose interface is moved from outside, against the whole system and dense algebra."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from cosim.coupling.motion import Motion
from cosim.errors import ModelError
from cosim.model.system import System
from cosim.multibody.joint import JointModel
from cosim.multibody.state import State
from cosim.serving.driven import DrivenModel
from cosim.serving.prescribed import Prescribed, straight_on

from ..multibody.conftest import mass_blocks, random_point, random_tree

INTERFACE = "body0"


def model_of(seed):
    """A tree whose first body floats; others hang on it, on each other or on earth."""
    return JointModel(random_tree(seed))


def motion_with(state, body, acceleration):
    """A motion through the state of a body that has this twist derivative where it begins."""
    h, v = 1e-3, state.v[body]
    still = State(0.0, *(part[body : body + 1].copy() for part in (state.r, state.R, state.v)))
    # v1 and the place follow from a constant acceleration, to which the cubic is true
    r1 = still.r + h * v[:3] + 0.5 * h * h * acceleration[:3]
    phi = h * v[3:] + 0.5 * h * h * acceleration[3:]
    R1 = Rotation.from_rotvec(phi).as_matrix() @ still.R
    w1 = v[3:] + h * acceleration[3:]
    v1 = np.concatenate([v[:3] + h * acceleration[:3], w1])
    return Prescribed(Motion(still, State(h, r1, R1, v1[None])))


@pytest.mark.parametrize("seed", range(6))
def test_free_motion_prescribed_is_the_free_motion(seed):
    """What the system does by itself costs nothing and changes nothing."""
    inner = model_of(seed)
    q, u = random_point(inner, seed)
    state = inner.kinematics(0.0, q, u)
    rng = np.random.default_rng(seed)
    g = rng.normal(size=(len(inner.bodies), 6))
    blocks = np.array([np.diag(d) for d in rng.uniform(0.1, 2.0, size=(len(inner.bodies), 6))])
    Q = inner.project(g)
    u_dot, v_dot = inner.accelerations(Q, body_mass=blocks)
    driven = DrivenModel(inner, INTERFACE)
    motion = motion_with(state, 0, v_dot[0])
    driven.drive.motion = motion
    driven.kinematics(0.0, q, u)
    motion.acceleration[:] = v_dot[0]  # exact, where the cubic has it to 1e-3
    driven_u, driven_v = driven.accelerations(Q, body_mass=blocks)
    scale = np.abs(v_dot).max()
    assert driven_u == pytest.approx(u_dot, abs=1e-10 * scale)
    assert driven_v == pytest.approx(v_dot, abs=1e-10 * scale)
    load = driven.interface_load
    assert load.g - load.mass @ v_dot[0] == pytest.approx(np.zeros(6), abs=1e-10 * scale)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("coupled", [False, True])
def test_load_is_the_schur_complement(seed, coupled):
    """M_rr - M_ro M_oo⁻¹ M_or, and what the others do meanwhile, from dense matrices."""
    inner = model_of(seed)
    q, u = random_point(inner, seed)
    driven = DrivenModel(inner, INTERFACE)
    state = inner.kinematics(0.0, q, u)
    n = len(inner.bodies)
    rng = np.random.default_rng(seed)
    half = rng.normal(size=(6 * n, 6 * n))
    Ma = half @ half.T / n if coupled else np.zeros((6 * n, 6 * n))
    mass = inner.project_mass(np.arange(n), Ma) if coupled else None
    Q = inner.project(rng.normal(size=(n, 6)))
    B = inner.velocity_transformation()
    M = B.T @ (mass_blocks(inner, state) + Ma) @ B
    h = inner.own_force() + Q
    a = rng.normal(size=6)
    driven.drive.motion = straight_on(state.select(np.array([0])))
    driven.kinematics(0.0, q, u)
    driven.drive.motion.acceleration[:] = a
    u_dot, v_dot = driven.accelerations(Q, mass)
    r = np.arange(inner.nu)[driven.rows]
    o = np.setdiff1d(np.arange(inner.nu), r)
    inverse = np.linalg.inv(M[np.ix_(o, o)])
    schur = M[np.ix_(r, r)] - M[np.ix_(r, o)] @ inverse @ M[np.ix_(o, r)]
    load = driven.interface_load
    assert load.mass == pytest.approx(schur, rel=1e-10, abs=1e-10 * np.abs(schur).max())
    pull = h[r] - M[np.ix_(r, o)] @ inverse @ h[o]
    assert load.g == pytest.approx(pull, abs=1e-10 * np.abs(h).max() * 10)
    assert u_dot[r] == pytest.approx(a, abs=0)
    others = inverse @ (h[o] - M[np.ix_(o, r)] @ a)
    assert u_dot[o] == pytest.approx(others, abs=1e-10 * np.abs(others).max())
    inner.kinematics(0.0, q, u)
    bias = inner.bias()
    assert v_dot == pytest.approx((B @ u_dot).reshape(-1, 6) + bias, abs=1e-9 * np.abs(v_dot).max())


def test_speeds_of_the_interface_are_its_twist():
    inner = model_of(0)
    q, u = random_point(inner, 0)
    inner.kinematics(0.0, q, u)
    driven = DrivenModel(inner, INTERFACE)
    rows = inner.velocity_transformation()[:6]
    expected = np.zeros_like(rows)
    expected[:, driven.rows] = np.eye(6)
    assert rows == pytest.approx(expected, abs=1e-15)
    assert inner.bias()[0] == pytest.approx(np.zeros(6), abs=1e-15)


def curved(turn=1.9):
    rng = np.random.default_rng(3)
    r0, r1 = rng.normal(size=(2, 1, 3))
    v0, v1 = rng.normal(size=(2, 1, 6))
    R0 = Rotation.from_rotvec([0.3, -1.0, 0.7]).as_matrix()
    R1 = Rotation.from_rotvec(turn * np.array([0.6, 0.0, 0.8])).as_matrix() @ R0
    return Motion(State(2.0, r0, R0[None], v0), State(2.7, r1, R1[None], v1))


@pytest.mark.parametrize("turn", [1.9, 0.05, 1e-4])
def test_the_prescribed_path_is_that_of_the_motion(turn):
    motion = curved(turn)
    path = Prescribed(motion)
    for t in (2.0, 2.1, 2.43, 2.7):
        state = motion.at(t)
        path.at(t)
        assert path.place[:3] == pytest.approx(state.r[0], abs=1e-14)
        R = Rotation.from_quat(path.place[3:], scalar_first=True).as_matrix()
        assert pytest.approx(state.R[0], abs=1e-14) == R
        assert path.twist == pytest.approx(state.v[0], abs=1e-13)
        slope = (motion.at(t + 1e-5).v[0] - motion.at(t - 1e-5).v[0]) / 2e-5
        # central differences of values with 1e-15 of rounding and third derivatives of 1e3
        assert path.acceleration == pytest.approx(slope, abs=1e-6)


def test_straight_on_keeps_its_twist():
    start = curved().start
    path = straight_on(start)
    for t in (2.0, 2.5, 4.0):
        path.at(t)
        assert path.twist == pytest.approx(start.v[0], abs=1e-13)
        assert path.acceleration == pytest.approx(np.zeros(6), abs=1e-12)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [("body1", "body 'body1' does not float"), ("bod0", "there is no body 'bod0'")],
)
def test_only_a_floating_body_can_be_the_interface(body, sentence):
    with pytest.raises(ModelError, match=sentence):
        DrivenModel(model_of(0), body)


def looped():
    """A parallelogram that hangs on its uppermost bar, the interface."""

    def bar(x, z):
        return {"mass": 1.0, "cog": [x, 0, z], "inertia": [0.1, 0.1, 0.1]}

    def hinge(parent, child, x, z, **more):
        place = {"at": [x, 0, z], "axis": [0, 1, 0]}
        return {"type": "revolute", "parent": parent, "child": child, **place, **more}

    return System.from_dict(
        {
            "bodies": {"top": bar(0, 0), "a": bar(-1, -1), "b": bar(1, -1), "low": bar(0, -2)},
            "joints": {
                "free": {"type": "floating", "child": "top"},
                "first": hinge("top", "a", -1, 0),
                "second": hinge("top", "b", 1, 0),
                "third": hinge("a", "low", -1, -2),
                "fourth": hinge("b", "low", 1, -2, cut=True),
            },
        }
    )


def test_closed_loops_stay_closed_and_momentum_is_kept():
    inner = JointModel(looped())
    driven = DrivenModel(inner, "top")
    q, u = inner.initial({"first.angle_rate": 1.0})
    state = inner.kinematics(0.0, q, u).copy()
    Q = np.zeros(inner.nu)
    free, _ = inner.accelerations(Q)
    driven.drive.motion = straight_on(state.select(np.array([0])))
    driven.kinematics(0.0, q, u)
    a = np.arange(6.0) / 3.0
    driven.drive.motion.acceleration[:] = a
    u_dot, v_dot = driven.accelerations(Q)
    G = inner.constraint_jacobian()
    assert pytest.approx(G @ free, abs=1e-12) == G @ u_dot
    load = driven.interface_load
    moved = load.mass @ a - load.g  # the wrench of the mover
    weight = np.array([0.0, 0.0, -4.0 * inner.system.environment.gravity])
    assert moved[:3] + weight == pytest.approx(v_dot[:, :3].sum(axis=0), abs=1e-12)
