"""The equations of motion in symbols, derived independently of the compiled kernels.

::

    equations = derive(system)
    equations.lhs, equations.rhs            # eq. (5) of the paper
    equations.kin.B(), equations.kin.B_dot(), equations.M
    loops = derive_loops(closed_system)     # conditions of cut joints: loops.phi, loops.G

SymPy is loaded with the first name that is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cosim.multibody.joint.symbolic.equations import Equations, derive
    from cosim.multibody.joint.symbolic.kinematics import Kinematics
    from cosim.multibody.joint.symbolic.linear import LinearEquations, linearise
    from cosim.multibody.joint.symbolic.loops import Loops, derive_loops
    from cosim.multibody.joint.symbolic.model import SymbolicModel
    from cosim.multibody.joint.symbolic.numeric import NumericEquations
    from cosim.multibody.joint.symbolic.reactions import JointReactions, joint_reactions
    from cosim.multibody.joint.symbolic.sensitivity import (
        eigenvalue_changes,
        equation_changes,
        matrix_changes,
    )

__all__ = [
    "Equations",
    "JointReactions",
    "Kinematics",
    "LinearEquations",
    "Loops",
    "NumericEquations",
    "SymbolicModel",
    "derive",
    "derive_loops",
    "eigenvalue_changes",
    "equation_changes",
    "joint_reactions",
    "linearise",
    "matrix_changes",
]

_PLACES = {
    "Equations": "equations",
    "JointReactions": "reactions",
    "Kinematics": "kinematics",
    "LinearEquations": "linear",
    "Loops": "loops",
    "NumericEquations": "numeric",
    "SymbolicModel": "model",
    "derive": "equations",
    "derive_loops": "loops",
    "eigenvalue_changes": "sensitivity",
    "equation_changes": "sensitivity",
    "joint_reactions": "reactions",
    "linearise": "linear",
    "matrix_changes": "sensitivity",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
