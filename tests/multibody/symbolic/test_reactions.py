"""Joint reactions in symbols: the pendulum in closed form, the kernels, the total balance."""

import numpy as np
import pytest
import sympy as sp

from cosim.errors import ModelError
from cosim.model import System
from cosim.multibody.joint.model import JointModel
from cosim.multibody.joint.symbolic.equations import derive
from cosim.multibody.joint.symbolic.generated import plain_function
from cosim.multibody.joint.symbolic.reactions import joint_reactions

BODY = {"inertia": [1.0, 1.5, 2.0, 0.1, 0.2, -0.15]}


def pendulum():
    return System.from_dict(
        {
            "parameters": {"m": 3.0, "l": 1.2, "J": 0.8, "g": 9.81},
            "environment": {"gravity": "=g"},
            "bodies": {"bob": {"mass": "=m", "cog": [0, 0, "=-l"], "inertia": ["=J", "=J", "=J"]}},
            "joints": {
                "pin": {"type": "revolute", "child": "bob"} | {"at": [0, 0, 0], "axis": [0, 1, 0]}
            },
        }
    )


def test_pendulum_at_rest_and_in_motion():
    """N = m (g cos + l w²) along the rod, m g sin J/(J + m l²) across it, no moment."""
    equations = derive(pendulum())
    m, length, J, g = (equations.kin.values.symbols[name] for name in ("m", "l", "J", "g"))
    (angle,), (w,) = equations.kin.q, equations.kin.u
    along = sp.Matrix([sp.sin(angle), 0, sp.cos(angle)])  # from the bob to the pin
    across = sp.Matrix([sp.cos(angle), 0, -sp.sin(angle)])
    reactions = joint_reactions(equations)

    force, moment = reactions.at_rest("pin")
    assert force == sp.Matrix([0, 0, m * g])
    held = sp.Matrix([0, m * g * length * sp.sin(angle), 0])
    assert sp.simplify(moment - held).is_zero_matrix
    force, moment = reactions.in_motion("pin")
    assert sp.simplify(force.dot(along) - m * (g * sp.cos(angle) + length * w**2)) == 0
    slip = -m * g * sp.sin(angle) * J / (J + m * length**2)
    assert sp.simplify(force.dot(across) - slip) == 0
    assert sp.simplify(moment).is_zero_matrix


def plane():
    bodies = {
        "arm": {**BODY, "mass": 2.0, "cog": [0.2, 0.1, -1.0], "points": {"tip": [0.3, 0.4, -1.6]}},
        "sled": {**BODY, "mass": 1.0, "cog": [0.5, 0.0, -1.5]},
        "bob": {**BODY, "mass": 0.5, "cog": [0.75, 0.2, -2.5], "gravity_scale": 0.5},
    }
    joints = {
        "pin": {"type": "revolute", "child": "arm", "at": [0, 0, 0], "axis": [0, 1, 0]},
        "rail": {"type": "prismatic", "parent": "arm", "child": "sled"}
        | {"at": [0, 0, -1], "axis": [0.6, 0, -0.8]},
        "hook": {"type": "revolute", "parent": "sled", "child": "bob"}
        | {"at": [0.5, 0.25, -2], "axis": [0, -1, 0]},
    }
    return loaded(bodies, joints)


def space():
    bodies = plane().source["bodies"]
    joints = {
        "pin": {"type": "floating", "child": "arm"},
        "rail": {"type": "cylindrical", "parent": "arm", "child": "sled"}
        | {"at": [0, 0, -1], "axis": [0.6, 0, -0.8]},
        "hook": {"type": "spherical", "parent": "sled", "child": "bob", "at": [0.5, 0.25, -2]},
    }
    return loaded(bodies, joints)


def loaded(bodies, joints):
    elements = {
        "line": {"type": "tension", "points": ["arm/tip", "earth/anchor"]}
        | {"stiffness": 7, "damping": 2},
        "push": {
            "type": "force",
            "point": "bob",
            "force": [1, "2*t", 3],
            "moment": [0.5, 0.6, 0.7],
        },
        "slide": {"type": "joint", "joint": "rail", "coordinate": "position"}
        | {"stiffness": 30, "preload": 4},
    }
    return System.from_dict(
        {
            "bodies": bodies,
            "joints": joints,
            "elements": elements,
            "earth_points": {"anchor": [3, 1, -4]},
        }
    )


@pytest.mark.parametrize("build", [plane, space])
def test_reactions_agree_with_the_kernels(build):
    system = build()
    model, equations = JointModel(system), derive(system, keep=(), inline=False)
    kin, reactions = equations.kin, joint_reactions(equations)
    columns = [
        entry
        for joint in system.joints
        for part in (reactions.point, reactions.force, reactions.moment)
        for entry in part[joint]
    ]
    inputs = [kin.t, *kin.q, *kin.u, *reactions.accelerations]
    function = plain_function(inputs, kin.definitions, columns)
    rng = np.random.default_rng(4)
    for _ in range(5):
        q = model.retract(model.initial()[0], rng.uniform(-0.8, 0.8, model.nu))
        u, t = rng.uniform(-2, 2, model.nu), rng.uniform(0, 3)
        model.kinematics(t, q, u)
        u_dot, v_dot = np.zeros(model.nu), np.zeros((3, 6))
        model.derive(None, u_dot, v_dot)
        expected = model.reactions(np.zeros((3, 6)), v_dot)
        found = np.array(function(t, *q, *u, *u_dot)[-len(columns) :]).reshape(3, 9)
        scale = np.abs(expected.wrench).max()
        np.testing.assert_allclose(found[:, :3], expected.point, atol=1e-12)
        np.testing.assert_allclose(found[:, 3:], expected.wrench, rtol=0, atol=1e-12 * scale)


def test_reactions_of_earth_balance_the_total_load():
    """Momentum: m a of all bodies = weights + external forces + what the pin passes on."""
    equations = derive(plane(), keep=())
    kin, reactions = equations.kin, joint_reactions(equations)
    u_dot = sp.Matrix(reactions.accelerations)
    accelerations = kin.B() * u_dot + equations.bias
    g = equations.loads.g
    total = sp.zeros(3, 1)
    for k, body in enumerate(kin.bodies):
        m = kin.values.value(("bodies", body, "mass"))
        weight = m * kin.values.value(("bodies", body, "gravity_scale")) * kin.values.gravity
        a = sp.Matrix([accelerations[3 * k], 0, accelerations[3 * k + 1]])
        total += m * a - sp.Matrix([0, 0, -weight]) - sp.Matrix(g[6 * k : 6 * k + 3])
    difference = total - reactions.force["pin"]
    rng = np.random.default_rng(6)
    symbols = [kin.t, *kin.q, *kin.u, *reactions.accelerations]
    place = {symbol: rng.uniform(-1, 1) for symbol in symbols}
    np.testing.assert_allclose(np.array(difference.subs(place), dtype=float), 0, atol=1e-12)


def test_many_speeds_are_not_solved_for_in_symbols():
    reactions = joint_reactions(derive(space(), keep=(), inline=False))
    with pytest.raises(ModelError, match="too long in symbols"):
        reactions.in_motion("hook")
