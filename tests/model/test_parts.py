"""Parts placed in a system against the system written out by hand."""

import math

import numpy as np
import pytest

from cosim.errors import ModelError
from cosim.model import System
from cosim.model.parts import expand
from cosim.multibody.elements import ForceElements, evaluate

PART = {
    "bodies": {
        "arm": {
            "mass": 2.0,
            "cog": [1.0, 0.5, -0.5],
            "inertia": [1.0, 1.5, 2.0],
            "attitude_deg": [10.0, 20.0, 30.0],
            "points": {"tip": [2.0, 0.0, 0.0]},
        },
        "buoy": {"mass": 3.0, "cog": [2.0, 0.0, 1.0], "inertia": [1.0, 1.0, 1.0]},
    },
    "joints": {
        "hinge": {
            "type": "revolute",
            "parent": "platform",
            "child": "arm",
            "at": [0.5, 0.0, 0.0],
            "axis": [0.0, 1.0, 0.0],
        },
        "cross": {
            "type": "universal",
            "parent": "arm",
            "child": "buoy",
            "at": [2.0, 0.0, 0.0],
            "axis1": [1.0, 0.0, 0.0],
            "axis2": [0.0, 1.0, 0.0],
        },
    },
    "earth_points": {"anchor": [8.0, 1.0, -20.0]},
    "elements": {
        "pto": {"type": "joint", "joint": "hinge", "damping": 5.0, "law": "-x**3"},
        "line": {"type": "tension", "points": ["arm/tip", "earth/anchor"], "stiffness": 4.0},
        "strut": {"type": "tension", "points": ["buoy", "platform/top"], "stiffness": 2.0},
        "mooring": {"type": "tension", "points": ["buoy", "earth/common"], "stiffness": 1.5},
        "twist": {"type": "torsion", "bodies": ["platform", "arm"], "axis": [1, 2, 3], "rest": 0.1,
                  "stiffness": 3.0},
        "drag": {
            "type": "matrix",
            "body": "buoy",
            "reference": "arm",
            "at": [2.0, 0.5, 0.5],
            "preload": [1, 2, 3, 4, 5, 6],
            "stiffness": [1, 2, 3, 4, 5, 6],
            "quadratic_damping": [6, 5, 4, 3, 2, 1],
            "yaw_deg": 15.0,
        },
        "wind": {
            "type": "force",
            "point": "arm/tip",
            "force": ["2*cos(t)", 1.0, "3*t"],
            "moment": [0.0, 1.0, "t"],
        },
        "jet": {"type": "force", "point": "buoy", "force": [1.0, 2.0, 3.0], "axes": "body"},
    },
}  # fmt: skip
PLATFORM = {
    "bodies": {
        "platform": {
            "mass": 10.0,
            "cog": [0.0, 0.0, 0.0],
            "inertia": [5.0, 5.0, 5.0],
            "points": {"top": [0.0, 0.0, 2.0]},
        }
    },
    "joints": {"free": {"type": "floating", "child": "platform"}},
    "earth_points": {"common": [0.0, 0.0, -30.0]},
}


def placed(*places, **more):
    return System.from_dict({**PLATFORM, "parts": {"leg": PART}, "place": list(places), **more})


def turn(angle):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def written_out(name, yaw_deg, at):
    """The same by hand, in plain numpy."""
    S, at = turn(math.radians(yaw_deg)), np.array(at)

    def point(p):
        return tuple(S @ np.array(p, dtype=float) + at)

    def vector(p):
        return tuple(S @ np.array(p, dtype=float))

    arm, buoy = PART["bodies"]["arm"], PART["bodies"]["buoy"]
    hinge, cross = PART["joints"]["hinge"], PART["joints"]["cross"]
    e = PART["elements"]
    bodies = {
        f"{name}/arm": {
            **arm,
            "cog": point(arm["cog"]),
            "attitude_deg": [10.0, 20.0, 30.0 + yaw_deg],
            "points": {"tip": point(arm["points"]["tip"])},
        },
        f"{name}/buoy": {
            **buoy,
            "cog": point(buoy["cog"]),
            "attitude_deg": [0.0, 0.0, yaw_deg],
        },
    }
    joints = {
        f"{name}/hinge": {
            **hinge,
            "child": f"{name}/arm",
            "at": point(hinge["at"]),
            "axis": vector(hinge["axis"]),
        },
        f"{name}/cross": {
            **cross,
            "parent": f"{name}/arm",
            "child": f"{name}/buoy",
            "at": point(cross["at"]),
            "axis1": vector(cross["axis1"]),
            "axis2": vector(cross["axis2"]),
        },
    }
    elements = {
        "pto": {**e["pto"], "joint": f"{name}/hinge"},
        "line": {**e["line"], "points": [f"{name}/arm/tip", f"earth/{name}/anchor"]},
        "strut": {**e["strut"], "points": [f"{name}/buoy", "platform/top"]},
        "mooring": {**e["mooring"], "points": [f"{name}/buoy", "earth/common"]},
        "twist": {
            **e["twist"],
            "bodies": ["platform", f"{name}/arm"],
            "axis": vector(e["twist"]["axis"]),
        },
        "drag": {
            **e["drag"],
            "body": f"{name}/buoy",
            "reference": f"{name}/arm",
            "at": point(e["drag"]["at"]),
            "yaw_deg": 15.0 + yaw_deg,
        },
        "jet": {**e["jet"], "point": f"{name}/buoy", "force": vector(e["jet"]["force"])},
    }
    return (
        bodies,
        joints,
        {f"{name}/{key}": value for key, value in elements.items()},
        {f"{name}/anchor": point(PART["earth_points"]["anchor"])},
    )


def assert_equal(got, expected):
    if isinstance(expected, dict):
        assert got.keys() == expected.keys()
        for key in expected:
            assert_equal(got[key], expected[key])
    elif isinstance(expected, list | tuple) and expected and not isinstance(expected[0], str):
        np.testing.assert_allclose(
            np.array(got, dtype=float), np.array(expected, dtype=float), rtol=1e-14, atol=1e-14
        )
    else:
        assert got == (pytest.approx(expected) if isinstance(expected, float) else expected)


@pytest.mark.parametrize(
    ("yaw_deg", "at"), [(0, [1.0, 2.0, 3.0]), (90, [0, 0, 0]), (-137.5, [4.0, -5.0, 0.5])]
)
def test_placed_part_is_the_system_written_by_hand(yaw_deg, at):
    system = placed({"part": "leg", "name": "leg1", "at": at, "yaw_deg": yaw_deg})
    sections = ("bodies", "joints", "elements", "earth_points")
    by_hand = written_out("leg1", yaw_deg, at)
    whole = {s: {**PLATFORM.get(s, {}), **own} for s, own in zip(sections, by_hand, strict=True)}
    expected = System.from_dict(whole).model_dump()
    got = system.model_dump()
    wind = got["elements"].pop("leg1/wind")  # expressions of the time: by their loads below
    assert wind["point"] == "leg1/arm/tip"
    assert_equal(got, expected)


def test_quarter_turns_are_exact():
    system = placed({"part": "leg", "name": "a", "yaw_deg": 90, "at": [1, 0, 0]})
    assert system.bodies["a/arm"].points["tip"] == (1.0, 2.0, 0.0)
    assert system.joints["a/hinge"].axis == (-1.0, 0.0, 0.0)


@pytest.mark.parametrize("yaw_deg", [0.0, 90.0, 33.0])
def test_loads_of_a_placed_part_turn_with_it(yaw_deg):
    """The whole assembly turned, in any state of motion, feels the turned loads."""
    S = turn(math.radians(yaw_deg))
    home = System.from_dict({**PLATFORM, "parts": {"leg": PART},
                             "place": [{"part": "leg", "name": "x"}]})  # fmt: skip
    away = placed({"part": "leg", "name": "x", "yaw_deg": yaw_deg})
    rng = np.random.default_rng(6)
    n = len(home.bodies)
    r = np.array([b.cog for b in home.bodies.values()]) + rng.uniform(-0.3, 0.3, (n, 3))
    R = np.linalg.qr(np.eye(3) + 0.2 * rng.normal(size=(n, 3, 3)))[0]
    R *= np.sign(np.linalg.det(R) * np.einsum("nii->n", R))[:, None, None]
    R[np.linalg.det(R) < 0.0] *= -1.0
    v, x, rate = rng.normal(size=(n, 6)), rng.normal(size=1), rng.normal(size=1)
    results = []
    for system, turning in ((home, np.eye(3)), (away, S)):
        elements = ForceElements(system, tuple(system.bodies), weight=True)
        T = np.kron(np.eye(2), turning)
        g, Q, nothing = np.zeros((n, 6)), np.zeros(1), np.zeros((0, 0))
        pose = (r @ turning.T, np.ascontiguousarray(turning @ R @ turning.T), v @ T.T)
        energy = evaluate(elements.arrays, 0.7, *pose, x, rate, g, Q, nothing)
        results.append((g @ T, Q, energy))
    for got, expected in zip(results[1], results[0], strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-11)


def test_several_places_of_one_part():
    places = [{"part": "leg", "name": f"leg{k}", "yaw_deg": 120 * k} for k in range(3)]
    system = placed(*places)
    assert list(system.bodies) == ["platform"] + [
        f"leg{k}/{b}" for k in range(3) for b in ("arm", "buoy")
    ]
    tips = [system.point(f"leg{k}/arm/tip")[1] for k in range(3)]
    np.testing.assert_allclose(np.sum(tips, axis=0), 0.0, atol=1e-14)


def test_expressions_of_parameters_stay_expressions():
    part = {
        "bodies": {"arm": {"mass": "=m", "cog": ["=length/2", 0, "=-depth"], "inertia": [1, 1, 1]}},
        "joints": {"hinge": {"type": "spherical", "child": "arm", "at": [0, "=length", 0]}},
    }
    data = {
        "parameters": {"m": 2.0, "length": 6.0, "depth": "=2*m", "heading": 30.0},
        "parts": {"leg": part},
        "place": [
            {"part": "leg", "name": "a", "at": ["=length", 0, 1], "yaw_deg": "=heading + 15"},
            {"part": "leg", "name": "b", "yaw_deg": 45},
        ],
    }
    system = System.from_dict(data)
    c = math.cos(math.radians(45.0))
    np.testing.assert_allclose(system.bodies["a/arm"].cog, [3.0 * c + 6.0, 3.0 * c, -3.0])
    np.testing.assert_allclose(system.joints["a/hinge"].at, [-6.0 * c + 6.0, 6.0 * c, 1.0])
    np.testing.assert_allclose(system.bodies["b/arm"].cog, [3.0 * c, 3.0 * c, -4.0])
    assert system.source["bodies"]["a/arm"]["mass"] == "=m"
    assert "length" in system.source["bodies"]["a/arm"]["cog"][0]


def test_description_without_parts_is_left_alone():
    assert expand(PLATFORM) is PLATFORM


def test_input_is_not_changed():
    data = {**PLATFORM, "parts": {"leg": PART}, "place": [{"part": "leg", "name": "a"}]}
    before = repr(data)
    expand(data)
    assert repr(data) == before


PLANAR = {
    "bodies": {"b": PART["bodies"]["buoy"]},
    "joints": {"j": {"type": "planar", "child": "b", "at": [0, 0, 0]}},
}
FLOATING = {
    "bodies": {"b": PART["bodies"]["buoy"]},
    "joints": {"j": {"type": "floating", "child": "b"}},
    "elements": {"s": {"type": "joint", "joint": "j", "coordinate": "surge", "stiffness": 1.0}},
}


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"place": [{"part": "lge", "name": "a"}]}, "unknown part 'lge'; did you mean 'leg'?"),
        ({"place": [{"part": "leg"}]}, "place.0: 'name' is required"),
        (
            {"place": [{"part": "leg", "name": "a", "yaw": 3}]},
            "unknown key 'yaw'; did you mean 'yaw_deg'?",
        ),
        ({"place": [{"part": "leg", "name": "a/b"}]}, "place.0.name: 'a/b' is not a name"),
        ({"place": [{"part": "leg", "name": "a", "at": [0, 0]}]}, "place.0.at: 3 values are"),
        ({"place": [{"part": "leg", "name": "a", "yaw_deg": "=foo"}]}, "unknown parameter 'foo'"),
        ({"place": [{"part": "leg", "name": "a"}] * 2}, "place.1.name: the name 'a' is used twice"),
        ({"place": {"part": "leg", "name": "a"}}, "place: must be a list"),
        ({"parts": {"leg": {"bodis": {}}}}, "parts.leg: unknown key 'bodis'; did you mean 'bodies"),
        ({"parts": {"leg": {"bodies": []}}}, "parts.leg.bodies: must be a mapping"),
        ({"parts": {"leg": {"bodies": {"b": 3}}}}, "parts.leg.bodies.b: must be a mapping"),
        ({"parts": ["leg"]}, "parts: must be a mapping"),
        ({"parts": {"leg": 3}}, "parts.leg: must be a mapping with bodies, joints"),
        (
            {
                "bodies": {"a/arm": PART["bodies"]["arm"]},
                "place": [{"part": "leg", "name": "a"}],
            },
            "place.0: there is already 'a/arm' in bodies",
        ),
        (
            {"parts": {"leg": PLANAR}, "place": [{"part": "leg", "name": "a", "yaw_deg": 20}]},
            "place.0: the plane of the planar joint 'j' cannot be turned",
        ),
        (
            {"parts": {"leg": FLOATING}, "place": [{"part": "leg", "name": "a", "yaw_deg": 20}]},
            "place.0: the load 's' acts on 'surge', which does not turn with the part",
        ),
    ],
)
def test_refusals(data, sentence):
    whole = {**PLATFORM, "parts": {"leg": PART}, **data}
    with pytest.raises(ModelError) as caught:
        System.from_dict(whole)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_mistakes_inside_a_part_are_found_by_the_validation_of_the_whole():
    bad = {"bodies": {"b": {**PART["bodies"]["buoy"], "cog": [0, 0], "mass": -1}}}
    with pytest.raises(ModelError) as caught:
        placed({"part": "bad", "name": "x", "yaw_deg": 10}, parts={"bad": bad})
    lines = str(caught.value).split("\n")
    assert any("bodies.x/b.mass" in line for line in lines)
    assert any("bodies.x/b.cog: 3 values are needed, 2 given" in line for line in lines)
