"""Loads in the joints from the balance of what hangs on them."""

from __future__ import annotations

import numpy as np

from cosim.algebra.types import Float
from cosim.model.base import EARTH
from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["subtree_wrenches"]


def subtree_wrenches(kin: Kinematics, r: Float, net: Float, points: Float) -> Float:
    """What each joint passes to its child, at the point of the joint.

    Parameters
    ----------
    kin : Kinematics
    r : (n, 3)
        Centres of gravity, m.
    net : (n, 6)
        What every body lacks: inertial wrench less all applied loads, at its centre of gravity.
    points : (nj, 3)
        Points of the joints, m.

    Returns
    -------
    (nj, 6)
        Sum over the bodies beyond each joint, world axes.
    """
    place = {body: k for k, body in enumerate(kin.bodies)}
    joints = {name: k for k, name in enumerate(kin.system.joints)}
    carried = net.copy()
    wrench = np.zeros((len(joints), 6))
    for body in reversed(kin.tree.order):
        k, parent, joint = place[body], kin.tree.parent[body], joints[kin.tree.joint[body]]
        wrench[joint] = _moved(carried[k], r[k] - points[joint])
        if parent != EARTH:
            carried[place[parent]] += _moved(carried[k], r[k] - r[place[parent]])
    return wrench


def _moved(wrench: Float, lever: Float) -> Float:
    """The wrench about another point, from which `lever` leads to the present one."""
    return np.concatenate([wrench[:3], wrench[3:] + np.cross(lever, wrench[:3])])
