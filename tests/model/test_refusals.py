"""Every mistake in a description is one sentence that names the element."""

import copy

import pytest

from cosim.errors import ModelError
from cosim.model import System

GOOD = {
    "parameters": {"k": 4.0},
    "bodies": {
        "spar": {
            "mass": 8.0,
            "cog": [0, 0, -1],
            "inertia": [2, 2, 3],
            "points": {"deck": [0, 0, 1]},
        },
        "float": {
            "mass": 2.0,
            "cog": [1, 0, 0],
            "inertia": [2, 2, 3],
            "points": {"rim": [2, 0, 0]},
        },
    },
    "joints": {
        "free": {"type": "floating", "child": "spar"},
        "slide": {
            "type": "prismatic",
            "parent": "spar",
            "child": "float",
            "at": [0, 0, 0],
            "axis": [0, 0, 1],
        },
    },
    "earth_points": {"anchor": [0, 0, -10]},
    "elements": {
        "pto": {"type": "joint", "joint": "slide", "damping": 1.0, "law": "-k*x"},
        "line": {"type": "tension", "points": ["spar/deck", "earth/anchor"], "stiffness": 1.0},
        "coil": {"type": "torsion", "bodies": ["spar", "float"], "axis": [0, 0, 1]},
        "drag": {"type": "matrix", "body": "spar", "at": [0, 0, 0], "damping": [1, 1, 1, 1, 1, 1]},
        "push": {"type": "force", "point": "spar", "force": ["cos(t)", 0, "=k"]},
    },
}
REMOVE = object()


def changed(path, value):
    data = copy.deepcopy(GOOD)
    *start, last = path.split(".")
    node = data
    for key in start:
        node = node[key]
    if value is REMOVE:
        del node[last]
    else:
        node[last] = value
    return data


BODY = [
    ("bodies.spar.mass", 0, "bodies.spar.mass: must be greater than 0 (got 0)"),
    ("bodies.spar.mass", REMOVE, "bodies.spar: 'mass' is required"),
    ("bodies.spar.mass", "8e3", "bodies.spar.mass: '8e3' is not a number (write 1.5, 1e3 or"),
    ("bodies.spar.mass", True, "bodies.spar.mass: True is not a number"),
    ("bodies.spar.mass", float("nan"), "bodies.spar.mass: must be a finite number"),
    ("bodies.spar.mass", "=2*kk", "'=2*kk' uses the unknown parameter 'kk'; did you mean 'k'?"),
    ("bodies.spar.mass", "=1/0", "bodies.spar.mass: '=1/0' has no value"),
    ("bodies.spar.mas", 3, "bodies.spar: unknown key 'mas'; did you mean 'mass'?"),
    ("bodies.spar.cog", [0, 0], "bodies.spar.cog: 3 values are needed, 2 given"),
    ("bodies.spar.inertia", [2, 2, 5], "2, 2, 5 kg m2 break the triangle inequality"),
    ("bodies.spar.inertia", [2, 2, -1], "principal moment -1 kg m2; all three must be positive"),
    ("bodies.spar.inertia", [2, 2, 3, 4, 0, 0], "has the principal moment -2 kg m2"),
    ("bodies.spar.inertia", [2, 2, 3, 4], "bodies.spar.inertia: 3 or 6 values are needed, 4"),
    ("bodies.spar.points.1st", [0, 0, 0], "'1st' is not a name"),
    ("bodies.earth", GOOD["bodies"]["spar"], "a body cannot be called 'earth'"),
    ("bodies.2nd", GOOD["bodies"]["spar"], "'2nd' is not a name"),
    ("bodies.lost", GOOD["bodies"]["spar"], "body 'lost': no joint has it as child; add one"),
]
JOINT = [
    ("joints.slide.axis", [0, 0, 0], "joints.slide: axis has no length"),
    ("joints.slide.at", REMOVE, "joints.slide: 'at' is required"),
    ("joints.slide.type", REMOVE, "joints.slide: 'type' is required: "),
    ("joints.slide.type", "prismatc", "unknown type 'prismatc'; did you mean 'prismatic'?"),
    ("joints.slide.axes", [0, 0, 1], "joints.slide: unknown key 'axes'; did you mean 'axis'?"),
    (
        "joints.slide.parent",
        "spr",
        "joint 'slide': unknown parent body 'spr'; did you mean 'spar'?",
    ),
    (
        "joints.slide.child",
        "flot",
        "joint 'slide': unknown child body 'flot'; did you mean 'float'",
    ),
    (
        "joints.slide",
        {**GOOD["joints"]["slide"], "parent": "float", "child": "earth"},
        "joint 'slide': 'earth' cannot be a child; exchange parent and child",
    ),
    ("joints.slide.parent", "float", "body 'float': its joints close the ring float - float and"),
    (
        "joints.second",
        {"type": "fixed", "child": "float"},
        "body 'float' is already the child of joint 'slide'; mark one of the two 'cut: true'",
    ),
    (
        "joints.loop",
        {"type": "floating", "child": "float", "cut": True},
        "joints.loop: a floating joint ties nothing; it cannot be cut: leave it out",
    ),
    (
        "joints.loop",
        {"type": "fixed", "parent": "float", "child": "float", "cut": True},
        "joint 'loop': it ties body 'float' to itself",
    ),
    (
        "joints.loop",
        {"type": "fixed", "parent": "float", "child": "earth", "cut": True},
        "joint 'loop': 'earth' cannot be a child; exchange parent and child",
    ),
    (
        "joints.slide",
        {
            "type": "universal",
            "parent": "spar",
            "child": "float",
            "at": [0, 0, 0],
            "axis1": [1, 0, 0],
            "axis2": [1, 1, 0],
        },
        "joints.slide: axis1 and axis2 must be perpendicular; they are 45 degrees",
    ),
]
FREE_LOAD = {"type": "joint", "joint": "free", "stiffness": 1.0}
ELEMENT = [
    ("elements.pto.joint", "slid", "element 'pto': unknown joint 'slid'; did you mean 'slide'?"),
    ("elements.pto.damping", "high", "elements.pto.damping: 'high' is not a number"),
    ("elements.pto.stiffness", -1, "elements.pto.stiffness: must be greater than or equal to 0"),
    ("elements.pto.coordinate", "angle", "joint 'slide' (prismatic) has no coordinate 'angle' to"),
    ("elements.free_load", FREE_LOAD, "joint 'free' (floating) needs 'coordinate', one of surge,"),
    (
        "elements.free_load",
        {**FREE_LOAD, "coordinate": "yaw"},
        "no coordinate 'yaw' to load; it has",
    ),
    ("elements.pto.law", "-k*y", "element 'pto': '-k*y' uses the unknown name 'y'; the variables"),
    (
        "elements.pto.law",
        "-kk*x",
        "element 'pto': '-kk*x' uses the unknown name 'kk'; did you mean",
    ),
    ("elements.pto.law", "-k*l", "element 'pto': '-k*l' uses the unknown name 'l'"),
    ("elements.pto.law", "-k*x +", "elements.pto.law: '-k*x +' is not an expression: invalid"),
    ("elements.pto.law", "import os", "elements.pto.law: 'import os' is not an expression"),
    ("parameters.x", 3.0, "element 'pto': '-k*x' uses 'x', which is a variable here and also a"),
    ("elements.pto.end_stop", {"stiffness": 1.0}, "an end stop needs 'lower', 'upper' or both"),
    (
        "elements.pto.end_stop",
        {"stiffness": 1.0, "lower": 2.0, "upper": 1.0},
        "elements.pto.end_stop: 'lower' = 2 must be below 'upper' = 1",
    ),
    ("elements.pto.end_stop", {"upper": 1.0}, "elements.pto.end_stop: 'stiffness' is required"),
    ("elements.line.points", ["spar/dek", "earth/anchor"], "'spar/dek'; did you mean 'spar/deck'?"),
    (
        "elements.line.points",
        ["spar", "earth/ancor"],
        "point 'earth/ancor'; did you mean 'earth/anc",
    ),
    ("elements.line.points", ["spar"], "elements.line.points: 2 values are needed, 1 given"),
    (
        "elements.line.points",
        ["spar", "spar/deck"],
        "both points are on 'spar', where a tension does",
    ),
    ("elements.line.length", -1.0, "elements.line.length: must be greater than or equal to 0"),
    ("elements.coil.axis", [0, 0, 0], "elements.coil: axis has no length"),
    ("elements.coil.bodies", ["spar", "spar"], "elements.coil: both ends are on 'spar'"),
    ("elements.coil.bodies", ["spar", "flat"], "element 'coil': unknown body 'flat'; did you mean"),
    ("elements.drag.body", "earth", "elements.drag: 'body' must be a body; use 'reference' for"),
    ("elements.drag.reference", "spar", "elements.drag: 'body' and 'reference' are both 'spar'"),
    ("elements.drag.body", "spur", "element 'drag': unknown body 'spur'; did you mean 'spar'?"),
    ("elements.drag.damping", [1, 1, 1], "elements.drag.damping: 6 values are needed, 3 given"),
    ("elements.push.point", "earth/anchor", "its point is on earth, where a force does nothing"),
    ("elements.push.force", ["cos(tt)", 0, 0], "'cos(tt)' uses the unknown"),
    ("elements.push.force", ["cos(t", 0, 0], "'cos(t' is not an expression"),
    ("elements.push.force", [True, 0, 0], "True is not a number"),
    (
        "elements.push.force",
        ["cos(t)*kk", 0, 0],
        "element 'push': 'cos(t)*kk' uses the unknown name",
    ),
    ("elements.push.axes", "earth", "elements.push.axes: must be 'world' or 'body' (got 'earth')"),
    ("elements.pto.type", "pto", "elements.pto: unknown type 'pto'; known: force, joint, tension,"),
]
WHOLE = [
    ("parameters.depth", "deep", "parameters.depth: 'deep' is not a number"),
    ("parameters.depth", "=2*j", "parameters.depth: '=2*j' uses the unknown parameter 'j'"),
    ("parameters", [1.0], "parameters: must be a mapping of names to numbers"),
    ("element", {}, "unknown key 'element'; did you mean 'elements'?"),
    ("earth_points.anchor", [0, 0], "earth_points.anchor: 3 values are needed, 2 given"),
]


@pytest.mark.parametrize(("path", "value", "sentence"), [*BODY, *JOINT, *ELEMENT, *WHOLE])
def test_one_mistake_is_one_sentence(path, value, sentence):
    with pytest.raises(ModelError) as caught:
        System.from_dict(changed(path, value))
    text = str(caught.value)
    assert sentence in text
    assert "\n" not in text


def test_all_mistakes_are_told_together():
    data = changed("bodies.spar.mass", 0)
    data["joints"]["slide"]["axis"] = [0, 0, 0]
    data["elements"]["pto"]["law"] = "x +"
    with pytest.raises(ModelError) as caught:
        System.from_dict(data)
    assert len(str(caught.value).split("\n")) == 3


def test_all_dangling_references_are_told_together():
    data = changed("joints.slide.parent", "spr")
    data["elements"]["pto"]["joint"] = "slid"
    data["elements"]["line"]["points"] = ["spar/deck", "earth/ancor"]
    with pytest.raises(ModelError) as caught:
        System.from_dict(data)
    assert len(str(caught.value).split("\n")) == 3


def test_body_that_only_a_cut_joint_holds():
    data = changed("bodies.lost", GOOD["bodies"]["float"])
    data["joints"]["loop"] = {"type": "fixed", "child": "lost", "cut": True}
    with pytest.raises(ModelError, match="body 'lost': only the cut joint 'loop' holds it"):
        System.from_dict(data)


def test_cut_joints_have_no_coordinate_to_load():
    data = changed("elements.pto.joint", "loop")
    data["joints"]["loop"] = {**data["joints"]["slide"], "cut": True}
    with pytest.raises(ModelError, match=r"'loop' .prismatic. is cut: it has no coordinate"):
        System.from_dict(data)


def test_ring_of_joints_is_told_once():
    hinge = {"type": "revolute", "at": [0, 0, 0], "axis": [0, 1, 0]}
    data = {
        "bodies": {name: GOOD["bodies"]["float"] for name in "abc"},
        "joints": {
            f"j{child}": {**hinge, "parent": parent, "child": child}
            for parent, child in ("ab", "bc", "ca")
        },
    }
    with pytest.raises(ModelError, match="body 'b': its joints close the ring b - a - c - b"):
        System.from_dict(data)


def test_point_with_the_address_of_a_body_is_refused():
    data = changed("bodies.leg", {**GOOD["bodies"]["float"], "points": {"arm": [0, 0, 0]}})
    data["bodies"]["leg/arm"] = GOOD["bodies"]["float"]
    data["joints"]["one"] = {"type": "floating", "child": "leg"}
    data["joints"]["two"] = {"type": "floating", "child": "leg/arm"}
    with pytest.raises(ModelError, match="its point 'arm' has the address of body 'leg/arm'"):
        System.from_dict(data)
