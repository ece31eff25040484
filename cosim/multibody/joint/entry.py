"""What Python calls: one compiled function per phase of an evaluation.

All begin with the memory of a model; loads are wrenches g, (n, 6), at the centres of
gravity or generalised forces Q, (nu,). Functions that solve return
:data:`~cosim.multibody.joint.articulated.SOLVED` or the speed without positive inertia.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import accumulate
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import (
    BIAS,
    ELEMENT,
    LOAD,
    TORQUE,
    Index,
    Memory,
    Tree,
    Work,
    named,
)
from cosim.multibody.joint.articulated import add_bias, articulated
from cosim.multibody.joint.dense import add_mass_matrix, project_mass, solve_cholesky
from cosim.multibody.joint.inertia import add_body_mass, body_inertias, inertial_loads
from cosim.multibody.joint.loads import (
    ElementTables,
    JointCoordinates,
    element_loads,
    element_values,
)
from cosim.multibody.joint.positions import positions
from cosim.multibody.joint.projection import clear_loads, expand, project, transformation_rows
from cosim.multibody.joint.twists import coordinate_rates, twists

__all__ = [
    "Plain",
    "accelerate",
    "accelerate_coupled",
    "add_wrenches",
    "derive",
    "derive_coupled",
    "move",
    "move_loaded",
    "own_force",
    "prepare",
    "project_added_mass",
    "project_wrenches",
    "rates",
    "show_elements",
    "transformation",
]

Plain = tuple[Memory, ElementTables, JointCoordinates, Float]
"""All arrays of a model: memory, elements, what joint loads act on, (potential, power)."""

Coupled = tuple[Index, Float, Float]
"""Rows of bodies, their M_a (6k, 6k), and scratch (2, 6n, nu)."""


@compiled
def move(memory: Memory, q: Float, u: Float) -> None:
    """Positions, twists and bias."""
    tree, work = named(memory)
    positions(tree, work, q)
    twists(tree, work, u)


@compiled
def move_loaded(
    memory: Memory,
    elements: ElementTables,
    joint: JointCoordinates,
    motion: tuple[float, Float, Float],
    energy: Float,
) -> None:
    """Positions, twists, bias and loads of the elements; see `element_loads`."""
    tree, work = named(memory)
    positions(tree, work, motion[1])
    twists(tree, work, motion[2])
    element_loads(work, elements, joint, motion, energy)


@compiled
def show_elements(
    memory: Memory, elements: ElementTables, joint: JointCoordinates, t: float, shown: Float
) -> None:
    """Write what the results show of the elements after `move_loaded`."""
    element_values(named(memory)[1], elements, joint, t, shown)


@compiled
def rates(memory: Memory, q: Float, u: Float, out: Float) -> None:
    """Write q'."""
    coordinate_rates(named(memory)[0], q, u, out)


@compiled
def project_wrenches(memory: Memory, g: Float, out: Float) -> None:
    """Write Bᵀ g."""
    tree, work = named(memory)
    clear_loads(work)
    accumulate(work.body, LOAD, g, 1.0)
    for j in range(out.size):
        out[j] = 0.0
    project(tree, work, out)


@compiled
def project_added_mass(memory: Memory, coupled: Coupled, out: Float) -> None:
    """Write Bᵀ M_a B."""
    tree, work = named(memory)
    project_mass(tree, work, coupled, out)


@compiled
def transformation(memory: Memory, bodies: Index, out: Float) -> None:
    """Write the rows of B that belong to `bodies`."""
    tree, work = named(memory)
    transformation_rows(tree, work, bodies, out)


@compiled
def accelerate(memory: Memory, Q: Float, body_mass: Float, u_dot: Float, v_dot: Float) -> int:
    """Articulated bodies; Q contains the -M_a B' u of `body_mass`."""
    tree, work = named(memory)
    prepare(tree, work, Q, body_mass)
    return articulated(tree, work, u_dot, v_dot)


@compiled
def accelerate_coupled(
    memory: Memory, Q: Float, masses: tuple[Float, Float], u_dot: Float, v_dot: Float
) -> int:
    """Cholesky; `masses` are the generalised one, overwritten, and that of single bodies."""
    tree, work = named(memory)
    prepare(tree, work, Q, masses[1])
    return _solve_dense(tree, work, masses[0], u_dot, v_dot)


@compiled
def own_force(memory: Memory, body_mass: Float, out: Float) -> None:
    """Write Bᵀ (weight + elements - c - M B' u) + Q_joint; `body_mass` is (0, 6, 6)."""
    tree, work = named(memory)
    prepare(tree, work, out[:0], body_mass)
    for j in range(out.size):
        out[j] = work.speed[j, TORQUE]
    project(tree, work, out)


@compiled
def derive(memory: Memory, g: Float, body_mass: Float, u_dot: Float, v_dot: Float) -> int:
    """Articulated bodies for wrenches and M_a of single bodies, B' u term included."""
    tree, work = named(memory)
    prepare(tree, work, u_dot[:0], body_mass)
    add_wrenches(work, g, body_mass)
    return articulated(tree, work, u_dot, v_dot)


@compiled
def derive_coupled(
    memory: Memory,
    loads: tuple[Float, Float],
    coupled: Coupled,
    M: Float,
    out: tuple[Float, Float],
) -> int:
    """Cholesky for wrenches, M_a of single bodies and M_a that couples bodies."""
    tree, work = named(memory)
    bodies, Ma, _ = coupled
    prepare(tree, work, out[0][:0], loads[1])
    add_wrenches(work, loads[0], loads[1])
    for a in range(6 * bodies.size):
        for b in range(6 * bodies.size):
            bias = work.body[bodies[b // 6], BIAS + b % 6]
            work.body[bodies[a // 6], LOAD + a % 6] -= Ma[a, b] * bias
    project_mass(tree, work, coupled, M)
    return _solve_dense(tree, work, M, out[0], out[1])


@compiled
def prepare(tree: Tree, work: Work, Q: Float, body_mass: Float) -> None:
    """Inertias; weight, elements, inertial loads of the bodies, and Q (or nothing)."""
    body_inertias(tree, work)
    inertial_loads(tree, work)
    add_body_mass(work, body_mass)
    accumulate(work.body, LOAD, work.element_load, 1.0)
    for j in range(work.speed.shape[0]):
        work.speed[j, TORQUE] = work.speed[j, ELEMENT]
    for j in range(Q.size):
        work.speed[j, TORQUE] += Q[j]


@compiled
def add_wrenches(work: Work, g: Float, body_mass: Float) -> None:
    """Add g - M_a B' u; either may be empty."""
    accumulate(work.body, LOAD, g, 1.0)
    for i in range(body_mass.shape[0]):
        for a in range(6):
            for b in range(6):
                work.body[i, LOAD + a] -= body_mass[i, a, b] * work.body[i, BIAS + b]


@compiled
def _solve_dense(tree: Tree, work: Work, M: Float, u_dot: Float, v_dot: Float) -> int:
    add_mass_matrix(tree, work, M)
    for j in range(u_dot.size):
        u_dot[j] = work.speed[j, TORQUE]
    project(tree, work, u_dot)
    failed = solve_cholesky(M, u_dot)
    expand(tree, work, u_dot, v_dot)
    add_bias(work, v_dot)
    return failed
