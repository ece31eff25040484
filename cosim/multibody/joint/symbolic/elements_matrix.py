"""Linear and quadratic loads of six-by-six matrices, in symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from cosim.model.base import EARTH
from cosim.model.elements import MatrixLoad
from cosim.multibody.joint.symbolic.elements_point import at_centre
from cosim.multibody.joint.symbolic.loads import ElementLoad
from cosim.multibody.joint.symbolic.relative import rotation_vector

if TYPE_CHECKING:
    from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["matrix_load"]


def matrix_load(kin: Kinematics, name: str, element: MatrixLoad) -> ElementLoad:
    """Load F0 - K x - C v - C_q |v| v at a point, and the opposite on the reference.

    x holds the displacement of the point and the rotation vector of the body relative to the
    reference, v the relative twist there, both in the axes of the reference turned about z by
    the yaw. V = x·K x/2 - F0·x; what the load does beyond -V' is counted as power from
    outside, because -K x is the exact gradient for small rotations only.
    """
    yaw = _yaw(kin, name, element)
    point = _place(kin, name, element.body)
    x, v = _relative_motion(kin, element, yaw, (point, _place(kin, name, element.reference)))
    preload = sp.Matrix([kin.values.value(("elements", name, "preload", k)) for k in range(6)])
    K, C, C_q = (
        _coefficients(kin, name, element, key)
        for key in ("stiffness", "damping", "quadratic_damping")
    )
    load = preload - K * x - C * v - C_q * v.applyfunc(lambda rate: sp.Abs(rate) * rate)
    axes = kin.rotation(element.reference) * yaw
    force, moment = axes * sp.Matrix(load[:3]), axes * sp.Matrix(load[3:])
    energy = (x.T * K * x)[0] / 2 - preload.dot(x)
    return ElementLoad(
        kin,
        wrenches=(
            at_centre(kin, element.body, point, force, moment),
            at_centre(kin, element.reference, point, -force, -moment),
        ),
        spring=energy,
        other_power=load.dot(v) + kin.dt(energy),
    )


def _relative_motion(
    kin: Kinematics, element: MatrixLoad, yaw: sp.Matrix, places: tuple[sp.Matrix, sp.Matrix]
) -> tuple[sp.Matrix, sp.Matrix]:
    """Displacement and rotation vector, and relative twist, in the turned axes."""
    body, reference = element.body, element.reference
    point, anchor = places
    back = yaw.T * kin.rotation(reference).T
    spin = kin.omega(body) - kin.omega(reference)
    velocity = _velocity(kin, body, point) - _velocity(kin, reference, point)
    if kin.planar:
        angles = sp.Matrix([0, kin.angle(body) - kin.angle(reference), 0])
    else:
        angles = rotation_vector(kin.rotation(reference).T * kin.rotation(body))
    x = sp.Matrix([*(back * (point - anchor)), *(yaw.T * angles)])
    return x, sp.Matrix([*(back * velocity), *(back * spin)])


def _place(kin: Kinematics, name: str, body: str) -> sp.Matrix:
    """Present position of the particle of a body that the reference configuration has at `at`."""
    at = kin.values.vector(("elements", name, "at"))
    if body == EARTH:
        return at
    return kin.position(body) + kin.rotation(body) * (
        at - kin.values.vector(("bodies", body, "cog"))
    )


def _velocity(kin: Kinematics, body: str, point: sp.Matrix) -> sp.Matrix:
    if body == EARTH:
        return sp.zeros(3, 1)
    return kin.velocity(body) + kin.omega(body).cross(point - kin.position(body))


def _yaw(kin: Kinematics, name: str, element: MatrixLoad) -> sp.Matrix:
    angle = kin.values.value(("elements", name, "yaw_deg")) * sp.pi / 180
    if element.axes != "world":
        angle += kin.values.headings[element.axes]
    return sp.rot_ccw_axis3(angle)


def _coefficients(kin: Kinematics, name: str, element: MatrixLoad, key: str) -> sp.Matrix:
    diagonal = not isinstance(getattr(element, key)[0], tuple)
    value = kin.values.value
    if diagonal:
        return sp.diag(*(value(("elements", name, key, k)) for k in range(6)))
    return sp.Matrix(6, 6, lambda i, j: value(("elements", name, key, int(i), int(j))))
