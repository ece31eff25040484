"""The saddle solvers against dense algebra where it is hard: random trees, nearly singular
matrices, and the Newton matrices of the midpoint rules with dependent rows.

Tolerances: rounding times the condition of the matrix and the largest unknown.
"""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.model import System
from cosim.multibody.cartesian.conserving.steps import ConservingSteps
from cosim.multibody.cartesian.equations import put_system
from cosim.multibody.cartesian.memory import handle_of
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions
from cosim.multibody.cartesian.saddle.kernels import factor, improve, solve
from cosim.multibody.cartesian.saddle.system import new_saddle
from cosim.multibody.cartesian.saddle.twofold import improve_twofold

CASES = Path(__file__).parents[4] / "cases"
EPS = np.finfo(float).eps
NO_MASS = np.zeros((0, 6, 6))


def put(model, q):
    """The saddle of a model at coordinates, and its matrix dense."""
    model.kinematics(0.0, q, np.zeros(model.nu))
    memory = model.parts.memory
    put_system(handle_of(memory), NO_MASS)
    return memory.saddle, spread(memory.saddle.matrix, memory.saddle.matrix.value)


def spread(matrix, value):
    """Entries of a sparse matrix in a dense one, in the order of elimination undone."""
    size = len(matrix.place)
    rows = np.repeat(np.arange(size), np.diff(matrix.start))
    dense = np.zeros((size, size))
    dense[rows, matrix.column] = value
    return dense[np.ix_(matrix.place, matrix.place)]


def solved(saddle, force, wanted, by=solve):
    x, multipliers = np.zeros(len(force)), np.zeros(len(wanted))
    factor(saddle)
    by(saddle, force, wanted, x, multipliers)
    return np.concatenate([x, multipliers])


@pytest.mark.parametrize("bodies", ["full", "reduced"])
@pytest.mark.parametrize("seed", range(4))
def test_random_trees_off_their_constraints(seed, bodies, trees):
    """Also where no constraint is kept, and whatever the rows ask for."""
    system = trees.random_tree(seed, bodies=9)
    model = CartesianModel(system, CartesianOptions(bodies=bodies, constraints="free"))
    rng = np.random.default_rng(seed)
    q, _ = model.initial()
    q[: model.nu] += 0.2 * rng.normal(size=model.nu)
    saddle, dense = put(model, q)
    assert saddle.softness[0] == 0.0
    right = rng.normal(size=len(dense))
    expected = np.linalg.solve(dense, right)
    close = EPS * np.linalg.cond(dense) * np.abs(expected).max()
    for by in (solve, improve):
        found = solved(saddle, right[: model.nu], right[model.nu :], by)
        np.testing.assert_allclose(found, expected, rtol=0, atol=close)


@pytest.mark.parametrize("thickness", [1e-2, 1e-4, 1e-6, 1e-8])
def test_towards_bodies_without_thickness(thickness):
    """A plate on a rod, both ever thinner: entries of their mass matrices go to zero."""
    system = System.from_dict(
        {
            "bodies": {
                "rod": {
                    "mass": 2.0,
                    "cog": [0, 0, -1],
                    "inertia": [0.6, 0.6, 0.6 * thickness],
                    "attitude_deg": [10, 20, 30],
                },
                "plate": {
                    "mass": 3.0,
                    "cog": [0.5, 0, -2],
                    "inertia": [0.3, 0.5, (0.8 - thickness)],
                    "attitude_deg": [40, -20, 5],
                },
            },
            "joints": {
                "top": {"type": "spherical", "child": "rod", "at": [0, 0, 0]},
                "low": {
                    "type": "universal",
                    "parent": "rod",
                    "child": "plate",
                    "at": [0, 0, -2],
                    "axis1": [1, 0, 0],
                    "axis2": [0, 1, 0],
                },
            },
        }
    )
    model = CartesianModel(system, CartesianOptions(constraints="free"))
    inertia = model.parts.memory.frames.inertia
    assert 0.0 < inertia[:, 1:].min() <= thickness
    rng = np.random.default_rng(5)
    saddle, dense = put(model, model.initial()[0])
    right = rng.normal(size=len(dense))
    expected = np.linalg.solve(dense, right)
    # the matrix itself stays regular: what vanishes is not free to move
    assert np.linalg.cond(dense) < 1e3
    found = solved(saddle, right[: model.nu], right[model.nu :])
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13 * np.abs(expected).max())


@pytest.mark.parametrize("angle", [1e-1, 3e-2, 1e-2, 3e-3])
def test_towards_dependent_rows(angle):
    """Four bars near a line: coordinates and constraint forces, which are unique."""
    case = cosim.read_case(CASES / "four_bar/case.yaml")
    model = CartesianModel(case, CartesianOptions(constraints="free"))
    tree = model._tree
    q = tree.initial()[0].copy()
    turns = {"A.angle": 1.0, "B.angle": -1.0, "C.angle": 1.0}
    for k, name in enumerate(tree.coordinates):
        q[k] = turns[name] * (0.5 * np.pi - angle)
    saddle, dense = put(model, model.from_tree(tree, q, np.zeros(tree.nu))[0])
    G = dense[model.nu :, : model.nu]
    rng = np.random.default_rng(3)
    force, wanted = rng.normal(size=model.nu), G @ rng.normal(size=model.nu)
    found = solved(saddle, force, wanted)
    expected = np.linalg.pinv(dense, rcond=1e-13) @ np.concatenate([force, wanted])
    nu, size = model.nu, np.abs(expected).max()
    values = np.linalg.svd(dense, compute_uv=False)
    condition = values[0] / values[values > 1e-13 * values[0]].min()
    assert condition > 0.1 / angle
    np.testing.assert_allclose(found[:nu], expected[:nu], rtol=0, atol=EPS * condition * size)
    np.testing.assert_allclose(
        G.T @ found[nu:], G.T @ expected[nu:], rtol=0, atol=EPS * condition * size
    )


def rule(name, joints, settings, h):
    """Blocks of a step of GGL from the start of a case, dense, and where its unknowns are."""
    case = cosim.read_case(CASES / name / "case.yaml", settings)
    model = CartesianModel(case, CartesianOptions(joints=joints, constraints="free"))
    steps = ConservingSteps(model.parts, variant="midpoint_ggl")
    conditions = dict(case.start.set) if not settings else {}
    steps.step(0.0, h, model.initial(conditions))
    memory = model.parts.memory
    ordered = new_saddle(memory.frames, memory.rows, model.parts.rigid, curved=True).matrix
    double = steps._step.twofold
    np.testing.assert_array_equal(double.column, ordered.column)
    parts = [[spread(ordered, double.value[:, a, b]) for b in (0, 1)] for a in (0, 1)]
    return model, double, ordered.place, np.block(parts)


def twice(double, place, right, passes):
    double.work[0][place] = right.reshape(2, -1).T
    improve_twofold(double, passes)
    return double.work[1][place].T


@pytest.mark.parametrize("name", ["double_pendulum", "slider_crank", "bar_loop"])
def test_newton_matrices_of_ggl(name):
    """Of a real step, whatever it asks for, and with the passes that it takes."""
    _, double, place, dense = rule(name, "minimal", [], 1e-2)
    right = np.random.default_rng(8).normal(size=len(dense))
    expected = np.linalg.solve(dense, right)
    close = EPS * np.linalg.cond(dense) * np.abs(expected).max()
    found = twice(double, place, right, 2)
    np.testing.assert_allclose(found.ravel(), expected, rtol=0, atol=close)


@pytest.mark.parametrize(
    ("name", "joints"),
    [("four_bar", "minimal"), ("bricard_mechanism", "minimal"), ("slider_crank", "redundant")],
)
def test_newton_matrices_of_ggl_with_dependent_rows(name, joints):
    """At rest, where rows depend on each other exactly: the smallest multipliers.

    They are known to rounding over the softness of the rows.
    """
    model, double, place, dense = rule(name, joints, ["environment.gravity=0"], 0.1)
    nu, size = model.nu, len(dense) // 2
    G = model.constraint_jacobian()
    np.testing.assert_allclose(dense[nu:size, :nu], G, rtol=0, atol=1e-14)
    softness = model.parts.memory.saddle.softness[0]
    assert softness > 0.0
    assert np.linalg.matrix_rank(G, tol=1e-10) < len(G)
    rng = np.random.default_rng(8)
    right = np.concatenate([*(np.append(*pair) for pair in zip(*met(rng, G), strict=True))])
    found = twice(double, place, right, 20)
    expected = (np.linalg.pinv(dense, rcond=1e-12) @ right).reshape(2, size)
    largest = np.abs(expected).max()
    np.testing.assert_allclose(found[:, :nu], expected[:, :nu], rtol=0, atol=1e-12 * largest)
    np.testing.assert_allclose(
        found[:, nu:], expected[:, nu:], rtol=0, atol=EPS / softness * largest
    )


def met(rng, G):
    """Two sets of forces, and two of what rows ask for that they can get."""
    return rng.normal(size=(2, G.shape[1])), rng.normal(size=(2, G.shape[1])) @ G.T
