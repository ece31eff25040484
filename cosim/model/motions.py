"""Prescribed motions: what a coordinate, a point or a direction does, whatever it takes.

A motion is an expression of the time ``t`` and of parameters, in the grammar of
:mod:`cosim.model.expressions`; its rates follow from it. Loads that keep to it are results.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field, StringConstraints, model_validator

from cosim.model.base import Name, Strict, Vector3
from cosim.model.laws import TIME, Component

__all__ = [
    "AngleMotion",
    "DirectionMotion",
    "JointMotion",
    "Motion",
    "MotionBase",
    "MotionKind",
    "PointMotion",
]


class MotionBase(Strict):
    """What every prescribed motion has."""

    variables: ClassVar = (TIME,)

    def components(self) -> tuple[Component, ...]:
        """Its laws as written."""
        return ()

    def expressions(self) -> tuple[str, ...]:
        """Those of them that depend on the time."""
        return tuple(c for c in self.components() if isinstance(c, str))


class JointMotion(MotionBase):
    """Prescribes one coordinate of a joint.

    Parameters
    ----------
    joint : str
        Revolute, prismatic, cylindrical or planar.
    coordinate : str or None
        One of the joint's coordinate names; None where the joint has only one.
    law : float or str
        From the reference configuration, m or rad, through as many turns as it says.
    """

    type: Literal["joint"] = "joint"
    joint: str
    coordinate: str | None = None
    law: Component

    def components(self) -> tuple[Component, ...]:
        """The law."""
        return (self.law,)


class PointMotion(MotionBase):
    """Leads a point of a body along a path.

    Parameters
    ----------
    point : str
        ``body/point``, or ``body`` for its centre of gravity.
    x, y, z : float, str or None
        World coordinates, m; what is not given stays free.
    """

    type: Literal["point"] = "point"
    point: Annotated[str, StringConstraints(min_length=1)]
    x: Component | None = None
    y: Component | None = None
    z: Component | None = None

    @model_validator(mode="after")
    def _something_is_led(self) -> PointMotion:
        if not self.components():
            raise ValueError("a prescribed point needs 'x', 'y' or 'z'")
        return self

    def components(self) -> tuple[Component, ...]:
        """The laws that are given."""
        return tuple(c for c in (self.x, self.y, self.z) if c is not None)


class DirectionMotion(MotionBase):
    """Leads a direction of a body.

    Parameters
    ----------
    body : Name
    direction : (3,) sequence
        In the reference configuration, world axes, of unit length.
    towards : (3,) sequence of float or str
        Where it points, world axes, of unit length at any time.
    """

    type: Literal["direction"] = "direction"
    body: Name
    direction: Vector3
    towards: tuple[Component, Component, Component]

    def components(self) -> tuple[Component, ...]:
        """World components of the direction."""
        return self.towards


class AngleMotion(MotionBase):
    """Prescribes the angle between directions of two bodies.

    Its cosine is prescribed, which does not tell where to go from 0 or π: use a joint's
    coordinate for full turns.

    Parameters
    ----------
    bodies : (Name, Name)
        The first may be ``earth``.
    directions : ((3,), (3,)) sequence
        In the reference configuration, world axes, of unit length.
    law : float or str
        rad, between 0 and π.
    """

    type: Literal["angle"] = "angle"
    bodies: tuple[Name, Name]
    directions: tuple[Vector3, Vector3]
    law: Component

    def components(self) -> tuple[Component, ...]:
        """The law."""
        return (self.law,)


MotionKind = JointMotion | PointMotion | DirectionMotion | AngleMotion
Motion = Annotated[MotionKind, Field(discriminator="type")]
"""Which kind a description is of follows from its ``type``."""
