"""Valid descriptions: expressions, parameters, addresses, inertia, long chains."""

import numpy as np
import pytest

from cosim.errors import ModelError
from cosim.model import Body, PointForce, Revolute, System, Tension

BODY = {"mass": 1.0, "cog": [0, 0, 0], "inertia": [1, 1, 1]}


def system(**more):
    data = {"bodies": {"b": BODY}, "joints": {"j": {"type": "floating", "child": "b"}}, **more}
    return System.from_dict(data)


def test_expressions_of_parameters():
    parameters = {"length": 12, "half": "=length/2", "rho": "=1025.0"}
    element = {"type": "force", "point": "b", "force": ["=2*length", "half", "rho*cos(t)"]}
    body = {**BODY, "mass": "=max(length, 3)**2", "points": {"tip": ["=half", 0, "=-length"]}}
    built = system(parameters=parameters, bodies={"b": body}, elements={"f": element})
    assert built.parameters == {"length": 12.0, "half": 6.0, "rho": 1025.0}
    assert built.bodies["b"].mass == 144.0
    assert built.bodies["b"].points["tip"] == (6.0, 0.0, -12.0)
    assert built.elements["f"].force == (24.0, 6.0, "rho*cos(t)")
    assert built.elements["f"].expressions() == ("rho*cos(t)",)


def test_source_keeps_the_expressions():
    built = system(parameters={"m": 2.0}, bodies={"b": {**BODY, "mass": "=m"}})
    assert built.bodies["b"].mass == 2.0
    assert built.source["bodies"]["b"]["mass"] == "=m"


def test_source_keeps_the_formulas_of_parameters():
    given = {"m": 2.0, "double": "=2*m"}
    built = system(parameters=given)
    assert built.parameters == {"m": 2.0, "double": 4.0}
    assert built.source["parameters"] == given


def test_system_from_objects_is_checked_too():
    body, joint = Body(**BODY), Revolute(child="b", at=(0, 0, 0), axis=(0, 1, 0))
    rope = Tension(points=("b", "earth/anchor"), law="k*x")
    parts = {"bodies": {"b": body}, "joints": {"j": joint}, "elements": {"rope": rope}}
    with pytest.raises(ValueError, match="unknown name 'k'"):
        System(**parts, earth_points={"anchor": (0, 0, 1)})
    built = System(**parts, earth_points={"anchor": (0, 0, 1)}, parameters={"k": 3.0})
    assert built.elements["rope"] == rope


def test_law_may_carry_the_equals_sign_of_the_case_file():
    force = PointForce(point="b", force=("=3*t", 0, 0))
    assert force.expressions() == ("=3*t",)


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("leg/arm", ("leg/arm", (1.0, 0.0, 0.0))),
        ("leg/arm/tip", ("leg/arm", (2.0, 0.0, 0.0))),
        ("earth/anchor", ("earth", (0.0, 0.0, -5.0))),
        ("earth/leg/anchor", ("earth", (0.0, 0.0, -6.0))),
    ],
)
def test_addresses_of_points(address, expected):
    arm = {**BODY, "cog": [1, 0, 0], "points": {"tip": [2, 0, 0]}}
    built = system(
        bodies={"leg/arm": arm},
        joints={"j": {"type": "floating", "child": "leg/arm"}},
        earth_points={"anchor": [0, 0, -5], "leg/anchor": [0, 0, -6]},
    )
    assert built.point(address) == expected


def test_unknown_address_gets_a_suggestion():
    with pytest.raises(ModelError, match=r"there is no point 'b/tup'; did you mean 'b/tip'\?"):
        system(bodies={"b": {**BODY, "points": {"tip": [0, 0, 0]}}}).point("b/tup")


def test_inertia_turns_with_the_attitude():
    body = Body(
        mass=1.0, cog=(0, 0, 0), inertia=(1, 2, 2.5, 0.1, 0.2, 0.3), attitude_deg=(0, 0, 90)
    )
    expected = [[2.0, -0.1, -0.3], [-0.1, 1.0, 0.2], [-0.3, 0.2, 2.5]]
    np.testing.assert_allclose(body.inertia_tensor(), expected, atol=1e-15)


def test_flat_plate_and_thin_rod_are_allowed():
    Body(mass=1.0, cog=(0, 0, 0), inertia=(1.0, 2.0, 3.0))  # the boundary of the inequality


def test_thousand_bodies_in_a_row():
    names = [f"b{k}" for k in range(1000)]
    hinge = {"type": "revolute", "at": [0, 0, 0], "axis": [0, 1, 0]}
    joints = {
        f"j{k}": {**hinge, "child": name, **({"parent": names[k - 1]} if k else {})}
        for k, name in enumerate(names)
    }
    built = System.from_dict({"bodies": dict.fromkeys(names, BODY), "joints": joints})
    assert len(built.bodies) == 1000
