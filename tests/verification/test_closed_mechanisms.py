"""Mechanisms with several loops, and a loop that floats.

- Andrews' squeezing mechanism (IFToMM A03, CWI test set): seven bodies, three loops that meet at
  one point, 0.03 s. Reference: index-1 equations with projection, one equation of motion and a
  Gauss method, equal to 4e-13 (the published CWI solution has ten digits of it).
- Bricard's mechanism (IFToMM A04): five rods on six hinges, one equation too many everywhere.
- Four bars on spherical joints, free in space, with a pulse of force and moment (port-Hamiltonian
  paper, 7.2). Reference: directors against quaternions, equal to 2e-11; momenta in closed form.

Tolerances: 1e-9 of each number's size at rtol 1e-12 (Andrews turns five times in 0.05 s), 1e-7 for
the four bars, whose pulse has kinks.
"""

from itertools import pairwise

import numpy as np
import pytest

from cosim.coupling.manager import ExternalForcesManager
from cosim.integrate.settings import TimeSettings
from cosim.integrate.simulation import Simulation
from cosim.model import System
from cosim.multibody.joint import JointModel

BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON = (
    *(-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885884674),
    *(0.487364979543842550226, -0.222668390165885884674, 1.23054744454982119250),
)
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
A, B, C = np.array([(-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)])
REFERENCE = {  # t: beta, its rate, F_x, F_y, gamma, delta, epsilon
    0.01: (
        *(2.160113131532, 711.923152831, -0.00389055238865, 0.00581924411854),
        *(0.158516758001, 0.525154774798, 1.068427204632),
    ),
    0.03: (
        *(15.810771195154, 1139.920302259, -0.00696303942705, -0.00071838843072),
        *(0.040822240120, 0.524409965880, 1.048080741042),
    ),
}


def turned(angle, x, y=0.0):
    """(x, y) turned by an angle."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * x - s * y, s * x + c * y])


def andrews():
    """The mechanism in the x-y plane at its start; angles turn about +z."""
    F = turned(BETA, 0.007)
    P = F - turned(BETA + THETA, 0.028)
    E, H = A + turned(DELTA, 0.04), A + turned(EPSILON, 0.0, -0.04)
    cogs = (
        *(turned(BETA, 92e-5), F - turned(BETA + THETA, 115e-4)),
        *(B + turned(GAMMA, 0.01043, -0.01874), E + turned(PHI + DELTA, 0.0, 0.01421 - 0.02)),
        *(A + turned(DELTA, 0.02308, 0.00916), H + turned(OMEGA + EPSILON, 0.02 - 0.01421)),
        A + turned(EPSILON, -0.00449, -0.01228),
    )
    bodies = {
        f"b{k}": {"mass": m, "cog": [*cog, 0.0], "inertia": [J, J, J]}
        for k, (m, J, cog) in enumerate(zip(MASSES, INERTIAS, cogs, strict=True), start=1)
    }
    bodies["b3"]["points"] = {"D": [*(B + turned(GAMMA, 0.02, -0.018)), 0.0]}
    tree = [("O", "earth", 1, (0, 0)), ("F", "b1", 2, F), ("B", "earth", 3, B)]
    tree += [("A", "earth", 5, A), ("E", "b5", 4, E), ("G", "earth", 7, A), ("H", "b7", 6, H)]
    hinge = {"type": "revolute", "axis": [0, 0, 1]}
    joints = {
        name: {**hinge, "parent": parent, "child": f"b{child}", "at": [*at, 0.0]}
        for name, parent, child, at in tree
    }
    for k in (3, 4, 6):
        joints[f"P{k}"] = {
            **hinge,
            "parent": "b2",
            "child": f"b{k}",
            "at": [*P, 0.0],
            "cut": True,
        }
    return System.from_dict(
        {
            "environment": {"gravity": 0.0},
            "bodies": bodies,
            "joints": joints,
            "earth_points": {"C": [*C, 0.0]},
            "elements": {
                "motor": {"type": "joint", "joint": "O", "preload": 0.033},
                "spring": {
                    "type": "tension",
                    "points": ["earth/C", "b3/D"],
                    "stiffness": 4530.0,
                    "length": 0.07785,
                },
            },
        }
    )


class Keep:
    """Keeps samples by time."""

    def __init__(self):
        self.samples = {}

    def record(self, sample):
        self.samples[round(sample.t, 9)] = sample


def simulate(model, output, *, u=None, **time):
    q, rest = model.initial()
    keep = Keep()
    with ExternalForcesManager(model) as manager:
        settings = TimeSettings(method="DOP853", **time)
        Simulation(manager, settings, q, rest if u is None else u).run(keep, output)
    return keep.samples


def test_andrews_mechanism():
    model = JointModel(andrews())
    assert (model.nu, model.closures) == (7, 6)
    samples = simulate(model, 0.0005, end=0.03, rtol=1e-12, atol=1e-13)
    start = {"O": BETA, "B": GAMMA, "A": DELTA, "G": EPSILON}
    row = {name: model.speeds.index(f"{name}.angle") for name in start}
    for t, reference in REFERENCE.items():
        q, u = samples[t].q, samples[t].u
        beta, gamma, delta, epsilon = (q[row[name]] + angle for name, angle in start.items())
        found = (beta, u[row["O"]], *turned(beta, 0.007), gamma, delta, epsilon)
        scale = (16.0, 1140.0, 0.007, 0.007, 1.0, 1.0, 1.0)
        np.testing.assert_allclose(np.divide(found, scale), np.divide(reference, scale), atol=1e-9)
    gaps = max(sample.scalars["closure/gap"] for sample in samples.values())
    assert gaps < 1e-13
    # a constant moment has a potential: everything together stays
    energy = [s.scalars["energy/kinetic"] + s.scalars["energy/potential"] for s in samples.values()]
    np.testing.assert_allclose(energy, energy[0], atol=1e-11)


def four_bars():
    """A square of bars of 10 m on its corners' spherical joints; none of it is held."""
    along = {"x": [10 / 6, 84.1666666666667, 84.1666666666667]}
    along["y"] = [along["x"][1], along["x"][0], along["x"][2]]
    places = {"one": ("y", 5, 0), "two": ("x", 0, 5), "three": ("y", -5, 0), "four": ("x", 0, -5)}
    bodies = {
        name: {"mass": 10.0, "cog": [x, y, 0], "inertia": along[axis], "points": {"cg": [x, y, 0]}}
        for name, (axis, x, y) in places.items()
    }
    corners = {"a": ("one", "two", 5, 5), "b": ("two", "three", -5, 5)}
    corners |= {"c": ("three", "four", -5, -5), "d": ("four", "one", 5, -5)}
    joints = {"free": {"type": "floating", "child": "one"}}
    for name, (parent, child, x, y) in corners.items():
        joints[name] = {"type": "spherical", "parent": parent, "child": child, "at": [x, y, 0]}
    joints["d"] |= {"cut": True}
    pulse = "200 * max(0, min(t, 1 - t))"
    load = {"type": "force", "point": "one/cg"}
    load |= {"force": [f"8 * {pulse}", 0, 0], "moment": [f"6 * {pulse}", 0, 0]}
    return System.from_dict(
        {
            "environment": {"gravity": 0.0},
            "bodies": bodies,
            "joints": joints,
            "elements": {"pulse": load},
        }
    )


def test_floating_loop_of_four_bars():
    model = JointModel(four_bars())
    assert (model.nu, model.closures) == (15, 3)
    samples = simulate(model, 0.5, end=10.0, rtol=1e-11, atol=1e-12, step=0.05)
    expected = {
        1.0: (9.82036914115, 5.0, 4.69583050085, 1.08863885851, 0.17963085885),
        10.0: (99.91551850812, 95.0, 2.48344054683, -4.24203315098, 90.08448149188),
    }
    mass = 10.0
    for t, reference in expected.items():
        r, v = samples[t].state.r, samples[t].state.v
        found = (r[0, 0], r[1, 0], r[1, 1], r[1, 2], r[2, 0])
        np.testing.assert_allclose(found, reference, atol=1e-7)
        assert samples[t].scalars["energy/kinetic"] == pytest.approx(2096.16784226668, rel=1e-9)
        np.testing.assert_allclose(mass * v[:, :3].sum(axis=0), [400.0, 0.0, 0.0], atol=1e-7)
        spin = [
            samples[t].state.R[i] @ np.diag(model.system.bodies[name].inertia) @ R.T @ v[i, 3:]
            for i, (name, R) in enumerate(zip(model.bodies, samples[t].state.R, strict=True))
        ]
        momentum = np.sum(np.cross(r, mass * v[:, :3]) + spin, axis=0)
        np.testing.assert_allclose(momentum, [300.0, 0.0, 0.0], atol=1e-6)
    assert max(sample.scalars["closure/gap"] for sample in samples.values()) < 1e-11


BRICARD = (0.2744813192646, -0.8867079387347, -0.4623300026874)
BRICARD_SPEED = (-1.09491945241, 0.15669907937, -0.30053493579)


def upright(x, y, z):
    """From the library's axes (y up) to ours."""
    return [z, x, y]


def bricard():
    """Five rods of 1 m and 1 kg, six hinges; the last one, on earth, is cut."""
    corners = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
    axes = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]
    bodies, joints = {}, {}
    for k, (start, end) in enumerate(pairwise(corners), start=1):
        along = np.abs(np.subtract(end, start))
        inertia = np.where(along > 0, 0.02 / 12, 1.01 / 12)
        cog = 0.5 * np.add(start, end)
        bodies[f"rod{k}"] = {
            "mass": 1.0,
            "cog": upright(*cog),
            "inertia": upright(*inertia),
            "points": {"end": upright(*end)},
        }
    for k, (corner, axis) in enumerate(zip(corners, axes, strict=True)):
        joints[f"hinge{k}"] = {
            "type": "revolute",
            "parent": f"rod{k}" if k in (1, 2, 3, 4) else "earth",
            "child": f"rod{min(k + 1, 5)}",
            "at": upright(*corner),
            "axis": upright(*axis),
            "cut": k == 5,
        }
    gravity = {"environment": {"gravity": 9.81}}
    return System.from_dict({**gravity, "bodies": bodies, "joints": joints})


def test_bricard_mechanism():
    """One equation too many in every configuration, one degree of freedom (IFToMM A04).

    Reference: directors, quaternions and one equation of motion, equal to 1e-12.
    """
    model = JointModel(bricard())
    assert (model.nu, model.closures, len(model.constraint_violation())) == (5, 4, 5)
    samples = simulate(model, 0.05, end=5.0, rtol=1e-11, atol=1e-12)
    sample = samples[1.0]
    arm = sample.state.R[1] @ np.subtract(upright(1, -1, 0), upright(1, -0.5, 0))
    place = sample.state.r[1] + arm
    speed = sample.state.v[1, :3] + np.cross(sample.state.v[1, 3:], arm)
    np.testing.assert_allclose(place, upright(*BRICARD), atol=1e-8)
    np.testing.assert_allclose(speed, upright(*BRICARD_SPEED), atol=1e-7)
    energy = [s.scalars["energy/kinetic"] + s.scalars["energy/potential"] for s in samples.values()]
    np.testing.assert_allclose(energy, -3.0 * 9.81, atol=1e-7)
    assert max(s.scalars["closure/gap"] for s in samples.values()) < 1e-12
