"""The system that a user describes: plain data, validated on entry."""

from cosim.algebra.attitude import rotation_from_rpy
from cosim.model.beam_section import BeamSection, RoundSection
from cosim.model.body import Body
from cosim.model.elements import (
    EndStop,
    JointLoad,
    MatrixLoad,
    PointForce,
    Tension,
    Torsion,
)
from cosim.model.flexible_beam import flexible_beam
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
    "BeamSection",
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
    "RoundSection",
    "Spherical",
    "System",
    "Tension",
    "Torsion",
    "Universal",
    "flexible_beam",
    "rotation_from_rpy",
]
