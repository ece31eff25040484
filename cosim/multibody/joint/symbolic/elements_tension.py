"""Springs, dampers and laws along the line between two points, in symbols.

The paper's TensionSpring and TensionDamper.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import sympy as sp

from cosim.model.base import EARTH
from cosim.model.elements import Tension
from cosim.multibody.joint.symbolic.elements_point import at_centre
from cosim.multibody.joint.symbolic.laws import Motion, integrated, split_law
from cosim.multibody.joint.symbolic.loads import ElementLoad
from cosim.multibody.joint.symbolic.values import Path

if TYPE_CHECKING:
    from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["tension"]


def tension(kin: Kinematics, name: str, element: Tension) -> ElementLoad:
    """Tension T along the unit vector n from the first to the second point.

    T = k (L - l0) + c L' + law(x, v, l, t), x = L - l0, v = L' = n·(v2 - v1); the first point
    gets T n, the second -T n. A slack one has max(T, 0).

    The energy is k x²/2 + ∫ law dx, and ∫ max(k x + law, 0) dx of a slack one. An element
    whose unstretched length is 0 has its direction also where the points coincide (that in
    which they part, as the element's description says); for any other, coincident points
    have no direction and the expressions no value.
    """
    first, second = element.points
    names = kin.intermediates
    span = sp.Matrix(names.vector("d", name, tuple(kin.position(second) - kin.position(first))))
    approach = kin.velocity(second) - kin.velocity(first)
    length = names.name("L", name, sp.sqrt(span.dot(span)))
    from_zero = _unstretched_length(kin, element) == 0.0
    n = _direction(span, length, approach) if from_zero else span / length
    names.set_rates([*span, length], [*approach, span.dot(approach) / length])
    rest_length = _unstretched(kin, name, element)
    k, c = (kin.values.value(("elements", name, key)) for key in ("stiffness", "damping"))
    x, v = length - rest_length, n.dot(approach)
    law = split_law(kin.values, element.law, Motion(x, v, kin.t, rest_length))
    other = c * v + law.rest
    if element.slack:
        held = sp.Max(k * x + law.stored, 0)
        other = sp.Max(other + k * x + law.stored, 0) - held
        pull = (held + other) * n
        energy = _slack_energy(kin, k, element, Motion(x, v, kin.t, rest_length))
    else:
        smooth = k * span if from_zero else k * x * n
        pull = smooth + (law.stored + other) * n
        energy = k * x**2 / 2, law.integral
    return ElementLoad(
        kin,
        wrenches=_pair(kin, element, pull),
        spring=energy[0],
        law_energy=energy[1],
        other_power=-other * v,
    )


def _slack_energy(
    kin: Kinematics, k: sp.Expr, element: Tension, motion: Motion
) -> tuple[sp.Expr, sp.Expr]:
    """Energy of the spring alone, and what the law adds to it: ∫ max(k x + law, 0) dx."""
    spring = k * sp.Max(motion.x, 0) ** 2 / 2
    if element.law is None:
        return spring, sp.S.Zero
    x = sp.Dummy("x", real=True)
    stored = split_law(kin.values, element.law, replace(motion, x=x)).stored
    whole = integrated(sp.Max(k * x + stored, 0), x).subs(x, motion.x)
    return spring, whole - spring


def _pair(
    kin: Kinematics, element: Tension, pull: sp.Matrix
) -> tuple[tuple[str, sp.Matrix, sp.Matrix], ...]:
    first, second = element.points
    return (
        at_centre(kin, kin.body_of(first), kin.position(first), pull),
        at_centre(kin, kin.body_of(second), kin.position(second), -pull),
    )


def _direction(span: sp.Matrix, length: sp.Expr, approach: sp.Matrix) -> sp.Matrix:
    """Unit vector along the span; of coincident points, along their relative velocity.

    Divisors are never 0, because generated functions may divide before they branch.
    """
    speed = sp.sqrt(approach.dot(approach))
    apart, moving = length > 0, speed > 0
    by_length, by_speed = (
        1 / sp.Piecewise((size, safe), (1, True))
        for size, safe in ((length, apart), (speed, moving))
    )
    return sp.Matrix(
        [
            sp.Piecewise((s * by_length, apart), (a * by_speed, True))
            for s, a in zip(span, approach, strict=True)
        ]
    )


def _unstretched_length(kin: Kinematics, element: Tension) -> float:
    if element.length is not None:
        return element.length
    return math.dist(*(kin.system.point(address)[1] for address in element.points))


def _unstretched(kin: Kinematics, name: str, element: Tension) -> sp.Expr:
    if element.length is not None:
        return kin.values.value(("elements", name, "length"))
    first, second = (kin.values.vector(_path(kin, address)) for address in element.points)
    difference = second - first
    return sp.sqrt(difference.dot(difference))


def _path(kin: Kinematics, address: str) -> Path:
    """Where the description has the reference position of a point."""
    if address in kin.system.bodies:
        return "bodies", address, "cog"
    body = kin.body_of(address)
    if body == EARTH:
        return "earth_points", address.removeprefix(f"{EARTH}/")
    return "bodies", body, "points", address.rpartition("/")[2]
