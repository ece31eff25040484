"""Tables of cases against what the cases say."""

import numpy as np
import pytest

from cosim.case.build import build
from cosim.case.element_text import element_ends, element_text
from cosim.case.schema import Case
from cosim.case.start import start_state
from cosim.case.start_tables import start_tables
from cosim.case.tables import case_tables, joint_graph, system_tables

CASE = {
    "bodies": {
        "upper": {
            "mass": 1,
            "cog": [0, 0, -0.5],
            "inertia": [1, 1, 1],
            "points": {"eye": [0, 0, -1]},
        },
        "lower": {
            "mass": 2,
            "cog": [0, 0, -1.5],
            "inertia": [1, 2, 2, 0.1, 0, 0],
            "gravity_scale": 0.5,
        },
    },
    "joints": {
        "top": {"type": "revolute", "child": "upper", "at": [0, 0, 0], "axis": [0, 2, 0]},
        "mid": {
            "type": "spherical",
            "parent": "upper",
            "child": "lower",
            "at": [0, 0, -1],
        },
    },
    "earth_points": {"hook": [1, 0, 0]},
    "elements": {
        "rope": {
            "type": "tension",
            "points": ["earth/hook", "upper/eye"],
            "stiffness": 100,
            "length": 2,
            "slack": True,
        }
    },
    "start": {
        "from": "reference",
        "set": {"top.angle_deg": 90, "mid.yaw_deg": 30, "top.angle_rate": 2},
    },
    "time": {"end": 1},
}


@pytest.fixture(scope="module")
def case():
    return Case.from_dict(CASE)


@pytest.fixture(scope="module")
def tables(case):
    return {table.title: table for table in case_tables(case)}


def test_bodies(tables):
    bodies = tables["bodies"]
    assert bodies.column("body") == ["upper", "lower"]
    assert bodies.column("mass [kg]") == [1.0, 2.0]
    assert bodies.column("weight x") == [1.0, 0.5]
    assert bodies.rows[1][3] == (1.0, 2.0, 2.0)
    assert tables["products of inertia"].rows == [("lower", (0.1, 0.0, 0.0))]


def test_joints_as_in_table_13_of_the_paper(tables):
    # Joint, connected bodies, type, ParentCGtoJoint, JointtoChildCG
    joints, levers = tables["joints"], tables["joints on their bodies"]
    assert joints.column("kind") == ["revolute", "spherical"]
    assert joints.column("axis") == [(0.0, 1.0, 0.0), ""]
    assert levers.column("connects") == ["earth - upper", "upper - lower"]
    assert levers.rows[0][2:] == ((0.0, 0.0, 0.0), (0.0, 0.0, -0.5))
    assert levers.rows[1][2:] == ((0.0, 0.0, -0.5), (0.0, 0.0, -0.5))


def test_points_and_elements(tables):
    assert tables["points"].rows == [
        ("upper/eye", (0.0, 0.0, -1.0), (0.0, 0.0, -0.5)),
        ("earth/hook", (1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
    ]
    (row,) = tables["force elements"].rows
    assert row == ("rope", "tension", "earth/hook - upper/eye", "k=100, L=2, rope")
    assert "adapters" not in tables


def test_what_hangs_on_what(case):
    assert joint_graph(case) == {
        "earth": [("top", "upper")],
        "upper": [("mid", "lower")],
        "lower": [],
    }


def test_the_start_is_that_of_the_run(case):
    assembly = build(case)
    start = start_state(case, assembly.model, assembly.adapters)
    coordinates, poses = start_tables(assembly, start)
    assert coordinates.rows[0] == ("top.angle", 90.0, "degree", 2.0, "rad/s")
    assert coordinates.column("initial conditions")[1:] == ["mid.roll", "mid.pitch", "mid.yaw"]
    assert coordinates.column("coordinate")[1:] == [0.0, 0.0, 30.0]
    # a quarter turn about +y takes what hangs down to -x
    assert poses.rows[0][1] == (-0.5, 0.0, 0.0)
    assert poses.rows[1][1] == (-1.5, 0.0, 0.0)
    state = assembly.model.kinematics(0.0, start.q, start.u)
    np.testing.assert_allclose([row[1] for row in poses.rows], state.r, atol=1e-6)


ELEMENTS = {
    "F=(3*cos(t), 0, 1)": {"type": "force", "point": "upper", "force": ["3*cos(t)", 0, 1]},
    "M=(0, 2, 0), in body axes": {
        "type": "force",
        "point": "upper",
        "moment": [0, 2, 0],
        "axes": "body",
    },
    "k=4, rest=0.5, c=1, stops [-1, ] k=9": {
        "type": "joint",
        "joint": "top",
        "stiffness": 4,
        "rest": 0.5,
        "damping": 1,
        "end_stop": {"lower": -1, "stiffness": 9},
    },
    "law=5*x**3, L as described": {
        "type": "tension",
        "points": ["upper", "lower"],
        "law": "5*x**3",
    },
    "about (0, 1, 0), c=2": {
        "type": "torsion",
        "bodies": ["upper", "lower"],
        "axis": [0, 3, 0],
        "damping": 2,
    },
    "K=(z:7), C2=(x:1)": {
        "type": "matrix",
        "body": "upper",
        "at": [0, 0, 0],
        "stiffness": [0, 0, 7, 0, 0, 0],
        "quadratic_damping": [1, 0, 0, 0, 0, 0],
    },
    "none": {"type": "joint", "joint": "top"},
}


@pytest.mark.parametrize("text", ELEMENTS)
def test_elements_in_words(text):
    case = Case.from_dict({**CASE, "elements": {"e": ELEMENTS[text]}})
    assert element_text(case.elements["e"]) == text
    assert element_ends(case.elements["e"])


def test_attitudes_beyond_a_quarter_turn_keep_their_angle(case):
    turned = case.model_copy(
        update={"start": case.start.model_copy(update={"set": {"top.angle_deg": 135.0}})}
    )
    assembly = build(turned)
    start = start_state(turned, assembly.model, assembly.adapters)
    assert start_tables(assembly, start)[1].rows[0][2] == (0.0, 135.0, 0.0)


def test_tables_without_rows_are_left_out(case):
    bare = Case.from_dict({**CASE, "elements": {}})
    assert "force elements" not in {table.title for table in system_tables(bare)}
