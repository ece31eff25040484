r"""The recursion over the tree: pose and velocity of each body from those of its parent.

.. math::

    r_P &= r_p + R_p (b + t), & r_c &= r_P + R_c a, \\
    v_P &= v_p + \omega_p \times R_p (b + t) + \sum_j R_p e_j u_j, &
    v_c &= v_P + \omega_c \times R_c a,

with P the point of the joint. In a plane attitudes are sums of angles. With *absolute*
angles (the form of the paper) the angle of a body is the coordinate of the joint that turns
it, its *carrier*; bodies on prismatic and fixed joints inherit both from their parent.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from cosim.model.base import EARTH
from cosim.multibody.joint.symbolic.definitions import Definitions
from cosim.multibody.joint.symbolic.frames import (
    EYE,
    UNIT,
    ZERO,
    Rows,
    Vector,
    add,
    apply,
    cross,
    multiply,
    scale,
    skew,
    turn_about_y,
)
from cosim.multibody.joint.symbolic.joints import JointForm, combined, relative_rotation

__all__ = ["AT_REST", "Arms", "Moving", "move_planar", "move_spatial"]

_Y = UNIT[1]


@dataclass(frozen=True)
class Arms:
    """From the parent's centre of gravity to the joint, and on to the child's, at q = 0."""

    before: Vector
    after: Vector


@dataclass(frozen=True)
class Moving:
    """A body and the joint that moves it, world axes.

    Attributes
    ----------
    R, r, w, v : Rows, Vector
        Attitude, centre of gravity, angular velocity, velocity.
    pivot, pivot_v : Vector
        The joint's point, which moves with the child.
    slides, spins, slide_rates, spin_rates : tuple of Vector
        Axes of the joint's speeds and their time derivatives.
    angle : Expr
        Rotation about +y from the reference configuration, of planar systems.
    carrier : str
        Body whose joint gives the angle.
    offset, offset_v : Vector
        From the carrier's pivot to the centre of gravity, and its rate (absolute angles).
    reach, reach_v : Vector
        From the pivot of the parent's carrier to this pivot, and its rate (absolute angles).
    """

    R: Rows = EYE
    r: Vector = ZERO
    w: Vector = ZERO
    v: Vector = ZERO
    pivot: Vector = ZERO
    pivot_v: Vector = ZERO
    slides: tuple[Vector, ...] = ()
    spins: tuple[Vector, ...] = ()
    slide_rates: tuple[Vector, ...] = ()
    spin_rates: tuple[Vector, ...] = ()
    angle: sp.Expr = sp.S.Zero
    carrier: str = EARTH
    offset: Vector = ZERO
    offset_v: Vector = ZERO
    reach: Vector = ZERO
    reach_v: Vector = ZERO


AT_REST = Moving()
"""Earth."""


@dataclass(frozen=True)
class _Turned:
    """Attitude and angular velocity of a child and the axes of its joint's rotation."""

    R: Rows
    w: Vector
    spins: tuple[Vector, ...]
    spin_rates: tuple[Vector, ...]
    angle: sp.Expr
    carrier: str


def move_spatial(
    body: str, parent: Moving, form: JointForm, arms: Arms, definitions: Definitions
) -> Moving:
    """A body of a system in space."""
    Q, sigma = relative_rotation(form, body, definitions)
    R = definitions.rows("R", body, multiply(parent.R, Q))
    spins = tuple(
        definitions.vector(f"A{j}", body, apply(parent.R, axis)) for j, axis in enumerate(sigma)
    )
    w = add(parent.w, combined(spins, form.spin_speeds))
    w = definitions.vector("W", body, w, moving=True)
    rates, carried = [], parent.w
    for axis, speed in zip(spins, form.spin_speeds, strict=True):
        rates.append(cross(carried, axis))
        if form.rotates == "two":
            carried = add(carried, scale(speed, axis))
    for names, rate in (
        *zip(R, multiply(skew(w), R), strict=True),
        *zip(spins, rates, strict=True),
    ):
        definitions.set_rates(names, rate)
    turned = _Turned(R, w, spins, tuple(rates), sp.S.Zero, body)
    return _moved(body, parent, form, arms, (turned, definitions))


def move_planar(
    body: str,
    parent: Moving,
    form: JointForm,
    arms: Arms,
    definitions: Definitions,
    *,
    absolute: bool,
) -> Moving:
    """A body of a system in the x-z plane."""
    turned = _Turned(parent.R, parent.w, (), (), parent.angle, parent.carrier)
    if form.axes:
        sign, angle, speed = form.axes[0][1], form.angles[0], form.spin_speeds[0]
        spin, w = scale(sign, _Y), add(parent.w, scale(sign * speed, _Y))
        if absolute:
            spin, w = _Y, scale(speed, _Y)
        else:
            angle = definitions.name("phi", body, parent.angle + sign * angle)
        w = definitions.vector("W", body, w, moving=True)
        definitions.set_rates([angle], [w[1]])
        sine = definitions.name("s", body, sp.sin(angle))
        cosine = definitions.name("c", body, sp.cos(angle))
        definitions.set_rates([sine, cosine], [cosine * w[1], -sine * w[1]])
        turned = _Turned(turn_about_y(sine, cosine), w, (spin,), (ZERO,), angle, body)
    return _moved(body, parent, form, arms, (turned, definitions))


def _moved(
    body: str, parent: Moving, form: JointForm, arms: Arms, how: tuple[_Turned, Definitions]
) -> Moving:
    turned, definitions = how
    slides = tuple(apply(parent.R, axis) for axis in form.slides)
    before = apply(parent.R, add(arms.before, form.shift))
    after = apply(turned.R, arms.after)
    before_v = add(cross(parent.w, before), combined(slides, form.slide_speeds))
    after_v = cross(turned.w, after)
    pivot = definitions.vector("P", body, add(parent.r, before))
    pivot_v = definitions.vector("U", body, add(parent.v, before_v), moving=True)
    r = definitions.vector("r", body, add(pivot, after))
    v = definitions.vector("V", body, add(pivot_v, after_v), moving=True)
    definitions.set_rates(pivot, pivot_v)
    definitions.set_rates(r, v)
    turns = turned.carrier == body
    reach, reach_v = add(parent.offset, before), add(parent.offset_v, before_v)
    return Moving(
        R=turned.R,
        r=r,
        w=turned.w,
        v=v,
        pivot=pivot,
        pivot_v=pivot_v,
        slides=slides,
        spins=turned.spins,
        slide_rates=tuple(cross(parent.w, axis) for axis in slides),
        spin_rates=turned.spin_rates,
        angle=turned.angle,
        carrier=turned.carrier,
        offset=after if turns else add(reach, after),
        offset_v=after_v if turns else add(reach_v, after_v),
        reach=reach,
        reach_v=reach_v,
    )
