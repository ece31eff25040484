"""Stiff flyball governor (IFToMM A05): a tree with springs and dampers a million times stiffer.

Reference: three equations of motion of the symmetric mechanism by Radau and DOP853, equal to
1.3e-12, and directors with multipliers, equal to 1e-13. Tolerance: 1e-7 at rtol 1e-9.
"""

import numpy as np
import pytest

from cosim.coupling.manager import ExternalForcesManager
from cosim.integrate.settings import TimeSettings
from cosim.integrate.simulation import Simulation
from cosim.model import System
from cosim.multibody.joint import JointModel

ALPHA = np.pi / 6.0
OMEGA = 2.0 * np.pi
START_ENERGY, MOMENTUM = 238.885450442, 53.868998658
# phi, alpha, s and their rates, and the energy, at 0.1 s
REFERENCE = (
    *(0.6221066814, 0.4961738690759, 0.5238364755696),
    *(6.10371780883, -0.52267392975, 0.45927181044, 238.883067986),
)


def arm(side):
    """A rod of 0.3 kg with 5 kg at its end, 30 degrees below the horizontal."""
    down = np.array([side * np.cos(ALPHA), 0.0, -np.sin(ALPHA)])
    hinge = np.array([side * 0.05, 0.0, 1.0])
    rod, ball = 0.3, 5.0
    middle = (0.5 * rod + ball) / (rod + ball)
    across = rod * 1.0001 / 12 + rod * (middle - 0.5) ** 2 + ball * (1.0 - middle) ** 2
    return {
        "mass": rod + ball,
        "cog": (hinge + middle * down).tolist(),
        "inertia": [rod * 0.0002 / 12, across, across],
        "attitude_deg": [0.0, side * 30.0, 0.0],
        "points": {"middle": (hinge + 0.5 * down).tolist()},
    }


def governor():
    """Shaft, slider and two arms."""
    thin, long = 0.3 * 0.0002 / 12, 0.3 * 1.0001 / 12
    shaft = {"mass": 0.3, "cog": [0, 0, 0.5], "inertia": [long, long, thin]}
    box = {"mass": 3.0, "cog": [0, 0, 0.5], "inertia": [0.005, 0.005, 0.005]}
    box["points"] = {"right": [0.05, 0, 0.5], "left": [-0.05, 0, 0.5]}
    joints = {
        "phi": {"type": "revolute", "child": "shaft", "at": [0, 0, 0], "axis": [0, 0, 1]},
        "s": {"type": "prismatic", "child": "slider", "at": [0, 0, 0.5], "axis": [0, 0, 1]},
        "right": {"type": "revolute", "child": "arm_right", "at": [0.05, 0, 1], "axis": [0, 1, 0]},
        "left": {"type": "revolute", "child": "arm_left", "at": [-0.05, 0, 1], "axis": [0, -1, 0]},
    }
    for name in ("s", "right", "left"):
        joints[name]["parent"] = "shaft"
    spring = {"type": "tension", "stiffness": 8e5, "damping": 4e4, "length": 0.5}
    elements = {
        side: {**spring, "points": [f"slider/{side}", f"arm_{side}/middle"]}
        for side in ("right", "left")
    }
    bodies = {"shaft": shaft, "slider": box, "arm_right": arm(1.0), "arm_left": arm(-1.0)}
    gravity = {"environment": {"gravity": 9.81}}
    return System.from_dict({**gravity, "bodies": bodies, "joints": joints, "elements": elements})


class Keep:
    """Keeps the last sample."""

    def record(self, sample):
        self.sample = sample


@pytest.mark.parametrize("method", ["Radau", "BDF"])
def test_governor(method):
    model = JointModel(governor())
    q, u = model.initial({"phi.angle_rate": OMEGA})
    model.kinematics(0.0, q, u)
    # the reference counts the weight from z = 0
    assert model.energy().total == pytest.approx(START_ENERGY, abs=1e-8)
    keep = Keep()
    with ExternalForcesManager(model) as manager:
        settings = TimeSettings(end=0.1, method=method, rtol=1e-9, atol=1e-11)
        Simulation(manager, settings, q, u).run(keep, 0.1)
    end = keep.sample
    np.testing.assert_allclose(end.q[2], end.q[3], atol=1e-9)
    energy = end.scalars["energy/kinetic"] + end.scalars["energy/potential"]
    found = (end.q[0], end.q[2] + ALPHA, end.q[1] + 0.5, end.u[0], end.u[2], end.u[1], energy)
    loose = {"Radau": 1e-7, "BDF": 1e-5}[method]  # BDF at this rtol; it has order 5 at most
    scale = (1.0, 1.0, 1.0, 6.0, 1.0, 1.0, 240.0)
    np.testing.assert_allclose(np.divide(found, scale), np.divide(REFERENCE, scale), atol=loose)
    state, momentum = end.state, 0.0
    for i, name in enumerate(model.bodies):
        body = model.system.bodies[name]
        inertia = state.R[i] @ body.inertia_tensor() @ state.R[i].T
        spin = np.cross(state.r[i], body.mass * state.v[i, :3]) + inertia @ state.v[i, 3:]
        momentum += spin[2]
    assert momentum == pytest.approx(MOMENTUM, rel=1e-8)
