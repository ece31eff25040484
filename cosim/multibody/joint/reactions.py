"""Loads in the joints, the residual of the equations of motion, and energies."""

from __future__ import annotations

import numpy as np

from cosim.multibody.interface import Float
from cosim.multibody.joint.algebra import (
    add,
    apply_symmetric,
    compiled,
    cross,
    dot,
    get_symmetric,
    get_vector,
    put_vector,
    scale,
    subtract,
)
from cosim.multibody.joint.arrays import (
    MOMENT,
    ROTATIONAL,
    Memory,
    Tree,
    Work,
    tree_view,
    work_view,
)
from cosim.multibody.joint.inertia import body_inertias
from cosim.multibody.joint.projection import gather, project

__all__ = ["joint_loads", "kinetic_energy", "residual", "weight_potential"]


@compiled
def joint_loads(memory: Memory, g: Float, v_dot: Float, out: Float, point: Float) -> None:
    """Write the wrench, (n, 6), that each body gets from its joint, at the joint's point."""
    tree, work = tree_view(memory[0], memory[1]), work_view(memory[0].shape[0], memory[2])
    _inertial(tree, work, v_dot, out)
    out -= work.element_load
    out -= g
    gather(tree, work, out)
    for i in range(tree.mass.size):
        arm = get_vector(work.arm, i, 0)
        moment = get_vector(out, i, MOMENT)
        put_vector(out, i, MOMENT, add(moment, cross(arm, get_vector(out, i, 0))))
        put_vector(point, i, 0, subtract(get_vector(work.r, i, 0), arm))


@compiled
def residual(memory: Memory, g: Float, v_dot: Float) -> float:
    """Largest of |Bᵀ (M v' + c - weight - loads) - Q| over the largest of its two parts."""
    tree, work = tree_view(memory[0], memory[1]), work_view(memory[0].shape[0], memory[2])
    inertial, loads = np.zeros(work.gain.size), work.element_speed_load.copy()
    wrench = work.scratch
    _inertial(tree, work, v_dot, wrench)
    project(tree, work, wrench, inertial)
    wrench[:] = g
    wrench += work.element_load
    project(tree, work, wrench, loads)
    largest = worst = 0.0
    for j in range(loads.size):
        largest = max(largest, abs(loads[j]), abs(inertial[j]))
        worst = max(worst, abs(inertial[j] - loads[j]))
    return worst / largest if largest > 0.0 else 0.0


@compiled
def _inertial(tree: Tree, work: Work, v_dot: Float, out: Float) -> None:
    """Write M v' + c - weight of every body."""
    body_inertias(tree, work)
    for i in range(tree.mass.size):
        J, w = get_symmetric(work.inertia, i, ROTATIONAL), get_vector(work.v, i, MOMENT)
        force = scale(tree.mass[i], get_vector(v_dot, i, 0))
        moment = apply_symmetric(J, get_vector(v_dot, i, MOMENT))
        put_vector(out, i, 0, (force[0], force[1], force[2] + tree.weight[i]))
        put_vector(out, i, MOMENT, add(moment, cross(w, apply_symmetric(J, w))))


@compiled
def kinetic_energy(memory: Memory) -> float:
    """Kinetic energy at the last `move`, J."""
    tree, work = tree_view(memory[0], memory[1]), work_view(memory[0].shape[0], memory[2])
    body_inertias(tree, work)
    energy = 0.0
    for i in range(tree.mass.size):
        v, w = get_vector(work.v, i, 0), get_vector(work.v, i, MOMENT)
        J = get_symmetric(work.inertia, i, ROTATIONAL)
        energy += 0.5 * (tree.mass[i] * dot(v, v) + dot(w, apply_symmetric(J, w)))
    return energy


@compiled
def weight_potential(memory: Memory) -> float:
    """Potential of the weights, zero at z = 0, J."""
    tree, work = tree_view(memory[0], memory[1]), work_view(memory[0].shape[0], memory[2])
    energy = 0.0
    for i in range(tree.mass.size):
        energy += tree.weight[i] * work.r[i, 2]
    return energy
