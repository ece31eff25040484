"""Loads of the force elements of a system in symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cosim.errors import ModelError
from cosim.model.elements import ElementKind, JointLoad, MatrixLoad, PointForce, Tension, Torsion
from cosim.multibody.joint.symbolic.elements_joint import joint_load
from cosim.multibody.joint.symbolic.elements_matrix import matrix_load
from cosim.multibody.joint.symbolic.elements_point import point_force
from cosim.multibody.joint.symbolic.elements_tension import tension
from cosim.multibody.joint.symbolic.elements_torsion import torsion
from cosim.multibody.joint.symbolic.loads import ElementLoad, Loads

if TYPE_CHECKING:
    from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["element_loads"]


def element_loads(kin: Kinematics) -> Loads:
    """Wrenches, generalised forces, energy and power of every element, without weight.

    The matrix loads in the frame of an adapter turn with its heading, the symbol
    ``kin.values.headings[adapter]``.

    Parameters
    ----------
    kin : Kinematics

    Raises
    ------
    ModelError
        A law that has no form in symbols; names the element.
    """
    by_element = {}
    for name, element in kin.system.elements.items():
        try:
            by_element[name] = _load(kin, name, element)
        except ModelError as error:
            raise ModelError(f"element '{name}': {error}") from None
    return Loads(kin, by_element)


def _load(kin: Kinematics, name: str, element: ElementKind) -> ElementLoad:
    match element:
        case PointForce():
            return point_force(kin, name, element)
        case JointLoad():
            return joint_load(kin, name, element)
        case Tension():
            return tension(kin, name, element)
        case Torsion():
            return torsion(kin, name, element)
        case MatrixLoad():
            return matrix_load(kin, name, element)
