"""How poses, twists and twist derivatives of the bodies change with the coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cosim.analysis.differences import jacobian
from cosim.model.joints import Floating, Spherical
from cosim.multibody.interface import Float, MultibodyModel, State

__all__ = ["BodyMotion", "Point", "body_motion", "transport"]


@dataclass(frozen=True)
class Point:
    """Where a system is linearised.

    Attributes
    ----------
    t : float
        Instant at which what depends on time is frozen, s.
    q : (nq,)
    u : (nu,)
    u_dot : (nu,)
        Accelerations there.
    """

    t: float
    q: Float
    u: Float
    u_dot: Float

    @property
    def moves(self) -> bool:
        """Whether speeds or accelerations are not zero."""
        return bool(np.any(self.u) or np.any(self.u_dot))


@dataclass(frozen=True)
class BodyMotion:
    r"""First-order motion of the n bodies about a point.

    With d the displacement in the tangent space, :math:`\delta u` and :math:`\delta\dot u` the
    changes of the speeds and accelerations, the displacement, twist and twist derivative of all
    bodies at their centres of gravity, world axes, change by

    .. math:: B d, \qquad V d + B\,\delta u, \qquad
        A_d d + A_u\,\delta u + B\,\delta\dot u.

    Attributes
    ----------
    state : State
        At the point.
    v_dot : (n, 6)
        Twist derivatives there.
    B, V, A_d, A_u : (6n, nu)
    """

    state: State
    v_dot: Float
    B: Float
    V: Float
    A_d: Float
    A_u: Float

    def rows(self, body: int) -> slice:
        """Rows of a body in all matrices."""
        return slice(6 * body, 6 * body + 6)


def body_motion(model: MultibodyModel, point: Point) -> BodyMotion:
    """First-order motion of all bodies; exact at rest, by checked differences elsewhere."""
    state = model.kinematics(point.t, point.q, point.u).copy()
    B = model.velocity_transformation()
    v_dot = model.bias() + (B @ point.u_dot).reshape(-1, 6)
    if not point.moves:
        none = np.zeros_like(B)
        return BodyMotion(state, v_dot, B, none, none, none)
    size = B.shape[0]

    def displaced(d: Float) -> Float:
        moved = model.kinematics(point.t, model.retract(point.q, d), point.u)
        accelerated = model.bias().ravel() + model.velocity_transformation() @ point.u_dot
        return np.concatenate([moved.v.ravel(), accelerated])

    def faster(change: Float) -> Float:
        model.kinematics(point.t, point.q, point.u + change)
        return model.bias().ravel()

    by_pose, _ = jacobian(displaced, model.nu)
    by_speed, _ = jacobian(faster, model.nu)
    model.kinematics(point.t, point.q, point.u)
    return BodyMotion(state, v_dot, B, by_pose[:size], by_pose[size:], by_speed)


def transport(model: MultibodyModel, u: Float) -> Float:
    r"""N, (nu, nu), of :math:`\dot d = N d + \delta u`.

    Displacements turn with the rotations that are described by quaternions: there
    :math:`\dot d = \omega \times d + \delta\omega`; elsewhere N is zero.
    """
    N = np.zeros((model.nu, model.nu))
    for name, joint in model.system.joints.items():
        if isinstance(joint, Floating | Spherical):
            first = model.speeds.index(f"{name}.{joint.angular[0]}")
            x, y, z = u[first : first + 3]
            rows = slice(first, first + 3)
            N[rows, rows] = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]
    return N
