"""Torsion springs, dampers and laws between two bodies, in symbols.

The paper's TorsionSpring and TorsionDamper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from cosim.model.elements import Torsion
from cosim.multibody.joint.symbolic.laws import Motion, split_law
from cosim.multibody.joint.symbolic.loads import ElementLoad
from cosim.multibody.joint.symbolic.relative import twist

if TYPE_CHECKING:
    from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["torsion", "twist_of"]


def torsion(kin: Kinematics, name: str, element: Torsion) -> ElementLoad:
    """Moment on the second body about the axis, and the opposite on the first.

    M = -(k x + c a') + law(x, v, t), x = a - rest, with the twist a of
    :func:`~cosim.multibody.joint.symbolic.relative.twist` and a' = h·(w2 - w1); the moments
    are M h and -M h. V = k x²/2 - ∫ law dx. In a planar system a is the difference of the
    bodies' angles, which goes on beyond half a turn instead of jumping back.
    """
    first, second = element.bodies
    angle, direction = twist_of(kin, name, element)
    k, c, rest = (
        kin.values.value(("elements", name, key)) for key in ("stiffness", "damping", "rest")
    )
    x, v = angle - rest, direction.dot(kin.omega(second) - kin.omega(first))
    law = split_law(kin.values, element.law, Motion(x, v, kin.t))
    other = law.rest - c * v
    moment = (other + law.stored - k * x) * direction
    still = sp.zeros(3, 1)
    return ElementLoad(
        kin,
        wrenches=((second, still, moment), (first, still, -moment)),
        spring=k * x**2 / 2,
        law_energy=-law.integral,
        other_power=other * v,
    )


def twist_of(kin: Kinematics, name: str, element: Torsion) -> tuple[sp.Expr, sp.Matrix]:
    """Twist angle of the second body against the first, and the line of the moment."""
    first, second = element.bodies
    axis = kin.values.direction(("elements", name, "axis"))
    if kin.planar and not any(axis[k] for k in (0, 2)):
        return axis[1] * (kin.angle(second) - kin.angle(first)), axis
    return twist(kin, (first, second), axis)
