r"""Closure equations of cut joints: gaps, their derivatives G u, and G u' + G' u.

With P the joint's point on parent p and child c, :math:`\rho` the arms to it, S = R_p s and
T = R_c t, a translation row and a rotation row are

.. math::

    f &= S \cdot (P_c - P_p), \qquad
    \dot f = S \cdot (V_c - V_p) + (\omega_p \times S) \cdot (P_c - P_p), \\
    f &= S \cdot T, \qquad \dot f = (\omega_c - \omega_p) \cdot (T \times S).

A multiplier acts on the child as the force S at P_c, or as the moment T x S, and on the parent
as the opposite of it at the same place: the rows of G are these wrenches times B.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import clear, get_matrix, get_vector, put_vector
from cosim.algebra.vectors import (
    IDENTITY,
    ZERO,
    Matrix,
    Vector,
    add,
    apply,
    cross,
    dot,
    norm,
    scale,
    subtract,
)
from cosim.multibody.joint.arrays import (
    BIAS,
    COLUMN,
    FIRST_U,
    LEVER,
    MOMENT,
    PARENT,
    SPEEDS,
    Tree,
    Work,
)
from cosim.multibody.joint.closure_arrays import (
    GAP,
    NEEDED,
    SIZE,
    TRANSLATION,
    WRENCH,
    Loops,
)

__all__ = ["closure_gaps", "closure_jacobian", "closure_point", "needed_accelerations"]

# entries of G this small beside the terms that they are sums of are rounding
_NOTHING = 1e-14

Pose = tuple[Matrix, Vector]
Motion = tuple[Vector, Vector, Vector]


@compiled
def _pose(work: Work, i: int) -> Pose:
    """R and r of a body, or of earth."""
    if i < 0:
        return IDENTITY, ZERO
    return get_matrix(work.R, i), get_vector(work.r, i, 0)


@compiled
def closure_point(work: Work, loops: Loops, c: int) -> Vector:
    """The point of cut joint c on its child, world frame."""
    R, r = _pose(work, loops.ends[c, 1])
    return add(r, apply(R, get_vector(loops.arms, c, 3)))


@compiled
def closure_gaps(work: Work, loops: Loops) -> float:
    """Write gap and wrench of every row; returns the largest gap."""
    largest = 0.0
    for k in range(loops.equations.shape[0]):
        c = loops.equations[k, 0]
        Rp, rp = _pose(work, loops.ends[c, 0])
        Rc, rc = _pose(work, loops.ends[c, 1])
        S = apply(Rp, get_vector(loops.axes, k, 0))
        if loops.equations[k, 1] == TRANSLATION:
            held = add(rp, apply(Rp, get_vector(loops.arms, c, 0)))
            place = add(rc, apply(Rc, get_vector(loops.arms, c, 3)))
            gap = dot(S, subtract(place, held))
            force, moment = S, ZERO
        else:
            T = apply(Rc, get_vector(loops.axes, k, 3))
            gap = dot(S, T)
            force, moment = ZERO, cross(T, S)
        loops.row[k, GAP] = gap
        put_vector(loops.row, k, WRENCH, force)
        put_vector(loops.row, k, WRENCH + MOMENT, moment)
        largest = max(largest, abs(gap))
    return largest


@compiled
def closure_jacobian(tree: Tree, work: Work, loops: Loops) -> None:
    """Write G from the wrenches of the rows."""
    clear(loops.jacobian)
    for k in range(loops.equations.shape[0]):
        loops.row[k, SIZE] = 0.0
        c = loops.equations[k, 0]
        place = closure_point(work, loops, c)
        for end in range(2):
            body = loops.ends[c, end]
            if body >= 0:
                sign = -1.0 if end == 0 else 1.0
                arm = subtract(place, get_vector(work.r, body, 0))
                _add_row(tree, work, (loops, k), (body, sign), arm)
        for j in range(loops.jacobian.shape[1]):
            if abs(loops.jacobian[k, j]) <= _NOTHING * loops.row[k, SIZE]:
                loops.jacobian[k, j] = 0.0


@compiled
def _add_row(
    tree: Tree, work: Work, at: tuple[Loops, int], end: tuple[int, float], arm: Vector
) -> None:
    """Add to a row of G what the columns of a body and of its ancestors give."""
    (loops, k), (i, sign) = at, end
    force = scale(sign, get_vector(loops.row, k, WRENCH))
    moment = scale(sign, get_vector(loops.row, k, WRENCH + MOMENT))
    moment = add(moment, cross(arm, force))
    while i >= 0:
        first = tree.joints[i, FIRST_U]
        for j in range(first, first + tree.joints[i, SPEEDS]):
            v, w = get_vector(work.speed, j, COLUMN), get_vector(work.speed, j, COLUMN + MOMENT)
            loops.jacobian[k, j] += dot(v, force) + dot(w, moment)
            size = norm(v) * norm(force) + norm(w) * norm(moment)
            loops.row[k, SIZE] = max(loops.row[k, SIZE], size)
        moment = add(moment, cross(get_vector(work.body, i, LEVER), force))
        i = tree.joints[i, PARENT]


@compiled
def _motion(work: Work, i: int, arm: Vector) -> Motion:
    """Angular velocity of a body; velocity and B' u part of acceleration of a point on it."""
    if i < 0:
        return ZERO, ZERO, ZERO
    w = get_vector(work.v, i, MOMENT)
    turning = cross(w, arm)
    velocity = add(get_vector(work.v, i, 0), turning)
    bias = add(get_vector(work.body, i, BIAS), cross(w, turning))
    return w, velocity, add(bias, cross(get_vector(work.body, i, BIAS + MOMENT), arm))


@compiled
def needed_accelerations(work: Work, loops: Loops) -> None:
    """Write G u' = -G' u, that keeps the gaps' second derivatives zero; after the twists."""
    for k in range(loops.equations.shape[0]):
        c = loops.equations[k, 0]
        p, child = loops.ends[c, 0], loops.ends[c, 1]
        Rp, rp = _pose(work, p)
        Rc, rc = _pose(work, child)
        before, after = (
            apply(Rp, get_vector(loops.arms, c, 0)),
            apply(Rc, get_vector(loops.arms, c, 3)),
        )
        wp, Vp, Ap = _motion(work, p, before)
        wc, Vc, Ac = _motion(work, child, after)
        S = apply(Rp, get_vector(loops.axes, k, 0))
        S_dot = cross(wp, S)
        # rates of the angular velocities without u'
        ap, ac = ZERO, get_vector(work.body, child, BIAS + MOMENT)
        if p >= 0:
            ap = get_vector(work.body, p, BIAS + MOMENT)
        if loops.equations[k, 1] == TRANSLATION:
            d = subtract(add(rc, after), add(rp, before))
            turned = add(cross(ap, S), cross(wp, S_dot))
            rate = dot(S, subtract(Ac, Ap)) + 2.0 * dot(S_dot, subtract(Vc, Vp)) + dot(turned, d)
        else:
            T = apply(Rc, get_vector(loops.axes, k, 3))
            change = add(cross(cross(wc, T), S), cross(T, S_dot))
            rate = dot(subtract(ac, ap), cross(T, S)) + dot(subtract(wc, wp), change)
        loops.row[k, NEEDED] = -rate
