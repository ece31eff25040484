"""The symbolic equations of random trees against the compiled kernels."""

import numpy as np
import pytest
import sympy as sp

from cosim.model import System
from cosim.multibody.joint import JointModel
from cosim.multibody.joint.symbolic import derive

TOLERANCE = 1e-12
"""Of the issue: symbolic and numeric cores agree to 1e-12 on random states (relative)."""


def with_elements(system, seed):
    """The system of a random tree with every sort of element on it."""
    rng = np.random.default_rng(seed)
    data = system.model_dump()
    names = list(data["bodies"])
    for name in names:
        data["bodies"][name]["points"] = {"p": rng.normal(size=3).tolist()}
    angled = next(n for n, j in data["joints"].items() if j["type"] == "revolute")
    data["earth_points"] = {"anchor": rng.normal(size=3).tolist()}
    data["elements"] = {
        "line": {
            "type": "tension",
            "points": ["earth/anchor", f"{names[0]}/p"],
            "stiffness": 3.0,
            "damping": 0.5,
            "law": "0.3*x**3 - 0.1*v",
        },
        "between": {"type": "tension", "points": [names[1], f"{names[-1]}/p"], "stiffness": 2.0},
        "twist": {
            "type": "torsion",
            "bodies": [names[2], names[3]],
            "axis": rng.normal(size=3).tolist(),
            "stiffness": 1.5,
            "damping": 0.2,
        },
        "hinge": {
            "type": "joint",
            "joint": angled,
            "stiffness": 2.0,
            "rest": 0.1,
            "quadratic_damping": 0.3,
            "end_stop": {"lower": -0.2, "upper": 0.3, "stiffness": 50.0, "damping": 1.0},
        },
        "push": {
            "type": "force",
            "point": f"{names[4]}/p",
            "force": ["3*cos(1.5*t)", 1.0, "sin(t)"],
            "moment": [0.5, "t", 0.0],
            "axes": "body",
        },
        "field": {
            "type": "matrix",
            "body": names[5],
            "at": rng.normal(size=3).tolist(),
            "stiffness": [1.0, 2.0, 3.0, 0.5, 0.6, 0.7],
            "damping": [0.1] * 6,
            "quadratic_damping": [0.2] * 6,
        },
    }
    return System.from_dict(data)


def relative_error(ours, theirs):
    return np.abs(ours - theirs).max() / max(1.0, np.abs(theirs).max())


def check_against_the_kernels(system, seed, trees, symbols, *, whole=False, inline=None):
    model, equations = JointModel(system), derive(system, inline=inline)
    kin = equations.kin
    assert (len(kin.q), len(kin.u)) == (model.nq, model.nu)
    q, u = trees.random_point(model, seed)
    t = 0.7
    model.kinematics(t, q, u)
    B, B_dot, q_dot, kinetic, potential = symbols.numbers(
        kin,
        [
            *(kin.B(), kin.B_dot(), sp.Matrix(kin.q_dot), equations.kinetic),
            equations.potential - equations.loads.law_energy,  # the kernels count that as work
        ],
        (t, q, u),
    )
    lhs, rhs = (reduced if whole else assembled)(equations, symbols, (t, q, u))
    rows = [6 * k + row for k in range(len(kin.bodies)) for row in kin.rows]
    u_dot, _ = model.accelerations(np.zeros(model.nu))
    energy = model.energy()
    assert relative_error(B, model.velocity_transformation()[rows]) < TOLERANCE
    assert relative_error(B_dot @ u, model.bias().ravel()[rows]) < TOLERANCE
    assert relative_error(np.linalg.solve(lhs, rhs).ravel(), u_dot) < TOLERANCE
    assert relative_error(q_dot.ravel(), model.q_dot(q, u)) < TOLERANCE
    assert relative_error(kinetic, energy.kinetic) < TOLERANCE
    assert relative_error(potential, energy.potential) < TOLERANCE


def reduced(equations, symbols, state):
    return symbols.numbers(equations.kin, [equations.lhs, equations.rhs], state)


def assembled(equations, symbols, state):
    """Eq. (5) from its matrices."""
    kin, e = equations.kin, equations
    parts = [kin.B(), e.bias, e.M, e.c, e.g_gravity, e.g_elements, e.Q_joint]
    B, bias, M, c, gravity, loads, Q = symbols.numbers(kin, parts, state)
    return B.T @ M @ B, B.T @ (gravity + loads - c - M @ bias) + Q


@pytest.mark.parametrize("seed", range(6))
def test_random_trees_agree_with_the_kernels(seed, trees, symbols):
    kinds = trees.KINDS if seed % 2 else trees.KINDS[::-1]
    system = trees.random_tree(seed, kinds=kinds, bodies=8)
    check_against_the_kernels(with_elements(system, seed), seed, trees, symbols)


@pytest.mark.parametrize("inline", [True, False])
def test_a_small_tree_agrees_written_out_and_in_names(inline, trees, symbols):
    system = trees.random_tree(1, kinds=("universal", "spherical"), bodies=2)
    check_against_the_kernels(system, 1, trees, symbols, inline=inline, whole=not inline)


@pytest.mark.parametrize("inline", [True, False])
def test_a_plane_agrees_with_the_kernels_of_space(inline, trees, symbols):
    check_against_the_kernels(planar_tree(4, 3), 2, trees, symbols, inline=inline, whole=True)


def planar_tree(seed, bodies=7):
    """Bodies on planar joints of all kinds, loaded through points and joint coordinates."""
    rng = np.random.default_rng(seed)
    names = [f"body{k}" for k in range(bodies)]
    kinds = ("planar", "revolute", "prismatic", "revolute", "fixed", "revolute", "planar")
    described, joints, elements = {}, {}, {}
    for k, (name, kind) in enumerate(zip(names, kinds, strict=False)):
        described[name] = {
            "mass": rng.uniform(0.5, 3.0),
            "cog": rng.normal(size=3).tolist(),
            "inertia": rng.uniform(0.5, 0.9, size=3).tolist(),
            "points": {"p": rng.normal(size=3).tolist()},
        }
        joint = {"type": kind, "parent": names[rng.integers(k)] if k else "earth", "child": name}
        if kind != "fixed":
            joint["at"] = rng.normal(size=3).tolist()
        if kind == "revolute":
            joint["axis"] = [0, (-1) ** k, 0]
            elements[f"coil{k}"] = {"type": "joint", "joint": f"joint{k}", **COIL}
        if kind == "prismatic":
            joint["axis"] = [1, 0, 2]
        joints[f"joint{k}"] = joint
    elements["line"] = {
        "type": "tension",
        "points": ["earth/wall", f"{names[-1]}/p"],
        "stiffness": 5,
    }
    return System.from_dict(
        {
            "bodies": described,
            "joints": joints,
            "elements": elements,
            "earth_points": {"wall": [3.0, 0.2, -1.0]},
        }
    )


COIL = {"stiffness": 3.0, "rest": 0.2, "damping": 0.4, "preload": 0.1}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("inline", [True, False])
def test_absolute_angles_move_the_bodies_as_the_kernels_do(seed, inline, trees, symbols):
    system = planar_tree(seed)
    model = JointModel(system)
    q, u = trees.random_point(model, seed)
    model.kinematics(0.0, q, u)
    _, theirs = model.accelerations(np.zeros(model.nu))
    relative, paper = (derive(system, angles=form, inline=inline) for form in FORMS)
    (state,) = symbols.numbers(relative.kin, [absolute_state(relative.kin)], (0.0, q, u))
    there = (0.0, *state.T)
    lhs, rhs = assembled(paper, symbols, there)
    B, bias = symbols.numbers(paper.kin, [paper.kin.B(), paper.bias], there)
    ours = B @ np.linalg.solve(lhs, rhs) + bias
    rows = [6 * k + row for k in range(len(model.bodies)) for row in (0, 2, 4)]
    assert relative_error(ours.ravel(), theirs.ravel()[rows]) < TOLERANCE


FORMS = ("relative", "absolute")


def absolute_state(kin):
    """Absolute coordinates and speeds, side by side, of relative ones."""
    rows = []
    for name, form in kin.forms.items():
        rows += [[q, u] for q, u in zip(form.q[:-1], form.u[:-1], strict=True)]
        if form.q:
            child = kin.system.joints[name].child
            turns = kin.angle(child), kin.omega(child)[1]
            rows.append(turns if form.axes else [form.q[-1], form.u[-1]])
    return sp.Matrix(rows)
