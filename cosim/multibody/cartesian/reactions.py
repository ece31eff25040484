"""Loads in the joints from the multipliers of their constraints.

The equations are M u' + Gᵀ λ = f, so the constraints load the bodies with -Gᵀ λ: on the child of a
joint a force F on its centre of gravity and forces f_k on its directors, which make the moment
Σ d_k × f_k. (Eq. 119 of the FCC-GRB paper has the opposite sign, against its own eq. 7.)
"""

from __future__ import annotations

import numpy as np

from cosim.algebra.types import Float
from cosim.model.joints import Fixed, Floating
from cosim.model.system import System
from cosim.multibody.cartesian.constraints import Constraints
from cosim.multibody.cartesian.coordinates import ANGLE_OF_CHILD
from cosim.multibody.cartesian.memory import MULTIPLIER, Memory
from cosim.multibody.cartesian.rows import jacobians
from cosim.multibody.interface import Reactions

__all__ = ["constraint_wrench", "joint_reactions"]


def constraint_wrench(memory: Memory, rows: slice, side: int) -> Float:
    """Force and moment, (6,), of some rows on their child (1) or parent (0) at its CG.

    The gradients must be those by all twelve numbers.
    """
    body = memory.rows.body[rows, side]
    f = -(memory.row[MULTIPLIER, rows, None] * memory.gradient[rows, side]).sum(axis=0)
    directors = memory.space.x[body[0]].reshape(4, 3)[1:]
    return np.concatenate([f[:3], np.cross(directors, f.reshape(4, 3)[1:]).sum(axis=0)])


def joint_reactions(system: System, constraints: Constraints, memory: Memory) -> Reactions:
    """Load that every joint passes to its child, at the joint's point.

    Parameters
    ----------
    system : System
    constraints : Constraints
    memory : Memory
        After the accelerations were found.
    """
    jacobians(memory.rows, memory.space.x, memory.gradient)
    own = {owner.name: owner.rows for owner in constraints.owners if owner.kind == "joint"}
    bodies, names = list(system.bodies), tuple(system.joints)
    point, wrench = np.zeros((len(names), 3)), np.zeros((len(names), 6))
    along = _coordinate_wrenches(system, memory)
    for j, (name, joint) in enumerate(system.joints.items()):
        child = bodies.index(joint.child)
        centre = memory.space.r[child]
        load = along[name]
        if own[name].stop > own[name].start:
            load = load + constraint_wrench(memory, own[name], 1)
        at = centre
        if not isinstance(joint, Fixed | Floating):
            arm = np.subtract(joint.at, system.bodies[joint.child].cog)
            at = centre + memory.space.R[child] @ arm
        point[j] = at
        wrench[j] = load
        wrench[j, 3:] += np.cross(centre - at, load[:3])
    return Reactions(names, point, wrench)


def _coordinate_wrenches(system: System, memory: Memory) -> dict[str, Float]:
    """Loads of elements on the joints' own coordinates, on the child at its CG."""
    wrenches = {name: np.zeros(6) for name in system.joints}
    table, forces = memory.coordinates, memory.joint[2]
    owners = [
        name
        for name, joint in system.joints.items()
        if joint.type != "spherical" and not joint.cut
        for _ in joint.coordinates[: 3 if joint.type == "floating" else None]
    ]
    for k, force in zip(memory.chosen, forces, strict=True):
        parent, child = table.ends[k]
        carrier = child if table.kind[k] == ANGLE_OF_CHILD else parent
        axis = table.axis[k] if carrier < 0 else memory.space.R[carrier] @ table.axis[k]
        load = wrenches[owners[k]]
        if table.winding[k] >= 0:
            load[3:] += force * axis
        else:
            load[:3] += force * axis
            load[3:] += np.cross(memory.space.R[child] @ table.after[k], force * axis)
    return wrenches
