"""Chrono's joints as joints of ours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.sentences import Path
from cosim.readers.chrono_frames import vector
from cosim.readers.chrono_records import ChronoJoint, Motor
from cosim.readers.chrono_tree import Link
from cosim.readers.chrono_workspace import Workspace

__all__ = ["Hinge", "Joints"]

_KINDS = {
    "LOCK": "fixed",
    "REVOLUTE": "revolute",
    "SPHERICAL": "spherical",
    "PRISMATIC": "prismatic",
    "CYLINDRICAL": "cylindrical",
    "UNIVERSAL": "universal",
    "PLANAR": "planar",
}
_GUIDES = {
    ("LINEAR", "PRISMATIC"): "PRISMATIC",
    ("LINEAR", "FREE"): None,
    ("ROTATION", "REVOLUTE"): "REVOLUTE",
    ("ROTATION", "CYLINDRICAL"): "CYLINDRICAL",
    ("ROTATION", "FREE"): None,
}
_PARALLEL = 1e-9


class Hinge:
    """A joint whose coordinate follows the motion of one body against another along an axis.

    Attributes
    ----------
    joint : ChronoJoint
    sign : int
        Of the motion of the joint's body2 against body1 to that of second against first.
    """

    def __init__(self, joint: ChronoJoint, sign: int) -> None:
        self.joint, self.sign = joint, sign


class Joints:
    """The joints of a model, those that its motors bring with them included.

    Parameters
    ----------
    space : Workspace

    Attributes
    ----------
    all : list of ChronoJoint
        That can be read; what is wrong with the others is noted in the workspace.
    """

    def __init__(self, space: Workspace) -> None:
        self._space = space
        self._moving = frozenset(space.moving)
        self._paths: dict[str, Path] = {}
        self.all: list[ChronoJoint] = []
        for index, joint in enumerate(space.model.joints):
            if joint.name in self._paths:
                text = f"the name '{joint.name}' stands twice"
                space.refuse(("joints", index, "name"), text)
            self._take(joint, ("joints", index))
        for index, motor in enumerate(space.model.motors):
            self._take_guide(motor, ("motors", index))

    def hinge(
        self, first: str, second: str, axis: Sequence[float], types: Sequence[str]
    ) -> Hinge | None:
        """The joint of one of the types between two bodies, its axis along `axis`."""
        wanted = [self._end(first), self._end(second)]
        for joint in self.all:
            ends = [self._end(joint.body1), self._end(joint.body2)]
            if joint.type not in types or joint.axis is None or sorted(ends) != sorted(wanted):
                continue
            direction = _along(joint.axis, axis)
            if direction:
                return Hinge(joint, direction if ends == wanted else -direction)
        return None

    def add(self, link: Link) -> str:
        """Put a joint into the description; its name there."""
        joint, space = link.joint, self._space
        path = self._paths[joint.name]
        parent, child = (EARTH if b == EARTH else space.end(b, path) for b in _ends(link))
        entry: dict[str, Any] = {"type": _KINDS[joint.type], "parent": parent, "child": child}
        entry |= {"cut": True} if link.cut else {}
        try:
            entry |= dict(_geometry(link))
        except ModelError as error:
            space.refuse(path, str(error))
        # a joint under the name of a body that another joint moves would hide that body
        named = (
            joint.name if joint.name not in space.description["bodies"] else f"{joint.name}_joint"
        )
        return space.add("joints", child if joint.name == child else named, entry, path)

    def _end(self, body: str) -> str:
        return body if body in self._moving else EARTH

    def _take(self, joint: ChronoJoint, path: Path) -> None:
        space = self._space
        self._paths[joint.name] = path
        count = len(space.problems)
        for key in ("body1", "body2"):
            space.end(getattr(joint, key), (*path, key))
        if joint.body1 == joint.body2:
            space.refuse(path, f"it ties body '{joint.body1}' to itself")
        if joint.bushing_data is not None:
            text = "bushings are not read; leave 'bushing_data' out for an ideal joint"
            space.refuse((*path, "bushing_data"), text)
        if joint.type not in _KINDS:
            known = ", ".join(_KINDS)
            text = f"joints of type {joint.type} are not read; there are {known}"
            space.refuse((*path, "type"), text)
        if len(space.problems) == count:
            self.all.append(joint)

    def _take_guide(self, motor: Motor, path: Path) -> None:
        """The joint that a motor brings, unless it is there already."""
        key = "guide" if motor.type == "LINEAR" else "spindle"
        guide = motor.guide if motor.type == "LINEAR" else motor.spindle
        kind = _GUIDES.get((motor.type, guide), "")
        if kind == "":
            text = f"motors with a {key} of type {guide} are not read"
            self._space.refuse((*path, key), text)
        if not kind:
            return
        joint = ChronoJoint.model_validate(
            {
                "name": motor.name,
                "type": kind,
                "body1": motor.body1,
                "body2": motor.body2,
                "location": motor.location,
                "axis": motor.axis,
            }
        )
        same = self.hinge(motor.body1, motor.body2, motor.axis, [kind])
        if same is not None:
            apart = np.subtract(same.joint.location, motor.location)
            if kind == "PRISMATIC" or not np.any(np.cross(apart, np.asarray(motor.axis))):
                return
        while joint.name in self._paths:
            joint = joint.model_copy(update={"name": f"{joint.name}_guide"})
        self._take(joint, path)


def _ends(link: Link) -> tuple[str, str]:
    return link.parent, link.child


def _geometry(link: Link) -> Iterator[tuple[str, Any]]:
    joint = link.joint
    if joint.type == "LOCK":
        return
    yield "at", vector(joint.location)
    match joint.type:
        case "REVOLUTE" | "PRISMATIC" | "CYLINDRICAL":
            yield "axis", vector(_required(joint, "axis"))
        case "UNIVERSAL":
            # the cross is made perpendicular as Chrono does; the first axis belongs to body1
            x, y = np.asarray(_required(joint, "axis1")), np.asarray(_required(joint, "axis2"))
            y = np.cross(np.cross(x, y), x)
            if not np.any(y):
                raise ModelError("'axis1' and 'axis2' are parallel")
            first, second = (y, x) if link.swapped else (x, y)
            yield "axis1", vector(first / np.linalg.norm(first))
            yield "axis2", vector(second / np.linalg.norm(second))
        case "PLANAR":
            yield "plane", _plane(_required(joint, "axis"))


def _required(joint: ChronoJoint, key: str) -> Sequence[float]:
    axis: Sequence[float] | None = getattr(joint, key)
    if axis is None:
        raise ModelError(f"'{key}' is required of a joint of type {joint.type}")
    return axis


def _plane(normal: Sequence[float]) -> str:
    for plane, axis in (("yz", (1, 0, 0)), ("xz", (0, 1, 0)), ("xy", (0, 0, 1))):
        if _along(normal, axis):
            return plane
    raise ModelError("the 'axis' of a planar joint must lie along a world axis")


def _along(one: Sequence[float], other: Sequence[float]) -> int:
    """1 or -1 for parallel and opposite directions, else 0."""
    product = float(np.dot(one, other)) / float(np.linalg.norm(one) * np.linalg.norm(other) or 1.0)
    return int(np.sign(product)) if abs(product) > 1.0 - _PARALLEL else 0
