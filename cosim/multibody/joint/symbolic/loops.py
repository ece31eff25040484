r"""Closed loops in symbols: the equations of the tree, and what its cut joints demand.

.. math::

    B^T M B\,\dot u + G^T \lambda = \mathrm{rhs}, \qquad
    \Phi(q) = 0, \qquad \dot\Phi = G u = 0, \qquad \ddot\Phi = G \dot u + \dot G u = 0.

Every condition is of one of two sorts. With d from the joint's point on the parent to that on
the child and a direction t of the parent, a *place* is t·d = 0; with directions a of the
parent and b of the child, an *angle* is a·b = 0. Their rates are linear in the twists,

.. math::

    \tfrac{d}{dt}(t \cdot d) &= t \cdot (v_c - v_p) + (\rho_c \times t) \cdot \omega_c
        - ((\rho_p + d) \times t) \cdot \omega_p, \\
    \tfrac{d}{dt}(a \cdot b) &= (a \times b) \cdot (\omega_p - \omega_c),

with ρ from a body's centre of gravity to its point of the joint, so that G is a combination
of rows of B.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

import sympy as sp

from cosim.errors import ModelError
from cosim.model.base import EARTH, Vector3
from cosim.model.joints import (
    PLANES,
    Cylindrical,
    Fixed,
    JointKind,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from cosim.model.system import System
from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.frames import (
    UNIT,
    ZERO,
    Vector,
    add,
    apply,
    cross,
    dot,
    scale,
    subtract,
    vector,
)
from cosim.multibody.joint.symbolic.kinematics import Angles, Kinematics

__all__ = ["Loops", "derive_loops"]


def derive_loops(
    system: System,
    *,
    keep: Collection[str] | None = None,
    angles: Angles = "relative",
    inline: bool | None = None,
) -> Loops:
    """Equations of a system with cut joints: those of its tree, and the conditions.

    Parameters
    ----------
    system, keep, angles, inline
        See :func:`derive`.

    Raises
    ------
    ModelError
        No joint of the system is cut.
    """
    if not any(joint.cut for joint in system.joints.values()):
        raise ModelError("no joint of the system is cut: it is a tree; use derive")
    return Loops(Equations(Kinematics(system, keep=keep, angles=angles, inline=inline)))


@dataclass(frozen=True)
class _Condition:
    """A number that must be zero, and its rate as coefficients of two twists."""

    value: sp.Expr
    parent: str
    child: str
    on_parent: tuple[Vector, Vector]
    on_child: tuple[Vector, Vector]


@dataclass(frozen=True)
class _Ends:
    """A cut joint on its two bodies."""

    parent: str
    child: str
    lever_parent: Vector
    lever_child: Vector
    gap: Vector

    def place(self, t: Vector, *, turns: bool) -> _Condition:
        """The condition t·d = 0; `turns` if t is fixed to the parent, not to the world."""
        lever = add(self.lever_parent, self.gap) if turns else self.lever_parent
        down = scale(sp.S.NegativeOne, t)
        return _Condition(
            dot(t, self.gap),
            self.parent,
            self.child,
            (down, cross(lever, down)),
            (t, cross(self.lever_child, t)),
        )

    def angle(self, a: Vector, b: Vector) -> _Condition:
        """The condition a·b = 0, a of the parent and b of the child."""
        return _Condition(
            dot(a, b), self.parent, self.child, (ZERO, cross(a, b)), (ZERO, cross(b, a))
        )


class Loops:
    """Equations of the tree and conditions of the cut joints.

    Parameters
    ----------
    equations : Equations
        Of the tree.

    Attributes
    ----------
    equations : Equations
    joints : tuple of str
        Cut joint of each condition.
    """

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        kin = self._kin = equations.kin
        named = [
            (name, condition)
            for name, joint in kin.system.joints.items()
            if joint.cut
            for condition in _conditions(kin, name, joint)
            if self._says_something(condition)
        ]
        self.joints = tuple(name for name, _ in named)
        self._conditions = [condition for _, condition in named]

    @cached_property
    def phi(self) -> sp.ImmutableMatrix:
        """The conditions Φ(q), (m,), m or m²: zero where the loops are closed."""
        values = [condition.value for condition in self._conditions]
        return sp.ImmutableMatrix(len(values), 1, values)

    @cached_property
    def G(self) -> sp.ImmutableMatrix:  # noqa: N802
        """Their Jacobian in the speeds, (m, nu): Φ' = G u."""
        return sp.ImmutableMatrix(self._coefficients * self._kin.B())

    @cached_property
    def bias(self) -> sp.ImmutableMatrix:
        """The part G' u of Φ'' that speeds cause, (m,)."""
        kin, rows = self._kin, self._coefficients
        twists = [
            component
            for body in kin.bodies
            for k, component in enumerate((*kin.moving[body].v, *kin.moving[body].w))
            if k in kin.rows
        ]
        turning = rows.applyfunc(kin.dt) * sp.Matrix(len(twists), 1, twists)
        return sp.ImmutableMatrix(turning + rows * self.equations.bias)

    @cached_property
    def _coefficients(self) -> sp.Matrix:
        """Φ' as a combination of the twists of all bodies, (m, rows n)."""
        kin = self._kin
        size = len(kin.rows)
        place = {body: size * k for k, body in enumerate(kin.bodies)}
        out = sp.zeros(len(self._conditions), size * len(kin.bodies))
        for row, condition in enumerate(self._conditions):
            for body, load in self._loads(condition):
                for k, component in enumerate(kin.rows):
                    out[row, place[body] + k] += (*load[0], *load[1])[component]
        return out

    def _loads(self, condition: _Condition) -> Iterator[tuple[str, tuple[Vector, Vector]]]:
        for body, load in (
            (condition.parent, condition.on_parent),
            (condition.child, condition.on_child),
        ):
            if body != EARTH:
                yield body, load

    def _says_something(self, condition: _Condition) -> bool:
        """Whether it restricts the motion: not out of the plane of a planar system."""
        return any(
            (*load[0], *load[1])[k] != 0
            for _, load in self._loads(condition)
            for k in self._kin.rows
        )


def _conditions(kin: Kinematics, name: str, joint: JointKind) -> Iterator[_Condition]:
    ends = _ends(kin, name, joint)
    match joint:
        case Fixed() | Revolute() | Universal() | Spherical():
            yield from (ends.place(t, turns=False) for t in UNIT)
        case Prismatic(axis=numbers) | Cylindrical(axis=numbers):
            across = _across(_direction(kin, name, "axis"), numbers)
            yield from (ends.place(_turned(kin, joint.parent, t), turns=True) for t in across)
        case Planar(plane=plane):
            normal = UNIT[PLANES[plane][2]]
            yield ends.place(_turned(kin, joint.parent, normal), turns=True)
    for a, b in _perpendicular(kin, name, joint):
        yield ends.angle(_turned(kin, joint.parent, a), _turned(kin, joint.child, b))


def _perpendicular(
    kin: Kinematics, name: str, joint: JointKind
) -> tuple[tuple[Vector, Vector], ...]:
    """Directions of the parent and of the child, at q = 0, that stay perpendicular."""
    x, y, z = UNIT
    match joint:
        case Fixed() | Prismatic():
            return (x, y), (y, z), (z, x)
        case Revolute(axis=numbers) | Cylindrical(axis=numbers):
            axis = _direction(kin, name, "axis")
            return tuple((t, axis) for t in _across(axis, numbers))
        case Planar(plane=plane):
            first, second, normal = PLANES[plane]
            return (UNIT[first], UNIT[normal]), (UNIT[second], UNIT[normal])
        case Universal():
            return ((_direction(kin, name, "axis1"), _direction(kin, name, "axis2")),)
    return ()


def _ends(kin: Kinematics, name: str, joint: JointKind) -> _Ends:
    centre = {
        body: ZERO if body == EARTH else vector(list(kin.values.vector(("bodies", body, "cog"))))
        for body in (joint.parent, joint.child)
    }
    at = centre[joint.child]
    if not isinstance(joint, Fixed):
        at = vector(list(kin.values.vector(("joints", name, "at"))))
    before, after = (
        _turned(kin, body, subtract(at, centre[body])) for body in (joint.parent, joint.child)
    )
    gap = subtract(add(kin.moving[joint.child].r, after), add(kin.moving[joint.parent].r, before))
    return _Ends(joint.parent, joint.child, before, after, gap)


def _turned(kin: Kinematics, body: str, direction: Vector) -> Vector:
    return apply(kin.moving[body].R, direction)


def _direction(kin: Kinematics, name: str, key: str) -> Vector:
    return vector(list(kin.values.direction(("joints", name, key))))


def _across(axis: Vector, numbers: Vector3) -> tuple[Vector, Vector]:
    """Two directions that make a basis with `axis`; not of unit length."""
    smallest = min(range(3), key=lambda k: abs(numbers[k]))
    first = cross(axis, UNIT[smallest])
    return first, cross(axis, first)
