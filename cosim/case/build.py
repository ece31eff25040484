"""From a case to the objects that run it."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from cosim.case.adapter_types import AdapterTypes
from cosim.case.check import resolve_adapters
from cosim.case.formulation import CartesianChoice, Formulation, model_of
from cosim.case.schema import Case
from cosim.case.start import check_start
from cosim.coupling.capabilities import Linearisable
from cosim.coupling.entry import adapter_errors
from cosim.coupling.frames import turn_to_reference
from cosim.coupling.template import TemplateInterface
from cosim.errors import CaseError, CosimError
from cosim.multibody.interface import MultibodyModel

__all__ = ["Assembly", "build"]

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Assembly:
    """The equations of a case and its adapters, constructed but not started.

    Attributes
    ----------
    case : Case
    model : MultibodyModel
    adapters : mapping of name to adapter
    types : AdapterTypes
        That the adapters were found by.
    formulation : str or CartesianChoice
        Of the model.
    """

    case: Case
    model: MultibodyModel
    adapters: dict[str, TemplateInterface]
    types: AdapterTypes
    formulation: Formulation | CartesianChoice = "joint"

    def in_joints(self) -> Assembly:
        """The same adapters with the equations in joint coordinates: statics and linear analyses.

        An assembly in joint coordinates already, or in symbols of them, is returned as it is.
        """
        if self.formulation in ("joint", "symbolic"):
            return self
        model = model_of(_without_motions(self.case))
        turn_to_reference(model, self.adapters)
        return replace(self, model=model, formulation="joint")


def build(
    case: Case,
    types: AdapterTypes | None = None,
    *,
    formulation: Formulation | CartesianChoice = "joint",
) -> Assembly:
    """Construct the model and the adapters of a case.

    Parameters
    ----------
    case : Case
    types : AdapterTypes, optional
        Adapter types that the case may name; those installed by default.
    formulation : {"joint", "symbolic", "cartesian"} or CartesianChoice
        Of the equations of motion. Statics and linear analyses use joint coordinates, whatever
        the case says; a run that of :attr:`Case.formulation`.

    Raises
    ------
    CaseError
        Unknown adapter type or start value; options of an adapter.
    CosimError
        What an adapter finds wrong with its files; of several, all messages and the exit
        code of the first.
    """
    known = types or AdapterTypes()
    resolved = resolve_adapters(case, known)
    analysed = formulation == "joint" != case.formulation
    if analysed and case.motions:
        LOG.warning("prescribed motions are left out here: what they lead is free")
    equations = _without_motions(case) if analysed else case
    model = model_of(equations, formulation, method="" if analysed else case.time.method)
    check_start(case, model_of(_without_motions(case)) if equations.motions else model)
    adapters: dict[str, TemplateInterface] = {}
    errors: list[CosimError] = []
    for item in resolved:
        try:
            with adapter_errors(item.name, None):
                adapters[item.name] = item.kind.create(model, item.name, item.options)
        except CosimError as error:
            errors.append(_located(error, item.name, case))
    if len(errors) == 1:
        raise errors[0]
    if errors:
        combined = CaseError("\n".join(map(str, errors)))
        combined.exit_code = errors[0].exit_code
        raise combined from errors[0]
    _warn_of_doubles(adapters)
    turn_to_reference(model, adapters)
    return Assembly(case, model, adapters, known, formulation)


def _without_motions(case: Case) -> Case:
    return case.model_copy(update={"motions": {}})


def _warn_of_doubles(adapters: Mapping[str, TemplateInterface]) -> None:
    """Tell of bodies whose loads in the water two adapters bring."""
    linear = {name: a for name, a in adapters.items() if isinstance(a, Linearisable)}
    for (first, one), (second, other) in combinations(linear.items(), 2):
        for body in set(one.bodies) & set(other.bodies) if type(one) is type(other) else ():
            LOG.warning(
                "adapters '%s' and '%s' both load body '%s'; is its buoyancy meant twice?",
                first,
                second,
                body,
            )


def _located(error: CosimError, adapter: str, case: Case) -> CosimError:
    """The error with the line of the adapter in the case in front of its sentence."""
    text = str(error)
    if not text.startswith(f"adapter '{adapter}'"):
        text = f"adapter '{adapter}': {text}"
    place = case.origin.where(("adapters", adapter))
    error.args = (f"{place}: {text}" if place else text, *error.args[1:])
    return error
