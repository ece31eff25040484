"""Loads in the joints, the residual of the equations of motion, and energies."""

from __future__ import annotations

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
from cosim.multibody.joint.arrays import MOMENT, ROTATIONAL, Memory, tree_view, work_view
from cosim.multibody.joint.inertia import body_inertias
from cosim.multibody.joint.projection import gather

__all__ = ["joint_loads", "kinetic_energy", "weight_potential"]


@compiled
def joint_loads(memory: Memory, g: Float, v_dot: Float, out: Float, point: Float) -> None:
    """Write the wrench, (n, 6), that each body gets from its joint, at the joint's point."""
    tree, work = tree_view(memory[0], memory[1]), work_view(memory[0].shape[0], memory[2])
    body_inertias(tree, work)
    for i in range(tree.mass.size):
        J, w = get_symmetric(work.inertia, i, ROTATIONAL), get_vector(work.v, i, MOMENT)
        force = scale(tree.mass[i], get_vector(v_dot, i, 0))
        moment = apply_symmetric(J, get_vector(v_dot, i, MOMENT))
        moment = add(moment, cross(w, apply_symmetric(J, w)))
        force = (force[0], force[1], force[2] + tree.weight[i])
        force = subtract(force, get_vector(work.element_load, i, 0))
        moment = subtract(moment, get_vector(work.element_load, i, MOMENT))
        put_vector(out, i, 0, subtract(force, get_vector(g, i, 0)))
        put_vector(out, i, MOMENT, subtract(moment, get_vector(g, i, MOMENT)))
    gather(tree, work, out)
    for i in range(tree.mass.size):
        arm = get_vector(work.arm, i, 0)
        moment = get_vector(out, i, MOMENT)
        put_vector(out, i, MOMENT, add(moment, cross(arm, get_vector(out, i, 0))))
        put_vector(point, i, 0, subtract(get_vector(work.r, i, 0), arm))


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
