"""Where joints, named points and springs sit on their bodies: stored with the results."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cosim.model.base import EARTH
from cosim.model.elements import Tension
from cosim.model.joints import AxisJoint, JointKind, LocatedJoint, Planar, Universal
from cosim.model.system import System
from cosim.multibody.interface import Float
from cosim.results.sink import Arrays

__all__ = ["geometry_arrays", "joint_axis", "joint_location", "place_on_body"]

_NORMALS = {"xz": (0.0, 1.0, 0.0), "xy": (0.0, 0.0, 1.0), "yz": (1.0, 0.0, 0.0)}
_NOWHERE = (np.nan,) * 3


def joint_location(system: System, joint: JointKind) -> Float:
    """Place of a joint in the reference configuration, (3,), m.

    The centre of gravity of its child where the joint has no place of its own.
    """
    if isinstance(joint, LocatedJoint):
        return np.array(joint.at, dtype=np.float64)
    return np.array(system.bodies[joint.child].cog, dtype=np.float64)


def joint_axis(joint: JointKind) -> Float:
    """Unit axis of a joint, (3,): the normal of a planar one, NaN where there is none."""
    match joint:
        case AxisJoint(axis=axis):
            found = axis
        case Universal(axis1=axis):
            found = axis
        case Planar(plane=plane):
            found = _NORMALS[plane]
        case _:
            found = _NOWHERE
    vector = np.array(found, dtype=np.float64)
    return np.asarray(vector / np.linalg.norm(vector))


def place_on_body(system: System, body: str, place: tuple[float, float, float]) -> Float:
    """A place of the reference configuration from the centre of gravity of its body, (3,), m."""
    origin = (0.0, 0.0, 0.0) if body == EARTH else system.bodies[body].cog
    return np.subtract(place, origin)


def geometry_arrays(system: System) -> Arrays:
    """What pictures and animations need to know besides the motion.

    ================  ===================  ========================================================
    array             dimensions           meaning
    ================  ===================  ========================================================
    joint_location    joint, xyz           in the reference configuration, m
    joint_axis        joint, xyz           unit axis there, NaN where there is none
    site_name         site                 ``body/point`` of all named points
    site_body         site                 index of the body, -1 for earth
    site_place        site, xyz            from the centre of gravity, body axes, m
    spring_name       spring               of the elements along a line between two points
    spring_body       spring, end          index of the body, -1 for earth
    spring_place      spring, end, xyz     from the centre of gravity, body axes, m
    spring_rope       spring               1 where it takes no compression
    ================  ===================  ========================================================
    """
    joints = system.joints.values()
    location = np.array([joint_location(system, joint) for joint in joints])
    axis = np.array([joint_axis(joint) for joint in joints])
    world = {"frame": "world"}
    return {
        "joint_location": (
            ("joint", "xyz"),
            location.reshape(-1, 3),
            {**world, "units": "m", "long_name": "Joint in the reference configuration"},
        ),
        "joint_axis": (
            ("joint", "xyz"),
            axis.reshape(-1, 3),
            {**world, "units": "1", "long_name": "Axis of the joint there"},
        ),
        **_sites(system),
        **_springs(system),
    }


def _sites(system: System) -> Arrays:
    addresses = [f"{body}/{point}" for body, b in system.bodies.items() for point in b.points]
    addresses += [f"{EARTH}/{name}" for name in system.earth_points]
    if not addresses:
        return {}
    places = [_placed(system, address) for address in addresses]
    return {
        "site_name": (("site",), np.array(addresses, dtype=object), {"long_name": "Named point"}),
        "site_body": (("site",), np.array([body for body, _ in places]), _note("1")),
        "site_place": (("site", "xyz"), np.array([place for _, place in places]), _note("m")),
    }


def _springs(system: System) -> Arrays:
    springs = {n: e for n, e in system.elements.items() if isinstance(e, Tension)}
    if not springs:
        return {}
    ends = [[_placed(system, address) for address in e.points] for e in springs.values()]
    body = np.array([[index for index, _ in pair] for pair in ends])
    place = np.array([[where for _, where in pair] for pair in ends])
    return {
        "spring_name": (
            ("spring",),
            np.array(list(springs), dtype=object),
            {"long_name": "Element along a line"},
        ),
        "spring_body": (("spring", "end"), body, _note("1")),
        "spring_place": (("spring", "end", "xyz"), place, _note("m")),
        "spring_rope": (
            ("spring",),
            np.array([int(e.slack) for e in springs.values()]),
            {"units": "1", "long_name": "Whether it takes no compression"},
        ),
    }


def _placed(system: System, address: str) -> tuple[int, Float]:
    """Index of the body of a point, -1 for earth, and its place there."""
    body, place = system.point(address)
    index = -1 if body == EARTH else list(system.bodies).index(body)
    return index, place_on_body(system, body, place)


def _note(units: str) -> Mapping[str, str]:
    return {
        "units": units,
        "long_name": "Place on the body (index -1: earth)",
        "frame": "body",
        "point": "centre of gravity",
    }
