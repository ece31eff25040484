"""Choice of the equations of motion that a run solves."""

from __future__ import annotations

from typing import Literal

from cosim.model.system import System
from cosim.multibody.interface import MultibodyModel
from cosim.multibody.joint.model import JointModel

__all__ = ["Formulation", "model_of"]

Formulation = Literal["joint", "symbolic"]
"""Joint coordinates by compiled kernels, or the same derived with SymPy from the system."""


def model_of(system: System, formulation: Formulation = "joint") -> MultibodyModel:
    """Equations of motion of a system in the formulation of that name."""
    if formulation == "symbolic":
        # SymPy takes half a second to import, and only this formulation needs it
        from cosim.multibody.joint.symbolic.model import SymbolicModel

        return SymbolicModel(system)
    return JointModel(system)
