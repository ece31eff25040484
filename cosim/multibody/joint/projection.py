"""Products with B without forming it: wrenches to generalised forces, speeds to twists."""

from __future__ import annotations

from cosim.multibody.interface import Float
from cosim.multibody.joint.algebra import (
    ZERO,
    add,
    compiled,
    cross,
    dot,
    get_vector,
    put_vector,
    scale,
)
from cosim.multibody.joint.arrays import (
    FIRST_U,
    MOMENT,
    ORDER,
    PARENT,
    SPEEDS,
    Index,
    Tree,
    Work,
)

__all__ = ["expand", "gather", "project", "transformation_rows"]


@compiled
def gather(tree: Tree, work: Work, wrench: Float) -> None:
    """Replace each wrench, (n, 6), by that of its whole subtree at the same point."""
    for k in range(tree.joints.shape[0] - 1, -1, -1):
        i = tree.joints[k, ORDER]
        parent = tree.joints[i, PARENT]
        if parent < 0:
            continue
        force = get_vector(wrench, i, 0)
        moment = add(get_vector(wrench, i, MOMENT), cross(get_vector(work.lever, i, 0), force))
        put_vector(wrench, parent, 0, add(get_vector(wrench, parent, 0), force))
        put_vector(wrench, parent, MOMENT, add(get_vector(wrench, parent, MOMENT), moment))


@compiled
def project(tree: Tree, work: Work, wrench: Float, out: Float) -> None:
    """Add Bᵀ g to `out`, (nu,); `wrench` holds g before and sums over subtrees after."""
    gather(tree, work, wrench)
    for i in range(tree.joints.shape[0]):
        force, moment = get_vector(wrench, i, 0), get_vector(wrench, i, MOMENT)
        first = tree.joints[i, FIRST_U]
        for j in range(first, first + tree.joints[i, SPEEDS]):
            out[j] += dot(get_vector(work.columns, j, 0), force) + dot(
                get_vector(work.columns, j, MOMENT), moment
            )


@compiled
def expand(tree: Tree, work: Work, speeds: Float, out: Float) -> None:
    """Write B u, (n, 6)."""
    for k in range(tree.joints.shape[0]):
        i = tree.joints[k, ORDER]
        parent, first = tree.joints[i, PARENT], tree.joints[i, FIRST_U]
        v, w = ZERO, ZERO
        if parent >= 0:
            w = get_vector(out, parent, MOMENT)
            v = add(get_vector(out, parent, 0), cross(w, get_vector(work.lever, i, 0)))
        for j in range(first, first + tree.joints[i, SPEEDS]):
            v = add(v, scale(speeds[j], get_vector(work.columns, j, 0)))
            w = add(w, scale(speeds[j], get_vector(work.columns, j, MOMENT)))
        put_vector(out, i, 0, v)
        put_vector(out, i, MOMENT, w)


@compiled
def transformation_rows(tree: Tree, work: Work, bodies: Index, out: Float) -> None:
    """Write the rows of B that belong to `bodies`, (6k, nu)."""
    for a in range(bodies.size):
        out[6 * a : 6 * a + 6] = 0.0
        i = bodies[a]
        lever = ZERO
        while i >= 0:
            first = tree.joints[i, FIRST_U]
            for j in range(first, first + tree.joints[i, SPEEDS]):
                w = get_vector(work.columns, j, MOMENT)
                v = add(get_vector(work.columns, j, 0), cross(w, lever))
                for k in range(3):
                    out[6 * a + k, j] = v[k]
                    out[6 * a + MOMENT + k, j] = w[k]
            lever = add(lever, get_vector(work.lever, i, 0))
            i = tree.joints[i, PARENT]
