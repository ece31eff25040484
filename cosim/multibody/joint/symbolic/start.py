"""Where a run on the equations starts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import sympy as sp

from cosim.algebra.types import Float
from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.kinematics import Kinematics
from cosim.multibody.joint.symbolic.manifold import Manifold
from cosim.multibody.start_values import start_values

__all__ = ["start_of"]


def start_of(equations: Equations, conditions: Mapping[str, float]) -> tuple[Float, Float]:
    """Coordinates and speeds of the reference configuration changed by `conditions`.

    Parameters
    ----------
    equations : Equations
    conditions : mapping
        See :meth:`cosim.multibody.interface.MultibodyModel.initial`: relative to the parents,
        whatever the angles of the equations.
    """
    kin = equations.kin
    manifold = Manifold(kin.system)
    displacement, u = start_values(kin.system, manifold.speeds, conditions)
    if kin.angles == "absolute":
        relative = _relative(kin)
        q, v = (np.linalg.solve(relative, given) for given in (displacement, u))
        return np.asarray(q, dtype=np.float64), np.asarray(v, dtype=np.float64)
    return manifold.from_reference(displacement), u


def _relative(kin: Kinematics) -> Float:
    """Matrix from absolute angles and positions to those of the joints, (nu, nu)."""
    joints = kin.system.joints
    rows = [
        kin.coordinate(name, c).position for name in kin.forms for c in joints[name].coordinates
    ]
    signs = [row.subs(kin.values.numbers) for row in rows]  # of axes that hold parameters
    return np.array([[float(sp.diff(row, q)) for q in kin.q] for row in signs])
