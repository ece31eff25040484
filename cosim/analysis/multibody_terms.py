r"""The multibody part of a linearised system.

With the accelerations :math:`\dot u_0` and the external wrenches g_0 held, the residual

.. math:: r(d, u) = B^T M B\,\dot u_0 - Q(d, u) - B^T g_0

of the equations of motion (Q: weight, elements, velocities) has the derivatives
:math:`K = \partial r / \partial d`, which contains the geometric stiffness of all loads, and
:math:`C = \partial r / \partial u`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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


def multibody_terms(model: MultibodyModel, point: Point, g: Float) -> MultibodyTerms:
    """Linearise bodies and elements under constant external wrenches.

    Parameters
    ----------
    model : MultibodyModel
    point : Point
    g : (n, 6)
        External wrenches at the centres of gravity, world axes, that turn with nothing.
    """
    accelerates, loaded = bool(np.any(point.u_dot)), bool(np.any(g))

    def pulled(d: Float) -> Float:
        state = model.kinematics(point.t, model.retract(point.q, d), point.u)
        residual = -model.own_force()
        wrench = np.zeros_like(g)
        if accelerates:
            twist = (model.velocity_transformation() @ point.u_dot).reshape(-1, 6, 1)
            wrench = (inertias(model, state) @ twist)[..., 0]
        if accelerates or loaded:
            residual += model.project(wrench - g)
        return residual

    def driven(change: Float) -> Float:
        model.kinematics(point.t, point.q, point.u + change)
        return -model.own_force()

    K, K_error = jacobian(pulled, model.nu)
    C, C_error = jacobian(driven, model.nu)
    M = structural_mass(model, model.kinematics(point.t, point.q, point.u))
    return MultibodyTerms(M, C, K, max(relative_error(K, K_error), relative_error(C, C_error)))
