"""Expressions and values of a description in symbols."""

import math

import numpy as np
import pytest
import sympy as sp

from cosim.case.schema import Case
from cosim.errors import ModelError
from cosim.model import Body, Revolute, System
from cosim.model.expressions import FUNCTIONS, evaluate
from cosim.multibody.joint.symbolic.grammar import exact, to_sympy
from cosim.multibody.joint.symbolic.values import Values

X, Y = sp.symbols("x y", real=True)

TEXTS = [
    "=2*x + y/3 - 1.5e-3",
    "-x**2 + (+y)**3 - x**0.5",
    "x/(1 + y**2)**1.5 + 2**x",
    "pi*x + radians(y) - degrees(x)",
    "min(x, y, 0.3) + max(x*y, 1, y)",
    "atan2(x - y, y + x) + sqrt(abs(x - 2*y))",
    "sign(x - y)*exp(-x) + log(1 + x) + tan(y) + asin(x/9) + acos(y/9) + atan(x)",
    "sinh(x) + cosh(y) + tanh(x - y) + sin(x)*cos(y)",
    "x if x > y else y**2",
    "3*(x >= y) + (0 < x < y) - (x <= 1.25)",
    "1 if x else 2",
    "(x if y > 1 else 2) if x*y - x else 5",
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("point", [(0.7, 1.9), (2.5, 0.4), (1.25, 1.25)])
def test_expression_has_the_value_that_the_description_gives_it(text, point):
    given = dict(zip((X, Y), map(sp.Float, point), strict=True))
    found = float(to_sympy(text, {"x": X, "y": Y}).subs(given))
    assert found == pytest.approx(evaluate(text, dict(zip("xy", point, strict=True))), rel=1e-14)


def test_every_function_of_the_grammar_is_known():
    used = " ".join(TEXTS)
    assert all(f"{name}(" in used for name in FUNCTIONS)


def test_unknown_names_are_refused():
    with pytest.raises(ModelError, match="uses 'z', which has no symbol"):
        to_sympy("x*z", {"x": X})


@pytest.mark.parametrize("value", [0.0, -0.0, 0.1, 1 / 3, 0.5, 9.80665, 1e300, -7.0, 2.0**60, 1e-9])
def test_numbers_keep_their_double(value):
    number = exact(value)
    assert float(number) == value
    if value == 0:
        assert number is sp.S.Zero


def described(**more):
    leg = {
        "bodies": {
            "rod": {
                "mass": "=rho*L",
                "cog": [0, 0, "=-half"],
                "inertia": ["=m*L**2/12", "=m*L**2/12", 0.1, 0, "=0.01*m", 0],
                "attitude_deg": [10, 20, 30],
                "points": {"tip": ["=L/4", 0, "=-L"]},
            }
        },
        "joints": {
            "hinge": {"type": "revolute", "child": "rod", "at": [0, 0, 0], "axis": [0, 3, 4]}
        },
        "elements": {
            "push": {"type": "force", "point": "rod", "force": ["=m*cos(t)", "2*m", 3]},
            "water": {
                "type": "matrix",
                "body": "rod",
                "at": [0, 0, "=L"],
                "stiffness": [1, 2, "=rho*9.81", 0, 0, 0],
                "damping": [[0, 0, 0, 0, 0, "=m" if i == 2 else 1] for i in range(6)],
            },
        },
    }
    return {
        "parameters": {"L": 1.3, "rho": 7.5, "half": "=L/2", "m": "=rho*L", "turn": 30.0},
        "environment": {"gravity": 9.80665},
        "parts": {"leg": leg},
        "place": [{"part": "leg", "name": "a", "at": ["=L", 0, 1], "yaw_deg": "=turn"}],
        **more,
    }


def test_values_stay_expressions_of_the_parameters_given_as_numbers():
    values = Values(System.from_dict(described()))
    L, rho, turn = (values.symbols[name] for name in ("L", "rho", "turn"))
    assert list(values.symbols) == ["L", "rho", "turn"]
    assert values.numbers == {L: 1.3, rho: 7.5, turn: 30.0}
    assert values.value(("bodies", "a/rod", "mass")) == rho * L
    assert values.vector(("bodies", "a/rod", "cog")) == sp.Matrix([L, 0, 1 - L / 2])
    assert values.value(("elements", "a/water", "stiffness", 2)) == 9.81 * rho
    assert values.value(("elements", "a/water", "damping", 2, 5)) == rho * L
    assert values.gravity == sp.Float(9.80665)
    t = sp.Symbol("t", real=True)
    along = values.component(("elements", "a/push", "force", 0), {"t": t})
    assert along.free_symbols == {L, rho, turn, t}
    assert values.component(("elements", "a/push", "force", 2), {"t": t}) == 3


@pytest.mark.parametrize("keep", [None, (), ("L",), ("half", "m"), ("L", "half")])
def test_every_choice_of_symbols_gives_the_numbers_of_the_system(keep):
    system = System.from_dict(described())
    values = Values(system, keep)
    if keep is not None:
        assert list(values.symbols) == [name for name in system.parameters if name in keep]

    def number(expression):
        return np.array(sp.Matrix([expression]).subs(values.numbers), dtype=float).squeeze()

    body = system.bodies["a/rod"]
    np.testing.assert_allclose(number(values.value(("bodies", "a/rod", "mass"))), body.mass)
    np.testing.assert_allclose(number(values.vector(("bodies", "a/rod", "cog"))), body.cog)
    np.testing.assert_allclose(number(values.inertia("a/rod")), body.inertia_tensor(), atol=1e-15)
    axis = np.array(system.joints["a/hinge"].axis)
    direction = number(values.direction(("joints", "a/hinge", "axis")))
    np.testing.assert_allclose(direction, axis / np.linalg.norm(axis), atol=1e-15)


def test_a_dependent_parameter_kept_by_name_is_a_symbol_of_its_own():
    values = Values(System.from_dict(described()), ("half",))
    assert values.value(("bodies", "a/rod", "cog", 2)) == 1 - values.symbols["half"]
    assert values.value(("bodies", "a/rod", "mass")) == sp.Rational(39, 4)


def test_masses_are_positive_and_the_time_keeps_its_name():
    system = System.from_dict(
        {
            "parameters": {"m": 2.0, "t": 0.1},
            "bodies": {"b": {"mass": "=m", "cog": [0, 0, "=t"], "inertia": [1, 1, 1]}},
            "joints": {"j": {"type": "floating", "child": "b"}},
        }
    )
    values = Values(system)
    assert values.symbols["m"].is_positive
    assert str(values.symbols["t"]) != "t"


def test_a_case_keeps_its_expressions_too():
    data = described(case=1, time={"end": 1.0})
    values = Values(Case.from_dict(data))
    assert list(values.symbols) == ["L", "rho", "turn"]
    assert values.value(("bodies", "a/rod", "mass")) == values.symbols["L"] * values.symbols["rho"]


def test_systems_built_from_objects_have_numbers():
    body = Body(mass=2.0, cog=(0, 0, 0.1), inertia=(1, 1, 1))
    joint = Revolute(child="b", at=(0, 0, 0), axis=(0, 1, 0))
    values = Values(System(bodies={"b": body}, joints={"j": joint}, parameters={"k": 3.0}))
    assert values.value(("bodies", "b", "mass")) == 2
    assert values.law("k*x", {"x": X}) == values.symbols["k"] * X
    assert math.isclose(values.value(("bodies", "b", "cog", 2)), 0.1, rel_tol=0)


def test_mistakes_are_told():
    system = System.from_dict(described())
    with pytest.raises(ModelError, match="did you mean 'half'"):
        Values(system, ("hlaf",))
    with pytest.raises(ModelError, match=r"no number at elements\.a/push\.point"):
        Values(system).value(("elements", "a/push", "point"))


@pytest.mark.parametrize("text", ["1/0", "x*log(0)", "sqrt(-1)", "asin(2) + x", "1/(2 - 2)"])
def test_numbers_that_do_not_exist_are_refused(text):
    with pytest.raises(ModelError, match="is not a real number"):
        to_sympy(text, {"x": X})


def test_parameters_like_the_time_and_like_headings_keep_their_own_symbols():
    system = System.from_dict(
        {
            "parameters": {"t": 1.0, "t_": 2.0, "heading_hull": 3.0},
            "environment": {"gravity": "=t + t_"},
            "bodies": {"bob": {"mass": "=heading_hull", "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
            "joints": {"free": {"type": "floating", "child": "bob"}},
            "elements": {"sea": {"type": "matrix", "body": "bob", "at": [0, 0, 0], "axes": "hull"}},
        }
    )
    values = Values(system)
    assert len({"t", *map(str, values.numbers)}) == 5
    assert float(values.gravity.subs(values.numbers)) == 3.0
    assert values.headings["hull"] != values.symbols["heading_hull"]


def test_one_name_may_be_kept_without_a_list():
    system = System.from_dict(
        {
            "parameters": {"mass": 1.0, "m": 2.0},
            "bodies": {"bob": {"mass": "=mass", "cog": [0, 0, 0], "inertia": [1, 1, 1]}},
            "joints": {"free": {"type": "floating", "child": "bob"}},
        }
    )
    assert list(Values(system, "mass").symbols) == ["mass"]
