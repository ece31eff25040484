"""Planar trees: B = dPos/dq and B' = dB/dt exactly (the issue: random trees of 2 to 8 bodies)."""

import pytest
import sympy as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cosim.errors import ModelError
from cosim.model import System
from cosim.multibody.joint.symbolic import Kinematics, derive

KINDS = ("fixed", "revolute", "prismatic", "planar")
PLACE = st.tuples(st.integers(-3, 3), st.just(0.5), st.integers(-3, 3))
SLIDES = ((1, 0, 0), (0, 0, 2), (3, 0, -4), (1, 0, 1))


@st.composite
def joints(draw, parent, child):
    kind = draw(st.sampled_from(KINDS))
    joint = {"type": kind, "parent": parent, "child": child}
    if kind != "fixed":
        joint["at"] = list(draw(PLACE))
    if kind == "revolute":
        joint["axis"] = [0, draw(st.sampled_from((1, -1, 3))), 0]
    if kind == "prismatic":
        joint["axis"] = list(draw(st.sampled_from(SLIDES)))
    return joint


@st.composite
def trees(draw):
    """2 to 8 bodies on earth or on any body before them; some lengths are parameters."""
    count = draw(st.integers(2, 8))
    names = [f"body{k}" for k in range(count)]
    bodies, links, parameters = {}, {}, {}
    for k, name in enumerate(names):
        cog = list(draw(PLACE))
        if draw(st.booleans()):
            parameters[f"L{k}"] = 1.5
            cog[2] = f"=2*L{k}"
        bodies[name] = {"mass": 1, "cog": cog, "inertia": [1, 1, 1]}
        parent = draw(st.sampled_from(["earth", *names[:k]]))
        links[f"joint{k}"] = draw(joints(parent, name))
    return System.from_dict({"parameters": parameters, "bodies": bodies, "joints": links})


def places(kin):
    """Pos(q): x, z and angle of every body."""
    entries = []
    for body in kin.bodies:
        x, _, z = kin.expand(kin.position(body))
        entries += [x, z, kin.expand(kin.angle(body))]
    return sp.Matrix(entries)


def is_zero(matrix):
    return all(sp.expand(entry) == 0 for entry in matrix)


@pytest.mark.parametrize("inline", [True, False])
@pytest.mark.parametrize("angles", ["relative", "absolute"])
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(system=trees())
def test_transformation_is_the_derivative_of_the_position(system, angles, inline):
    kin = Kinematics(system, angles=angles, inline=inline)
    assert kin.planar
    assert kin.q_dot == kin.u
    B, B_dot = kin.expand(kin.B()), kin.expand(kin.B_dot())
    if not kin.q:
        return
    assert is_zero(B - places(kin).jacobian(kin.q))
    rate = sum((sp.diff(B, q) * u for q, u in zip(kin.q, kin.u, strict=True)), sp.zeros(*B.shape))
    assert is_zero(B_dot - rate)


@pytest.mark.parametrize("angles", ["relative", "absolute"])
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(system=trees())
def test_velocities_are_derivatives_of_positions(system, angles):
    kin = Kinematics(system, angles=angles, inline=False)
    for body in kin.bodies:
        assert is_zero(kin.expand(kin.velocity(body) - kin.position(body).applyfunc(kin.dt)))
        w, R = kin.omega(body)[1], kin.rotation(body)
        spin = R.applyfunc(kin.dt) * R.T - w * sp.Matrix([[0, 0, 1], [0, 0, 0], [-1, 0, 0]])
        assert is_zero(kin.expand(spin).applyfunc(sp.trigsimp))


def test_a_prismatic_child_inherits_the_absolute_angle():
    body = {"mass": 1, "inertia": [1, 1, 1]}
    system = System.from_dict(
        {
            "bodies": {
                "arm": {**body, "cog": [0, 0, -1]},
                "ring": {**body, "cog": [0, 0, -2]},
                "tip": {**body, "cog": [0, 0, -4]},
            },
            "joints": {
                "hinge": {"type": "revolute", "child": "arm", "at": [0, 0, 0], "axis": [0, -1, 0]},
                "slider": {
                    "type": "prismatic",
                    "parent": "arm",
                    "child": "ring",
                    "at": [0, 0, -2],
                    "axis": [0, 0, -1],
                },
                "wrist": {
                    "type": "revolute",
                    "parent": "ring",
                    "child": "tip",
                    "at": [0, 0, -3],
                    "axis": [0, -1, 0],
                },
            },
        }
    )
    kin = Kinematics(system, angles="absolute")
    a, s, b = kin.q
    assert [str(x) for x in kin.q] == ["theta_hinge", "s_slider", "theta_wrist"]
    assert [str(x) for x in kin.u] == ["omega_hinge", "u_slider", "omega_wrist"]
    assert [kin.angle(body) for body in kin.bodies] == [a, a, b]
    # benchmarks.md 0: a positive angle moves a hanging body to -x
    assert sp.expand(kin.position("ring")[0] + (2 + s) * sp.sin(a)) == 0
    wrist = kin.coordinate("wrist", "angle")
    assert sp.expand(wrist.position - (a - b)) == 0  # about -y
    assert sp.expand(wrist.rate - (kin.u[0] - kin.u[2])) == 0


def test_branches_and_numbers_follow_algorithm_1():
    body = {"mass": 1, "inertia": [1, 1, 1], "cog": [0, 0, 0]}
    parents = {"d": "b", "b": "a", "a": "earth", "c": "a", "e": "earth"}
    system = System.from_dict(
        {
            "bodies": dict.fromkeys(parents, body),
            "joints": {
                f"to_{child}": {"type": "planar", "parent": parent, "child": child, "at": [0, 0, 0]}
                for child, parent in parents.items()
            },
        }
    )
    tree = Kinematics(system).tree
    assert tree.bodies == ("d", "b", "a", "c", "e")
    assert set(tree.branches) == {("a", "b", "d"), ("a", "c"), ("e",)}
    for branch in tree.branches:
        numbers = [tree.number[name] for name in branch]
        assert numbers == sorted(numbers)
    assert sorted(tree.number.values()) == [1, 2, 3, 4, 5]


def test_absolute_angles_need_a_plane():
    system = System.from_dict(
        {
            "bodies": {"bob": {"mass": 1, "cog": [0, 0, -1], "inertia": [1, 1, 1]}},
            "joints": {"ball": {"type": "spherical", "child": "bob", "at": [0, 0, 0]}},
        }
    )
    with pytest.raises(ModelError, match="absolute angles need a planar system"):
        derive(system, angles="absolute")
