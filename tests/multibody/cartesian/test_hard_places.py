"""What the Cartesian model must not pass over: singular poses, lost numbers, loads of free bodies.

Near a singular pose rounding of the pose is worth 1e-16 / distance in the accelerations, times the
largest multiplier, which grows as 1 / distance.
"""

from pathlib import Path

import numpy as np
import pytest

import cosim
from cosim.errors import SolverError
from cosim.model import System
from cosim.multibody.cartesian.conserving.steps import ConservingSteps
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions
from cosim.multibody.joint import JointModel

CASES = Path(__file__).parents[3] / "cases"
BODY = {"mass": 1.0, "cog": [0, 0, 0], "inertia": [0.4, 0.5, 0.6]}


def free_body(**element):
    return System.from_dict(
        {
            "bodies": {"a": BODY},
            "joints": {"J": {"type": "floating", "child": "a"}},
            "elements": {"e": element},
        }
    )


@pytest.mark.parametrize("distance", [1e-1, 1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("bodies", ["full", "reduced"])
def test_any_load_beside_a_singular_pose(distance, bodies):
    """Four bars nearly in a line, at rest, under wrenches that pull at the weak direction too."""
    case = cosim.read_case(CASES / "four_bar" / "case.yaml")
    joint = JointModel(case)
    theta = 0.5 * np.pi - distance
    turns = {"A.angle": theta, "B.angle": -theta, "C.angle": theta}
    q = np.array([turns[name] for name in joint.coordinates])
    u = np.zeros(joint.nu)
    wrenches = np.random.default_rng(0).normal(size=(3, 6))
    model = CartesianModel(case, CartesianOptions(bodies=bodies))
    x, v = model.from_tree(joint, q, u)
    model.kinematics(0.0, x, v)
    found = model.accelerations(model.project(wrenches))[1]
    joint.kinematics(0.0, q, u)
    expected = joint.accelerations(joint.project(wrenches))[1]
    close = max(1e-12, 1e-15 / distance**2)
    np.testing.assert_allclose(found, expected, rtol=0, atol=close * np.abs(expected).max())


@pytest.mark.parametrize("variant", ["midpoint", "midpoint_ggl"])
def test_a_step_without_a_number_has_not_converged(variant):
    pulled = free_body(type="force", point="a", force=[0, 0, "sqrt(0.015 - t)"])
    model = CartesianModel(pulled, CartesianOptions(constraints="free"))
    steps = ConservingSteps(model.parts, variant=variant)
    with pytest.raises(SolverError, match="fails in the midpoint step of"):
        steps.march(0.0, 0.01, model.initial(), 3)


@pytest.mark.parametrize("coordinate", ["surge", "sway", "heave"])
def test_a_spring_on_the_way_of_a_floating_body(coordinate):
    held = free_body(type="joint", joint="J", coordinate=coordinate, stiffness=30.0, damping=2.0)
    start = {f"J.{coordinate}": 0.2, f"J.{coordinate}_rate": 0.3, "J.roll_rate": 1.0}
    joint, model = JointModel(held), CartesianModel(held)
    q, u = joint.initial(start)
    x, v = model.from_tree(joint, q, u)
    joint.kinematics(0.0, q, u)
    model.kinematics(0.0, x, v)
    expected = joint.accelerations(np.zeros(joint.nu))[1]
    found = model.accelerations(np.zeros(model.nu))[1]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13 * np.abs(expected).max())
    assert model.energy().potential == pytest.approx(joint.energy().potential, rel=1e-14)
    loads = [m.reactions(np.zeros((1, 6)), expected).wrench for m in (joint, model)]
    np.testing.assert_allclose(loads[1], loads[0], rtol=0, atol=1e-12)
    values = [m.coordinate_values(0.0, *point) for m, point in ((joint, (q, u)), (model, (x, v)))]
    np.testing.assert_allclose(values[1], values[0], rtol=0, atol=1e-14)
