"""Forces and moments at points, in symbols (the paper's PointsBD and CG)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from cosim.model.elements import PointForce
from cosim.model.laws import TIME
from cosim.multibody.joint.symbolic.loads import ElementLoad

if TYPE_CHECKING:
    from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["at_centre", "point_force"]


def at_centre(
    kin: Kinematics, body: str, point: sp.Matrix, force: sp.Matrix, moment: sp.Matrix | None = None
) -> tuple[str, sp.Matrix, sp.Matrix]:
    """Wrench at the centre of gravity of a force at a point and a free moment.

    M = moment + (point - r) x force, all in world axes.
    """
    if body not in kin.system.bodies:
        return body, sp.zeros(3, 1), sp.zeros(3, 1)
    lever = point - kin.position(body)
    total = lever.cross(force)
    return body, force, total if moment is None else total + moment


def point_force(kin: Kinematics, name: str, element: PointForce) -> ElementLoad:
    """A force and a free moment; with body axes, both are turned by R.

    The power F·v + M·w is counted as given from outside, also where both are constant.
    """
    variables = {TIME: kin.t}
    force, moment = (
        sp.Matrix([kin.values.component(("elements", name, part, k), variables) for k in range(3)])
        for part in ("force", "moment")
    )
    body = kin.body_of(element.point)
    if element.axes == "body":
        turn = kin.rotation(body)
        force, moment = turn * force, turn * moment
    point = kin.position(element.point)
    power = force.dot(kin.velocity(element.point)) + moment.dot(kin.omega(body))
    return ElementLoad(
        kin, wrenches=(at_centre(kin, body, point, force, moment),), other_power=power
    )
