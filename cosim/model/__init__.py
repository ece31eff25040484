"""The system that a user describes: plain data, validated on entry."""

from cosim.algebra.attitude import rotation_from_rpy
from cosim.model.body import Body
from cosim.model.elements import (
    EndStop,
    JointLoad,
    MatrixLoad,
    PointForce,
    Tension,
    Torsion,
)
from cosim.model.joints import (
    Cylindrical,
    Fixed,
    Floating,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
)
from cosim.model.system import System

__all__ = [
    "Body",
    "Cylindrical",
    "EndStop",
    "Fixed",
    "Floating",
    "JointLoad",
    "MatrixLoad",
    "Planar",
    "PointForce",
    "Prismatic",
    "Revolute",
    "Spherical",
    "System",
    "Tension",
    "Torsion",
    "Universal",
    "rotation_from_rpy",
]
