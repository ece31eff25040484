"""The mass matrix itself, for added mass that couples bodies, and its Cholesky factor."""

from __future__ import annotations

import numpy as np

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import clear, get_vector
from cosim.algebra.vectors import Vector, add, apply, apply_symmetric, apply_transposed, cross, dot
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import (
    COLUMN,
    FIRST_U,
    LEVER,
    MOMENT,
    ORDER,
    PARENT,
    SPEEDS,
    Index,
    Tree,
    Work,
)
from cosim.multibody.joint.articulated import SOLVED
from cosim.multibody.joint.inertia import add_inertia, get_inertia, moved_inertia
from cosim.multibody.joint.projection import transformation_rows

__all__ = [
    "add_mass_matrix",
    "backward",
    "factorise",
    "forward",
    "project_mass",
    "solve_cholesky",
]

_RELATIVE_PIVOT = 1e-14


@compiled
def add_mass_matrix(tree: Tree, work: Work, out: Float) -> None:
    """Add the lower triangle of Bᵀ M B, (nu, nu), to `out`.

    The inertias of `work` are those of the bodies before, and of each body with all that it
    carries after.
    """
    for k in range(tree.joints.shape[0] - 1, -1, -1):
        i = tree.joints[k, ORDER]
        parent, first = tree.joints[i, PARENT], tree.joints[i, FIRST_U]
        inertia = get_inertia(work.body, i)
        if parent >= 0:
            lever = get_vector(work.body, i, LEVER)
            add_inertia(work.body, parent, moved_inertia(inertia, lever))
        A, H, C = inertia
        for j in range(first, first + tree.joints[i, SPEEDS]):
            s, z = get_vector(work.speed, j, COLUMN), get_vector(work.speed, j, COLUMN + MOMENT)
            force = add(apply_symmetric(A, s), apply(H, z))
            moment = add(apply_transposed(H, s), apply_symmetric(C, z))
            _add_column(tree, work, (i, j), (force, moment), out)


@compiled
def _add_column(
    tree: Tree, work: Work, at: tuple[int, int], wrench: tuple[Vector, Vector], out: Float
) -> None:
    """Products of one momentum with the columns of its body and of all ancestors."""
    body, j = at
    force, moment = wrench
    i = body
    while i >= 0:
        first = tree.joints[i, FIRST_U]
        for k in range(first, first + tree.joints[i, SPEEDS]):
            # each pair of speeds of the body itself comes twice
            if i != body or k <= j:
                out[max(j, k), min(j, k)] += dot(get_vector(work.speed, k, COLUMN), force) + dot(
                    get_vector(work.speed, k, COLUMN + MOMENT), moment
                )
        moment = add(moment, cross(get_vector(work.body, i, LEVER), force))
        i = tree.joints[i, PARENT]


@compiled
def project_mass(tree: Tree, work: Work, coupled: tuple[Index, Float, Float], out: Float) -> None:
    """Write Bᵀ M_a B, (nu, nu), of M_a, (6k, 6k), on some bodies; scratch is (2, 6n, nu)."""
    bodies, Ma, scratch = coupled
    rows = 6 * bodies.size
    B, MB = scratch[0], scratch[1]
    transformation_rows(tree, work, bodies, B)
    clear(MB)
    for a in range(rows):
        for b in range(rows):
            factor = Ma[a, b]
            for j in range(out.shape[0]):
                MB[a, j] += factor * B[b, j]
    clear(out)
    for a in range(rows):
        for i in range(out.shape[0]):
            factor = B[a, i]
            for j in range(out.shape[0]):
                out[i, j] += factor * MB[a, j]


@compiled
def solve_cholesky(M: Float, x: Float) -> int:
    """Replace x by M⁻¹ x; reads and overwrites the lower triangle of M.

    Returns
    -------
    int
        SOLVED, or the row whose pivot is not positive.
    """
    failed = factorise(M)
    if failed == SOLVED:
        forward(M, x)
        backward(M, x)
    return failed


@compiled
def factorise(M: Float) -> int:
    """Replace the lower triangle of M by its Cholesky factor L; returns as `solve_cholesky`."""
    n = M.shape[0]
    for j in range(n):
        diagonal = M[j, j]
        pivot = diagonal
        for k in range(j):
            pivot -= M[j, k] * M[j, k]
        if pivot <= _RELATIVE_PIVOT * abs(diagonal):
            return j
        root = np.sqrt(pivot)
        M[j, j] = root
        for i in range(j + 1, n):
            value = M[i, j]
            for k in range(j):
                value -= M[i, k] * M[j, k]
            M[i, j] = value / root
    return SOLVED


@compiled
def forward(L: Float, x: Float) -> None:
    """Replace x by L⁻¹ x."""
    for i in range(x.size):
        for k in range(i):
            x[i] -= L[i, k] * x[k]
        x[i] /= L[i, i]


@compiled
def backward(L: Float, x: Float) -> None:
    """Replace x by L⁻ᵀ x."""
    for i in range(x.size - 1, -1, -1):
        x[i] /= L[i, i]
        for k in range(i):
            x[k] -= L[i, k] * x[i]
