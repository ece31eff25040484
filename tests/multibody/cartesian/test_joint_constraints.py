"""Derivatives of the equations of every joint and driver, at coordinates off the constraints.

Differences of fourth order; of a quadratic they are exact but for rounding, eps / h and eps / h^2
times the coordinates, and drivers add h^4 of their laws.
"""

import math

import numpy as np
import pytest

from cosim.model import System
from cosim.multibody.cartesian.arrays import REDUCED
from cosim.multibody.cartesian.drivers import AngleDriver, JointDriver, PointDriver, VectorDriver
from cosim.multibody.cartesian.equations import accelerations_wanted, put_system, speeds_missing
from cosim.multibody.cartesian.memory import GAMMA, WANTED, handle_of
from cosim.multibody.cartesian.model import CartesianModel
from cosim.multibody.cartesian.options import CartesianOptions

AXIS, ACROSS = (0.0, 0.6, 0.8), (1.0, 0.0, 0.0)
JOINTS = {
    "spherical": {"at": [0.3, 0.1, -0.2]},
    "revolute": {"at": [0.3, 0.1, -0.2], "axis": AXIS},
    "universal": {"at": [0.3, 0.1, -0.2], "axis1": AXIS, "axis2": ACROSS},
    "prismatic": {"at": [0.3, 0.1, -0.2], "axis": AXIS},
    "cylindrical": {"at": [0.3, 0.1, -0.2], "axis": AXIS},
    "planar": {"at": [0.3, 0.1, -0.2], "plane": "xz"},
    "fixed": {},
    "floating": {},
}
BODIES = ("full", "reduced", {"a": "reduced"}, {"b": "reduced"})

# rows, rows of the redundant form, and how many of them are independent on rigid motions
RANKS = {
    "spherical": (3, 3, 3),
    "revolute": (5, 6, 5),
    "universal": (4, 4, 4),
    "prismatic": (5, 6, 5),
    "cylindrical": (4, 5, 4),
    "planar": (3, 4, 3),
    "fixed": (6, 7, 6),
    "floating": (0, 0, 0),
}


def turning(t):
    return 0.7 + 0.3 * math.sin(t), 0.3 * math.cos(t), -0.3 * math.sin(t)


def rising(t):
    return 0.1 * t**2 + t, 0.2 * t + 1.0, 0.2


DRIVERS = {
    "angle of a joint": ("revolute", JointDriver("j", turning)),
    "slide of a joint": ("prismatic", JointDriver("j", rising)),
    "slide along an axis": ("cylindrical", JointDriver("j", rising, "position")),
    "turn about an axis": ("cylindrical", JointDriver("j", turning, "angle")),
    "way in a plane": ("planar", JointDriver("j", rising, "x")),
    "other way in a plane": ("planar", JointDriver("j", turning, "z")),
    "turn in a plane": ("planar", JointDriver("j", turning, "angle")),
    "point": ("spherical", PointDriver("b/tip", (rising, None, turning))),
    "centre of gravity": ("spherical", PointDriver("a", (turning, rising, rising))),
    "direction": ("spherical", VectorDriver("b", ACROSS, (turning, rising, rising))),
    "angle of directions": ("spherical", AngleDriver(("a", "b"), (AXIS, ACROSS), turning)),
    "angle from earth": ("spherical", AngleDriver(("earth", "b"), (AXIS, ACROSS), turning)),
}


def system_of(kind, parent):
    body = {"mass": 2.0, "inertia": [0.5, 0.6, 0.7], "attitude_deg": [20, 30, 40]}
    return System.from_dict(
        {
            "bodies": {
                "a": {**body, "cog": [0.1, -0.2, 0.3]},
                "b": {**body, "cog": [0.5, 0.4, -0.6], "points": {"tip": [1, 1, 0]}},
            },
            "joints": {
                "base": {"type": "floating", "child": "a"},
                "j": {"type": kind, "parent": parent, "child": "b", **JOINTS[kind]},
            },
        }
    )


def check(model, seed):
    """G, ν and γ against differences of the violation along a curve in time."""
    rng = np.random.default_rng(seed)
    q0, u0, a0 = rng.normal(size=(3, model.nu))
    more = np.zeros(model.nq - model.nu)
    t0 = 0.4

    def gap(h, q):
        model.kinematics(t0 + h, np.concatenate([q, more]), u0)
        return model.constraint_violation()

    def slope(of, h):
        return (8 * (of(h) - of(-h)) - (of(2 * h) - of(-2 * h))) / (12 * h)

    handle = handle_of(model.parts.memory)
    gap(0.0, q0)
    put_system(handle, np.zeros((0, 6, 6)))
    accelerations_wanted(handle, u0, np.zeros(len(model.constraint_violation())), (0.0, 0.0))
    speeds_missing(handle, u0)
    missing, gamma = (model.parts.memory.row[k].copy() for k in (WANTED, GAMMA))
    G = model.constraint_jacobian()
    # a row is at most quartic in q, through d3 = d1 x d2: no truncation; rounding is eps / h
    # of numbers of some hundred
    for k in range(model.nu):
        e = np.eye(model.nu)[k]
        found = slope(lambda h, e=e: gap(0.0, q0 + h * e), 1e-2)
        np.testing.assert_allclose(G[:, k], found, rtol=0, atol=1e-10)

    def along(h):
        return gap(h, q0 + h * u0 + 0.5 * h * h * a0)

    # Φ' = G u - ν, Φ'' = G u' - γ. Along the curve a row is of degree eight and its fifth and
    # sixth derivatives some hundreds: h^4 / 30 of them is 1e-11, h^4 / 90 some 1e-9; rounding,
    # of numbers of some ten, is 1e-12 by h and 1e-9 by h^2
    np.testing.assert_allclose(slope(along, 1e-3), -missing, rtol=0, atol=1e-10)
    h = 4e-3
    curve = -along(2 * h) + 16 * along(h) - 30 * along(0.0) + 16 * along(-h) - along(-2 * h)
    np.testing.assert_allclose(curve / (12 * h * h), G @ a0 - gamma, rtol=0, atol=2e-8)


@pytest.mark.parametrize("bodies", BODIES, ids=str)
@pytest.mark.parametrize("joints", ["minimal", "redundant"])
@pytest.mark.parametrize("kind", JOINTS)
def test_equations_of_joints(kind, joints, bodies):
    for seed, parent in enumerate(("earth", "a")):
        options = CartesianOptions(bodies=bodies, joints=joints, constraints="free")
        model = CartesianModel(system_of(kind, parent), options)
        assert (REDUCED in model.parts.memory.frames.kind) == (bodies != "full")
        check(model, seed)


@pytest.mark.parametrize("bodies", BODIES, ids=str)
@pytest.mark.parametrize("parent", ["earth", "a"])
@pytest.mark.parametrize("name", DRIVERS)
def test_equations_of_drivers(name, parent, bodies):
    kind, driver = DRIVERS[name]
    options = CartesianOptions(bodies=bodies, constraints="free")
    check(CartesianModel(system_of(kind, parent), options, drivers={"d": driver}), 3)


def rank(G):
    return np.linalg.matrix_rank(G, tol=1e-10)


@pytest.mark.parametrize("bodies", BODIES, ids=str)
@pytest.mark.parametrize("joints", ["minimal", "redundant"])
@pytest.mark.parametrize("kind", JOINTS)
def test_rows_and_ranks_of_joints(kind, joints, bodies):
    """In the reference configuration: the tables of both papers, by singular values."""
    rows, redundant, independent = RANKS[kind]
    for parent in ("earth", "a"):
        options = CartesianOptions(bodies=bodies, joints=joints, constraints="free")
        model = CartesianModel(system_of(kind, parent), options)
        q, u = model.initial()
        model.kinematics(0.0, q, u)
        # rounding of places of some 1 m and of the principal axes
        np.testing.assert_allclose(model.constraint_violation(), 0.0, rtol=0, atol=1e-14)
        G, rigid = model.constraint_jacobian(), model.parts.rigid
        assert len(G) - rigid == (rows if joints == "minimal" else redundant)
        assert rank(G) - rank(G[:rigid]) == independent
