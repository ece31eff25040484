"""Stiff elements of every kind under the midpoint rules.

With springs whose frequency times the step is 5, a Newton method without their slopes diverges.
Energy: 1e-11 of the largest over 200 steps, the rounding of stiff springs (1e-16 of stiffness times
length squared) included; momenta of free bodies 1e-12.
"""

import numpy as np
import pytest

from cosim.model import System
from cosim.multibody.cartesian.conserving.slopes import element_pairs, element_slopes, new_slopes
from cosim.multibody.cartesian.conserving.steps import ConservingSteps
from cosim.multibody.cartesian.memory import handle_of
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions

STEP = 0.01
STIFF = (5.0 / STEP) ** 2
VARIANTS = ("midpoint", "midpoint_ggl")
BODY = {"mass": 1.0, "inertia": [0.4, 0.5, 0.6]}
ELEMENTS = {
    "spring": {"type": "tension", "points": ["a/p", "b/p"], "stiffness": STIFF, "length": 0.8},
    "torsion": {
        "type": "torsion",
        "bodies": ["a", "c"],
        "axis": [1, 0, 0],
        "stiffness": 0.2 * STIFF,
    },
    "hinge": {"type": "joint", "joint": "A", "stiffness": STIFF, "rest": 0.1},
    "stop": {
        "type": "joint",
        "joint": "B",
        "end_stop": {"upper": 0.05, "stiffness": STIFF, "smoothing": 0.01},
    },
    "bushing": {
        "type": "matrix",
        "body": "c",
        "reference": "earth",
        "at": [2, 0, 0],
        "stiffness": (STIFF * np.diag([1, 1, 1, 0.4, 0.4, 0.4])).tolist(),
    },
}


def linked(*names):
    """Three bodies in a row on a hinge, a slide and free, with some of the elements."""
    return System.from_dict(
        {
            "bodies": {
                "a": {**BODY, "cog": [0.5, 0, 0], "points": {"p": [0.5, 0.3, 0]}},
                "b": {**BODY, "cog": [1.3, 0, 0], "points": {"p": [1.3, 0.3, 0]}},
                "c": {**BODY, "cog": [2.0, 0, 0]},
            },
            "joints": {
                "A": {"type": "revolute", "child": "a", "at": [0, 0, 0], "axis": [0, 1, 0]},
                "B": {
                    "type": "prismatic",
                    "parent": "a",
                    "child": "b",
                    "at": [1, 0, 0],
                    "axis": [1, 0, 0],
                },
                "C": {"type": "floating", "child": "c"},
            },
            "elements": {name: ELEMENTS[name] for name in names},
        }
    )


SPEEDS = {"A.angle_rate": 0.4, "B.position_rate": 0.3, "C.pitch_rate": 0.2, "C.heave_rate": 0.1}


def stepping(system, variant):
    model = CartesianModel(system, CartesianOptions(constraints="free"))
    return model, ConservingSteps(model.parts, variant=variant)


def energy(model, q, u):
    model.kinematics(0.0, q, u)
    energies = model.energy()
    return energies.kinetic, energies.potential


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("names", [*((name,) for name in ELEMENTS), tuple(ELEMENTS)], ids="+".join)
def test_stiff_elements_take_few_passes_and_keep_energy(names, variant):
    model, steps = stepping(linked(*names), variant)
    q, u = model.initial(SPEEDS)
    energies, passes = [energy(model, q, u)], []
    for number in range(200):
        made = steps.step(number * STEP, STEP, (q, u))
        q, u = made.q, made.u
        energies.append(energy(model, q, u))
        passes.append(made.iterations)
    found = np.array(energies)
    total = found.sum(axis=1)
    assert np.abs(total - total[0]).max() <= 1e-11 * np.abs(found).max()
    assert np.mean(passes) < 12.0
    model.kinematics(0.0, q, u)
    assert np.abs(model.constraint_violation()).max() <= 1e-12


def test_slopes_are_those_of_the_loads():
    """Against differences of the wrenches, one body and direction at a time."""
    model, _ = stepping(linked(*ELEMENTS), "midpoint")
    memory = model.parts.memory
    bodies, pairs = element_pairs(memory)
    assert (bodies, pairs) == ([0, 1, 2], [(0, 1), (0, 2)])
    slopes = new_slopes(bodies, pairs, 3, len(memory.saddle.pairs))
    q, u = model.initial(SPEEDS)
    x, v = q[:36].reshape(3, 12), u.reshape(3, 12)
    element_slopes(handle_of(memory), slopes, (x, v), q[36:], (0.0, STEP))

    def wrenches(shift):
        moved = x.copy()
        for k in (3, 6, 9):
            moved[:, k : k + 3] += np.cross(shift[:, 3:], x[:, k : k + 3])
        moved[:, :3] += shift[:, :3]
        model.kinematics(0.0, np.concatenate([moved.ravel(), q[36:]]), u)
        return memory.wrench.copy()

    for i in range(3):
        for b in range(6):
            shift = np.zeros((3, 6))
            shift[i, b] = 1e-6
            # S is by the mean twist: half of h times the slope by displacements
            slope = -0.5 * STEP * (wrenches(shift) - wrenches(-shift))[i] / 2e-6
            np.testing.assert_allclose(
                slopes.own[i, :, b], slope, rtol=0, atol=1e-4 * np.abs(slopes.own).max()
            )


@pytest.mark.parametrize("variant", VARIANTS)
def test_free_bodies_on_springs_keep_both_momenta(variant):
    rng = np.random.default_rng(2)
    names = ["a", "b", "c"]
    place = rng.normal(size=(3, 3))
    points = place + 0.3 * rng.normal(size=(3, 3))
    described = {
        name: {**BODY, "cog": r.tolist(), "points": {"p": p.tolist()}}
        for name, r, p in zip(names, place, points, strict=True)
    }
    springs = {
        f"{i}{j}": {"type": "tension", "points": [f"{i}/p", f"{j}/p"], "stiffness": 300.0}
        | {"length": 0.5}
        for i, j in ("ab", "bc", "ca")
    }
    system = System.from_dict(
        {
            "environment": {"gravity": 0.0},
            "bodies": described,
            "joints": {f"J{name}": {"type": "floating", "child": name} for name in names},
            "elements": springs,
        }
    )
    model, steps = stepping(system, variant)
    rates = {f"J{n}.{c}_rate": rng.normal() for n in names for c in ("surge", "heave", "yaw")}
    q, u = model.initial(rates)
    weights = model.parts.memory.frames.inertia[:, :, None]

    def momenta(q, u):
        x, v = q[:36].reshape(3, 4, 3), u.reshape(3, 4, 3)
        linear = (weights[:, 0] * v[:, 0]).sum(axis=0)
        return linear, (weights * np.cross(x, v)).sum(axis=(0, 1))

    start = momenta(q, u)
    last = steps.march(0.0, STEP, (q, u), 300)
    for before, after in zip(start, momenta(last.q, last.u), strict=True):
        np.testing.assert_allclose(after, before, rtol=0, atol=1e-12 * 10.0)
