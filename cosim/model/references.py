"""Whether the names in a description lead somewhere, and whether uncut joints form a tree."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING

from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.elements import (
    ElementKind,
    JointLoad,
    MatrixLoad,
    PointForce,
    Tension,
    Torsion,
)
from cosim.model.expressions import check
from cosim.model.motions import (
    AngleMotion,
    DirectionMotion,
    JointMotion,
    MotionKind,
    PointMotion,
)
from cosim.model.sentences import Problem, nearest

if TYPE_CHECKING:
    from cosim.model.system import System

__all__ = ["reference_problems"]


def reference_problems(system: System) -> list[Problem]:
    """Names in joints and elements that lead nowhere, and what is wrong with the tree."""
    return [
        *_name_problems(system),
        *_tree_problems(system),
        *_element_problems(system),
        *_motion_problems(system),
    ]


def _name_problems(system: System) -> Iterable[Problem]:
    if EARTH in system.bodies:
        yield ("bodies", EARTH), f"a body cannot be called '{EARTH}'"
    for name, body in system.bodies.items():
        for point in body.points:
            if f"{name}/{point}" in system.bodies:
                text = (
                    f"body '{name}': its point '{point}' has the address of body '{name}/{point}'"
                )
                yield ("bodies", name, "points", point), text


def _tree_problems(system: System) -> Iterable[Problem]:
    known = [EARTH, *system.bodies]
    holder: dict[str, str] = {}
    meant = {EARTH}  # bodies that a mistake of another joint leaves without one
    for name, joint in system.joints.items():
        for end, body in (("parent", joint.parent), ("child", joint.child)):
            if body not in known:
                text = f"joint '{name}': unknown {end} body '{body}'{nearest(body, known)}"
                yield ("joints", name, end), text
        if joint.child == EARTH:
            text = f"joint '{name}': '{EARTH}' cannot be a child; exchange parent and child"
            yield ("joints", name, "child"), text
            meant.add(joint.parent)
        elif joint.cut:
            if joint.parent == joint.child:
                text = f"joint '{name}': it ties body '{joint.child}' to itself"
                yield ("joints", name), text
        elif joint.child in holder:
            yield (
                ("joints", name, "child"),
                f"joint '{name}': body '{joint.child}' is already the child of joint "
                f"'{holder[joint.child]}'; mark one of the two 'cut: true' if they close a loop",
            )
        else:
            if joint.child not in known:
                meant.update(difflib.get_close_matches(joint.child, known, n=1))
            holder[joint.child] = name
    yield from _loose_bodies(system, holder.keys() | meant)
    yield from _ring_problems({child: system.joints[name].parent for child, name in holder.items()})


def _loose_bodies(system: System, held: Set[str]) -> Iterable[Problem]:
    cut = {joint.child: name for name, joint in system.joints.items() if joint.cut}
    for body in system.bodies:
        if body in held:
            continue
        if body in cut:
            text = f"only the cut joint '{cut[body]}' holds it; one joint must not be cut"
        else:
            text = "no joint has it as child; add one (floating if it is free)"
        yield ("bodies", body), f"body '{body}': {text}"


def _ring_problems(parents: Mapping[str, str]) -> Iterable[Problem]:
    seen: set[str] = set()
    for start in parents:
        chain: dict[str, None] = {}  # a set that keeps its order
        current = start
        while current in parents and current not in seen and current not in chain:
            chain[current] = None
            current = parents[current]
        if current in chain:
            ring = list(chain)[list(chain).index(current) :]
            listing = " - ".join([*ring, current])
            text = (
                f"body '{current}': its joints close the ring {listing} and never reach {EARTH}; "
                "mark one of them 'cut: true' and hold its child by another joint"
            )
            yield ("bodies", current), text
        seen.update(chain)


def _element_problems(system: System) -> Iterable[Problem]:
    for name, element in system.elements.items():
        for text in (*_problems_of(element, system), *_expression_problems(element, system)):
            yield ("elements", name), f"element '{name}': {text}"


def _problems_of(element: ElementKind, system: System) -> Iterable[str]:
    match element:
        case JointLoad(joint=joint) if joint not in system.joints:
            yield f"unknown joint '{joint}'{nearest(joint, system.joints)}"
        case JointLoad():
            yield from _coordinate_problems(element, system)
        case PointForce(point=point):
            yield from _point_problems([point], system)
        case Tension(points=points):
            yield from _point_problems(points, system)
        case Torsion(bodies=pair):
            yield from _body_problems(pair, system)
        case MatrixLoad(body=body, reference=reference):
            yield from _body_problems((body, reference), system)


def _motion_problems(system: System) -> Iterable[Problem]:
    for name, motion in system.motions.items():
        found = [*_problems_of_motion(motion, system), *_expression_problems(motion, system)]
        if name in system.elements:
            found.append("an element has the same name")
        for text in found:
            yield ("motions", name), f"motion '{name}': {text}"


def _problems_of_motion(motion: MotionKind, system: System) -> Iterable[str]:
    match motion:
        case JointMotion(joint=joint) if joint not in system.joints:
            yield f"unknown joint '{joint}'{nearest(joint, system.joints)}"
        case JointMotion():
            yield from _driven_coordinate_problems(motion, system)
        case PointMotion(point=point):
            yield from _point_problems([point], system)
        case DirectionMotion(body=body):
            yield from _body_problems([body], system)
        case AngleMotion(bodies=pair):
            yield from _body_problems(pair, system)


def _driven_coordinate_problems(motion: JointMotion, system: System) -> Iterable[str]:
    joint, coordinate = system.joints[motion.joint], motion.coordinate
    label, listing = f"joint '{motion.joint}' ({joint.type})", ", ".join(joint.coordinates)
    if joint.type not in ("revolute", "prismatic", "cylindrical", "planar"):
        yield (
            f"{label} has no coordinate that can be prescribed; prescribe a point or a direction "
            "of its child"
        )
    elif coordinate is None and len(joint.coordinates) != 1:
        yield f"{label} needs 'coordinate', one of {listing}"
    elif coordinate is not None and coordinate not in joint.coordinates:
        yield f"{label} has no coordinate '{coordinate}'; it has {listing}"


def _body_problems(names: Iterable[str], system: System) -> Iterable[str]:
    known = [EARTH, *system.bodies]
    for name in names:
        if name not in known:
            yield f"unknown body '{name}'{nearest(name, known)}"


def _point_problems(addresses: Sequence[str], system: System) -> Iterable[str]:
    holders = []
    for address in addresses:
        try:
            holders.append(system.point(address)[0])
        except ModelError as error:
            yield str(error)
    if len(addresses) == 1 and holders == [EARTH]:
        yield "its point is on earth, where a force does nothing"
    elif len(holders) == 2 and holders[0] == holders[1]:
        yield f"both points are on '{holders[0]}', where a tension does nothing"


def _expression_problems(element: ElementKind | MotionKind, system: System) -> Iterable[str]:
    for text in element.expressions():
        try:
            check(text, element.variables, system.parameters)
        except ModelError as error:
            yield str(error)


def _coordinate_problems(element: JointLoad, system: System) -> Iterable[str]:
    joint = system.joints[element.joint]
    allowed = joint.coordinates
    if joint.type in ("spherical", "floating"):
        allowed = tuple(name for name in allowed if name not in joint.angular)
    label, listing = f"joint '{element.joint}' ({joint.type})", ", ".join(allowed)
    if joint.cut:
        yield f"{label} is cut: it has no coordinate to load; cut another joint of its loop"
    elif not allowed:
        yield f"{label} has no coordinate that can be loaded"
    elif element.coordinate is None and len(joint.coordinates) != 1:
        yield f"{label} needs 'coordinate', one of {listing}"
    elif element.coordinate is not None and element.coordinate not in allowed:
        yield f"{label} has no coordinate '{element.coordinate}' to load; it has {listing}"
