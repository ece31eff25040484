"""Products with B without forming it: wrenches to generalised forces, speeds to twists."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import add_vector, clear, get_vector, put_vector
from cosim.algebra.vectors import ZERO, Vector, add, cross, dot, scale
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import (
    COLUMN,
    FIRST_U,
    LEVER,
    LOAD,
    MOMENT,
    ORDER,
    PARENT,
    SPEEDS,
    Index,
    Tree,
    Work,
)

__all__ = [
    "carried",
    "clear_loads",
    "expand",
    "gather",
    "hand_down",
    "project",
    "transformation_rows",
]


@compiled
def clear_loads(work: Work) -> None:
    """Set all loads to zero."""
    for i in range(work.body.shape[0]):
        for k in range(6):
            work.body[i, LOAD + k] = 0.0


@compiled
def gather(tree: Tree, work: Work) -> None:
    """Replace each load by that of the body's whole subtree, at the same point."""
    for k in range(tree.joints.shape[0] - 1, -1, -1):
        i = tree.joints[k, ORDER]
        parent = tree.joints[i, PARENT]
        if parent >= 0:
            force, moment = get_vector(work.body, i, LOAD), get_vector(work.body, i, LOAD + MOMENT)
            hand_down(work, i, parent, force, moment)


@compiled
def hand_down(work: Work, i: int, parent: int, force: Vector, moment: Vector) -> None:
    """Add a load at the centre of gravity of body i to that of its parent."""
    add_vector(work.body, parent, LOAD, force)
    moment = add(moment, cross(get_vector(work.body, i, LEVER), force))
    add_vector(work.body, parent, LOAD + MOMENT, moment)


@compiled
def project(tree: Tree, work: Work, out: Float) -> None:
    """Add Bᵀ g to `out`, (nu,), g the loads of `work`; they are summed over subtrees."""
    gather(tree, work)
    for i in range(tree.joints.shape[0]):
        force, moment = get_vector(work.body, i, LOAD), get_vector(work.body, i, LOAD + MOMENT)
        first = tree.joints[i, FIRST_U]
        for j in range(first, first + tree.joints[i, SPEEDS]):
            out[j] += dot(get_vector(work.speed, j, COLUMN), force) + dot(
                get_vector(work.speed, j, COLUMN + MOMENT), moment
            )


@compiled
def expand(tree: Tree, work: Work, speeds: Float, out: Float) -> None:
    """Write B u, (n, 6)."""
    for k in range(tree.joints.shape[0]):
        i = tree.joints[k, ORDER]
        parent, first = tree.joints[i, PARENT], tree.joints[i, FIRST_U]
        v, w = carried(work, out, i, parent)
        for j in range(first, first + tree.joints[i, SPEEDS]):
            v = add(v, scale(speeds[j], get_vector(work.speed, j, COLUMN)))
            w = add(w, scale(speeds[j], get_vector(work.speed, j, COLUMN + MOMENT)))
        put_vector(out, i, 0, v)
        put_vector(out, i, MOMENT, w)


@compiled
def carried(work: Work, v: Float, i: int, parent: int) -> tuple[Vector, Vector]:
    """Twist that the parent's, a row of v, (n, 6), gives body i; none on earth."""
    if parent < 0:
        return ZERO, ZERO
    w = get_vector(v, parent, MOMENT)
    return add(get_vector(v, parent, 0), cross(w, get_vector(work.body, i, LEVER))), w


@compiled
def transformation_rows(tree: Tree, work: Work, bodies: Index, out: Float) -> None:
    """Write the rows of B that belong to `bodies`, (6k, nu)."""
    clear(out)
    for a in range(bodies.size):
        i = bodies[a]
        lever = ZERO
        while i >= 0:
            first = tree.joints[i, FIRST_U]
            for j in range(first, first + tree.joints[i, SPEEDS]):
                w = get_vector(work.speed, j, COLUMN + MOMENT)
                v = add(get_vector(work.speed, j, COLUMN), cross(w, lever))
                for k in range(3):
                    out[6 * a + k, j] = v[k]
                    out[6 * a + MOMENT + k, j] = w[k]
            lever = add(lever, get_vector(work.body, i, LEVER))
            i = tree.joints[i, PARENT]
