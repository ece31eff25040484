"""Force elements: what acts between bodies, joints and earth without an external solver.

A *law* or a time-dependent component is a string of the grammar of
:mod:`cosim.model.expressions`, with or without a leading ``=``; besides the parameters of
the case it may use the variables that are named with each element (`variables`).
"""

from __future__ import annotations

import math
from typing import Annotated, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, StringConstraints, model_validator

from cosim.model.base import EARTH, Name, NonNegative, Number, Positive, Strict, Vector3, Vector6
from cosim.model.laws import TIME, Component, Law

__all__ = [
    "Element",
    "ElementBase",
    "ElementKind",
    "EndStop",
    "JointLoad",
    "LawElement",
    "MatrixLoad",
    "PointForce",
    "Tension",
    "Torsion",
]

PointAddress = Annotated[str, StringConstraints(min_length=1)]
Matrix6 = tuple[Vector6, Vector6, Vector6, Vector6, Vector6, Vector6]
_ZERO6 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


class ElementBase(Strict):
    """What every element has."""

    variables: ClassVar[tuple[str, ...]] = ()
    """What its expressions may use besides parameters."""

    def expressions(self) -> tuple[str, ...]:
        """Its expressions as written."""
        return ()


class LawElement(ElementBase):
    """An element with a force law."""

    law: Law | None = None

    def expressions(self) -> tuple[str, ...]:
        """The law, where there is one."""
        return () if self.law is None else (self.law,)


class PointForce(ElementBase):
    """A force and a free moment at a point of a body.

    Components are numbers or expressions of the time ``t``, e.g. ``"3*cos(1.5*t)"``.

    Parameters
    ----------
    point : str
        ``body/point``, or ``body`` for its centre of gravity.
    force, moment : (3,) sequence
        N, N m.
    axes : {"world", "body"}
        Axes of both; ``body`` turns with the body (the world's in the reference
        configuration).
    """

    type: Literal["force"] = "force"
    point: PointAddress
    force: tuple[Component, Component, Component] = (0.0, 0.0, 0.0)
    moment: tuple[Component, Component, Component] = (0.0, 0.0, 0.0)
    axes: Literal["world", "body"] = "world"
    variables: ClassVar = (TIME,)

    def expressions(self) -> tuple[str, ...]:
        """The components that depend on the time."""
        return tuple(c for c in (*self.force, *self.moment) if isinstance(c, str))


class EndStop(Strict):
    """A smooth stop on a coordinate q.

    Beyond `lower` or `upper` the penetration p > 0 meets the force
    ``stiffness * s(p) + damping * s'(p) * p'`` directed back, never pulling, where
    ``s(p) = p**2 / (2 w)`` for p < w and ``p - w/2`` beyond (w = `smoothing`), so that
    force and slope are continuous.

    Parameters
    ----------
    lower, upper : float or None
        Where the stops begin, m or rad; at least one.
    stiffness, damping : float
        N/m and N s/m, or N m/rad and N m s/rad.
    smoothing : float
        w, m or rad.
    """

    lower: Number | None = None
    upper: Number | None = None
    stiffness: Positive
    damping: NonNegative = 0.0
    smoothing: Positive = 1e-3

    @model_validator(mode="after")
    def _bounds_are_ordered(self) -> EndStop:
        if self.lower is None and self.upper is None:
            raise ValueError("an end stop needs 'lower', 'upper' or both")
        if self.lower is not None and self.upper is not None and self.lower >= self.upper:
            raise ValueError(f"'lower' = {self.lower:g} must be below 'upper' = {self.upper:g}")
        return self


class JointLoad(LawElement):
    """Spring, damper, preload, end stop and force law on one coordinate of a joint.

    Generalised force on the coordinate x (angle in rad, or length in m) with rate v:
    ``preload - stiffness (x - rest) - damping v - quadratic_damping |v| v + law + stop``.
    Angles count turns: nothing happens at half a turn.

    Parameters
    ----------
    joint : str
        Name of the joint.
    coordinate : str or None
        One of the joint's coordinate names; None where the joint has only one.
        Not for the rotations of spherical and floating joints (use a torsion element).
    stiffness, rest : float
        N/m and m, or N m/rad and rad.
    damping, quadratic_damping : float
        N s/m and N s²/m², or N m s/rad and N m s²/rad².
    preload : float
        N or N m.
    end_stop : EndStop or None
        A smooth stop at either end.
    law : str or None
        Expression of ``x``, ``v``, ``t`` giving the generalised force, N or N m.
    """

    type: Literal["joint"] = "joint"
    joint: Name
    coordinate: str | None = None
    stiffness: NonNegative = 0.0
    rest: Number = 0.0
    damping: Number = 0.0
    quadratic_damping: NonNegative = 0.0
    preload: Number = 0.0
    end_stop: EndStop | None = None
    variables: ClassVar = ("x", "v", "t")


class Tension(LawElement):
    """Spring and damper along the line between two points.

    With the distance L and its rate L', the tension (pulling the points together) is
    ``stiffness (L - length) + damping L' + law``; `slack` cuts it at zero from below.

    Parameters
    ----------
    points : (2,) sequence of str
        ``body/point``, ``body`` (its centre of gravity) or ``earth/name``.
    stiffness, damping : float
        N/m and N s/m.
    length : float or None
        Unstretched length, m; None takes the distance of the reference configuration.
    law : str or None
        Expression of the elongation ``x = L - length``, its rate ``v``, the length ``l``
        and ``t``; replaces nothing, adds to the linear terms.
    slack : bool
        True for a rope: no compression.

    Notes
    -----
    The line of two coincident points has no direction: they then load each other along
    their relative velocity (the direction in which they are about to part), and not at all
    while they rest on each other. With ``length: 0`` the spring is smooth there.
    """

    type: Literal["tension"] = "tension"
    points: tuple[PointAddress, PointAddress]
    stiffness: NonNegative = 0.0
    damping: NonNegative = 0.0
    length: NonNegative | None = None
    slack: bool = False
    variables: ClassVar = ("x", "v", "l", "t")


class Torsion(LawElement):
    """Torsion spring and damper between two bodies.

    With a = twist angle of the second body relative to the first about `axis` (fixed in
    the first body, given in world axes of the reference configuration) and its rate,
    the moment on the second body is ``-(stiffness (a - rest) + damping a') + law``
    and the opposite acts on the first. The angle is 0 in the reference configuration.

    Parameters
    ----------
    bodies : (2,) sequence of str
        First and second; either may be ``earth``.
    axis : (3,) sequence
        Need not be normalised.
    stiffness, damping : float
        N m/rad and N m s/rad.
    rest : float
        rad.
    law : str or None
        Expression of ``x`` = a - rest, ``v`` and ``t`` giving the moment on the second body.

    Notes
    -----
    Any other relative rotation may come on top: it is split into the twist about the axis
    and a swing across it, and the moment is the exact gradient of the twist, so that the
    spring conserves energy. The angle lies within half a turn, (-pi, pi], and jumps by a
    whole turn there; for a spring that winds up further, put a :class:`JointLoad` on a
    revolute joint, whose angle counts turns. At a swing of half a turn the twist has no
    meaning and no moment acts.
    """

    type: Literal["torsion"] = "torsion"
    bodies: tuple[Name, Name]
    axis: Vector3
    stiffness: NonNegative = 0.0
    damping: NonNegative = 0.0
    rest: Number = 0.0
    variables: ClassVar = ("x", "v", "t")

    @model_validator(mode="after")
    def _axis_and_bodies(self) -> Torsion:
        if math.hypot(*self.axis) < 1e-12:
            raise ValueError("axis has no length")
        if self.bodies[0] == self.bodies[1]:
            raise ValueError(f"both ends are on '{self.bodies[0]}'")
        return self


class MatrixLoad(ElementBase):
    """Linear and quadratic load on a body relative to earth or another body.

    ``F0 - K x - C v - C_q |v| v`` at the point `at`, with x the displacement and rotation
    vector of the body there since the reference configuration, relative to `reference`,
    and v its relative twist at that point; ``|v| v`` is taken component by component.

    Parameters
    ----------
    body : str
        Body that is loaded.
    reference : str
        ``earth`` or a body; it receives the opposite load at the same point.
    at : (3,) sequence
        World coordinates of the reference configuration, m; the point moves with `body`.
    axes : str
        ``world``, or the name of an adapter whose hydrodynamic frame H is used. A reference
        body carries the axes with it, so that the load depends on relative motion only.
    yaw_deg : float
        Turns these axes about z, degrees.
    preload : (6,) sequence
        F0.
    stiffness, damping, quadratic_damping : (6,) or (6, 6) sequence
        Diagonals or full matrices K, C, C_q.

    Notes
    -----
    The moment is -K x with x the rotation vector, also at large angles, as other offshore
    programs have it: a linear model. It is the gradient of x·K x / 2 for small angles, for
    one rotational stiffness about all axes, and for rotation about one axis; otherwise what
    it gains or loses is counted as non-conservative work.
    """

    type: Literal["matrix"] = "matrix"
    body: Name
    reference: Name = EARTH
    at: Vector3
    axes: Name = "world"
    yaw_deg: Number = 0.0
    preload: Vector6 = _ZERO6
    stiffness: Vector6 | Matrix6 = _ZERO6
    damping: Vector6 | Matrix6 = _ZERO6
    quadratic_damping: Vector6 | Matrix6 = _ZERO6

    def matrix(
        self, which: Literal["stiffness", "damping", "quadratic_damping"]
    ) -> NDArray[np.float64]:
        """One of the three coefficients as a full (6, 6) array."""
        value = np.asarray(getattr(self, which), dtype=float)
        return np.diag(value) if value.ndim == 1 else value

    @model_validator(mode="after")
    def _two_bodies(self) -> MatrixLoad:
        if self.body == EARTH:
            raise ValueError(f"'body' must be a body; use 'reference' for '{EARTH}'")
        if self.body == self.reference:
            raise ValueError(f"'body' and 'reference' are both '{self.body}'")
        return self


ElementKind = PointForce | JointLoad | Tension | Torsion | MatrixLoad
Element = Annotated[ElementKind, Field(discriminator="type")]
