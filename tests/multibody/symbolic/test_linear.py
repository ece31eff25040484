"""M, C and K in symbols: closed forms, the numeric linearisation, eigenvalues, sensitivities."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
import sympy as sp
from scipy.linalg import eigh

from cosim.analysis.linear import linearise as numeric_linear
from cosim.case.read import read_case
from cosim.errors import ModelError
from cosim.model import System
from cosim.multibody.joint.model import JointModel
from cosim.multibody.joint.symbolic.equations import derive
from cosim.multibody.joint.symbolic.first_order import Forward
from cosim.multibody.joint.symbolic.linear import linearise

CASES = Path(__file__).parents[3] / "cases"


@pytest.mark.parametrize("inline", [True, False])
def test_stiffness_of_the_inverted_pendulum_is_equation_7_of_the_paper(inline):
    equations = derive(read_case(CASES / "inverted_pendulum" / "case.yaml"), inline=inline)
    linear = linearise(equations)
    m, L, a, b, k, l0, g = (
        equations.kin.values.symbols[name] for name in ("m", "L", "a", "b", "k", "l0", "g")
    )
    expected = 2 * k * l0 * a**2 * b**2 / sp.sqrt((a**2 + b**2) ** 3) - m * g * L / 2
    assert sp.simplify(linear.K[0] - expected) == 0
    short = linear.simplified()
    assert sp.count_ops(short.K) < sp.count_ops(linear.K)
    assert sp.simplify(short.K[0] - expected) == 0
    assert sp.simplify(linear.M[0] - m * L**2 / 3) == 0
    assert linear.C[0] == 0
    assert sp.simplify(linear.residual[0]) == 0
    M, _, K = linear.evaluate()
    assert K[0, 0] == pytest.approx(316.62, rel=1e-14)  # benchmarks.md 5
    assert math.sqrt(K[0, 0] / M[0, 0]) == pytest.approx(4.87303806675055625741, rel=1e-15)


def chain(n):
    """Masses on rails along x, each on a spring and a damper to the one before."""
    body = {"mass": "=m", "inertia": [1, 1, 1]}
    bodies = {f"b{k}": {**body, "cog": [k, 0, 0]} for k in range(n)}
    joints, elements = {}, {}
    for k in range(n):
        parent = f"b{k - 1}" if k else "earth"
        joints[f"j{k}"] = {
            "type": "prismatic",
            "parent": parent,
            "child": f"b{k}",
            "at": [k, 0, 0],
            "axis": [1, 0, 0],
        }
        elements[f"s{k}"] = {
            "type": "joint",
            "joint": f"j{k}",
            "stiffness": "=k",
            "damping": "=beta*k",
        }
    parameters = {"m": 2.3, "k": 417.0, "beta": 0.011}
    return System.from_dict(
        {"parameters": parameters, "bodies": bodies, "joints": joints, "elements": elements}
    )


@pytest.mark.parametrize("n", [1, 2, 5, 20])
def test_chain_of_masses_has_the_eigenvalues_of_the_closed_form(n):
    """Damping proportional to stiffness: s² + beta w² s + w² = 0 for every mode."""
    linear = linearise(derive(chain(n)))
    w = 2 * math.sqrt(417.0 / 2.3) * np.sin((2 * np.arange(n) + 1) * math.pi / (2 * (2 * n + 1)))
    expected = np.concatenate([np.roots([1, 0.011 * x**2, x**2]) for x in w])
    M, C, K = linear.evaluate()
    if n <= 2:
        A = np.array(linear.A.subs(linear.numbers), dtype=float)
    else:
        below = np.linalg.solve(M, np.hstack([-K, -C]))
        A = np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), below])
    found = np.linalg.eigvals(A)
    worst = max(np.abs(found - value).min() / abs(value) for value in expected)
    assert worst < 1e-12  # of the issue
    np.testing.assert_allclose(np.sqrt(eigh(K, M, eigvals_only=True)), w, rtol=1e-12)


PARAMETERS = {"k": 3.5, "c": 0.7, "m": 2.0, "r": 0.4}


def spatial(elements):
    """A floating body that carries a universal joint, then a ball, then a rail with rotation."""
    body = {"mass": "=m", "inertia": [1.0, 1.5, 2.0, 0.1, 0.2, -0.1]}
    bodies = {
        "hull": {**body, "cog": [0.2, 0.1, -1.0], "points": {"eye": [1.0, 0.5, 0.3]}},
        "mast": {**body, "cog": [0.5, 0.1, "=1.5 + r"]},
        "lamp": {**body, "cog": ["=1 - r", 0.4, 2.5], "points": {"tip": [1.0, 0.5, 2.0]}},
        "sled": {**body, "cog": [0.0, 0.1, -2.0]},
    }
    joints = {
        "water": {"type": "floating", "child": "hull"},
        "cross": {
            "type": "universal",
            "parent": "hull",
            "child": "mast",
            "at": [0.2, 0.1, 0],
            "axis1": [1, 0, 0],
            "axis2": [0, 1, 0],
        },
        "ball": {"type": "spherical", "parent": "mast", "child": "lamp", "at": [0.5, 0, 2]},
        "rail": {
            "type": "cylindrical",
            "parent": "hull",
            "child": "sled",
            "at": [0, 0, -2],
            "axis": [0.6, 0, 0.8],
        },
    }
    return System.from_dict(
        {
            "parameters": PARAMETERS,
            "bodies": bodies,
            "joints": joints,
            "elements": elements,
            "earth_points": {"anchor": [3, 1, -4]},
        }
    )


SPATIAL = {
    "line": {"type": "tension", "points": ["hull/eye", "earth/anchor"], "stiffness": "=k"}
    | {"damping": "=c", "law": "0.2*x**3 + 0.1*v*l"},
    "stay": {"type": "tension", "points": ["lamp/tip", "hull/eye"], "stiffness": 4, "length": 1},
    "water": {
        "type": "matrix",
        "body": "hull",
        "at": [0.2, 0.1, -1.0],
        "stiffness": [5, 6, "=10*k", 20, 30, 7],
        "damping": [1, 2, "=c", 3, 4, 5],
        "quadratic_damping": [1, 2, 3, 4, 5, 6],
    },
    "twist": {"type": "torsion", "bodies": ["mast", "lamp"], "axis": [0, 0.6, 0.8]}
    | {"stiffness": "=k", "damping": 0.3},
    "push": {"type": "force", "point": "lamp/tip", "force": [1, "t", 2], "axes": "body"},
    "slide": {"type": "joint", "joint": "rail", "coordinate": "position", "stiffness": 30}
    | {"damping": 2, "law": "-x**3 - abs(v)*v"},
    "turn": {"type": "joint", "joint": "rail", "coordinate": "angle", "stiffness": 3},
    "lean": {"type": "joint", "joint": "cross", "coordinate": "angle2", "stiffness": 50},
}


AT_REST = SPATIAL | {
    "water": SPATIAL["water"] | {"quadratic_damping": [0] * 6},
    "slide": SPATIAL["slide"] | {"law": "-x**3"},
}
"""Without |v| v, whose derivative at 0 differences do not see."""


def agree(system, state, *, moving):
    """All matrices against those of the kernels, about a random state."""
    t, q, u = state
    model = JointModel(system)
    expected = numeric_linear(model, {}, q, u if moving else None, t=t)
    equations = derive(system, keep=())
    place = dict(zip(equations.kin.q, q, strict=True)) | {"t": t}
    if moving:
        place |= dict(zip(equations.kin.u, u, strict=True))
    linear = linearise(equations, place)
    assert linear.speeds == tuple(expected.speeds)
    found = dict(zip("MCK", linear.evaluate(), strict=True))
    found["N"] = np.array(linear.N, dtype=float)
    for name, matrix in found.items():
        reference = getattr(expected, name)
        scale = max(1.0, np.abs(reference).max())
        # the numeric side takes differences: 7e-12 of its largest entry against 40 digits
        np.testing.assert_allclose(matrix, reference, rtol=0, atol=5e-11 * scale, err_msg=name)


@pytest.mark.parametrize("moving", [False, True])
def test_linear_form_in_space_agrees_with_the_kernels(moving):
    system = spatial(SPATIAL if moving else AT_REST)
    model, rng = JointModel(system), np.random.default_rng(8)
    q = model.retract(model.initial()[0], rng.uniform(-0.4, 0.4, model.nu))
    agree(system, (0.7, q, rng.uniform(-1, 1, model.nu)), moving=moving)


@pytest.mark.parametrize("name", ["cart_pendulum", "spiderfloat_sliders", "oc3_spar"])
def test_linear_form_of_cases_agrees_with_the_kernels(name):
    """Bodies and elements, about a random pose at rest."""
    system = read_case(CASES / name)
    model, rng = JointModel(system), np.random.default_rng(0)
    q = model.retract(model.initial()[0], rng.uniform(-0.2, 0.2, model.nu))
    agree(system, (0.0, q, np.zeros(model.nu)), moving=False)


def test_matrix_load_has_its_coefficients_about_the_reference_configuration():
    """The rotation vector is 0/0 there; its derivative is the identity."""
    water = SPATIAL["water"] | {"quadratic_damping": [0] * 6}
    body = {"mass": "=m", "inertia": [1, 2, 2], "cog": [0.2, 0.1, -1.0]}
    system = System.from_dict(
        {
            "parameters": PARAMETERS,
            "environment": {"gravity": 0},
            "bodies": {"hull": body},
            "joints": {"water": {"type": "floating", "child": "hull"}},
            "elements": {"water": water},
        }
    )
    for inline in (True, False):
        linear = linearise(derive(system, inline=inline))
        k, c, m = (linear_symbol(linear, name) for name in "kcm")
        expected = (sp.diag(m, m, m, 1, 2, 2), sp.diag(1, 2, c, 3, 4, 5))
        assert expected == (linear.M, linear.C)
        assert sp.diag(5, 6, 10 * k, 20, 30, 7) - linear.K == sp.zeros(6, 6)


def linear_symbol(linear, name):
    return next(symbol for symbol in linear.numbers if str(symbol) == name)


def test_absolute_angles_have_the_same_eigenvalues():
    system = read_case(CASES / "double_pendulum" / "case.yaml")
    found = []
    for angles in ("relative", "absolute"):
        M, _, K = linearise(derive(system, angles=angles)).evaluate()
        found.append(eigh(K, M, eigvals_only=True))
    np.testing.assert_allclose(*found, rtol=1e-13)


def test_inputs_are_forces_at_joints_and_points():
    system = spatial({})
    model, rng = JointModel(system), np.random.default_rng(2)
    q = model.retract(model.initial()[0], rng.uniform(-0.4, 0.4, model.nu))
    inputs = ("cross.angle2", "lamp/tip.fx", "sled.mz", "ball.pitch")
    equations = derive(system, keep=())
    place = dict(zip(equations.kin.q, q, strict=True))
    linear = linearise(equations, place, inputs=inputs)
    F = np.array(linear.F.subs(linear.numbers), dtype=float)
    state = model.kinematics(0.0, q, np.zeros(model.nu))
    i, j = (model.bodies.index(name) for name in ("lamp", "sled"))
    g = np.zeros((2, len(model.bodies), 6))
    arm = state.R[i] @ (np.array([1.0, 0.5, 2.0]) - np.array(system.bodies["lamp"].cog))
    g[0, i] = [1, 0, 0, *np.cross(arm, [1, 0, 0])]
    g[1, j, 5] = 1
    expected = [np.eye(model.nu)[model.speeds.index(inputs[0])], *(model.project(x) for x in g)]
    expected.append(np.eye(model.nu)[model.speeds.index(inputs[3])])
    np.testing.assert_allclose(F.T, expected, atol=1e-14)
    numeric = np.array(linear.B.subs(linear.numbers), dtype=float)
    M, _, _ = linear.evaluate()
    np.testing.assert_allclose(M @ numeric[model.nu :], F, atol=1e-12)


def test_moment_in_a_joint_turns_both_bodies_of_absolute_angles():
    equations = derive(read_case(CASES / "double_pendulum" / "case.yaml"), angles="absolute")
    linear = linearise(equations, inputs=["top.angle", "mid.angle"])
    assert sp.Matrix([[1, -1], [0, 1]]) - linear.F == sp.zeros(2, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"state": {"theta_hnge": 1}}, "did you mean 'theta_hinge'"),
        ({"inputs": ["hinge.angel"]}, "did you mean 'hinge.angle'"),
        ({"inputs": ["earth/foot.fx"]}, "fixed to earth"),
    ],
)
def test_mistakes_are_told(options, message):
    body = {"mass": 1, "cog": [0, 0, -1], "inertia": [1, 1, 1]}
    joint = {"type": "revolute", "child": "bob", "at": [0, 0, 0], "axis": [0, 1, 0]}
    system = System.from_dict(
        {"bodies": {"bob": body}, "joints": {"hinge": joint}, "earth_points": {"foot": [0, 0, 0]}}
    )
    with pytest.raises(ModelError, match=message):
        linearise(derive(system), **options)


def test_a_spring_without_direction_is_told():
    body = {"mass": 1, "cog": [0, 0, 0], "inertia": [1, 1, 1]}
    damper = {"type": "tension", "points": ["bob", "earth/foot"], "damping": 1, "length": 0}
    system = System.from_dict(
        {
            "bodies": {"bob": body},
            "joints": {"free": {"type": "floating", "child": "bob"}},
            "earth_points": {"foot": [0, 0, 0]},
            "elements": {"damper": damper},
        }
    )
    with pytest.raises(ModelError, match="'damper': its points coincide"):
        linearise(derive(system))


def test_long_chains_of_intermediates():
    """Each made of the one before it, more of them than Python recurses."""
    q = sp.Symbol("q", real=True)
    names = [q, *sp.symbols("d1:2001", real=True)]
    definitions = [(new, old + 2 * q) for old, new in itertools.pairwise(names)]
    forward = Forward({q: sp.Integer(3)}, {q: {0: sp.S.One}}, definitions)
    assert forward.value(names[-1]) == 4001 * 3
    assert forward.change(names[-1]) == {0: 4001}


def test_dry_friction_has_no_derivative_at_rest():
    system = System.from_dict(
        {
            "bodies": {"bob": {"mass": 1, "cog": [0, 0, -1], "inertia": [1, 1, 1]}},
            "joints": {
                "hinge": {"type": "revolute", "child": "bob", "at": [0, 0, 0], "axis": [0, 1, 0]}
            },
            "elements": {"dry": {"type": "joint", "joint": "hinge", "law": "-sign(v)"}},
        }
    )
    with pytest.raises(ModelError, match="no derivative at this state: that of sign"):
        linearise(derive(system))
    assert linearise(derive(system), {"omega_hinge": 0.5}).C[0] == 0
    with pytest.raises(ModelError, match="2 accelerations are given for 1 speeds"):
        linearise(derive(system), {"omega_hinge": 0.5}, accelerations=[1, 2])
