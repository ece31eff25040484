"""From the description of a system to the plain arrays of a tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.joints import (
    PLANES,
    Cylindrical,
    Fixed,
    Floating,
    JointKind,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from cosim.model.system import System
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import (
    FIRST_Q,
    FIRST_U,
    JOINT_WIDTH,
    MOMENT,
    NO_ROTATION,
    ONE_AXIS,
    ORDER,
    PARENT,
    QUATERNION,
    TWO_AXES,
    Index,
    Tree,
)

__all__ = ["Freedom", "Topology", "freedom_of", "topology", "without_inertia"]

_ROTATION_COORDINATES = {NO_ROTATION: 0, ONE_AXIS: 1, TWO_AXES: 2, QUATERNION: 4}


@dataclass(frozen=True)
class Topology:
    """A tree of joints; those that are cut are not part of it.

    Attributes
    ----------
    bodies : tuple of str
        As declared; rows of body arrays.
    joints : tuple of str
        As declared; coordinates and speeds follow them.
    holder : tuple of str
        Joint whose child is the body of the row.
    speeds : tuple of str
        ``joint.coordinate`` of each speed.
    angular : tuple of bool
        True for speeds in rad/s.
    nq : int
        Number of coordinates.
    tree : Tree
        Constants for the kernels.
    """

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    holder: tuple[str, ...]
    speeds: tuple[str, ...]
    angular: tuple[bool, ...]
    nq: int
    tree: Tree

    def coordinate_rows(self, names: Sequence[tuple[str, str]]) -> Index:
        """Rows in q and in u, (2, m), of (joint, coordinate) pairs without quaternions."""
        rows = np.zeros((2, len(names)), dtype=np.int64)
        for k, (joint, coordinate) in enumerate(names):
            u = self.speeds.index(f"{joint}.{coordinate}")
            i = self.holder.index(joint)
            rows[:, k] = self.tree.joints[i, FIRST_Q] + u - self.tree.joints[i, FIRST_U], u
        return rows


@dataclass(frozen=True)
class Freedom:
    """Axes of the translations, then of the rotations, of one joint."""

    translations: int
    rotation: int
    axes: tuple[Float, ...]

    @property
    def coordinates(self) -> int:
        """Number of entries of q."""
        return self.translations + _ROTATION_COORDINATES[self.rotation]


def topology(system: System) -> Topology:
    """Number the bodies, coordinates and speeds of a system.

    Parameters
    ----------
    system : System
        Every body the child of exactly one joint that is not cut (the system checks it).
    """
    bodies = tuple(system.bodies)
    joints = {name: joint for name, joint in system.joints.items() if not joint.cut}
    holder = {joint.child: name for name, joint in joints.items()}
    names = [f"{j}.{c}" for j, joint in joints.items() for c in joint.coordinates]
    tree = Tree(
        np.zeros((len(bodies), JOINT_WIDTH), dtype=np.int64),
        np.array([_constants(system, holder[name], name) for name in bodies]),
        np.zeros((len(names), 3)),
    )
    nq = nu = 0
    for joint in joints.values():
        freedom = freedom_of(joint)
        speeds = len(freedom.axes)
        parent = -1 if joint.parent == EARTH else bodies.index(joint.parent)
        tree.joints[bodies.index(joint.child), PARENT:] = (
            *(parent, nq, nu),
            *(freedom.translations, freedom.rotation, speeds),
        )
        tree.axis[nu : nu + speeds] = np.reshape(freedom.axes, (-1, 3))
        nq, nu = nq + freedom.coordinates, nu + speeds
    tree.joints[:, ORDER] = list(_parents_first(tree.joints[:, PARENT]))
    return Topology(
        bodies=bodies,
        joints=tuple(joints),
        holder=tuple(holder[name] for name in bodies),
        speeds=tuple(names),
        angular=tuple(
            coordinate in joint.angular
            for joint in joints.values()
            for coordinate in joint.coordinates
        ),
        nq=nq,
        tree=tree,
    )


def without_inertia(system: System, tree: Topology, speed: int, column: Float) -> ModelError:
    """The error for a speed whose twist `column` meets no positive inertia."""
    joint, _, coordinate = tree.speeds[speed].rpartition(".")
    axis = column[MOMENT:] if column[MOMENT:].any() else column[:MOMENT]
    manner = "about" if tree.angular[speed] else "along"
    direction = ", ".join(f"{x:.3g}" for x in axis)
    return ModelError(
        f"the mass matrix is not positive definite: body '{system.joints[joint].child}' has no "
        f"positive inertia {manner} ({direction}), coordinate '{coordinate}' of joint '{joint}'; "
        "check its mass, inertia and added mass"
    )


def freedom_of(joint: JointKind) -> Freedom:
    """What a joint leaves free, in the parent's axes (second axis of a universal one: child's)."""
    unit = tuple(np.eye(3))
    match joint:
        case Fixed():
            return Freedom(0, NO_ROTATION, ())
        case Revolute():
            return Freedom(0, ONE_AXIS, (_unit(joint.axis),))
        case Prismatic():
            return Freedom(1, NO_ROTATION, (_unit(joint.axis),))
        case Cylindrical():
            return Freedom(1, ONE_AXIS, (_unit(joint.axis), _unit(joint.axis)))
        case Planar():
            return Freedom(2, ONE_AXIS, tuple(unit[k] for k in PLANES[joint.plane]))
        case Universal():
            return Freedom(0, TWO_AXES, (_unit(joint.axis1), _unit(joint.axis2)))
        case Spherical():
            return Freedom(0, QUATERNION, unit)
        case Floating():
            return Freedom(3, QUATERNION, (*unit, *unit))
    raise ModelError(f"joints of type '{joint.type}' are not known to joint coordinates")


def _unit(axis: tuple[float, float, float]) -> Float:
    vector = np.asarray(axis, dtype=np.float64)
    return np.asarray(vector / np.linalg.norm(vector))


def _constants(system: System, holder: str, name: str) -> list[float]:
    """A row of `Tree.body`: mass, weight, inertia, arms before and after the joint."""
    joint, body = system.joints[holder], system.bodies[name]
    centre = np.array(body.cog)
    parent = np.zeros(3) if joint.parent == EARTH else np.array(system.bodies[joint.parent].cog)
    place = centre if isinstance(joint, Fixed | Floating) else np.array(joint.at)
    J = body.inertia_tensor()
    return [
        *(body.mass, body.mass * body.gravity_scale * system.environment.gravity),
        *(J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]),
        *(place - parent),
        *(centre - place),
    ]


def _parents_first(parents: Index) -> Iterator[int]:
    """Rows depth first, so that a chain lies in one run of memory."""
    children: dict[int, list[int]] = {}
    for row, parent in enumerate(parents):
        children.setdefault(int(parent), []).append(row)
    waiting = children.get(-1, [])[::-1]
    while waiting:
        row = waiting.pop()
        yield row
        waiting += children.get(row, [])[::-1]
