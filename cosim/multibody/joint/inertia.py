"""Inertias in world axes, inertial loads and sums over subtrees."""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import get_matrix, get_symmetric, get_vector, put_vector
from cosim.algebra.vectors import (
    Matrix,
    Symmetric,
    Vector,
    add,
    apply_symmetric,
    cross,
    scale,
    turn_symmetric,
)
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import (
    BIAS,
    COUPLING,
    INERTIA,
    LOAD,
    MASS,
    MOMENT,
    OWN_INERTIA,
    ROTATIONAL,
    WEIGHT,
    Tree,
    Work,
)

__all__ = [
    "Inertia",
    "add_body_mass",
    "add_inertia",
    "body_inertias",
    "get_inertia",
    "inertial_loads",
    "moved_inertia",
]

Inertia = tuple[Symmetric, Matrix, Symmetric]
"""Force block, force-rotation block and moment-rotation block of a symmetric (6, 6)."""


@compiled
def body_inertias(tree: Tree, work: Work) -> None:
    """Write diag(m 1, R J Rᵀ) to the inertias of `work`."""
    for i in range(tree.joints.shape[0]):
        mass = tree.body[i, MASS]
        turned = turn_symmetric(get_matrix(work.R, i), get_symmetric(tree.body, i, OWN_INERTIA))
        for k in range(ROTATIONAL):
            work.body[i, INERTIA + k] = 0.0
        for k in range(3):
            work.body[i, INERTIA + k] = mass
        for k in range(6):
            work.body[i, INERTIA + ROTATIONAL + k] = turned[k]


@compiled
def inertial_loads(tree: Tree, work: Work) -> None:
    """Write weight - c - M B' u to the loads of `work`; inertias come first."""
    for i in range(tree.joints.shape[0]):
        J = get_symmetric(work.body, i, INERTIA + ROTATIONAL)
        w = get_vector(work.v, i, MOMENT)
        force = scale(-tree.body[i, MASS], get_vector(work.body, i, BIAS))
        moment = add(
            cross(w, apply_symmetric(J, w)),
            apply_symmetric(J, get_vector(work.body, i, BIAS + MOMENT)),
        )
        put_vector(work.body, i, LOAD, (force[0], force[1], force[2] - tree.body[i, WEIGHT]))
        put_vector(work.body, i, LOAD + MOMENT, scale(-1.0, moment))


@compiled
def add_body_mass(work: Work, body_mass: Float) -> None:
    """Add symmetric (n, 6, 6) to the inertias of `work`."""
    for i in range(body_mass.shape[0]):
        m = body_mass[i]
        row = work.body[i, INERTIA : INERTIA + 21]
        row[0] += m[0, 0]
        row[1] += m[1, 1]
        row[2] += m[2, 2]
        row[3] += m[0, 1]
        row[4] += m[0, 2]
        row[5] += m[1, 2]
        for a in range(3):
            for b in range(3):
                row[COUPLING + 3 * a + b] += m[a, 3 + b]
        row[ROTATIONAL] += m[3, 3]
        row[ROTATIONAL + 1] += m[4, 4]
        row[ROTATIONAL + 2] += m[5, 5]
        row[ROTATIONAL + 3] += m[3, 4]
        row[ROTATIONAL + 4] += m[3, 5]
        row[ROTATIONAL + 5] += m[4, 5]


@compiled
def get_inertia(a: Float, i: int) -> Inertia:
    """Inertia of row i as three blocks."""
    at = INERTIA + COUPLING
    H = (*get_vector(a, i, at), *get_vector(a, i, at + 3), *get_vector(a, i, at + 6))
    return get_symmetric(a, i, INERTIA), H, get_symmetric(a, i, INERTIA + ROTATIONAL)


@compiled
def add_inertia(a: Float, i: int, inertia: Inertia) -> None:
    """Add three blocks to the inertia of row i."""
    A, H, C = inertia
    for k in range(6):
        a[i, INERTIA + k] += A[k]
        a[i, INERTIA + ROTATIONAL + k] += C[k]
    for k in range(9):
        a[i, INERTIA + COUPLING + k] += H[k]


@compiled
def moved_inertia(inertia: Inertia, d: Vector) -> Inertia:
    r"""The inertia about a point from which d leads to the present one.

    .. math::  H' = H - A \tilde d, \qquad C' = C + W + W^T, \quad
               W = \tilde d (H + H') / 2
    """
    A, H, C = inertia
    # rows of A d~ are the rows of A crossed with d
    x = cross((A[0], A[3], A[4]), d)
    y = cross((A[3], A[1], A[5]), d)
    z = cross((A[4], A[5], A[2]), d)
    moved = (
        *(H[0] - x[0], H[1] - x[1], H[2] - x[2]),
        *(H[3] - y[0], H[4] - y[1], H[5] - y[2]),
        *(H[6] - z[0], H[7] - z[1], H[8] - z[2]),
    )
    first = cross(d, (H[0] + moved[0], H[3] + moved[3], H[6] + moved[6]))
    second = cross(d, (H[1] + moved[1], H[4] + moved[4], H[7] + moved[7]))
    third = cross(d, (H[2] + moved[2], H[5] + moved[5], H[8] + moved[8]))
    # W is half of [first second third]
    rotational = (
        *(C[0] + first[0], C[1] + second[1], C[2] + third[2]),
        C[3] + 0.5 * (first[1] + second[0]),
        C[4] + 0.5 * (first[2] + third[0]),
        C[5] + 0.5 * (second[2] + third[1]),
    )
    return A, moved, rotational
