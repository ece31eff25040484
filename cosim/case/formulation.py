"""Choice of the equations of motion that a run solves."""

from __future__ import annotations

from typing import Literal

from cosim.errors import CaseError
from cosim.model.system import System
from cosim.multibody.cartesian.options import CartesianOptions
from cosim.multibody.interface import MultibodyModel
from cosim.multibody.joint.model import JointModel

__all__ = ["CONSERVING", "CartesianChoice", "Formulation", "model_of", "name_of"]

Formulation = Literal["joint", "symbolic", "cartesian"]
"""Joint coordinates by compiled kernels, the same derived with SymPy, or a point and directors."""

CONSERVING = ("midpoint", "midpoint_ggl")
"""Methods of integration that keep energy and constraints by themselves."""


class CartesianChoice(CartesianOptions):
    """The Cartesian formulation with its options, as a case file holds it.

    Parameters
    ----------
    type : str
        ``cartesian``.

    Notes
    -----
    The other parameters are those of
    :class:`~cosim.multibody.cartesian.options.CartesianOptions`.
    """

    type: Literal["cartesian"]


def name_of(formulation: Formulation | CartesianChoice) -> Formulation:
    """The formulation without its options."""
    return formulation if isinstance(formulation, str) else formulation.type


def model_of(
    system: System,
    formulation: Formulation | CartesianChoice = "joint",
    *,
    method: str = "",
) -> MultibodyModel:
    """Equations of motion of a system in a formulation.

    Parameters
    ----------
    system : System
    formulation : str or CartesianChoice
    method : str
        Of integration: some keep the constraints by themselves.

    Raises
    ------
    CaseError
        The method, or a prescribed motion, needs another formulation.
    """
    conserves = method in CONSERVING
    if system.motions and formulation in ("joint", "symbolic"):
        raise CaseError(
            f"motion '{next(iter(system.motions))}': joint coordinates know no "
            "prescribed motions; write 'formulation: cartesian'"
        )
    if conserves and formulation in ("joint", "symbolic"):
        raise CaseError(
            f"time: method '{method}' needs the Cartesian formulation; write "
            "'formulation: cartesian', or take another method"
        )
    if formulation == "symbolic":
        # SymPy takes half a second to import, and only this formulation needs it
        from cosim.multibody.joint.symbolic.model import SymbolicModel

        return SymbolicModel(system)
    if formulation == "joint":
        return JointModel(system)
    from cosim.multibody.cartesian.model import CartesianModel

    return CartesianModel(system, _options(formulation, method if conserves else ""))


def _options(choice: str | CartesianChoice, method: str) -> CartesianOptions:
    options = CartesianOptions()
    if isinstance(choice, CartesianChoice):
        options = CartesianOptions(**choice.model_dump(exclude={"type"}))
    if not method:
        return options
    given = isinstance(choice, CartesianChoice) and "constraints" in choice.model_fields_set
    if given and options.constraints != "free":
        raise CaseError(
            f"formulation: method '{method}' keeps the constraints by itself; leave out "
            f"'constraints: {options.constraints}'"
        )
    return options.model_copy(update={"constraints": "free"})
