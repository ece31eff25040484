"""Cut joints in symbols: exact rates, and the same motion as the numeric core."""

import numpy as np
import pytest
import sympy as sp

from cosim.errors import ModelError
from cosim.model import System
from cosim.multibody.joint import JointModel
from cosim.multibody.joint.symbolic import derive, derive_loops

BODY = {"mass": 2, "inertia": [3, 4, 5]}
KINDS = {
    "fixed": 6,
    "revolute": 5,
    "prismatic": 5,
    "cylindrical": 4,
    "planar": 3,
    "universal": 4,
    "spherical": 3,
}
"""Conditions of each kind."""

AXES = {
    "revolute": {"axis": [1, 2, 2]},
    "prismatic": {"axis": [1, 2, 2]},
    "cylindrical": {"axis": [1, 2, 2]},
    "universal": {"axis1": [0, 3, -4], "axis2": [0, 4, 3]},
    "planar": {"plane": "xy"},
}


def closed_by(kind, other="earth"):
    """Two bodies with eight freedoms in all; `kind` ties the second to the first or earth."""
    place = {} if kind == "fixed" else {"at": [1, 3, 0]}
    return System.from_dict(
        {
            "bodies": {"one": {**BODY, "cog": [1, 0, 0]}, "two": {**BODY, "cog": [2, 1, -1]}},
            "joints": {
                "first": {
                    "type": "universal",
                    "child": "one",
                    "at": [0, 0, 1],
                    "axis1": [1, 0, 0],
                    "axis2": [0, 0, 1],
                },
                "free": {"type": "floating", "parent": "one", "child": "two"},
                "closure": {
                    "type": kind,
                    "cut": True,
                    "parent": other,
                    "child": "two",
                    **place,
                    **AXES.get(kind, {}),
                },
            },
        }
    )


@pytest.mark.parametrize("other", ["earth", "one"])
@pytest.mark.parametrize("kind", KINDS)
def test_conditions_and_their_rates(kind, other, symbols):
    loops = derive_loops(closed_by(kind, other))
    kin = loops.equations.kin
    assert loops.joints == ("closure",) * KINDS[kind]
    algebra = symbols.Algebra(kin)
    u = algebra.matrix(sp.Matrix(kin.u)).ravel()
    G = algebra.matrix(loops.G)
    assert algebra.vanish(algebra.rate(algebra.matrix(loops.phi).ravel()) - G @ u)
    assert algebra.vanish(algebra.rate(G) @ u - algebra.matrix(loops.bias).ravel())


def four_bar(crank=1.0):
    """A planar four-bar of three moving bars; the last hinge is cut."""
    hinge = {"type": "revolute", "axis": [0, 1, 0]}
    return System.from_dict(
        {
            "bodies": {
                "crank": {**BODY, "cog": [0, 0, crank / 2]},
                "coupler": {**BODY, "cog": [1, 0, 1.25]},
                "rocker": {**BODY, "cog": [2, 0, 0.75]},
            },
            "joints": {
                "a": {**hinge, "child": "crank", "at": [0, 0, 0]},
                "b": {**hinge, "parent": "crank", "child": "coupler", "at": [0, 0, crank]},
                "c": {**hinge, "parent": "coupler", "child": "rocker", "at": [2, 0, 1.5]},
                "d": {**hinge, "parent": "earth", "child": "rocker", "at": [2, 0, 0], "cut": True},
            },
        }
    )


@pytest.mark.parametrize("angles", ["relative", "absolute"])
def test_a_four_bar_in_its_plane_has_two_conditions(angles):
    loops = derive_loops(four_bar(), angles=angles)
    kin = loops.equations.kin
    assert kin.planar
    assert loops.joints == ("d", "d")
    rates = loops.phi.applyfunc(kin.dt) - loops.G * sp.Matrix(kin.u)
    assert all(sp.expand(rate) == 0 for rate in rates)
    if angles == "absolute":
        (a, b, c), sin, cos = kin.q, sp.sin, sp.cos
        x = sin(a) + 2 * cos(b) + sin(b) / 2 - 3 * sin(c) / 2 - 2
        z = cos(a) - 2 * sin(b) + cos(b) / 2 - 3 * cos(c) / 2
        assert all(sp.expand(entry) == 0 for entry in loops.phi - sp.Matrix([x, z]))


SYSTEMS = {
    "four-bar": four_bar(),
    **{kind: closed_by(kind, "one") for kind in KINDS},
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_closed_systems_move_as_in_the_numeric_core(name, symbols):
    """Speeds in the null space of G at q = 0; accelerations with multipliers, to 1e-12."""
    system = SYSTEMS[name]
    model, loops = JointModel(system), derive_loops(system, inline=False)
    equations, kin = loops.equations, loops.equations.kin
    q, _ = model.initial()
    rng = np.random.default_rng(5)
    G, *_ = symbols.numbers(kin, [loops.G], (0.0, q, np.zeros(model.nu)))
    projector = np.eye(model.nu) - np.linalg.pinv(G) @ G
    u = projector @ rng.normal(size=model.nu)
    lhs, rhs, bias = symbols.numbers(kin, [equations.lhs, equations.rhs, loops.bias], (0.0, q, u))
    m = len(G)
    matrix = np.block([[lhs, G.T], [G, np.zeros((m, m))]])
    ours = np.linalg.lstsq(matrix, np.concatenate([rhs, -bias]).ravel(), rcond=1e-12)[0]
    model.kinematics(0.0, q, u)
    u_dot, _ = model.accelerations(np.zeros(model.nu))
    theirs = model.constraint_jacobian()
    assert np.linalg.matrix_rank(theirs) == np.linalg.matrix_rank(G)
    assert np.abs(theirs @ projector).max() < 1e-12
    assert np.abs(ours[: model.nu] - u_dot).max() < 1e-12 * max(1.0, np.abs(u_dot).max())


def test_closed_systems_have_no_equation_5():
    with pytest.raises(ModelError, match="joint 'd' closes a loop"):
        derive(four_bar())


def test_trees_have_no_conditions(symbols):
    with pytest.raises(ModelError, match="no joint of the system is cut"):
        derive_loops(symbols.chain(2))
