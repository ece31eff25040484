"""Every element: energy against finite differences, frame indifference, action and reaction.

For any motion, (power of all loads) = power - dV/dt: what the elements do on the motion is
what they take from their energy plus what they declare as non-conservative.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit
from numba.core.runtime import _nrt_python, rtsys

from cosim.multibody.elements import evaluate

FULL = (np.arange(36.0).reshape(6, 6) % 7 - 2.0).tolist()
SYMMETRIC = (np.array(FULL) + np.array(FULL).T).tolist()

CONSERVATIVE = {
    "spring": {"type": "tension", "points": ["a/p", "b/q"], "stiffness": 30.0, "length": 1.2},
    "rope": {
        "type": "tension",
        "points": ["a/p", "earth/anchor"],
        "stiffness": 30.0,
        "length": 3.5,
        "slack": True,
    },
    "torsion": {"type": "torsion", "bodies": ["a", "b"], "axis": [1, 2, -1], "stiffness": 7.0},
    "torsion_to_earth": {
        "type": "torsion",
        "bodies": ["earth", "b"],
        "axis": [0, 1, 0],
        "stiffness": 7.0,
        "rest": 0.3,
    },
    "joint_spring": {
        "type": "joint",
        "joint": "pto",
        "coordinate": "position",
        "stiffness": 9.0,
        "rest": 0.2,
        "preload": 4.0,
    },
    "end_stop": {
        "type": "joint",
        "joint": "pto",
        "coordinate": "angle",
        "end_stop": {"lower": -0.6, "upper": 0.5, "stiffness": 40.0, "smoothing": 0.3},
    },
    "isotropic": {
        "type": "matrix",
        "body": "b",
        "reference": "a",
        "at": [1.0, 0.3, 0.2],
        "stiffness": [5.0, 6.0, 7.0, 8.0, 8.0, 8.0],
        "preload": [1.0, 2.0, 3.0, 0.0, 0.0, 0.0],
        "yaw_deg": 25.0,
    },
}
OTHER = {
    "dampers": {"type": "tension", "points": ["a", "b/q"], "stiffness": 3.0, "damping": 2.0},
    "law": {"type": "tension", "points": ["a/p", "b"], "law": "2*x*abs(v) - l + sin(t)"},
    "taut_rope": {
        "type": "tension",
        "points": ["a/p", "b/p"],
        "stiffness": 30.0,
        "damping": 12.0,
        "slack": True,
    },
    "torsion_all": {
        "type": "torsion",
        "bodies": ["b", "a"],
        "axis": [0, 0, 1],
        "stiffness": 3.0,
        "damping": 0.7,
        "rest": -0.4,
        "law": "x**3 - v*abs(v) + t",
    },
    "pto_all": {
        "type": "joint",
        "joint": "pto",
        "coordinate": "position",
        "stiffness": 2.0,
        "damping": 3.0,
        "quadratic_damping": 1.5,
        "preload": -2.0,
        "law": "x*v + cos(t)",
        "end_stop": {"upper": 0.2, "stiffness": 50.0, "damping": 20.0, "smoothing": 0.1},
    },
    "matrix_all": {
        "type": "matrix",
        "body": "a",
        "reference": "b",
        "at": [0.5, 0.0, 1.0],
        "preload": [1.0, -2.0, 3.0, 4.0, 5.0, -6.0],
        "stiffness": FULL,
        "damping": SYMMETRIC,
        "quadratic_damping": FULL,
    },
    "follower": {
        "type": "force",
        "point": "a/p",
        "force": [1.0, "2*sin(t)", 3.0],
        "moment": ["t", 0.0, -1.0],
        "axes": "body",
    },
    "force": {"type": "force", "point": "b/q", "force": ["cos(2*t)", 0, 4.0], "moment": [1, 2, 3]},
}
EVERYTHING = {**CONSERVATIVE, **OTHER}
INTERNAL = {
    name: e
    for name, e in EVERYTHING.items()
    if name not in ("rope", "torsion_to_earth", "follower", "force") and e["type"] != "joint"
}

seeds = st.integers(0, 2**32 - 1)
fast = settings(max_examples=40, deadline=None, derandomize=True)


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_conservative_elements_load_with_minus_the_gradient_of_their_energy(kit, name):
    elements = kit.compiled({name: CONSERVATIVE[name]})

    @fast
    @given(seed=seeds)
    def check(seed):
        pose = kit.Pose.random(seed)
        result = kit.loads(elements, pose)
        scale = 1.0 + abs(result.potential) + np.abs(result.g).max()
        # only differencing stands between the two: (2e-4)^4 of the fifth derivative, 1e-16/1e-4
        assert result.work_rate(pose) == pytest.approx(
            -kit.potential_rate(elements, pose), abs=1e-8 * scale
        )
        assert abs(result.power) <= 1e-12 * scale

    check()


@pytest.mark.parametrize("name", EVERYTHING)
def test_work_is_lost_energy_plus_declared_power(kit, name):
    elements = kit.compiled({name: EVERYTHING[name]})

    @fast
    @given(seed=seeds)
    def check(seed):
        pose = kit.Pose.random(seed)
        result = kit.loads(elements, pose)
        scale = 1.0 + abs(result.potential) + np.abs(result.g).max()
        balance = result.power - kit.potential_rate(elements, pose)
        assert result.work_rate(pose) == pytest.approx(balance, abs=1e-8 * scale)

    check()


@pytest.mark.parametrize("name", INTERNAL)
@fast
@given(seed=seeds)
def test_action_is_reaction(kit, name, seed):
    elements = kit.compiled({name: INTERNAL[name]})
    pose = kit.Pose.random(seed)
    result = kit.loads(elements, pose)
    scale = np.abs(result.g).max() * 10.0
    np.testing.assert_allclose(result.about_origin(pose), 0.0, atol=1e-14 * scale + 1e-300)


@pytest.mark.parametrize("name", INTERNAL)
@fast
@given(seed=seeds)
def test_internal_loads_depend_on_relative_motion_only(kit, name, seed):
    elements = kit.compiled({name: INTERNAL[name]})
    pose = kit.Pose.random(seed, angle=1.0)
    S = kit.rotation(np.random.default_rng(seed).uniform(-3.0, 3.0, 3))
    here, there = kit.loads(elements, pose), kit.loads(elements, pose.turned(S))
    scale = np.abs(here.g).max() + 1e-300
    np.testing.assert_allclose(there.g[:, :3], here.g[:, :3] @ S.T, atol=1e-12 * scale)
    np.testing.assert_allclose(there.g[:, 3:], here.g[:, 3:] @ S.T, atol=1e-12 * scale)
    assert there.potential == pytest.approx(here.potential, rel=1e-12, abs=1e-12 * scale)
    assert there.power == pytest.approx(here.power, rel=1e-11, abs=1e-11 * scale)


def test_loads_add_up_and_are_added(kit):
    pose = kit.Pose.random(3, coordinates=2)
    total = kit.loads(kit.compiled(EVERYTHING), pose)
    single = [kit.compiled({name: element}) for name, element in EVERYTHING.items()]
    g = sum(kit.loads(e, pose).g for e in single)
    np.testing.assert_allclose(total.g, g, rtol=1e-12, atol=1e-12)
    # the joint loads of a single element have but one coordinate each
    kinds = [e.coordinates for e in single]
    assert {c for pair in kinds for c in pair} == {("pto", "position"), ("pto", "angle")}


def test_weight(kit):
    elements = kit.compiled({}, weight=True, environment={"gravity": 9.0})
    pose = kit.Pose.random(1, coordinates=0)
    result = kit.loads(elements, pose)
    np.testing.assert_allclose(result.g[:, 2], [-18.0, -18.0, 0.0])
    assert result.potential == pytest.approx(18.0 * (pose.r[0, 2] + pose.r[1, 2]))
    assert result.power == 0.0
    without = kit.loads(kit.compiled({}, environment={"gravity": 9.0}), pose)
    assert not without.g.any()


def test_nothing_is_allocated(kit):
    @njit
    def repeat(count, arrays, t, r, R, v, x, rate, g, Q, shown):
        total = 0.0
        for _ in range(count):
            potential, power = evaluate(arrays, t, r, R, v, x, rate, g, Q, shown)
            total += potential + power
        return total

    arrays, pose = kit.compiled(EVERYTHING).arrays, kit.Pose.random(5, coordinates=2)
    motion = (0.0, pose.r, pose.R, pose.v, pose.x, pose.rate)
    state = (arrays, *motion, np.zeros((3, 6)), np.zeros(2), np.zeros((0, 0)))
    repeat(1, *state)
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats().alloc
    repeat(1, *state)
    once = rtsys.get_allocation_stats().alloc
    repeat(1000, *state)
    many = rtsys.get_allocation_stats().alloc
    _nrt_python.memsys_disable_stats()
    assert many - once == once - before
    assert math.isfinite(repeat(1, *state))
