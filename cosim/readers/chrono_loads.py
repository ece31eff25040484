"""Chrono's loads on bodies and its motors as elements of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.sentences import Path
from cosim.readers.chrono_frames import vector
from cosim.readers.chrono_functions import expression
from cosim.readers.chrono_joints import Joints
from cosim.readers.chrono_records import BodyLoad, Motor
from cosim.readers.chrono_workspace import Workspace

__all__ = ["MOTOR_JOINTS", "add_body_load", "add_motor"]

MOTOR_JOINTS = {
    "LINEAR": (("PRISMATIC", "CYLINDRICAL"), "position"),
    "ROTATION": (("REVOLUTE", "CYLINDRICAL"), "angle"),
}
"""Joints whose coordinate a motor drives, and which one."""


def add_body_load(space: Workspace, load: BodyLoad, path: Path) -> None:
    """Read a force or torque on a body; a local one is in the axes of the centre of mass."""
    body = space.end(load.body, (*path, "body"))
    if body == EARTH:
        space.refuse(path, f"it acts on '{load.body}', which is fixed")
        return
    frame = space.frames[load.body]
    value = frame.R @ np.asarray(load.load) if load.local_load else np.asarray(load.load)
    try:
        components = _components(space, load, value)
    except ModelError as error:
        space.refuse((*path, "modulation_function"), str(error))
        return
    axes = {"axes": "body"} if load.local_load else {}
    if load.type == "TORQUE":
        entry: dict[str, Any] = {"type": "force", "point": body, "moment": components, **axes}
    elif load.point is None:
        space.refuse(path, "'point' is required of a force")
        return
    elif not load.local_point:
        text = "a force at a point fixed in space is not read; give the point in the body's axes"
        space.refuse((*path, "local_point"), text)
        return
    else:
        place = frame.cog + frame.R @ np.asarray(load.point)
        address = space.point(body, place, load.name) if any(load.point) else body
        entry = {"type": "force", "point": address, "force": components, **axes}
    space.add("elements", load.name, entry, path)


def add_motor(
    space: Workspace, motor: Motor, path: Path, *, joints: Joints, names: Mapping[str, str]
) -> None:
    """Read a motor that gives a force or torque; on body1 along the axis, opposite on body2."""
    if motor.actuation_type != "FORCE":
        text = f"motors that prescribe a motion ({motor.actuation_type}) are not read; only FORCE"
        space.refuse((*path, "actuation_type"), text)
        return
    if len(motor.axis) and not any(motor.axis):
        space.refuse((*path, "axis"), "axis has no length")
        return
    ends = [space.end(motor.body1, (*path, "body1")), space.end(motor.body2, (*path, "body2"))]
    try:
        law = expression(motor.actuation_function, degrees=space.degrees)
        entry = _on_joint(space, motor, law, joints=joints, names=names)
        entry = entry or _on_body(space, motor, law, ends)
    except ModelError as error:
        space.refuse(path, str(error))
        return
    space.add("elements", motor.name, entry, path)


def _on_joint(
    space: Workspace, motor: Motor, law: str, *, joints: Joints, names: Mapping[str, str]
) -> dict[str, Any] | None:
    types, coordinate = MOTOR_JOINTS[motor.type]
    hinge = joints.hinge(motor.body2, motor.body1, motor.axis, types)
    if hinge is None or hinge.joint.name not in names:
        return None
    name = names[hinge.joint.name]
    child = space.description["joints"][name]["child"]
    swapped = child != space.end(hinge.joint.body2, ())
    sign = -hinge.sign if swapped else hinge.sign
    entry: dict[str, Any] = {"type": "joint", "joint": name, "coordinate": coordinate}
    return entry | {"law": law if sign > 0 else f"-({law})"}


def _on_body(space: Workspace, motor: Motor, law: str, ends: list[str]) -> dict[str, Any]:
    first, second = ends
    axis = np.asarray(motor.axis) / np.linalg.norm(motor.axis)
    what = "force" if motor.type == "LINEAR" else "moment"
    if second == EARTH and first != EARTH:  # the axis is fixed in body2
        place = space.point(first, motor.location, motor.name) if what == "force" else first
        return {"type": "force", "point": place, what: _times(axis, law)}
    if first == EARTH and second != EARTH and what == "moment":
        return {"type": "force", "point": second, what: _times(-axis, law), "axes": "body"}
    raise ModelError(
        "a motor without a guide is read only where its body2 is fixed, or where a joint "
        "between its bodies moves along its axis"
    )


def _components(space: Workspace, load: BodyLoad, value: Float) -> list[float | str]:
    if load.modulation_function is None:
        return list(vector(value))
    return _times(value, expression(load.modulation_function, degrees=space.degrees))


def _times(direction: Float, law: str) -> list[float | str]:
    """The components of an expression along a direction."""
    factors: dict[float, float | str] = {0.0: 0.0, 1.0: f"={law}", -1.0: f"=-({law})"}
    return [factors.get(c, f"={c!r}*({law})") for c in vector(direction)]
