r"""Relative motion of every kind of joint, in the parent's axes.

With p the parent, c the child, t the translation and Q the rotation of the joint,

.. math::

    R_c = R_p Q(q), \qquad
    r_c = r_p + R_p (b + t(q)) + R_c a, \qquad
    \omega_c = \omega_p + R_p \sum_j \sigma_j u_j,

where b leads from the parent's centre of gravity to the joint and a from there to the
child's; the spins σ are the axes of the rotations, and t' = Σ e_j u_j.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from cosim.errors import ModelError
from cosim.model.joints import (
    PLANES,
    Cylindrical,
    Fixed,
    Floating,
    JointKind,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from cosim.multibody.joint.symbolic.definitions import Definitions
from cosim.multibody.joint.symbolic.frames import (
    EYE,
    UNIT,
    ZERO,
    Rows,
    Vector,
    add,
    apply,
    multiply,
    quaternion_rates,
    quaternion_rotation,
    scale,
    turn_about,
    vector,
)
from cosim.multibody.joint.symbolic.names import Names
from cosim.multibody.joint.symbolic.values import Values

__all__ = ["JointForm", "combined", "joint_form", "relative_rotation"]

_QUATERNION = ("p0", "p1", "p2", "p3")
_SPIN_RATES = ("omega_x", "omega_y", "omega_z")


@dataclass(frozen=True)
class JointForm:
    """Coordinates of one joint and the axes of its freedom.

    Attributes
    ----------
    rotates : {"none", "one", "two", "quaternion"}
        How many angles, or a quaternion.
    q, u : tuple of Symbol
        Translations first, then rotations.
    q_dot : tuple of Expr
        q' = N(q) u.
    slides : tuple of Vector
        Axes e of the translations.
    axes : tuple of Vector
        Axes of the rotations in the reference configuration.
    """

    rotates: str
    q: tuple[sp.Symbol, ...]
    u: tuple[sp.Symbol, ...]
    q_dot: tuple[sp.Expr, ...]
    slides: tuple[Vector, ...]
    axes: tuple[Vector, ...]

    @property
    def angles(self) -> tuple[sp.Symbol, ...]:
        """Coordinates of the rotation."""
        return self.q[len(self.slides) :]

    @property
    def spin_speeds(self) -> tuple[sp.Symbol, ...]:
        """Speeds of the rotation."""
        return self.u[len(self.slides) :]

    @property
    def slide_speeds(self) -> tuple[sp.Symbol, ...]:
        """Speeds of the translations."""
        return self.u[: len(self.slides)]

    @property
    def shift(self) -> Vector:
        """Translation t(q)."""
        return combined(self.slides, self.q[: len(self.slides)])

    @property
    def quaternion(self) -> tuple[sp.Symbol, ...]:
        """Those of `q` that make up a quaternion."""
        return self.angles if self.rotates == "quaternion" else ()


def joint_form(name: str, values: Values, names: Names) -> JointForm:
    """Symbols and axes of a joint.

    Parameters
    ----------
    name : str
        Joint.
    values : Values
        Of its system: axes may hold parameters.
    names : Names
        Where its coordinates get their symbols.
    """
    joint = values.system.joints[name]
    slides, rotates = _translations(joint, name, values)
    lengths = _translation_letters(joint)
    s = tuple(names.symbol(letter, name) for letter in lengths)
    q = tuple(names.symbol(letter, name) for letter in _LETTERS[rotates])
    v = tuple(names.symbol(_rate_letter(letter), name) for letter in lengths)
    w = tuple(names.symbol(letter, name) for letter in _RATES[rotates])
    return JointForm(
        rotates=rotates,
        q=s + q,
        u=v + w,
        q_dot=v + (quaternion_rates(q, w) if rotates == "quaternion" else w),
        slides=slides,
        axes=_rotation_axes(joint, name, values),
    )


def relative_rotation(
    form: JointForm, name: str, definitions: Definitions
) -> tuple[Rows, tuple[Vector, ...]]:
    """Q(q) of a joint and its spins, both in the parent's axes.

    The second spin of a universal joint is carried by the first: σ_2 = Q_1 n_2.
    """
    if form.rotates == "none":
        return EYE, ()
    if form.rotates == "quaternion":
        square = sum(p**2 for p in form.angles)
        factor = definitions.name("k", name, 2 / square)
        definitions.set_rates([factor], [sp.S.Zero])
        return quaternion_rotation(form.angles, factor), form.axes
    turns = [
        _turn(axis, angle, definitions) for axis, angle in zip(form.axes, form.angles, strict=True)
    ]
    if form.rotates == "one":
        return turns[0], form.axes
    first, second = turns
    return multiply(first, second), (form.axes[0], apply(first, form.axes[1]))


def combined(axes: Sequence[Vector], amounts: Sequence[sp.Expr]) -> Vector:
    """Sum of axes times amounts."""
    total = ZERO
    for axis, amount in zip(axes, amounts, strict=True):
        total = add(total, scale(amount, axis))
    return total


def _turn(axis: Vector, angle: sp.Symbol, definitions: Definitions) -> Rows:
    sine = definitions.name("s", str(angle), sp.sin(angle))
    cosine = definitions.name("c", str(angle), sp.cos(angle))
    return turn_about(axis, sine, cosine)


_LETTERS: dict[str, tuple[str, ...]] = {
    "none": (),
    "one": ("theta",),
    "two": ("theta1", "theta2"),
    "quaternion": _QUATERNION,
}
_RATES: dict[str, tuple[str, ...]] = {
    "none": (),
    "one": ("omega",),
    "two": ("omega1", "omega2"),
    "quaternion": _SPIN_RATES,
}


def _translation_letters(joint: JointKind) -> tuple[str, ...]:
    match joint:
        case Prismatic() | Cylindrical():
            return ("s",)
        case Planar(plane=plane):
            return tuple(plane)
        case Floating():
            return ("x", "y", "z")
    return ()


def _rate_letter(letter: str) -> str:
    return "u" if letter == "s" else f"v{letter}"


def _translations(joint: JointKind, name: str, values: Values) -> tuple[tuple[Vector, ...], str]:
    """Axes of the translations, and how the joint rotates."""
    match joint:
        case Fixed():
            return (), "none"
        case Revolute():
            return (), "one"
        case Prismatic():
            return (_direction(values, name, "axis"),), "none"
        case Cylindrical():
            return (_direction(values, name, "axis"),), "one"
        case Planar(plane=plane):
            return tuple(UNIT[k] for k in PLANES[plane][:2]), "one"
        case Universal():
            return (), "two"
        case Spherical():
            return (), "quaternion"
        case Floating():
            return UNIT, "quaternion"
    raise ModelError(f"joint '{name}': the symbolic form knows no joints of type '{joint.type}'")


def _rotation_axes(joint: JointKind, name: str, values: Values) -> tuple[Vector, ...]:
    match joint:
        case Revolute() | Cylindrical():
            return (_direction(values, name, "axis"),)
        case Planar(plane=plane):
            return (UNIT[PLANES[plane][2]],)
        case Universal():
            return _direction(values, name, "axis1"), _direction(values, name, "axis2")
        case Spherical() | Floating():
            return UNIT
    return ()


def _direction(values: Values, name: str, key: str) -> Vector:
    return vector(list(values.direction(("joints", name, key))))
