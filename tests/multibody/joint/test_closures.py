"""Closed loops by cut joints: equations, accelerations and reactions, joint kind by joint kind.

A body on a floating joint tied by a cut joint of some kind must move as the body on that joint
itself: same poses, speeds, reactions, whatever the rest of the system does.
"""

import itertools

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from cosim.model import System
from cosim.multibody.joint import JointModel
from cosim.multibody.joint.arrays import new_work, unnamed
from cosim.multibody.joint.loops import ClosedLoops
from cosim.multibody.joint.topology import topology

TIED = ("fixed", "revolute", "prismatic", "cylindrical", "planar", "universal", "spherical")
FREEDOM = dict(zip(TIED, (0, 1, 1, 2, 3, 2, 3), strict=True))
STEP = 1e-6


def body(rng):
    return {
        "mass": rng.uniform(0.5, 3.0),
        "cog": rng.normal(size=3).tolist(),
        "inertia": rng.uniform(0.5, 0.9, size=3).tolist(),
        "attitude_deg": rng.uniform(-180.0, 180.0, size=3).tolist(),
    }


def joint(rng, kind, parent, child):
    made = {"type": kind, "parent": parent, "child": child}
    if kind not in ("fixed", "floating"):
        made["at"] = rng.normal(size=3).tolist()
    if kind in ("revolute", "prismatic", "cylindrical"):
        made["axis"] = rng.normal(size=3).tolist()
    if kind == "planar":
        made["plane"] = ("xz", "xy", "yz")[rng.integers(3)]
    if kind == "universal":
        first, other = rng.normal(size=(2, 3))
        made |= {"axis1": first.tolist(), "axis2": np.cross(first, other).tolist()}
    return made


def pair(kind, parent, seed=0):
    """The same system as a tree, and with the last joint cut and a floating one beside it."""
    rng = np.random.default_rng(seed)
    bodies = {"base": body(rng), "arm": body(rng), "end": body(rng)}
    joints = {
        "first": joint(rng, "revolute", "earth", "base"),
        "second": joint(rng, "spherical", "base", "arm"),
    }
    last = joint(rng, kind, parent, "end")
    tree = System.from_dict({"bodies": bodies, "joints": {**joints, "last": last}})
    free = {"type": "floating", "parent": "base", "child": "end"}
    closed = {**joints, "free": free, "last": {**last, "cut": True}}
    return JointModel(tree), JointModel(System.from_dict({"bodies": bodies, "joints": closed}))


def loops_of(model):
    """Closure equations of a model, on arrays of their own."""
    made = topology(model.system)
    work = new_work(len(model.bodies), model.nu)
    return ClosedLoops(model.system, made, unnamed(made.tree, work), model.initial()[0])


def same_point(tree, closed, seed):
    """A random point of the tree, and the point of the closed system with the same motion."""
    rng = np.random.default_rng(seed)
    q = tree.retract(tree.initial()[0], 0.7 * rng.normal(size=tree.nu))
    u = rng.normal(size=tree.nu)
    state = tree.kinematics(0.0, q, u).copy()
    shared = [k for k, name in enumerate(closed.speeds) if not name.startswith("free.")]
    start = closed.initial()[0]
    # floating coordinates relative to `base`, by differences of poses
    d = np.zeros(closed.nu)
    d[shared] = tree.difference(q, tree.initial()[0])[: len(shared)]
    q_closed = closed.retract(start, d)
    free = [k for k in range(closed.nu) if k not in shared]
    at = len(q_closed) - 7
    base = closed.index(["base"])[0]
    end = closed.index(["end"])[0]
    cogs = [np.array(closed.system.bodies[n].cog) for n in ("base", "end")]
    R = state.R[base]
    q_closed[at : at + 3] = R.T @ (state.r[end] - state.r[base]) - (cogs[1] - cogs[0])
    turn = Rotation.from_matrix(R.T @ state.R[end]).as_quat()
    q_closed[at + 3 :] = [turn[3], *turn[:3]]
    u_closed = np.zeros(closed.nu)
    u_closed[shared] = u[: len(shared)]
    v, w = state.v[:, :3], state.v[:, 3:]
    apart = state.r[end] - state.r[base]
    u_closed[free] = [
        *(R.T @ (v[end] - v[base] - np.cross(w[base], apart))),
        *(R.T @ (w[end] - w[base])),
    ]
    return (q, u), (q_closed, u_closed)


@pytest.mark.parametrize(("kind", "parent"), [*itertools.product(TIED, ("earth", "base", "arm"))])
def test_cut_joint_is_the_joint(kind, parent):
    tree, closed = pair(kind, parent, seed=len(kind))
    assert closed.nu - closed.closures == tree.nu
    assert closed.closures == 6 - FREEDOM[kind]
    here, there = same_point(tree, closed, seed=3)
    state = tree.kinematics(0.0, *here).copy()
    other = closed.kinematics(0.0, *there)
    assert np.abs(closed.constraint_violation()).max() < 1e-14
    np.testing.assert_allclose(other.r, state.r, atol=1e-12)
    np.testing.assert_allclose(other.R, state.R, atol=1e-12)
    np.testing.assert_allclose(other.v, state.v, atol=1e-11)
    assert closed.energy().total == pytest.approx(tree.energy().total, abs=1e-11)
    rng = np.random.default_rng(1)
    g = rng.normal(size=(3, 6))
    A = rng.normal(size=(18, 18))
    for Ma in (None, A @ A.T):
        found = []
        for model in (tree, closed):
            Q, mass = model.project(g), None
            if Ma is not None:
                bias = model.bias().ravel()
                Q = model.project(g - (Ma @ bias).reshape(3, 6))
                mass = model.project_mass(np.arange(3), Ma)
            found.append(model.accelerations(Q, mass)[1])
        np.testing.assert_allclose(found[1], found[0], atol=1e-10)
        loads = [m.reactions(g, found[0], Ma) for m in (tree, closed)]
        same = [loads[1].joints.index(name) for name in loads[0].joints]
        np.testing.assert_allclose(loads[1].wrench[same], loads[0].wrench, atol=1e-9)
        np.testing.assert_allclose(loads[1].point[same], loads[0].point, atol=1e-12)
        free = loads[1].wrench[loads[1].joints.index("free")]
        np.testing.assert_allclose(free, 0.0, atol=1e-9)


@pytest.mark.parametrize("kind", TIED)
def test_jacobian_is_the_derivative_of_the_gaps(kind):
    _, closed = pair(kind, "arm", seed=2)
    loops = loops_of(closed)
    rng = np.random.default_rng(0)
    q = closed.retract(closed.initial()[0], 0.4 * rng.normal(size=closed.nu))
    loops.survey(q)
    G = loops.jacobian
    for k in range(closed.nu):
        d = np.zeros(closed.nu)
        d[k] = STEP
        # q' = N u: a translation moves along the parent's axes, a rotation turns from the left
        slope = loops.survey(closed.retract(q, d)) - loops.survey(closed.retract(q, -d))
        np.testing.assert_allclose(slope / (2.0 * STEP), G[:, k], atol=1e-8)


@pytest.mark.parametrize("kind", TIED)
def test_accelerations_keep_the_loops_closed(kind):
    """G u' + G' u = 0, with G' by differences along the motion."""
    _, closed = pair(kind, "arm", seed=4)
    q, u = closed.closed(*random_point(closed, 5))
    closed.kinematics(0.0, q, u)
    u_dot, _ = closed.accelerations(np.zeros(closed.nu))
    G = closed.constraint_jacobian()
    np.testing.assert_allclose(G @ u, 0.0, atol=1e-13)
    rate = []
    for step in (STEP, -STEP):
        closed.kinematics(0.0, closed.retract(q, step * u), u)
        rate.append(closed.constraint_jacobian() @ u)
    G_dot_u = (rate[0] - rate[1]) / (2.0 * STEP)
    # `kinematics` closes the pose that the straight step leaves open by its square: no matter
    np.testing.assert_allclose(G @ u_dot, -G_dot_u, atol=2e-8)


def random_point(model, seed):
    rng = np.random.default_rng(seed)
    q = model.retract(model.initial()[0], 0.3 * rng.normal(size=model.nu))
    return q, rng.normal(size=model.nu)


def test_closing_is_a_projection_with_the_least_kinetic_energy():
    _, closed = pair("universal", "arm", seed=6)
    q, u = random_point(closed, 7)
    q, once = closed.closed(q, u)
    again, twice = closed.closed(q, once)
    np.testing.assert_allclose(again, q, atol=1e-14)
    np.testing.assert_allclose(twice, once, atol=1e-14)
    closed.kinematics(0.0, q, once)
    G = closed.constraint_jacobian()
    change = u - once
    # M change is a combination of the rows of G
    M = mass_matrix(closed)
    left = M @ change - G.T @ np.linalg.lstsq(G.T, M @ change, rcond=None)[0]
    np.testing.assert_allclose(left, 0.0, atol=1e-12)


def mass_matrix(model):
    B = model.velocity_transformation()
    blocks = np.zeros((6 * len(model.bodies),) * 2)
    state = model.kinematics(0.0, *model.closed(*random_point(model, 7)))
    for i, name in enumerate(model.bodies):
        body, R = model.system.bodies[name], state.R[i]
        blocks[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = body.mass * np.eye(3)
        blocks[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = R @ body.inertia_tensor() @ R.T
    return B.T @ blocks @ B


def test_joint_made_twice_changes_nothing():
    """A second hinge on the axis of the first ties nothing; its five equations are redundant."""
    rng = np.random.default_rng(0)
    bodies = {"a": body(rng), "b": body(rng)}
    joints = {
        "one": {"type": "revolute", "child": "a", "at": [0, 0, 0], "axis": [1, 2, 3]},
        "two": {"type": "spherical", "parent": "a", "child": "b", "at": [1, 0, 0]},
    }
    more = {"more": {**joints["one"], "at": [2, 4, 6], "cut": True}}
    tree = JointModel(System.from_dict({"bodies": bodies, "joints": joints}))
    closed = JointModel(System.from_dict({"bodies": bodies, "joints": {**joints, **more}}))
    assert closed.closures == 0
    q, u = random_point(tree, 1)
    for model in (tree, closed):
        model.kinematics(0.0, q, u)
    assert closed.constraint_jacobian().shape == (5, 4)
    (a, v), (b, w) = (m.accelerations(np.zeros(m.nu)) for m in (tree, closed))
    np.testing.assert_allclose(b, a, atol=1e-12)
    np.testing.assert_allclose(w, v, atol=1e-12)


@pytest.mark.parametrize("distance", [0.0, 1e-9, 1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1.0])
@pytest.mark.parametrize("turns", [0, 9])
def test_accelerations_at_a_singular_configuration(distance, turns):
    """Rods of a parallelogram near one line, where rounding over distance cubed would drown them.

    They obey J th'' = P g sin th (J = 5/3 kg m2, P = 2 kg m, th from the vertical); after nine
    turns the coordinates have lost two digits.
    """
    rods = {"mass": 1.0, "inertia": [1 / 12, 1 / 12, 1 / 12]}
    hinge = {"type": "revolute", "axis": [0, 1, 0]}
    bodies = {"a": {**rods, "cog": [0, 0, 0.5]}, "b": {**rods, "cog": [0.5, 0, 1]}}
    bodies["c"] = {**rods, "cog": [1, 0, 0.5]}
    joints = {
        "A": {**hinge, "child": "a", "at": [0, 0, 0]},
        "B": {**hinge, "parent": "a", "child": "b", "at": [0, 0, 1]},
        "C": {**hinge, "parent": "b", "child": "c", "at": [1, 0, 1]},
        "D": {**hinge, "child": "c", "at": [1, 0, 0], "cut": True},
    }
    gravity = {"environment": {"gravity": 9.81}}
    model = JointModel(System.from_dict({**gravity, "bodies": bodies, "joints": joints}))
    angle = 0.5 * np.pi + distance + 2.0 * np.pi * turns
    branch = np.array([1.0, -1.0, 1.0])
    state = model.kinematics(0.0, angle * branch, 5.0 * branch).copy()
    u_dot, v_dot = model.accelerations(np.zeros(3))
    expected = 2.0 * 9.81 / (5.0 / 3.0) * np.sin(angle)
    np.testing.assert_allclose(u_dot, expected * branch, atol=2e-7)
    # everything belongs to this point again, not to those beside
    np.testing.assert_array_equal(model.kinematics(0.0, angle * branch, 5.0 * branch).r, state.r)
    again, _ = model.accelerations(np.zeros(3))
    np.testing.assert_array_equal(again, u_dot)
    coupler = state.R[1].T @ np.array([0.0, 0.0, 1.0])
    np.testing.assert_allclose(coupler, [0.0, 0.0, 1.0], atol=1e-6)
    along = expected * np.array([np.cos(angle), 0.0, -np.sin(angle)])
    inward = -25.0 * np.array([np.sin(angle), 0.0, np.cos(angle)])
    np.testing.assert_allclose(v_dot[1, :3], along + inward, atol=1e-6)
