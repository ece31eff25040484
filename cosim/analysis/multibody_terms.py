r"""The multibody part of a linearised system.

With the accelerations of the independent speeds and the external wrenches g_0 held, the residual

.. math:: r(d, u) = Z^T (B^T M B\,\dot u - Q(d, u) - B^T g_0)

of the equations of motion (Q: weight, elements, velocities; Z: see
:mod:`cosim.analysis.chart`) has the derivatives
:math:`K = \partial r / \partial d`, which contains the geometric stiffness of all loads, and
:math:`C = \partial r / \partial u`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cosim.analysis.chart import Chart
from cosim.analysis.differences import jacobian, relative_error
from cosim.analysis.kinematics import Point
from cosim.analysis.static_loads import inertias, structural_mass
from cosim.multibody.interface import Float, MultibodyModel

__all__ = ["MultibodyTerms", "multibody_terms"]


@dataclass(frozen=True)
class MultibodyTerms:
    """Mass, damping and stiffness without what adapters add, (nu, nu) each.

    Attributes
    ----------
    M, C, K : (nu, nu)
    error : float
        Estimated error of the derivatives relative to the largest entry of each row.
    """

    M: Float
    C: Float
    K: Float
    error: float


def multibody_terms(model: MultibodyModel, chart: Chart, point: Point, g: Float) -> MultibodyTerms:
    """Linearise bodies and elements under constant external wrenches.

    Parameters
    ----------
    model : MultibodyModel
    chart : Chart
        About the point.
    point : Point
    g : (n, 6)
        External wrenches at the centres of gravity, world axes, that turn with nothing.
    """
    accelerates, loaded = point.moves, bool(np.any(g))
    w, w_dot = point.u[chart.index], point.u_dot[chart.index]

    def residual(y: Float, change: Float) -> Float:
        state = model.kinematics(point.t, *chart.place(y, w + change))
        wrench = np.zeros_like(g)
        if accelerates:
            twist = model.velocity_transformation() @ chart.accelerations(w_dot)
            wrench = (inertias(model, state) @ twist.reshape(-1, 6, 1))[..., 0]
        total = -model.own_force()
        if accelerates or loaded:
            total += model.project(wrench - g)
        return chart.reduce(total)

    none = np.zeros(chart.size)
    K, K_error = jacobian(lambda y: residual(y, none), chart.size)
    C, C_error = jacobian(lambda change: residual(none, change), chart.size)
    M = structural_mass(model, model.kinematics(point.t, point.q, point.u))
    return MultibodyTerms(
        chart.basis.T @ M @ chart.basis,
        C,
        K,
        max(relative_error(K, K_error), relative_error(C, C_error)),
    )
