"""Slopes of the force elements against differences of their loads.

A chain of bodies with every kind of element, stiff and damped, in a random motion: what the Newton
matrices of the midpoint rules get from the elements, block by block.
"""

import numpy as np

from cosim.model import System
from cosim.multibody.cartesian.conserving.slopes import element_pairs, element_slopes, new_slopes
from cosim.multibody.cartesian.coordinates import measure
from cosim.multibody.cartesian.directors import poses, twists
from cosim.multibody.cartesian.element_loads import element_loads
from cosim.multibody.cartesian.memory import handle_of
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions
from cosim.multibody.cartesian.saddle.system import new_saddle
from cosim.multibody.elements.bodies import Bodies

STEP = 0.01
BODY = {"mass": 1.0, "inertia": [0.4, 0.5, 0.6]}
CHAIN = 6


def chain():
    """Free bodies in a row, each tied to the next: some are moved at the same time.

    The second ones slide on the third ones, with a load on the coordinate.
    """
    rng = np.random.default_rng(7)
    names = [f"b{i}" for i in range(CHAIN)]
    place = np.arange(CHAIN)[:, None] * np.array([1.0, 0.2, -0.3])
    bodies = {
        name: {
            **BODY,
            "cog": r.tolist(),
            "attitude_deg": rng.uniform(-90, 90, 3).tolist(),
            "points": {"p": (r + 0.3 * rng.normal(size=3)).tolist()},
        }
        for name, r in zip(names, place, strict=True)
    }
    joints = {f"J{name}": {"type": "floating", "child": name} for name in names}
    joints["Jb2"] = {
        "type": "prismatic",
        "parent": "b1",
        "child": "b2",
        "at": place[2].tolist(),
        "axis": [1, 2, 2],
    }
    full = rng.normal(size=(2, 6, 6))
    elements = {
        "tension": {
            "type": "tension",
            "points": ["b0/p", "b1/p"],
            "stiffness": 40.0,
            "damping": 3.0,
            "length": 0.5,
            "law": "2*x*abs(x)",
        },
        "slide": {
            "type": "joint",
            "joint": "Jb2",
            "stiffness": 30.0,
            "damping": 2.0,
            "end_stop": {"lower": -9.0, "upper": -0.4, "stiffness": 50.0, "smoothing": 0.5},
        },
        "torsion": {
            "type": "torsion",
            "bodies": ["b2", "b3"],
            "axis": [1, 1, 0],
            "stiffness": 9.0,
            "damping": 1.5,
            "rest": 0.3,
        },
        "matrix": {
            "type": "matrix",
            "body": "b4",
            "reference": "b3",
            "at": (place[4] + 0.2).tolist(),
            "stiffness": (10.0 * np.eye(6) + full[0]).tolist(),
            "damping": (2.0 * np.eye(6) + full[1]).tolist(),
        },
        "rope": {
            "type": "tension",
            "points": ["b4/p", "b5"],
            "stiffness": 25.0,
            "length": 0.1,
            "slack": True,
        },
    }
    return System.from_dict({"bodies": bodies, "joints": joints, "elements": elements})


def test_slopes_are_those_of_the_loads():
    """All blocks against differences of the loads, one body and direction at a time.

    Central ones, whose rounding, 1e-16 of loads of some hundred over 1e-6, and whose truncation
    are below 1e-7; those of the library are one-sided: 1e-6 of the loads' second derivatives,
    some hundred.
    """
    model = CartesianModel(chain(), CartesianOptions(constraints="free"))
    memory, size = model.parts.memory, 12 * CHAIN
    touched, pairs = element_pairs(memory)
    assert pairs == [(i, i + 1) for i in range(CHAIN - 1)]
    saddle = new_saddle(
        *(memory.frames, memory.rows, model.parts.rigid),
        dense=touched,
        couplings=pairs,
        curved=True,
    )
    memory = memory._replace(saddle=saddle)
    handle = handle_of(memory)
    slopes = new_slopes(touched, pairs, CHAIN, len(saddle.pairs))
    assert len(slopes.first) - 1 < CHAIN  # bodies share colours
    rng = np.random.default_rng(11)
    q, u = model.initial()
    model.kinematics(0.0, q, u)
    shaken = q[:size] + 0.1 * rng.normal(size=size)  # directors as in the middle of a step
    x, v = shaken.reshape(-1, 12), rng.normal(size=(CHAIN, 12))
    element_slopes(handle, slopes, (x, v), q[size:], (0.0, STEP))
    found = np.zeros((CHAIN, 6, CHAIN, 6))
    for i in range(CHAIN):
        found[i, :, i] = slopes.own[i]
    for p, (i, j) in enumerate(saddle.pairs):
        found[i, :, j], found[j, :, i] = slopes.cross[p]
    space = memory.space

    def wrenches(body, direction, by):
        twist = np.zeros(6)
        twist[direction] = by
        change = np.concatenate([twist[:3], *np.cross(twist[3:], x[body, 3:].reshape(3, 3))])
        space.x[:], space.v[:] = x, v
        space.x[body] += change
        space.v[body] += 2.0 / STEP * change  # of the mean velocity, when the middle moves so
        poses(memory.frames, space)
        twists(space)
        measure(memory.coordinates, Bodies(space.r, space.R, space.twist), q[size:])
        element_loads(handle, 0.0, np.zeros((0, 4)), True)
        return memory.wrench.copy()

    for j in range(CHAIN):
        for b in range(6):
            change = wrenches(j, b, 1e-6) - wrenches(j, b, -1e-6)
            expected = -change / (2e-6 * 2.0 / STEP)
            np.testing.assert_allclose(found[:, :, j, b], expected, rtol=0, atol=5e-6)
    coupled = np.abs(found).max(axis=(1, 3)) > 0.01
    i, j = np.indices(coupled.shape)
    np.testing.assert_array_equal(coupled, np.abs(i - j) <= 1)
