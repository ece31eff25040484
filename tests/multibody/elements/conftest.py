"""Random poses, finite variations of them, and one evaluation of a set of elements."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

from cosim.model import System
from cosim.multibody.elements import ElementOutputs, ForceElements, evaluate

COGS = ((0.0, 0.0, 0.0), (2.0, -0.5, 1.0))


def two_bodies(elements, **more):
    """Bodies a and b, free, with a hinge b-c whose coordinate joint loads use."""
    body = {"mass": 2.0, "inertia": [1.0, 1.5, 2.0]}
    points = [{"p": [0.3, 0.1, 0.7]}, {"p": [1.5, 0.2, 0.4], "q": [2.5, -1.0, 1.5]}]
    bodies = {
        name: {**body, "cog": cog, "points": named}
        for name, cog, named in zip("ab", COGS, points, strict=True)
    }
    return System.from_dict(
        {
            "bodies": {**bodies, "c": {**body, "cog": [4.0, 0.0, 0.0], "gravity_scale": 0.0}},
            "joints": {
                "free_a": {"type": "floating", "child": "a"},
                "free_b": {"type": "floating", "child": "b"},
                "pto": {
                    "type": "cylindrical",
                    "parent": "b",
                    "child": "c",
                    "at": [4, 0, 0],
                    "axis": [0, 0, 1],
                },
            },
            "earth_points": {"anchor": [0.0, 1.0, -3.0]},
            "elements": elements,
            **more,
        }
    )


@dataclass
class Pose:
    """What `evaluate` is told of the motion; three bodies, two joint coordinates at most."""

    r: np.ndarray
    R: np.ndarray
    v: np.ndarray
    x: np.ndarray
    rate: np.ndarray
    t: float = 0.0

    @classmethod
    def reference(cls, coordinates=1):
        r = np.array([*COGS, (4.0, 0.0, 0.0)])
        R = np.tile(np.eye(3), (3, 1, 1))
        return cls(r, R, np.zeros((3, 6)), np.zeros(coordinates), np.zeros(coordinates))

    @classmethod
    def random(cls, seed, *, coordinates=1, angle=2.0):
        rng = np.random.default_rng(seed)
        pose = cls.reference(coordinates)
        r = pose.r + rng.uniform(-1.0, 1.0, (3, 3))
        R = np.array([rotation(rng.uniform(-1.0, 1.0, 3) * angle) for _ in range(3)])
        v = rng.uniform(-2.0, 2.0, (3, 6))
        x, rate = rng.uniform(-1.5, 1.5, (2, coordinates))
        return cls(r, R, v, x, rate, rng.uniform(0.0, 5.0))

    def moved(self, by):
        """The pose after the present velocities have acted for the (small) time `by`."""
        R = np.array([rotation(by * v[3:]) @ R for v, R in zip(self.v, self.R, strict=True)])
        return Pose(self.r + by * self.v[:, :3], R, self.v, self.x + by * self.rate, self.rate)

    def turned(self, S):
        """The whole system turned by S about the origin."""
        v = np.concatenate([self.v[:, :3] @ S.T, self.v[:, 3:] @ S.T], axis=1)
        return Pose(self.r @ S.T, S @ self.R, v, self.x, self.rate, self.t)

    def place(self, body, point):
        """Present position of a point given in the reference configuration."""
        return self.r[body] + self.R[body] @ (np.array(point) - Pose.reference().r[body])


@dataclass
class Loads:
    """What `evaluate` returned."""

    g: np.ndarray
    Q: np.ndarray
    potential: float
    power: float

    def work_rate(self, pose):
        """Power of all loads on the motion of `pose`."""
        return float(np.sum(self.g * pose.v) + self.Q @ pose.rate)

    def about_origin(self, pose):
        """Resultant force and moment about the origin, (6,)."""
        moment = self.g[:, 3:] + np.cross(pose.r, self.g[:, :3])
        return np.concatenate([self.g[:, :3].sum(0), moment.sum(0)])


def loads(elements, pose, shown=None):
    g, Q = np.zeros((3, 6)), np.zeros(len(pose.x))
    table = np.zeros((0, 0)) if shown is None else shown
    r, R = np.ascontiguousarray(pose.r), np.ascontiguousarray(pose.R)
    both = evaluate(elements.arrays, pose.t, r, R, pose.v.copy(), pose.x, pose.rate, g, Q, table)
    return Loads(g, Q, *both)


def shown(elements, pose):
    """Loads, and the values of all channels by name."""
    outputs = ElementOutputs(two_bodies(elements))
    result = loads(compiled(elements), pose, outputs.table)
    names = [channel.name for channel in outputs.channels]
    return result, dict(zip(names, outputs.values().tolist(), strict=True))


def compiled(elements, *, weight=False, **more):
    system = two_bodies(elements, **more)
    return ForceElements(system, tuple(system.bodies), weight=weight)


def potential_rate(elements, pose, step=1e-4):
    """dV/dt along the motion by a central difference of fourth order."""
    V = [loads(elements, pose.moved(k * step)).potential for k in (-2, -1, 1, 2)]
    return (V[0] - 8.0 * V[1] + 8.0 * V[2] - V[3]) / (12.0 * step)


def rotation(phi):
    """Rotation matrix of a rotation vector (Rodrigues)."""
    angle = float(np.linalg.norm(phi))
    if angle == 0.0:
        return np.eye(3)
    n = np.asarray(phi) / angle
    K = np.array([[0.0, -n[2], n[1]], [n[2], 0.0, -n[0]], [-n[1], n[0], 0.0]])
    return np.eye(3) + np.sin(angle) * K + (1.0 - np.cos(angle)) * K @ K


@pytest.fixture(scope="session")
def kit():
    """The functions of this file, for tests that cannot import it."""
    return SimpleNamespace(
        Pose=Pose,
        compiled=compiled,
        loads=loads,
        potential_rate=potential_rate,
        rotation=rotation,
        shown=shown,
        two_bodies=two_bodies,
    )
