"""The sparse solver against dense linear algebra, on systems of real mechanisms.

Tolerances: rounding times the condition of the mechanism; dependent rows by the pseudoinverse,
whose multipliers are the smallest, known to rounding over the softness of the rows.
"""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.multibody.cartesian.bodies import reference_of
from cosim.multibody.cartesian.dependence import dependent_rows
from cosim.multibody.cartesian.equations import put_system
from cosim.multibody.cartesian.memory import handle_of
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions
from cosim.multibody.cartesian.saddle.kernels import factor, solve
from cosim.multibody.cartesian.saddle.twofold import (
    factorise_twofold,
    improve_twofold,
    new_twofold,
)

CASES = Path(__file__).parents[4] / "cases"
NAMES = ("double_pendulum/case", "slider_crank/case", "bricard_mechanism/case", "four_bar/case")
NO_MASS = np.zeros((0, 6, 6))


def posed(name, **options):
    """The model of a case at its start, and its matrix dense."""
    case = cosim.read_case(CASES / f"{name}.yaml")
    model = CartesianModel(case, CartesianOptions(**options))
    q, u = model.initial(dict(case.start.set))
    model.kinematics(0.0, q, u)
    memory = model.parts.memory
    handle = handle_of(memory)
    put_system(handle, NO_MASS)
    matrix = memory.saddle.matrix
    size = len(matrix.place)
    rows = np.repeat(np.arange(size), np.diff(matrix.start))
    ordered = np.zeros((size, size))
    ordered[rows, matrix.column] = matrix.value
    dense = ordered[np.ix_(matrix.place, matrix.place)]
    return model, memory, dense


@pytest.mark.parametrize("bodies", ["full", "reduced"])
@pytest.mark.parametrize("joints", ["minimal", "redundant"])
@pytest.mark.parametrize("name", NAMES)
def test_solution_is_that_of_the_pseudoinverse(name, joints, bodies):
    model, memory, dense = posed(name, joints=joints, bodies=bodies)
    G = model.constraint_jacobian()
    nu, m = model.nu, len(G)
    np.testing.assert_array_equal(dense[nu:, :nu], G)
    rng = np.random.default_rng(1)
    force, wanted = rng.normal(size=nu), G @ rng.normal(size=nu)  # rows can be met
    x, multipliers = np.zeros(nu), np.zeros(m)
    factor(memory.saddle)
    rest = solve(memory.saddle, force, wanted, x, multipliers)
    expected = np.linalg.pinv(dense, rcond=1e-11) @ np.concatenate([force, wanted])
    assert rest <= 1e-10 * np.abs(wanted).max()
    np.testing.assert_allclose(x, expected[:nu], rtol=0, atol=1e-9 * np.abs(expected).max())
    softness = memory.saddle.softness[0]
    close = 1e-10 if softness == 0.0 else np.finfo(float).eps / softness
    np.testing.assert_allclose(
        multipliers, expected[nu:], rtol=0, atol=close * np.abs(expected[nu:]).max()
    )


@pytest.mark.parametrize("distance", [1e-1, 1e-2, 1e-3, 1e-4, 1e-5])
def test_near_a_singular_pose_the_motion_stays_exact(distance):
    """Four bars nearly in a line: accelerations of the parallelogram in closed form.

    Rounding of the pose is worth 1e-16 / distance^2 in the directions, times the loads.
    """
    model, _, _ = posed("four_bar/case")
    theta = 0.5 * np.pi - distance
    tree = model._tree
    q = tree.initial()[0].copy()
    turns = {"A.angle": theta, "B.angle": -theta, "C.angle": theta}
    for k, name in enumerate(tree.coordinates):
        q[k] = turns[name]
    rate = 1.3
    u = rate * np.array([np.sign(turns[name]) for name in tree.coordinates])
    x, v = model.from_tree(tree, q, u)
    model.kinematics(0.0, x, v)
    _, v_dot = model.accelerations(np.zeros(model.nu))
    crank = v_dot[list(model.bodies).index("crank"), 4]
    expected = 2.0 / (2.0 / 3.0 + 1.0) * 9.81 * np.sin(theta)
    assert abs(crank - expected) <= max(1e-11, 1e-14 / distance**2) * 9.81


def test_blocks_of_two_solve_two_systems_at_once():
    """Random blocks in the pattern of a mechanism against the dense solution."""
    _, memory, _ = posed("slider_crank/case")
    matrix = memory.saddle.matrix
    double = new_twofold(matrix)
    size = len(matrix.place)
    rng = np.random.default_rng(4)
    double.value[:] = 0.1 * rng.normal(size=double.value.shape)
    double.value[matrix.diagonal] += 8.0 * np.eye(2)
    dense = np.zeros((size, 2, size, 2))
    rows = np.repeat(np.arange(size), np.diff(matrix.start))
    dense[rows, :, matrix.column, :] = double.value
    double.work[0] = rng.normal(size=(size, 2))
    factorise_twofold(double, np.zeros(size))
    improve_twofold(double, 2)
    expected = np.linalg.solve(dense.reshape(2 * size, -1), double.work[0].ravel())
    np.testing.assert_allclose(double.work[1].ravel(), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("joints", ["minimal", "redundant"])
@pytest.mark.parametrize("name", ["double_pendulum/case", "slider_crank/case", "bar_loop/case"])
def test_quick_count_of_dependent_rows_is_that_of_the_singular_values(name, joints):
    case = cosim.read_case(CASES / f"{name}.yaml")
    model = CartesianModel(case, CartesianOptions(joints=joints))
    memory = model.parts.memory
    x = reference_of(case, memory.frames)
    found = dependent_rows(memory, handle_of(memory), x)
    G = model.constraint_jacobian()
    scale = np.repeat(memory.frames.inertia, 3, axis=1).ravel() ** -0.5
    values = np.linalg.svd(G * scale, compute_uv=False)
    assert found == len(G) - np.count_nonzero(values > 1e-9 * values[0])
    assert found == len(G) - model.closures
