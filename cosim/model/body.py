"""A rigid body and the points fixed to it."""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, StringConstraints, model_validator

from cosim.algebra.attitude import rotation_from_rpy
from cosim.model.base import Number, Positive, Strict, Vector3, Vector6

__all__ = ["Body"]

PointName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class Body(Strict):
    """A rigid body in the reference configuration (q = 0).

    Parameters
    ----------
    mass : float
        kg, positive.
    cog : (3,) sequence
        Centre of gravity, m, world axes of the reference configuration.
    inertia : (3,) or (6,) sequence
        Moments about the centre of gravity, kg m²: (Ixx, Iyy, Izz) or
        (Ixx, Iyy, Izz, Ixy, Ixz, Iyz), the latter three being *tensor* components
        (Ixy = -∫xy dm), in axes turned by `attitude_deg` from the world axes.
    attitude_deg : (3,) sequence
        Roll, pitch, yaw (R = Rz Ry Rx) of the inertia axes and of the mesh, degrees.
        Nothing else turns with it: points and joints are given in world coordinates.
    points : mapping
        Named points, m, world coordinates of the reference configuration.
    gravity_scale : float
        Multiplies the weight of this body (0: weightless).
    """

    mass: Positive
    cog: Vector3
    inertia: Vector3 | Vector6
    attitude_deg: Vector3 = (0.0, 0.0, 0.0)
    points: dict[PointName, Vector3] = Field(default_factory=dict)
    gravity_scale: Number = 1.0

    @model_validator(mode="after")
    def _inertia_is_physical(self) -> Body:
        principal = np.linalg.eigvalsh(self.inertia_tensor())
        if principal[0] <= 0.0:
            raise ValueError(
                f"the inertia has the principal moment {principal[0]:g} kg m2; "
                "all three must be positive"
            )
        if principal[0] + principal[1] < principal[2] * (1.0 - 1e-9):
            raise ValueError(
                f"the principal moments {principal[0]:g}, {principal[1]:g}, {principal[2]:g} "
                "kg m2 break the triangle inequality; no distribution of mass has them"
            )
        return self

    def inertia_tensor(self) -> NDArray[np.float64]:
        """Inertia about the centre of gravity, (3, 3), kg m², world axes at q = 0."""
        xx, yy, zz = self.inertia[:3]
        xy, xz, yz = self.inertia[3:] if len(self.inertia) == 6 else (0.0, 0.0, 0.0)
        local = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        turn = rotation_from_rpy(np.radians(self.attitude_deg))
        tensor: NDArray[np.float64] = turn @ local @ turn.T
        return tensor
