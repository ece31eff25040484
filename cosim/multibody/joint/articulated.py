r"""Accelerations of a tree in O(n) operations: articulated bodies.

Each speed is eliminated from the leaves to the root. With s its column, I the articulated
inertia and f the articulated load of what hangs on it,

.. math::

    U = I s, \quad D = s \cdot U, \quad e = \tau + s \cdot f, \qquad
    I \leftarrow I - U U^T / D, \quad f \leftarrow f - U e / D,

and the way back gives :math:`\dot u = (e - U \cdot a) / D`. Velocity-dependent terms are
part of the loads (see :func:`~cosim.multibody.joint.inertia.inertial_loads`), so that a
is only the part ``B u'`` of the twist derivatives. The speeds of a joint are eliminated one
after the other, as if massless bodies lay between them.

Source: R. Featherstone, Rigid Body Dynamics Algorithms, Springer 2008, chapter 7, here with
twists at the centres of gravity in world axes.
"""

from __future__ import annotations

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import get_vector, put_vector
from cosim.algebra.vectors import (
    Matrix,
    Symmetric,
    Vector,
    add,
    apply,
    apply_symmetric,
    apply_transposed,
    dot,
    scale,
    subtract,
)
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import (
    BIAS,
    COLUMN,
    FIRST_U,
    GAIN,
    LEVER,
    LOAD,
    MOMENT,
    ORDER,
    PARENT,
    RESPONSE,
    SPEEDS,
    TORQUE,
    Tree,
    Work,
)
from cosim.multibody.joint.inertia import Inertia, add_inertia, get_inertia, moved_inertia
from cosim.multibody.joint.projection import carried, hand_down

__all__ = ["SOLVED", "articulated"]

SOLVED = -1
# a pivot this small beside the inertia it is left of has lost all its digits
_RELATIVE_PIVOT = 1e-14


@compiled
def articulated(tree: Tree, work: Work, u_dot: Float, v_dot: Float) -> int:
    """Solve for u' and v' = B u' + B' u from the inertias and loads of `work`.

    Returns
    -------
    int
        SOLVED, or the speed without positive inertia.
    """
    failed = _fold(tree, work)
    if failed == SOLVED:
        _unfold(tree, work, u_dot, v_dot)
    return failed


@compiled
def _fold(tree: Tree, work: Work) -> int:
    """From the leaves: eliminate the speeds of a body, pass what is left on to its parent."""
    for k in range(tree.joints.shape[0] - 1, -1, -1):
        i = tree.joints[k, ORDER]
        parent, first = tree.joints[i, PARENT], tree.joints[i, FIRST_U]
        inertia = get_inertia(work.body, i)
        force, moment = get_vector(work.body, i, LOAD), get_vector(work.body, i, LOAD + MOMENT)
        for j in range(first + tree.joints[i, SPEEDS] - 1, first - 1, -1):
            s, z = get_vector(work.speed, j, COLUMN), get_vector(work.speed, j, COLUMN + MOMENT)
            U, V, pivot, size = _times(inertia, s, z)
            if pivot <= _RELATIVE_PIVOT * size:
                return j
            inverse = 1.0 / pivot
            gain = inverse * (work.speed[j, TORQUE] + dot(s, force) + dot(z, moment))
            u, v = scale(inverse, U), scale(inverse, V)
            inertia = _reduced(inertia, (U, V), (u, v))
            force, moment = subtract(force, scale(gain, U)), subtract(moment, scale(gain, V))
            work.speed[j, GAIN] = gain
            put_vector(work.speed, j, RESPONSE, u)
            put_vector(work.speed, j, RESPONSE + MOMENT, v)
        if parent >= 0:
            lever = get_vector(work.body, i, LEVER)
            add_inertia(work.body, parent, moved_inertia(inertia, lever))
            hand_down(work, i, parent, force, moment)
    return SOLVED


@compiled
def _times(inertia: Inertia, s: Vector, z: Vector) -> tuple[Vector, Vector, float, float]:
    """I [s; z], its product with [s; z], and the part of that without the coupling block."""
    A, H, C = inertia
    a, c = apply_symmetric(A, s), apply_symmetric(C, z)
    U, V = add(a, apply(H, z)), add(apply_transposed(H, s), c)
    return U, V, dot(s, U) + dot(z, V), dot(s, a) + dot(z, c)


@compiled
def _reduced(
    inertia: Inertia, U: tuple[Vector, Vector], scaled: tuple[Vector, Vector]
) -> tuple[Symmetric, Matrix, Symmetric]:
    """I - U Uᵀ / D; `scaled` is U / D."""
    A, H, C = inertia
    (a, b, c), (d, e, f) = U
    (x, y, z), (p, q, r) = scaled
    return (
        (A[0] - a * x, A[1] - b * y, A[2] - c * z, A[3] - a * y, A[4] - a * z, A[5] - b * z),
        (
            *(H[0] - a * p, H[1] - a * q, H[2] - a * r),
            *(H[3] - b * p, H[4] - b * q, H[5] - b * r),
            *(H[6] - c * p, H[7] - c * q, H[8] - c * r),
        ),
        (C[0] - d * p, C[1] - e * q, C[2] - f * r, C[3] - d * q, C[4] - d * r, C[5] - e * r),
    )


@compiled
def _unfold(tree: Tree, work: Work, u_dot: Float, v_dot: Float) -> None:
    """From the root: accelerations of a body from those of its parent."""
    for k in range(tree.joints.shape[0]):
        i = tree.joints[k, ORDER]
        parent, first = tree.joints[i, PARENT], tree.joints[i, FIRST_U]
        a, alpha = carried(work, v_dot, i, parent)
        for j in range(first, first + tree.joints[i, SPEEDS]):
            u, v = get_vector(work.speed, j, RESPONSE), get_vector(work.speed, j, RESPONSE + MOMENT)
            rate = work.speed[j, GAIN] - dot(u, a) - dot(v, alpha)
            u_dot[j] = rate
            a = add(a, scale(rate, get_vector(work.speed, j, COLUMN)))
            alpha = add(alpha, scale(rate, get_vector(work.speed, j, COLUMN + MOMENT)))
        put_vector(v_dot, i, 0, a)
        put_vector(v_dot, i, MOMENT, alpha)
    add_bias(work, v_dot)


@compiled
def add_bias(work: Work, v_dot: Float) -> None:
    """Make B u' the whole twist derivative B u' + B' u."""
    for i in range(v_dot.shape[0]):
        for k in range(6):
            v_dot[i, k] += work.body[i, BIAS + k]
