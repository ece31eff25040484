"""The symbolic drop-in against the compiled model, on random states.

The tolerance of 1e-12 is that of the issue: symbolic and numeric cores agree to 1e-12.
"""

import numpy as np
import pytest

from cosim.errors import ModelError
from cosim.model import System
from cosim.multibody.joint import JointModel
from cosim.multibody.joint.symbolic.model import SymbolicModel

from .described import BODY, SPACE

TOLERANCE = 1e-12


def close(ours, theirs):
    scale = max(1.0, np.abs(theirs).max(initial=0.0))
    np.testing.assert_allclose(ours, theirs, rtol=0.0, atol=TOLERANCE * scale)


def added_mass(bodies, seed):
    root = np.random.default_rng(seed).normal(size=(6 * bodies, 6 * bodies))
    return root @ root.T / bodies


def agree(system, *seeds, inline=False):
    """All methods of the interface at random states."""
    ours, theirs = SymbolicModel(system, inline=inline), JointModel(system)
    assert (ours.nq, ours.nu, ours.bodies) == (theirs.nq, theirs.nu, theirs.bodies)
    assert ours.speeds == theirs.speeds
    assert ours.element_channels == theirs.element_channels
    for seed in seeds:
        state, loads = random_state(theirs, seed)
        values = (every(model, state, loads) for model in (ours, theirs))
        for mine, reference in zip(*values, strict=True):
            close(mine, reference)


def random_state(model, seed):
    """Time, coordinates and speeds; wrenches, forces and added mass of other bodies."""
    rng, n = np.random.default_rng(seed), len(model.bodies)
    q, _ = model.initial()
    q = model.retract(q, rng.uniform(-1.0, 1.0, model.nu))
    blocks = np.array([added_mass(1, seed + k) for k in range(n)])
    loads = rng.normal(size=(n, 6)), rng.normal(size=model.nu), added_mass(n, seed), blocks
    return (rng.uniform(0.0, 3.0), q, rng.normal(size=model.nu)), loads


def every(model, state, loads):
    """What a model says, as a list of arrays."""
    t, q, u = state
    g, Q, Ma, blocks = loads
    seen = model.kinematics(t, q, u)
    rows = np.arange(len(model.bodies))
    mass = model.project_mass(rows, Ma)
    free = model.accelerations(Q)
    coupled = model.accelerations(Q, mass)
    several = model.accelerations(Q, body_mass=blocks)
    reactions = model.reactions(g, coupled[1], Ma)
    energy = model.energy()
    return [
        *(seen.r.copy(), seen.R.copy(), seen.v.copy()),
        *(model.bias(), model.velocity_transformation(), model.project(g), mass),
        *(*free, *coupled, *several, model.own_force(), model.q_dot(1.1 * q, u)),
        *(reactions.wrench, reactions.point),
        np.array([energy.kinetic, energy.potential, model.nonconservative_power()]),
        model.element_values(),
        model.retract(q, 0.3 * u),
        model.difference(model.retract(q, 0.3 * u), q),
        *model.step(t, 0.01, q, u, lambda t, state: (g, Ma)),
    ]


@pytest.mark.parametrize("seed", range(3))
def test_random_trees(trees, seed):
    agree(trees.random_tree(seed, bodies=8), seed)


@pytest.mark.parametrize("kind", ["floating", "spherical", "universal", "cylindrical", "planar"])
@pytest.mark.parametrize("inline", [True, False])
def test_two_bodies_written_out_and_with_intermediates(trees, kind, inline):
    agree(trees.random_tree(5, kinds=(kind, "revolute"), bodies=2), 1, inline=inline)


PLANE = {
    "bodies": {
        "bob": {**BODY, "cog": [0.2, 0.0, -1.0], "points": {"tip": [0.3, 0.1, -1.6]}},
        "weight": {**BODY, "cog": [0.5, 0.0, -1.5]},
        "free": {**BODY, "cog": [2.0, 0.0, 0.5], "points": {"end": [2.5, 0.0, 0.25]}},
        "end": {**BODY, "cog": [3.0, 0.0, 0.5], "gravity_scale": 0.5},
    },
    "joints": {
        "hinge": {"type": "revolute", "child": "bob", "at": [0, 0, 0], "axis": [0, -2, 0]},
        "rail": {
            "type": "prismatic",
            "parent": "bob",
            "child": "weight",
            "at": [0, 0, -1],
            "axis": [0.6, 0, -0.8],
        },
        "drift": {"type": "planar", "child": "free", "at": [2, 0, 0]},
        "weld": {"type": "fixed", "parent": "free", "child": "end"},
    },
    "earth_points": {"anchor": [0.5, 0.0, 1.5]},
}
ELEMENTS = {
    "push": {
        "type": "force",
        "point": "bob/tip",
        "force": ["cos(2*t)", 1, -2],
        "moment": [0, "t", 0],
    },
    "thrust": {"type": "force", "point": "free", "force": [1, 0, 2], "axes": "body"},
    "slider": {
        "type": "joint",
        "joint": "rail",
        "coordinate": "position",
        "stiffness": 3.0,
        "rest": 0.1,
        "damping": 0.4,
        "quadratic_damping": 0.2,
        "preload": 0.5,
        "end_stop": {"lower": -0.2, "upper": 0.2, "stiffness": 50.0, "damping": 2.0},
        "law": "-x**3 + 0.1*v*x + sin(t)",
    },
    "spring": {
        "type": "tension",
        "points": ["bob/tip", "free/end"],
        "stiffness": 4.0,
        "damping": 0.3,
        "law": "x**3",
    },
    "rope": {
        "type": "tension",
        "points": ["weight", "earth/anchor"],
        "stiffness": 2.0,
        "length": 1.5,
        "slack": True,
    },
    "elastic": {
        "type": "tension",
        "points": ["earth/anchor", "bob"],
        "stiffness": 2.0,
        "length": 0,
    },
    "twist": {
        "type": "torsion",
        "bodies": ["earth", "free"],
        "axis": [0, 1, 0],
        "stiffness": 2.0,
        "damping": 0.2,
        "law": "-x**3",
    },
    "bearing": {
        "type": "torsion",
        "bodies": ["free", "bob"],
        "axis": [0, -1, 0],
        "stiffness": 2.0,
        "rest": 0.2,
    },
    "mooring": {
        "type": "matrix",
        "body": "free",
        "at": [2.0, 0.0, 1.0],
        "preload": [0.1, 0.0, 0.2, 0.0, 0.3, 0.0],
        "stiffness": [3.0, 3.0, 2.0, 1.0, 1.5, 1.0],
        "damping": [0.3, 0.3, 0.2, 0.1, 0.15, 0.1],
        "quadratic_damping": [0.1, 0.1, 0.2, 0.1, 0.1, 0.1],
    },
}


@pytest.mark.parametrize("described", [PLANE, SPACE], ids=["plane", "space"])
@pytest.mark.parametrize("name", ELEMENTS)
def test_every_element(described, name):
    agree(System.from_dict({**described, "elements": {name: ELEMENTS[name]}}), 0, 1, 2)


@pytest.mark.parametrize("described", [PLANE, SPACE], ids=["plane", "space"])
def test_all_elements_together(described):
    agree(System.from_dict({**described, "elements": ELEMENTS}), 4)


def test_all_elements_written_out():
    agree(System.from_dict({**PLANE, "elements": ELEMENTS}), 0, 1, 2, inline=True)


def test_start_values_are_those_of_the_compiled_model():
    system = System.from_dict(SPACE)
    start = {
        "hinge.surge": 0.3,
        "hinge.pitch_deg": 20.0,
        "hinge.yaw": 0.4,
        "weight.angle_deg": -70.0,
        "rail.position_rate": 2.0,
        "drift.roll_rate": 0.5,
    }
    for ours, theirs in zip(
        SymbolicModel(system).initial(start), JointModel(system).initial(start), strict=True
    ):
        np.testing.assert_array_equal(ours, theirs)
    with pytest.raises(ModelError, match="no joint or body 'hing'; did you mean 'hinge'"):
        SymbolicModel(system).initial({"hing.surge": 1.0})


def test_headings_turn_matrix_loads():
    load = {**ELEMENTS["mooring"], "axes": "hull"}
    system = System.from_dict({**SPACE, "elements": {"mooring": load}})
    ours, theirs = SymbolicModel(system), JointModel(system)
    assert ours.frames == theirs.frames == ("hull",)
    q, u = theirs.initial({"drift.roll": 0.3, "drift.pitch_rate": 0.2})
    for model in (ours, theirs, ours.twin()):
        model.set_frame("hull", 0.8)
        model.kinematics(0.0, q, u)
    close(ours.own_force(), theirs.own_force())


def test_kept_parameters_can_change():
    described = {
        **PLANE,
        "parameters": {"k": 4.0},
        "elements": {"spring": {**ELEMENTS["spring"], "stiffness": "=k"}},
    }
    ours = SymbolicModel(System.from_dict(described), keep=["k"])
    ours.numeric.set_parameter("k", 6.0)
    theirs = JointModel(System.from_dict({**described, "parameters": {"k": 6.0}}))
    q, u = theirs.initial({"hinge.angle": 0.4, "drift.x": 0.3})
    for model in (ours, theirs):
        model.kinematics(0.0, q, u)
    close(ours.own_force(), theirs.own_force())
    close(ours.energy().total, theirs.energy().total)
    close(ours.element_values(), theirs.element_values())
    with pytest.raises(ModelError, match=r"derive them with keep=\['other'\]"):
        ours.numeric.set_parameter("other", 1.0)


def test_twins_do_not_disturb_each_other():
    model = SymbolicModel(System.from_dict(SPACE))
    q, u = model.initial({"rail.position": 0.3})
    state = model.kinematics(0.0, q, u)
    before = state.r.copy()
    model.twin().kinematics(0.0, *model.initial({"rail.position": -0.5}))
    np.testing.assert_array_equal(state.r, before)
    assert not state.r.flags.writeable


def test_a_mass_matrix_that_is_not_positive_names_the_coordinate():
    model = SymbolicModel(System.from_dict(PLANE))
    q, u = model.initial()
    model.kinematics(0.0, q, u)
    less = np.zeros((model.nu, model.nu))
    less[1, 1] = -1e6
    with pytest.raises(ModelError, match=r"body 'weight' .* coordinate 'position' of joint 'rail'"):
        model.accelerations(np.zeros(model.nu), less)
