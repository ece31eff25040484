"""The joints that connect bodies into a tree, and those that close loops.

Relative motion is described in the parent's axes (the child's for `axis2` of a universal
joint); locations and axes are world coordinates of the reference configuration.

=============  =======================================  =============================
kind           coordinates q                            speeds u
=============  =======================================  =============================
fixed          (none)                                   (none)
revolute       angle                                    its rate
prismatic      position                                 its rate
cylindrical    position, angle                          rates
planar         two translations, rotation               rates
universal      angle1 (parent axis), angle2 (child)     rates
spherical      quaternion                               relative angular velocity
floating       displacement of the CG, quaternion       velocity, angular velocity
=============  =======================================  =============================

Every body is the child of exactly one joint that is not cut. A joint with ``cut: true``
closes a loop: it has no coordinates of its own, it ties those of the others together.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from cosim.model.base import EARTH, Name, Strict, Vector3

__all__ = [
    "PLANES",
    "Cylindrical",
    "Fixed",
    "Floating",
    "Joint",
    "JointKind",
    "Planar",
    "Prismatic",
    "Revolute",
    "Spherical",
    "Universal",
]

PLANES = {"xz": (0, 2, 1), "xy": (0, 1, 2), "yz": (1, 2, 0)}
"""Axes of the two translations and of the rotation of a planar joint."""

_ROTATIONS = ("roll", "pitch", "yaw")


class JointBase(Strict):
    """What every joint has: a parent (``earth`` by default) and a child body.

    Parameters
    ----------
    parent : str
        Body that carries the joint, or ``earth``.
    child : str
        Body that the joint moves.
    cut : bool
        The child hangs on another joint already; this one closes a loop.
    """

    parent: Name = EARTH
    child: Name
    cut: bool = False

    names: ClassVar[tuple[str, ...]] = ()
    angular: ClassVar[tuple[str, ...]] = ()
    """Those of `coordinates` that are angles."""

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names under which start values, loads and outputs address the joint's freedom."""
        return () if self.cut else self.names


class LocatedJoint(JointBase):
    """A joint at a point.

    Parameters
    ----------
    at : (3,) sequence
        The point, m, world coordinates of the reference configuration.
    """

    at: Vector3


class AxisJoint(LocatedJoint):
    """A joint about or along an axis.

    Parameters
    ----------
    axis : (3,) sequence
        World axes of the reference configuration; need not be normalised.
    """

    axis: Vector3

    @model_validator(mode="after")
    def _axis_has_length(self) -> AxisJoint:
        _check_length(self.axis, "axis")
        return self


class Fixed(JointBase):
    """The child moves with the parent."""

    type: Literal["fixed"] = "fixed"


class Revolute(AxisJoint):
    """Rotation about one axis."""

    type: Literal["revolute"] = "revolute"
    names: ClassVar = ("angle",)
    angular: ClassVar = ("angle",)


class Prismatic(AxisJoint):
    """Translation along one axis."""

    type: Literal["prismatic"] = "prismatic"
    names: ClassVar = ("position",)


class Cylindrical(AxisJoint):
    """Translation along and rotation about the same axis."""

    type: Literal["cylindrical"] = "cylindrical"
    names: ClassVar = ("position", "angle")
    angular: ClassVar = ("angle",)


class Planar(LocatedJoint):
    """Two translations in a plane and the rotation about its normal.

    The plane xz gives (x, z, rotation about +y); xy: (x, y, about +z); yz: (y, z, about +x).

    Parameters
    ----------
    plane : {"xz", "xy", "yz"}
        Its letters name the two translations; the rotation is ``angle``.
    """

    type: Literal["planar"] = "planar"
    plane: Literal["xz", "xy", "yz"] = "xz"
    angular: ClassVar = ("angle",)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The two letters of the plane, and ``angle``."""
        return () if self.cut else (*self.plane, "angle")


class Universal(LocatedJoint):
    """Rotation about `axis1` of the parent, then about the perpendicular `axis2` of the child.

    Parameters
    ----------
    axis1, axis2 : (3,) sequence
        World axes of the reference configuration; need not be normalised.
    """

    type: Literal["universal"] = "universal"
    axis1: Vector3
    axis2: Vector3
    names: ClassVar = ("angle1", "angle2")
    angular: ClassVar = ("angle1", "angle2")

    @model_validator(mode="after")
    def _axes_are_perpendicular(self) -> Universal:
        first, second = _check_length(self.axis1, "axis1"), _check_length(self.axis2, "axis2")
        if abs(float(first @ second)) > 1e-9:
            angle = np.degrees(np.arccos(np.clip(first @ second, -1.0, 1.0)))
            raise ValueError(f"axis1 and axis2 must be perpendicular; they are {angle:.6g} degrees")
        return self


class Spherical(LocatedJoint):
    """Free rotation about a point."""

    type: Literal["spherical"] = "spherical"
    names: ClassVar = _ROTATIONS
    angular: ClassVar = _ROTATIONS


class Floating(JointBase):
    """Six degrees of freedom of the child's centre of gravity."""

    type: Literal["floating"] = "floating"
    names: ClassVar = ("surge", "sway", "heave", *_ROTATIONS)
    angular: ClassVar = _ROTATIONS

    @model_validator(mode="after")
    def _ties_nothing(self) -> Floating:
        if self.cut:
            raise ValueError("a floating joint ties nothing; it cannot be cut: leave it out")
        return self


JointKind = Fixed | Revolute | Prismatic | Cylindrical | Planar | Universal | Spherical | Floating
Joint = Annotated[JointKind, Field(discriminator="type")]


def _check_length(axis: Vector3, label: str) -> np.ndarray:
    vector = np.asarray(axis, dtype=float)
    length = float(np.linalg.norm(vector))
    if length < 1e-12:
        raise ValueError(f"{label} has no length")
    return np.asarray(vector / length)
