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
    point = sp.Matrix(kin.intermediates.vector("r", name, tuple(_place(kin, name, element.body))))
    x, x_dot, v = _relative_motion(kin, name, element, (yaw, point))
    preload = sp.Matrix([kin.values.value(("elements", name, "preload", k)) for k in range(6)])
    K, C, C_q = (
        _coefficients(kin, name, element, key)
        for key in ("stiffness", "damping", "quadratic_damping")
    )
    load = preload - K * x - C * v - _drag(C_q, v)
    axes = kin.rotation(element.reference) * yaw
    force, moment = axes * sp.Matrix(load[:3]), axes * sp.Matrix(load[3:])
    gradient = (K + K.T) * x / 2 - preload
    return ElementLoad(
        kin,
        wrenches=(
            at_centre(kin, element.body, point, force, moment),
            at_centre(kin, element.reference, point, -force, -moment),
        ),
        spring=(x.T * K * x)[0] / 2 - preload.dot(x),
        other_power=load.dot(v) + gradient.dot(x_dot),
    )


def _drag(C_q: sp.Matrix, v: sp.Matrix) -> sp.Matrix:
    """C_q |v| v; the absolute values, left as they stand, only of rates that it needs.

    SymPy would multiply out the square of an expression to find its absolute value.
    """
    squares = [
        sp.S.Zero if C_q[:, k].is_zero_matrix else sp.Abs(v[k], evaluate=v[k].is_Atom) * v[k]
        for k in range(6)
    ]
    return C_q * sp.Matrix(squares)


def _relative_motion(
    kin: Kinematics, name: str, element: MatrixLoad, frame: tuple[sp.Matrix, sp.Matrix]
) -> tuple[sp.Matrix, sp.Matrix, sp.Matrix]:
    """Displacement and rotation vector x, its rate, and the relative twist v at the point.

    All in the axes of the reference, turned by the yaw.
    """
    yaw, point = frame
    body, reference = element.body, element.reference
    back = yaw.T * kin.rotation(reference).T
    spin = back * (kin.omega(body) - kin.omega(reference))
    velocity = back * (_velocity(kin, body, point) - _velocity(kin, reference, point))
    shift = back * (point - _place(kin, name, reference))
    if kin.planar:
        turned = yaw.T * sp.Matrix([0, kin.angle(body) - kin.angle(reference), 0])
        turned_rate = spin
    else:
        relative = _named_rotation(kin, name, back * kin.rotation(body) * yaw)
        turned, turned_rate = rotation_vector(relative, spin)
    names = kin.intermediates
    v = [names.name(f"v{k}", name, e, moving=True) for k, e in enumerate((*velocity, *spin), 1)]
    rates = (*v[:3], *turned_rate)
    x = [names.name(f"x{k}", name, e) for k, e in enumerate((*shift, *turned), 1)]
    names.set_rates(x, rates)
    return sp.Matrix(x), sp.Matrix(rates), sp.Matrix(v)


def _named_rotation(kin: Kinematics, name: str, R: sp.Matrix) -> sp.Matrix:
    first, second, third = (tuple(R[k, :]) for k in range(3))
    return sp.Matrix(kin.intermediates.rows("R", name, (first, second, third)))


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
