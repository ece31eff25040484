"""Every element kind in symbols against the kernels, on random states, in a plane and in space."""

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import quad

from cosim.model import System
from cosim.model.expressions import evaluate as number
from cosim.multibody.elements import ForceElements, evaluate
from cosim.multibody.joint.model import JointModel
from cosim.multibody.joint.symbolic.elements import element_loads
from cosim.multibody.joint.symbolic.generated import plain_function
from cosim.multibody.joint.symbolic.kinematics import Kinematics
from cosim.multibody.joint.symbolic.laws import Motion, split_law
from cosim.multibody.joint.symbolic.values import Values

from .described import BODY, SPACE

TOLERANCE = 1e-12
"""Of the issue: symbolic and numeric cores agree to 1e-12 on random states."""


def plane(elements, **more):
    """A pendulum that carries a slider, and a free body, in the x-z plane."""
    bodies = {
        "bob": {**BODY, "cog": [0.2, 0.0, -1.0], "points": {"tip": [0.3, 0.1, -1.6]}},
        "weight": {**BODY, "cog": [0.5, 0.0, -1.5]},
        "free": {**BODY, "cog": [2.0, 0.0, 0.5], "points": {"end": [2.5, 0.0, 0.25]}},
    }
    joints = {
        "hinge": {"type": "revolute", "child": "bob", "at": [0, 0, 0], "axis": [0, 1, 0]},
        "rail": {
            "type": "prismatic",
            "parent": "bob",
            "child": "weight",
            "at": [0, 0, -1],
            "axis": [0.6, 0, -0.8],
        },
        "drift": {"type": "planar", "child": "free", "at": [2, 0, 0]},
    }
    return described(bodies, joints, elements, more)


def space(elements, **more):
    """See SPACE."""
    return described(SPACE["bodies"], SPACE["joints"], elements, more)


def described(bodies, joints, elements, more):
    return System.from_dict(
        {
            "parameters": {"k": 3.5, "c": 0.7, "b": 0.3},
            "bodies": bodies,
            "joints": joints,
            "elements": elements,
            "earth_points": {"anchor": [0.5, 0.25, 1.5]},
            **more,
        }
    )


def random_state(model, rng, size):
    q, u = model.initial()
    q = model.retract(q, rng.uniform(-size, size, model.nu))
    return rng.uniform(0, 3), q, rng.uniform(-2, 2, u.size)


def kernels(system, state):
    """Wrenches, generalised forces, energy and power of the compiled elements."""
    model = JointModel(system)
    moved = model.kinematics(*state)
    elements = ForceElements(system, model.bodies, weight=False)
    for name in elements.axes:
        elements.set_frame(name, 0.4)
    kin = Kinematics(system, keep=())
    coordinates = [kin.coordinate(*address) for address in elements.coordinates]
    given = dict(zip((*kin.q, *kin.u), (*state[1], *state[2]), strict=True))
    x, rate = (
        np.array([float(sp.sympify(value).subs(given)) for value in values])
        for values in ([c.position for c in coordinates], [c.rate for c in coordinates])
    )
    g, Qj = np.zeros((len(model.bodies), 6)), np.zeros(x.size)
    r, R, v = (np.ascontiguousarray(a) for a in (moved.r, moved.R, moved.v))
    energy, power = evaluate(elements.arrays, state[0], r, R, v, x, rate, g, Qj, np.zeros((0, 0)))
    Q = np.zeros(model.nu)
    for place, coordinate in enumerate(coordinates):
        Q[coordinate.speed] += Qj[place]
    return g.ravel(), Q, energy, power


def symbols(system, states, **options):
    """The same from the symbolic side; what laws store counts as power, as in the kernels."""
    kin = Kinematics(system, **options)
    loads = element_loads(kin)
    power = loads.other_power - kin.dt(loads.law_energy)
    parts = [*loads.g, *loads.Q, loads.spring, power]
    numbers = kin.values.numbers | dict.fromkeys(kin.values.headings.values(), 0.4)
    function = plain_function([kin.t, *kin.q, *kin.u, *numbers], kin.definitions, parts)
    size, nu = loads.g.rows, len(kin.u)
    for t, q, u in states:
        flat = np.array(function(t, *q, *u, *numbers.values())[-len(parts) :])
        yield flat[:size], flat[size : size + nu], flat[-2], flat[-1]


def check(system, *, size=0.6, **options):
    rng = np.random.default_rng(3)
    model = JointModel(system)
    states = [random_state(model, rng, size) for _ in range(5)]
    for state, found in zip(states, symbols(system, states, **options), strict=True):
        for ours, theirs in zip(found, kernels(system, state), strict=True):
            scale = max(1.0, np.abs(theirs).max(initial=0.0))
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=TOLERANCE * scale)


ELEMENTS = {
    "force": {
        "type": "force",
        "point": "bob/tip",
        "force": ["=k*2", "=k*cos(1.5*t)", "2 - t"],
        "moment": [1, "sin(b*t)", 3],
    },
    "force on the centre, body axes": {
        "type": "force",
        "point": "free",
        "force": ["=3*cos(1.5*t)", 1, -2],
        "moment": [0.5, 0.25, "t if t > 1 else 1"],
        "axes": "body",
    },
    "joint spring": {
        "type": "joint",
        "joint": "rail",
        "coordinate": "position",
        "stiffness": "=k",
        "rest": 0.3,
        "damping": "=c",
        "quadratic_damping": 0.45,
        "preload": 1.7,
    },
    "joint law": {
        "type": "joint",
        "joint": "rail",
        "coordinate": "position",
        "law": "-k*x**3 - c*abs(v)*v + sin(t)*x",
    },
    "stop": {
        "type": "joint",
        "joint": "rail",
        "coordinate": "position",
        "end_stop": {
            "lower": -0.1,
            "upper": 0.05,
            "stiffness": "=100*k",
            "damping": 5.0,
            "smoothing": 0.2,
        },
    },
    "stop on one side": {
        "type": "joint",
        "joint": "rail",
        "coordinate": "position",
        "end_stop": {"upper": -0.1, "stiffness": 100, "damping": 500.0},
    },
    "tension": {
        "type": "tension",
        "points": ["bob/tip", "free/end"],
        "stiffness": "=k",
        "damping": "=c",
    },
    "tension to earth": {
        "type": "tension",
        "points": ["earth/anchor", "weight"],
        "stiffness": "=k",
        "length": "=1.1*k",
        "law": "c*x**3 + b*v*l + t",
    },
    "rope": {
        "type": "tension",
        "points": ["earth/anchor", "bob"],
        "stiffness": 30,
        "damping": 10,
        "length": 2.3,
        "slack": True,
    },
    "rope with law": {
        "type": "tension",
        "points": ["earth/anchor", "bob"],
        "stiffness": 3,
        "length": 2.4,
        "slack": True,
        "law": "5*x**3 + 0.3*v",
    },
    "tension from zero": {
        "type": "tension",
        "points": ["earth/anchor", "bob"],
        "stiffness": "=k",
        "damping": "=c",
        "length": 0,
    },
    "torsion": {
        "type": "torsion",
        "bodies": ["bob", "free"],
        "axis": [0, 2, 0],
        "stiffness": "=k",
        "damping": "=c",
        "rest": 0.2,
        "law": "-b*x**3 - 0.1*v*x**2",
    },
    "torsion to earth": {
        "type": "torsion",
        "bodies": ["weight", "earth"],
        "axis": [0, -1, 0],
        "stiffness": "=k",
        "damping": 2,
    },
    "oblique torsion": {
        "type": "torsion",
        "bodies": ["weight", "free"],
        "axis": [1, 2, 3],
        "stiffness": "=k",
        "damping": 2,
    },
    "matrix": {
        "type": "matrix",
        "body": "bob",
        "at": [0.1, 0.0, -0.4],
        "preload": [1, 2, 3, 4, 5, 6],
        "stiffness": [10, "=k", 30, 4, 5, 6],
        "damping": [1, 2, 3, 0.4, "=c", 0.6],
        "quadratic_damping": [1, 2, 3, 0.4, 0.5, 0.6],
    },
    "full matrix": {
        "type": "matrix",
        "body": "free",
        "reference": "bob",
        "at": [0.1, 0.0, -0.4],
        "yaw_deg": 30,
        "stiffness": [[(i + 2 * j) % 5 if i != 2 else "=k" for j in range(6)] for i in range(6)],
        "damping": [[(i + 3 * j) % 4 for j in range(6)] for i in range(6)],
    },
}


@pytest.mark.parametrize("kind", ELEMENTS)
def test_element_agrees_with_the_kernels_in_a_plane(kind):
    check(plane({"e": ELEMENTS[kind]}))


@pytest.mark.parametrize("kind", ELEMENTS)
def test_element_agrees_with_the_kernels_in_space(kind):
    check(space({"e": ELEMENTS[kind]}))


def all_elements():
    return {name.replace(" ", "_").replace(",", ""): e for name, e in ELEMENTS.items()}


@pytest.mark.parametrize("build", [plane, space])
def test_all_elements_with_intermediates(build):
    check(build(all_elements()), inline=False)


@pytest.mark.parametrize("kind", ["tension", "torsion", "joint law", "matrix", "rope"])
def test_elements_written_out_in_space(kind):
    check(space({"e": ELEMENTS[kind]}), inline=True)


def test_absolute_angles_carry_joint_loads_to_both_bodies():
    bodies = {"one": {**BODY, "cog": [0, 0, -1]}, "two": {**BODY, "cog": [0, 0, -3]}}
    joints = {
        "a": {"type": "revolute", "child": "one", "at": [0, 0, 0], "axis": [0, 1, 0]},
        "b": {
            "type": "revolute",
            "parent": "one",
            "child": "two",
            "at": [0, 0, -2],
            "axis": [0, -1, 0],
        },
    }
    spring = {"type": "joint", "joint": "b", "stiffness": "=k", "law": "-c*x**3", "damping": "=c"}
    system = described(bodies, joints, {"s": spring}, {})
    kin = Kinematics(system, angles="absolute")
    first, second = kin.q
    k, c = kin.values.symbols["k"], kin.values.symbols["c"]
    loads = element_loads(kin)
    x, v = first - second, kin.u[0] - kin.u[1]
    moment = -k * x - c * x**3 - c * v
    assert all(sp.simplify(e) == 0 for e in loads.Q - sp.Matrix([moment, -moment]))
    assert sp.simplify(loads.potential - k * x**2 / 2 - c * x**4 / 4) == 0


@pytest.mark.parametrize("build", [plane, space])
def test_stored_energy_and_other_power_account_for_all_work(build):
    """V' = (other power) - (power of all loads), laws included, for every element."""
    system = build(all_elements())
    kin = Kinematics(system, inline=False)
    loads = element_loads(kin)
    twist = [e for body in kin.bodies for e in (*kin.velocity(body), *kin.omega(body))]
    residuals, sizes = [], []
    for load in loads.by_element.values():
        given = sum(a * b for a, b in zip(load.g, twist, strict=True))
        given += sum(a * b for a, b in zip(load.Q, kin.u, strict=True))
        residuals.append(kin.dt(load.potential) + given - load.other_power)
        sizes.append(given)
    inputs = [kin.t, *kin.q, *kin.u, *kin.values.numbers]
    function = plain_function(inputs, kin.definitions, [*residuals, *sizes])
    model, rng = JointModel(system), np.random.default_rng(11)
    for _ in range(3):
        t, q, u = random_state(model, rng, 0.3)
        found = function(t, *q, *u, *kin.values.numbers.values())[-2 * len(sizes) :]
        scale = 1 + np.abs(found[len(sizes) :])
        np.testing.assert_allclose(found[: len(sizes)] / scale, 0, atol=1e-11)


@pytest.mark.parametrize(
    ("law", "closed"),
    [
        ("k*x + b*x**3", True),
        ("k*sin(x) - 2", True),
        ("k*abs(x)*x + c*v", True),
        ("k*x**2 if x > 0.2 else -x", True),
        ("max(0, x - 0.1)", True),
        ("k*tanh(x/b)", True),
        ("exp(-x**2)*tanh(k*x)", False),
        ("k*max(b*x, c)", False),
    ],
)
def test_energy_of_a_law_is_its_integral(law, closed):
    values = Values(plane({}))
    x, t = sp.symbols("x t", real=True)
    found = split_law(values, law, Motion(x, sp.S.Zero, t))
    assert found.integral.has(sp.Integral) is not closed
    numbers = {str(symbol): value for symbol, value in values.numbers.items()}

    def force(s):
        return number(law, {**numbers, "v": 0.0, "x": s})

    for place in (-0.8, 0.15, 1.3):
        energy = found.integral.subs(values.numbers).subs(x, place).evalf()
        expected = quad(force, 0, place, epsabs=1e-13, points=[0.0, 0.1, 0.2])[0]
        assert float(energy) == pytest.approx(expected, rel=1e-10, abs=1e-12)


def test_matrix_load_has_a_value_in_the_reference_configuration():
    """Where its rotation vector is 0/0."""
    for reference in ("earth", "bob"):
        load = ELEMENTS["full matrix"] | {"reference": reference}
        system = space({"e": load})
        q, u = JointModel(system).initial()
        state = (0.0, q, np.linspace(-1, 1, u.size))
        (found,) = symbols(system, [state])
        for ours, theirs in zip(found, kernels(system, state), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-13)


def test_coincident_points_load_each_other_as_the_kernels_say():
    """An element of no length, with its points in one place: pulled along the velocity."""
    earth = {"earth_points": {"anchor": [0.2, 0.1, -1.0]}}
    element = ELEMENTS["tension from zero"] | {"law": "0.3*v"}
    system = space({"e": element}, **earth)
    model, rng = JointModel(system), np.random.default_rng(1)
    q, u = model.initial()
    for speeds in (rng.uniform(-1, 1, u.size), u):
        state = (0.0, q, speeds)
        (found,) = symbols(system, [state])
        for ours, theirs in zip(found, kernels(system, state), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-14)


def test_matrix_loads_turn_with_the_heading_of_their_frame():
    element = ELEMENTS["matrix"] | {"axes": "hydro", "yaw_deg": 20}
    check(space({"e": element}), inline=False)
    kin = Kinematics(plane({"e": element}), keep=())
    assert kin.values.numbers == {kin.values.headings["hydro"]: 0.0}


def test_unstretched_length_follows_the_parameters_of_both_points():
    bodies = {"b": {**BODY, "cog": ["=k", 0, 0]}}
    joints = {"j": {"type": "floating", "child": "b"}}
    element = {"type": "tension", "points": ["b", "earth/far"], "stiffness": 1}
    system = described(bodies, joints, {"e": element}, {"earth_points": {"far": [0, "=c", 0]}})
    kin = Kinematics(system)
    k, c = kin.values.symbols["k"], kin.values.symbols["c"]
    at_rest = dict.fromkeys(kin.q, 0) | {kin.forms["j"].quaternion[0]: 1}
    spring = element_loads(kin).by_element["e"].spring.subs(at_rest)
    assert sp.simplify(spring) == 0
    assert sp.sqrt(k**2 + c**2) in sp.preorder_traversal(element_loads(kin).spring)
