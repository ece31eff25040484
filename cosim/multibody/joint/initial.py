"""Start values by name."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from cosim.algebra.attitude import rotation_from_rpy
from cosim.algebra.rotations import quaternion_from_matrix
from cosim.algebra.rows import get_matrix
from cosim.model.system import System
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import (
    FIRST_Q,
    FIRST_U,
    QUATERNION,
    ROTATION,
    SPEEDS,
    TRANSLATIONS,
)
from cosim.multibody.joint.topology import Topology
from cosim.multibody.start_values import start_values

__all__ = ["initial_values"]


def initial_values(
    system: System, topology: Topology, conditions: Mapping[str, float]
) -> tuple[Float, Float]:
    """Coordinates and speeds of the reference configuration changed by `conditions`.

    Roll, pitch and yaw of one joint form one rotation R = Rz Ry Rx in the parent's axes;
    their rates are the components of the relative angular velocity.

    Raises
    ------
    ModelError
        Unknown joint, body or coordinate, degrees of a length, or a value given twice.
    """
    displacement, u = start_values(system, topology.speeds, conditions)
    return _coordinates(topology, displacement), u


def _coordinates(topology: Topology, displacement: Float) -> Float:
    q = np.zeros(topology.nq)
    for row in topology.tree.joints:
        at, first, plain = row[FIRST_Q], row[FIRST_U], row[TRANSLATIONS]
        if row[ROTATION] == QUATERNION:
            rpy = displacement[first + plain : first + plain + 3]
            R = get_matrix(rotation_from_rpy(rpy)[np.newaxis], 0)
            q[at + plain : at + plain + 4] = quaternion_from_matrix(R)
        else:
            plain = row[SPEEDS]
        q[at : at + plain] = displacement[first : first + plain]
    return q
