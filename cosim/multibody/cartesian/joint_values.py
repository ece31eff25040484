"""Coordinates of all joints as results show them."""

from __future__ import annotations

import numpy as np

from cosim.algebra.rotations import vector_from_quaternion
from cosim.algebra.types import Float
from cosim.model.base import EARTH
from cosim.model.joints import Floating, Spherical
from cosim.model.system import System
from cosim.multibody.cartesian.coordinates import Coordinates
from cosim.multibody.elements.bodies import Bodies, relative_quaternion
from cosim.multibody.interface import State

__all__ = ["joint_values"]


def joint_values(system: System, table: Coordinates, state: State) -> tuple[Float, Float]:
    """Displacements from the reference configuration and speeds of all joints, in their order.

    Rotations without axes are rotation vectors; those and displacements of a floating joint are
    in the parent's axes.
    """
    values: list[Float] = []
    rates: list[Float] = []
    singles = iter(range(len(table.kind)))
    for joint in system.joints.values():
        if joint.cut:
            continue
        if isinstance(joint, Floating | Spherical):
            value, rate = _free(system, joint, state)
            for _ in range(3 if isinstance(joint, Floating) else 0):
                next(singles)
        else:
            rows = [next(singles) for _ in joint.coordinates]
            value, rate = table.value[rows], table.rate[rows]
        values.append(value)
        rates.append(rate)
    return np.concatenate([*values, np.zeros(0)]), np.concatenate([*rates, np.zeros(0)])


def _free(system: System, joint: Floating | Spherical, state: State) -> tuple[Float, Float]:
    bodies = list(system.bodies)
    child = bodies.index(joint.child)
    parent = -1 if joint.parent == EARTH else bodies.index(joint.parent)
    turn = relative_quaternion(Bodies(state.r, state.R, state.v), parent, child)
    rotation = np.array(vector_from_quaternion(turn))
    r, R, v = np.zeros(3), np.eye(3), np.zeros(6)
    if parent >= 0:
        r, R, v = state.r[parent], state.R[parent], state.v[parent]
    spin = R.T @ (state.v[child, 3:] - v[3:])
    if isinstance(joint, Spherical):
        return rotation, spin
    way = state.r[child] - r
    centre = np.zeros(3) if parent < 0 else np.array(system.bodies[joint.parent].cog)
    moved = R.T @ way - (np.array(system.bodies[joint.child].cog) - centre)
    slide = R.T @ (state.v[child, :3] - v[:3] - np.cross(v[3:], way))
    return np.concatenate([moved, rotation]), np.concatenate([slide, spin])
