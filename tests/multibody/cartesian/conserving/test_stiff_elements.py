"""Stiff elements of every kind under the midpoint rules.

With springs whose frequency times the step is 5, a Newton method without their slopes diverges.
Energy: 1e-11 of the largest over 200 steps, the rounding of stiff springs (1e-16 of stiffness times
length squared) included; momenta of free bodies 1e-12.
"""

import math

import numpy as np
import pytest

from cosim.errors import SolverError
from cosim.model import System
from cosim.multibody.cartesian.conserving.steps import ConservingSteps
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions

STEP = 0.01
STIFF = (5.0 / STEP) ** 2
VARIANTS = ("midpoint", "midpoint_ggl")
BODY = {"mass": 1.0, "inertia": [0.4, 0.5, 0.6]}
# beside STIFF: what they turn, 2.94 kg m² of a and b about the hinge, and 0.43 with c against both
ELEMENTS = {
    "spring": {"type": "tension", "points": ["a/p", "b/p"], "stiffness": STIFF, "length": 0.8},
    "torsion": {
        "type": "torsion",
        "bodies": ["a", "c"],
        "axis": [0, 1, 0],
        "stiffness": 0.43 * STIFF,
    },
    "hinge": {"type": "joint", "joint": "A", "stiffness": 2.94 * STIFF, "rest": 0.1},
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


def taken(model, steps):
    """States and passes of 200 steps."""
    states, passes = [model.initial(SPEEDS)], []
    for number in range(200):
        made = steps.step(number * STEP, STEP, states[-1])
        states.append((made.q, made.u))
        passes.append(made.iterations)
    return states, passes


CHOICES = [*((name,) for name in ELEMENTS), tuple(ELEMENTS)]
# in the step in which the stop lets go GGL takes 17: its factors are made anew four times
QUICK = [(n, v) for n in CHOICES for v in VARIANTS if (n, v) != (("stop",), "midpoint_ggl")]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("names", CHOICES, ids="+".join)
def test_stiff_elements_keep_energy_and_take_few_passes_more(names, variant):
    model, steps = stepping(linked(*names), variant)
    states, passes = taken(model, steps)
    found = np.array([energy(model, q, u) for q, u in states])
    total = found.sum(axis=1)
    assert np.abs(total - total[0]).max() <= 1e-11 * np.abs(found).max()
    _, free = taken(*stepping(linked(), variant))
    assert max(passes) <= max(free) + 6
    assert np.mean(passes) <= np.mean(free) + 2.0
    model.kinematics(0.0, *states[-1])
    assert np.abs(model.constraint_violation()).max() <= 1e-12


@pytest.mark.parametrize(("names", "variant"), QUICK, ids=str)
def test_stiff_elements_take_less_than_fifteen_passes(names, variant):
    _, passes = taken(*stepping(linked(*names), variant))
    assert max(passes) < 15


@pytest.mark.parametrize("name", ELEMENTS)
def test_without_the_slopes_the_elements_are_too_stiff(name):
    """What the other tests rely on: every element is loaded, and stiffer than a step."""
    model, steps = stepping(linked(name), "midpoint_ggl")
    steps._step.slopes.first[:] = 0  # no body is ever moved
    with pytest.raises(SolverError, match="Newton's method fails"):
        taken(model, steps)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("stiffness", [300.0, STIFF])
def test_free_bodies_on_springs_keep_both_momenta(stiffness, variant):
    rng = np.random.default_rng(2)
    names = ["a", "b", "c"]
    place = rng.normal(size=(3, 3))
    points = place + 0.3 * rng.normal(size=(3, 3))
    places = dict(zip(names, points, strict=True))
    described = {
        name: {**BODY, "cog": r.tolist(), "points": {"p": p.tolist()}}
        for name, r, p in zip(names, place, points, strict=True)
    }
    springs = {
        f"{i}{j}": {
            "type": "tension",
            "points": [f"{i}/p", f"{j}/p"],
            "stiffness": stiffness,
            # a metre and a half too short, or a millimetre: all bodies end up with some m/s
            "length": 0.5 if stiffness < STIFF else math.dist(places[i], places[j]) - 1e-3,
        }
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
        np.testing.assert_allclose(after, before, rtol=0, atol=1e-12)
