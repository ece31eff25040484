"""Accelerations of random trees against Pinocchio's articulated-body algorithm.

Pinocchio's joints sit at the joint, ours at the child's centre of gravity; its spherical,
planar and floating joints use speeds in the child's axes. Bodies are compared by their
twists and twist derivatives at the centre of gravity in world axes, where both agree.
"""

import numpy as np
import pinocchio as pin
import pytest

from cosim.multibody.joint import JointModel

# of the largest value; the tolerance
RELATIVE = 1e-11

# joint axes as columns so that Pinocchio's planar joint, x-y about z, lies in our plane, and
# our coordinates in its order: x-z about +y is (z, x)
PLANES = {
    "xz": (np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]), (1, 0)),
    "xy": (np.eye(3), (0, 1)),
    "yz": (np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), (0, 1)),
}


def unit(axis):
    return np.asarray(axis) / np.linalg.norm(axis)


class Twin:
    """The same tree in Pinocchio, with the maps between both sets of speeds."""

    def __init__(self, model):
        self.model, system = model, model.system
        self.pin = pin.Model()
        self.pin.gravity.linear = np.array([0.0, 0.0, -system.environment.gravity])
        self.frames = {"earth": (0, np.zeros(3), np.eye(3))}
        self.joints = []
        waiting = list(system.joints.values())
        while waiting:
            joint = waiting.pop(0)
            if joint.parent in self.frames:
                self.add(joint)
            else:
                waiting.append(joint)
        self.data = self.pin.createData()

    def add(self, joint):
        body = self.model.system.bodies[joint.child]
        number, place, axes = self.frames[joint.parent]
        at = np.array(getattr(joint, "at", body.cog))
        inner = np.eye(3)
        if joint.type == "planar":
            inner = PLANES[joint.plane][0]
        kinds = {
            "revolute": lambda: [pin.JointModelRevoluteUnaligned(unit(joint.axis))],
            "prismatic": lambda: [pin.JointModelPrismaticUnaligned(unit(joint.axis))],
            "cylindrical": lambda: [
                pin.JointModelPrismaticUnaligned(unit(joint.axis)),
                pin.JointModelRevoluteUnaligned(unit(joint.axis)),
            ],
            "universal": lambda: [pin.JointModelUniversal(unit(joint.axis1), unit(joint.axis2))],
            "planar": lambda: [pin.JointModelPlanar()],
            "spherical": lambda: [pin.JointModelSpherical()],
            "floating": lambda: [pin.JointModelFreeFlyer()],
            "fixed": list,
        }
        placement = pin.SE3(axes.T @ inner, axes.T @ (at - place))
        for part in kinds[joint.type]():
            number = self.pin.addJoint(number, part, placement, f"{joint.child}{self.pin.njoints}")
            placement = pin.SE3.Identity()
            place, axes = at, inner
        inertia = axes.T @ body.inertia_tensor() @ axes
        centre = axes.T @ (np.array(body.cog) - place)
        where = pin.SE3.Identity()
        self.pin.appendBodyToJoint(number, pin.Inertia(body.mass, centre, inertia), where)
        self.frames[joint.child] = (number, place, axes)
        self.joints.append(joint)

    def coordinates(self, q, u):
        """Pinocchio's configuration and velocity."""
        x, v = [], []
        for joint, ours, speeds in self.parts(q, u):
            if joint.type in ("spherical", "floating"):
                n = len(ours) - 4
                s, *p = ours[n:] / np.linalg.norm(ours[n:])
                turn = pin.Quaternion(s, *p).toRotationMatrix()
                x += [*ours[:n], *p, s]
                v += [*(turn.T @ speeds[k : k + 3] for k in range(0, len(speeds), 3))]
            elif joint.type == "planar":
                _, order = PLANES[joint.plane]
                c, s = np.cos(ours[2]), np.sin(ours[2])
                x += [ours[order[0]], ours[order[1]], c, s]
                turn = np.array([[c, -s], [s, c]])
                v += [turn.T @ speeds[list(order)], speeds[2:]]
            else:
                x += [*ours]
                v += [speeds]
        return np.array(x), np.concatenate(v)

    def parts(self, q, u):
        """Every joint in Pinocchio's order with its part of q and u."""
        names = {joint.child: name for name, joint in self.model.system.joints.items()}
        sizes = {"spherical": (4, 3), "floating": (7, 6)}
        starts, at = {}, [0, 0]
        for name, joint in self.model.system.joints.items():
            count = len(joint.coordinates)
            size = sizes.get(joint.type, (count, count))
            starts[name] = [slice(a, a + s) for a, s in zip(at, size, strict=True)]
            at = [a + s for a, s in zip(at, size, strict=True)]
        for joint in self.joints:
            rows = starts[names[joint.child]]
            yield joint, q[rows[0]], u[rows[1]]

    def loads(self, g, state):
        """Wrenches at Pinocchio's joints, in their axes."""
        loads = [pin.Force.Zero() for _ in range(self.pin.njoints)]
        for i, name in enumerate(self.model.bodies):
            number, place, axes = self.frames[name]
            frame = state.R[i] @ axes
            centre = np.array(self.model.system.bodies[name].cog)
            lever = state.R[i] @ (centre - place)
            moment = g[i, 3:] + np.cross(lever, g[i, :3])
            loads[number] += pin.Force(frame.T @ g[i, :3], frame.T @ moment)
        return loads

    def twists(self, q, v, a):
        """Twists and their derivatives at the centres of gravity, world axes."""
        pin.forwardKinematics(self.pin, self.data, q, v, a)
        rows = []
        for name in self.model.bodies:
            number, place, axes = self.frames[name]
            frame = pin.ReferenceFrame.LOCAL
            twist = pin.getVelocity(self.pin, self.data, number, frame)
            rate = pin.getClassicalAcceleration(self.pin, self.data, number, frame)
            R = self.data.oMi[number].rotation
            w, alpha = R @ twist.angular, R @ rate.angular
            centre = np.array(self.model.system.bodies[name].cog)
            d = R @ axes.T @ (centre - place)
            velocity = R @ twist.linear + np.cross(w, d)
            acceleration = R @ rate.linear + np.cross(alpha, d) + np.cross(w, np.cross(w, d))
            rows.append([*velocity, *w, *acceleration, *alpha])
        return np.array(rows)


def compare(trees, kinds, seed, bodies):
    model = JointModel(trees.random_tree(seed, kinds, bodies))
    twin = Twin(model)
    q, u = trees.random_point(model, seed)
    state = model.kinematics(0.0, q, u)
    g = np.random.default_rng(seed).normal(size=(bodies, 6))
    _, v_dot = model.accelerations(model.project(g))
    x, v = twin.coordinates(q, u)
    a = pin.aba(twin.pin, twin.data, x, v, np.zeros(twin.pin.nv), twin.loads(g, state))
    theirs = twin.twists(x, v, a)
    for ours, reference in ((state.v, theirs[:, :6]), (v_dot, theirs[:, 6:])):
        error = np.abs(ours - reference).max() / np.abs(reference).max()
        assert error <= RELATIVE


@pytest.mark.parametrize("seed", range(6))
def test_random_trees_of_all_kinds(trees, seed):
    compare(trees, trees.KINDS, seed, 16)


@pytest.mark.parametrize(
    "kind",
    ["revolute", "prismatic", "cylindrical", "planar", "universal", "spherical", "floating"],
)
def test_random_trees_of_one_kind(trees, kind):
    compare(trees, (kind,), 11, 6)
