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


def turning(t):
    return 0.7 + 0.3 * math.sin(t), 0.3 * math.cos(t), -0.3 * math.sin(t)


def rising(t):
    return 0.1 * t**2 + t, 0.2 * t + 1.0, 0.2


DRIVERS = {
    "angle of a joint": ("revolute", JointDriver("j", turning)),
    "slide of a joint": ("cylindrical", JointDriver("j", rising, "position")),
    "way in a plane": ("planar", JointDriver("j", rising, "x")),
    "turn in a plane": ("planar", JointDriver("j", turning, "angle")),
    "point": ("spherical", PointDriver("b/tip", (rising, None, turning))),
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
    # the size of d3 = d1 x d2 and its derivatives enters with numbers of some ten
    for k in range(model.nu):
        e = np.eye(model.nu)[k]
        found = slope(lambda h, e=e: gap(0.0, q0 + h * e), 1e-2)
        np.testing.assert_allclose(G[:, k], found, rtol=0, atol=1e-10)

    def along(h):
        return gap(h, q0 + h * u0 + 0.5 * h * h * a0)

    # Φ' = G u - ν, Φ'' = G u' - γ
    np.testing.assert_allclose(slope(along, 1e-3), -missing, rtol=0, atol=1e-9)
    h = 4e-3
    curve = -along(2 * h) + 16 * along(h) - 30 * along(0.0) + 16 * along(-h) - along(-2 * h)
    np.testing.assert_allclose(curve / (12 * h * h), G @ a0 - gamma, rtol=0, atol=1e-7)


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
@pytest.mark.parametrize("name", DRIVERS)
def test_equations_of_drivers(name, bodies):
    kind, driver = DRIVERS[name]
    options = CartesianOptions(bodies=bodies, constraints="free")
    check(CartesianModel(system_of(kind, "a"), options, drivers={"d": driver}), 3)
