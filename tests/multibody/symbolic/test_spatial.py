"""Trees in space: v = B u with r' = (dr/dq) N u and w~ = R' Rᵀ, exactly, every joint kind."""

import itertools

import numpy as np
import pytest
import sympy as sp

from cosim.model import System
from cosim.multibody.joint.symbolic import Kinematics

KINDS = (
    "fixed",
    "revolute",
    "prismatic",
    "cylindrical",
    "planar",
    "universal",
    "spherical",
    "floating",
)
AXES = {"axis": [1, 2, 2], "axis1": [0, 3, -4], "axis2": [0, 4, 3]}
"""Of rational length, so that their unit vectors are exact."""

KEYS = {
    "revolute": ("axis",),
    "prismatic": ("axis",),
    "cylindrical": ("axis",),
    "universal": ("axis1", "axis2"),
}


def system_of(*kinds):
    """A chain of one joint of each kind."""
    bodies, joints, parent = {}, {}, "earth"
    for k, kind in enumerate(kinds):
        bodies[f"body{k}"] = {
            "mass": 2,
            "cog": [k + 1, -2, 0.5],
            "inertia": [2, 3, 4],
            "points": {"tip": [k + 2, 1, -1]},
        }
        joint = {"type": kind, "parent": parent, "child": f"body{k}"}
        if kind not in ("fixed", "floating"):
            joint["at"] = [k, 1, 2]
        joint |= {key: AXES[key] for key in KEYS.get(kind, ())}
        if kind == "planar":
            joint["plane"] = ("xy", "yz")[k % 2]
        joints[f"joint{k}"] = joint
        parent = f"body{k}"
    return System.from_dict({"bodies": bodies, "joints": joints})


CHAINS = [(kind,) for kind in KINDS] + list(itertools.permutations(KINDS, 2))


@pytest.mark.parametrize("kinds", CHAINS, ids="-".join)
def test_twists_are_what_moves_the_bodies(kinds, symbols):
    kin = Kinematics(system_of(*kinds), inline=len(kinds) == 1)
    algebra = symbols.Algebra(kin)
    size = len(kin.rows)
    twists = algebra.matrix(kin.B() * sp.Matrix(len(kin.u), 1, kin.u)).reshape(-1, size)
    for twist, body in zip(twists, kin.bodies, strict=True):
        v, w = in_space(twist, kin.planar)
        r, R = algebra.matrix(kin.position(body)).ravel(), algebra.matrix(kin.rotation(body))
        assert algebra.vanish(algebra.rate(r) - v)
        skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        assert algebra.vanish(algebra.rate(R) - skew @ R)  # R' Rᵀ = w~, as R Rᵀ = 1


@pytest.mark.parametrize("kind", KINDS)
def test_rotations_are_orthogonal(kind, symbols):
    kin = Kinematics(system_of(kind))
    algebra = symbols.Algebra(kin)
    R = algebra.matrix(kin.rotation("body0"))
    assert algebra.vanish(R @ R.T - np.eye(3, dtype=int))


@pytest.mark.parametrize("kinds", CHAINS, ids="-".join)
def test_derivative_of_the_transformation(kinds, symbols):
    kin = Kinematics(system_of(*kinds), inline=len(kinds) == 1)
    algebra = symbols.Algebra(kin)
    rate = algebra.rate(algebra.matrix(kin.B()))
    assert algebra.vanish(rate - algebra.matrix(kin.B_dot()))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("inline", [True, False])
def test_points_move_with_their_body(kind, inline, symbols):
    kin = Kinematics(system_of("universal", kind), inline=inline)
    algebra = symbols.Algebra(kin)
    place = algebra.matrix(kin.position("body1/tip"))
    assert algebra.vanish(algebra.rate(place) - algebra.matrix(kin.velocity("body1/tip")))
    by_names = kin.position("body1/tip").applyfunc(kin.dt)
    assert algebra.vanish(algebra.rate(place) - algebra.matrix(by_names))


def in_space(twist, planar):
    if not planar:
        return twist[:3], twist[3:]
    x, z, turn = twist
    return np.array([x, 0, z], dtype=object), np.array([0, turn, 0], dtype=object)
