"""Chrono's translational and rotational spring-dampers as elements of ours.

Both take ``F = preload - k (x - rest) - c x'``, positive where it pushes the bodies apart or
turns the second forward; curves stand in place of k and c.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from cosim.errors import ModelError
from cosim.model.sentences import Path
from cosim.readers.chrono_functions import rising
from cosim.readers.chrono_joints import Joints
from cosim.readers.chrono_records import Rsda, SpringDamper, Tsda
from cosim.readers.chrono_workspace import Workspace
from cosim.readers.formula import piecewise_linear

__all__ = ["HINGES", "add_rsda", "add_tsda"]

Element = dict[str, Any]

HINGES = ("REVOLUTE", "CYLINDRICAL")
"""Joints whose angle a rotational spring acts on."""


def add_tsda(space: Workspace, tsda: Tsda, path: Path) -> None:
    """Read one translational spring-damper."""
    for key in ("map_data", "deformation", "minimum_length", "maximum_length"):
        if getattr(tsda, key) is not None:
            what = "force maps" if key in ("map_data", "deformation") else "length stops"
            space.refuse((*path, key), f"{what} are not read")
    ends = [space.end(tsda.body1, (*path, "body1")), space.end(tsda.body2, (*path, "body2"))]
    try:
        element = _tension(tsda)
    except ModelError as error:
        space.refuse(path, str(error))
        return
    points = [
        space.point(body, position, f"{tsda.name}_{number}")
        for number, body, position in zip((1, 2), ends, (tsda.point1, tsda.point2), strict=True)
    ]
    space.add("elements", tsda.name, {"type": "tension", "points": points, **element}, path)


def add_rsda(
    space: Workspace, rsda: Rsda, path: Path, *, joints: Joints, names: Mapping[str, str]
) -> None:
    """Read one rotational spring-damper.

    Where a hinge joins its bodies along its axis, the load acts on that joint's angle, which
    counts turns; else it is a torsion element.
    """
    ends = [space.end(rsda.body1, (*path, "body1")), space.end(rsda.body2, (*path, "body2"))]
    hinge = joints.hinge(rsda.body1, rsda.body2, rsda.axis, HINGES)
    sign = 1
    element: Element = {"type": "torsion", "bodies": ends, "axis": list(rsda.axis)}
    if hinge is not None and hinge.joint.name in names:
        name = names[hinge.joint.name]
        swapped = space.description["joints"][name]["child"] != space.end(hinge.joint.body2, path)
        sign = -hinge.sign if swapped else hinge.sign
        element = {"type": "joint", "joint": name, "coordinate": "angle"}
    try:
        element |= _twist(rsda, sign, on_joint=element["type"] == "joint", degrees=space.degrees)
    except ModelError as error:
        space.refuse(path, str(error))
        return
    space.add("elements", rsda.name, element, path)


def _tension(tsda: Tsda) -> Element:
    """Tension = - F, of the elongation ``x`` and the rate ``v``."""
    springs = _has_spring(tsda)
    element: Element = {}
    if springs:
        element["length"] = _needed(tsda.free_length, "free_length")
    terms = _curves(tsda, "x", "v")
    degressive = (tsda.degressivity_compression, tsda.degressivity_expansion)
    if tsda.spring_coefficient is not None:
        element["stiffness"] = tsda.spring_coefficient
    if tsda.damping_coefficient is not None:
        if None not in degressive and not springs:
            terms.append(_degressive(tsda.damping_coefficient, *degressive))
        else:
            element["damping"] = tsda.damping_coefficient
    if tsda.preload and springs:
        terms.append(repr(-tsda.preload))
    return element | ({"law": " + ".join(terms)} if terms else {})


def _twist(rsda: Rsda, sign: int, *, on_joint: bool, degrees: bool) -> Element:
    """Load on the angle q = sign a, with a the angle of Chrono."""
    springs = _has_spring(rsda)
    rest = _needed(rsda.free_angle, "free_angle") if springs else 0.0
    rest = math.radians(rest) if degrees else rest
    element: Element = {}
    angle, rate = ("x", "v") if sign > 0 else ("-x", "-v")
    if on_joint:
        angle = f"{angle} - {rest!r}" if rest else angle
    terms = [f"{-sign}*({term})" for term in _curves(rsda, f"({angle})", f"({rate})")]
    linear = rsda.spring_coefficient is not None
    if linear:
        element["stiffness"] = rsda.spring_coefficient
    if rest and (linear or not on_joint):
        element["rest"] = sign * rest
    if rsda.damping_coefficient is not None:
        element["damping"] = rsda.damping_coefficient
    if rsda.preload and springs:
        terms.append(repr(sign * rsda.preload))
    return element | ({"law": " + ".join(terms)} if terms else {})


def _has_spring(element: SpringDamper) -> bool:
    return element.spring_coefficient is not None or element.spring_curve_data is not None


def _has_damper(element: SpringDamper) -> bool:
    return element.damping_coefficient is not None or element.damping_curve_data is not None


def _curves(element: SpringDamper, deformation: str, rate: str) -> list[str]:
    """Terms of the curves, which replace the coefficients."""
    if not (_has_spring(element) or _has_damper(element)):
        raise ModelError("it has neither a spring nor a damper")
    if element.preload and not _has_spring(element):
        raise ModelError("'preload' acts only together with a spring in Chrono; give one")
    curves = element.spring_curve_data is not None or element.damping_curve_data is not None
    numbers = element.spring_coefficient is not None or element.damping_coefficient is not None
    if curves and numbers:
        raise ModelError(
            "Chrono drops coefficients where there are curves; write both spring and damper as "
            "curves or as coefficients"
        )
    terms = []
    if element.spring_curve_data is not None:
        table = rising(element.spring_curve_data, "spring_curve_data")
        terms.append(piecewise_linear(deformation, table))
    if element.damping_curve_data is not None:
        table = rising(element.damping_curve_data, "damping_curve_data")
        terms.append(piecewise_linear(rate, table))
    return terms


def _degressive(c: float, compression: float | None, expansion: float | None) -> str:
    """``c v / (1 + d |v|)``, d by the sign of v."""
    pull = f"{c!r}*max(v, 0)/(1 + {expansion or 0.0!r}*max(v, 0))"
    return f"{pull} + {c!r}*min(v, 0)/(1 - {compression or 0.0!r}*min(v, 0))"


def _needed(number: float | None, key: str) -> float:
    if number is None:
        raise ModelError(f"'{key}' is required of a spring")
    return number
