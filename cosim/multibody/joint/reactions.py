"""Loads in the joints, and energies."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import accumulate, get_symmetric, get_vector, put_vector
from cosim.algebra.vectors import add, apply_symmetric, cross, dot, scale, subtract
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import (
    ARM,
    INERTIA,
    LOAD,
    MASS,
    MOMENT,
    ROTATIONAL,
    WEIGHT,
    Memory,
    Tree,
    Work,
    named,
)
from cosim.multibody.joint.inertia import body_inertias
from cosim.multibody.joint.projection import gather

__all__ = ["inertial_forces", "joint_loads", "kinetic_energy", "weight_potential"]


@compiled
def joint_loads(memory: Memory, g: Float, v_dot: Float, out: Float, point: Float) -> None:
    """Write the wrench, (n, 6), that each body gets from its joint, at the joint's point."""
    tree, work = named(memory)
    inertial_forces(tree, work, v_dot)
    accumulate(work.body, LOAD, work.element_load, -1.0)
    accumulate(work.body, LOAD, g, -1.0)
    gather(tree, work)
    for i in range(tree.joints.shape[0]):
        arm = get_vector(work.body, i, ARM)
        force, moment = get_vector(work.body, i, LOAD), get_vector(work.body, i, LOAD + MOMENT)
        put_vector(out, i, 0, force)
        put_vector(out, i, MOMENT, add(moment, cross(arm, force)))
        put_vector(point, i, 0, subtract(get_vector(work.r, i, 0), arm))


@compiled
def inertial_forces(tree: Tree, work: Work, v_dot: Float) -> None:
    """Write M v' + c - weight of every body to the loads of `work`."""
    body_inertias(tree, work)
    for i in range(tree.joints.shape[0]):
        J = get_symmetric(work.body, i, INERTIA + ROTATIONAL)
        w = get_vector(work.v, i, MOMENT)
        force = scale(tree.body[i, MASS], get_vector(v_dot, i, 0))
        moment = apply_symmetric(J, get_vector(v_dot, i, MOMENT))
        moment = add(moment, cross(w, apply_symmetric(J, w)))
        put_vector(work.body, i, LOAD, (force[0], force[1], force[2] + tree.body[i, WEIGHT]))
        put_vector(work.body, i, LOAD + MOMENT, moment)


@compiled
def kinetic_energy(memory: Memory) -> float:
    """Kinetic energy at the last `move`, J."""
    tree, work = named(memory)
    body_inertias(tree, work)
    energy = 0.0
    for i in range(tree.joints.shape[0]):
        v, w = get_vector(work.v, i, 0), get_vector(work.v, i, MOMENT)
        J = get_symmetric(work.body, i, INERTIA + ROTATIONAL)
        energy += 0.5 * (tree.body[i, MASS] * dot(v, v) + dot(w, apply_symmetric(J, w)))
    return energy


@compiled
def weight_potential(memory: Memory) -> float:
    """Potential of the weights, zero at z = 0, J."""
    tree, work = named(memory)
    energy = 0.0
    for i in range(tree.joints.shape[0]):
        energy += tree.body[i, WEIGHT] * work.r[i, 2]
    return energy
