r"""Twists, their velocity-dependent derivatives and the rates of the coordinates.

With w and v of the parent p, the relative translation velocity s and the relative angular
velocity z of the joint, lever d and arm a, all in world axes,

.. math::

    \omega &= \omega_p + z, \qquad v = v_p + \omega_p \times d + s + z \times a, \\
    \dot B u &: \quad \beta = \beta_p + \omega_p \times z + z_1 \times z_2, \qquad
    b = b_p + \beta_p \times d + \omega_p \times (v - v_p + s)
        + (\beta - \beta_p) \times a + z \times (\omega \times a),

the product of z1 and z2 for the two axes of a universal joint only.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import get_vector, put_vector
from cosim.algebra.vectors import ZERO, Vector, add, cross, scale, subtract
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import (
    ARM,
    BIAS,
    COLUMN,
    FIRST_Q,
    FIRST_U,
    LEVER,
    MOMENT,
    ORDER,
    PARENT,
    QUATERNION,
    ROTATION,
    SPEEDS,
    TRANSLATIONS,
    TWO_AXES,
    Tree,
    Work,
)

__all__ = ["coordinate_rates", "twists"]


@compiled
def twists(tree: Tree, work: Work, u: Float) -> None:
    """Write v and bias of `work`; positions come first."""
    for k in range(tree.joints.shape[0]):
        i = tree.joints[k, ORDER]
        parent = tree.joints[i, PARENT]
        vp, wp, bp, ap = ZERO, ZERO, ZERO, ZERO
        if parent >= 0:
            vp, wp = get_vector(work.v, parent, 0), get_vector(work.v, parent, MOMENT)
            bp, ap = (
                get_vector(work.body, parent, BIAS),
                get_vector(work.body, parent, BIAS + MOMENT),
            )
        lever, arm = get_vector(work.body, i, LEVER), get_vector(work.body, i, ARM)
        slide, turn, gyration = _relative(tree, work, i, u)
        w = add(wp, turn)
        v = add(add(vp, cross(wp, lever)), add(slide, cross(turn, arm)))
        alpha = add(cross(wp, turn), gyration)
        b = add(bp, cross(ap, lever))
        b = add(b, cross(wp, add(subtract(v, vp), slide)))
        b = add(b, add(cross(alpha, arm), cross(turn, cross(w, arm))))
        put_vector(work.v, i, 0, v)
        put_vector(work.v, i, MOMENT, w)
        put_vector(work.body, i, BIAS, b)
        put_vector(work.body, i, BIAS + MOMENT, add(ap, alpha))


@compiled
def _relative(tree: Tree, work: Work, i: int, u: Float) -> tuple[Vector, Vector, Vector]:
    """Sliding velocity, angular velocity and z1 x z2 of a joint, world axes."""
    first, translations = tree.joints[i, FIRST_U], tree.joints[i, TRANSLATIONS]
    slide, turn, gyration = ZERO, ZERO, ZERO
    for j in range(first, first + translations):
        slide = add(slide, scale(u[j], get_vector(work.speed, j, COLUMN)))
    for j in range(first + translations, first + tree.joints[i, SPEEDS]):
        part = scale(u[j], get_vector(work.speed, j, COLUMN + MOMENT))
        if tree.joints[i, ROTATION] == TWO_AXES:
            gyration = cross(turn, part)
        turn = add(turn, part)
    return slide, turn, gyration


@compiled
def coordinate_rates(tree: Tree, q: Float, u: Float, out: Float) -> None:
    """Write q': speeds, and p' = (0, w) p / 2 + (1 - p.p) p for quaternions."""
    for i in range(tree.joints.shape[0]):
        at, row = tree.joints[i, FIRST_Q], tree.joints[i, FIRST_U]
        plain = tree.joints[i, SPEEDS]
        if tree.joints[i, ROTATION] == QUATERNION:
            plain = tree.joints[i, TRANSLATIONS]
            _quaternion_rate(q, at + plain, u, row + plain, out)
        for j in range(plain):
            out[at + j] = u[row + j]


@compiled
def _quaternion_rate(q: Float, at: int, u: Float, row: int, out: Float) -> None:
    s, x, y, z = q[at], q[at + 1], q[at + 2], q[at + 3]
    a, b, c = 0.5 * u[row], 0.5 * u[row + 1], 0.5 * u[row + 2]
    # pulls the norm back to one within seconds without editing the solver's state
    k = 1.0 - (s * s + x * x + y * y + z * z)
    out[at] = -(a * x + b * y + c * z) + k * s
    out[at + 1] = a * s + b * z - c * y + k * x
    out[at + 2] = b * s + c * x - a * z + k * y
    out[at + 3] = c * s + a * y - b * x + k * z
