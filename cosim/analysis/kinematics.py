"""How poses, twists and twist derivatives of the bodies change with the coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cosim.algebra.attitude import skew
from cosim.analysis.chart import Chart
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

    With d the displacement of the independent coordinates, :math:`\delta u` and
    :math:`\delta\dot u` the changes of their speeds and accelerations, the displacement, twist
    and twist derivative of all bodies at their centres of gravity, world axes, change by

    .. math:: B d, \qquad V d + B\,\delta u, \qquad
        A_d d + A_u\,\delta u + B\,\delta\dot u.

    The speeds of the whole model and their rates change in the same way, with the rows Z of the
    independent coordinates (see :mod:`cosim.analysis.chart`) in place of B.

    Attributes
    ----------
    state : State
        At the point.
    v_dot : (n, 6)
        Twist derivatives there.
    B, V, A_d, A_u : (6n, nu)
    S, R_d, R_u : (speeds of the model, nu)
        V, A_d and A_u for the speeds and their rates; zero without closed loops, and at rest.
    """

    state: State
    v_dot: Float
    B: Float
    V: Float
    A_d: Float
    A_u: Float
    S: Float
    R_d: Float
    R_u: Float

    def rows(self, body: int) -> slice:
        """Rows of a body in all matrices."""
        return slice(6 * body, 6 * body + 6)


def body_motion(model: MultibodyModel, chart: Chart, point: Point) -> BodyMotion:
    """First-order motion of all bodies; exact at rest, by checked differences elsewhere."""
    state = model.kinematics(point.t, point.q, point.u).copy()
    B = model.velocity_transformation()
    v_dot = model.bias() + (B @ point.u_dot).reshape(-1, 6)
    reduced = B @ chart.basis
    if not point.moves:
        none, still = np.zeros_like(reduced), np.zeros_like(chart.basis)
        return BodyMotion(state, v_dot, reduced, none, none, none, still, still, still)
    w, w_dot = point.u[chart.index], point.u_dot[chart.index]

    def motion(y: Float, change: Float) -> Float:
        q, u = chart.place(y, w + change)
        v = model.kinematics(point.t, q, u).v.ravel().copy()
        bias, u_dot = model.bias().ravel(), chart.accelerations(w_dot)
        return np.concatenate([v, bias + model.velocity_transformation() @ u_dot, u, u_dot])

    none = np.zeros(chart.size)
    by_pose, _ = jacobian(lambda y: motion(y, none), chart.size)
    by_speed, _ = jacobian(lambda change: motion(none, change), chart.size)
    model.kinematics(point.t, point.q, point.u)
    ends = np.cumsum([B.shape[0], B.shape[0], model.nu])
    V, A_d, S, R_d = np.split(by_pose, ends)
    _, A_u, _, R_u = np.split(by_speed, ends)
    return BodyMotion(state, v_dot, reduced, V, A_d, A_u, S, R_d, R_u)


def transport(model: MultibodyModel, chart: Chart, u: Float) -> Float:
    r"""N of :math:`\dot d = N d + \delta u`, (size, size).

    Displacements turn with the rotations that are described by quaternions: there
    :math:`\dot d = \omega \times d + \delta\omega`; elsewhere N is zero.
    """
    N = np.zeros((model.nu, model.nu))
    for name, joint in model.system.joints.items():
        if isinstance(joint, Floating | Spherical) and not joint.cut:
            first = model.speeds.index(f"{name}.{joint.angular[0]}")
            rows = slice(first, first + 3)
            N[rows, rows] = skew(u[rows])
    return np.asarray((N @ chart.basis)[chart.index])
