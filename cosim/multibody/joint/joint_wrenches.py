"""Reactions of all joints, those of the tree and those that are cut."""

from __future__ import annotations

import numpy as np

from cosim.model.system import System
from cosim.multibody.interface import Float, Reactions
from cosim.multibody.joint.arrays import Memory
from cosim.multibody.joint.loops import ClosedLoops
from cosim.multibody.joint.reactions import joint_loads
from cosim.multibody.joint.topology import Topology

__all__ = ["joint_wrenches"]


def joint_wrenches(
    tree: tuple[System, Topology, Memory],
    loops: ClosedLoops | None,
    g: Float,
    v_dot: Float,
    Ma: Float | None,
) -> Reactions:
    """Reactions in the order of the description; see :meth:`MultibodyModel.reactions`."""
    system, topology, memory = tree
    net, rates = np.array(g, dtype=np.float64), np.array(v_dot)
    if Ma is not None:
        net -= (Ma @ rates.ravel()).reshape(-1, 6)
    n = len(topology.bodies)
    wrench, point = np.empty((n, 6)), np.empty((n, 3))
    found: dict[str, tuple[Float, Float]] = {}
    if loops is not None:
        points, wrenches = loops.add_loads(net, rates)
        found = dict(zip(loops.joints, zip(points, wrenches, strict=True), strict=True))
    joint_loads(memory, net, rates, wrench, point)
    found |= {name: (point[i], wrench[i]) for i, name in enumerate(topology.holder)}
    pairs = [found[name] for name in system.joints]
    return Reactions(
        tuple(system.joints), np.array([p for p, _ in pairs]), np.array([w for _, w in pairs])
    )
