"""How natural modes of a case change with a number of its description."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cosim.analysis.linear_system import LinearSystem
from cosim.analysis.sensitivity import ModeChange, mode_changes, pencil_change
from cosim.case.adapter_types import AdapterTypes
from cosim.case.check import check
from cosim.case.modes import CaseModes, case_modes
from cosim.case.overrides import override
from cosim.case.schema import Case
from cosim.coupling.template import TemplateInterface
from cosim.errors import CaseError

__all__ = ["CaseSensitivity", "case_sensitivity"]

_STEP = 1e-2
"""Change of the number, relative."""


@dataclass(frozen=True)
class CaseSensitivity:
    """Derivatives of the modes with respect to one number.

    Attributes
    ----------
    name : str
    value : float
        Of the number in the case.
    changes : list of ModeChange
    error : float
        Estimated relative error of the differentiated matrices.
    """

    name: str
    value: float
    changes: list[ModeChange]
    error: float


def case_sensitivity(
    case: Case,
    name: str,
    found: CaseModes,
    *,
    step: float = _STEP,
    types: Mapping[str, type[TemplateInterface]] | None = None,
) -> CaseSensitivity:
    """Derivatives of the natural modes, the equilibrium moving along.

    Parameters
    ----------
    case : Case
        From a file or a dictionary.
    name : str
        A parameter, or ``section.key`` of any number, as for ``--set``.
    found : CaseModes
        Of this case.
    step : float
        Relative change for the differences. What changes of mooring lines is their stiffness at
        rest.
    types : mapping of name to adapter class, optional

    Raises
    ------
    CaseError
        There is no such number.
    """
    value = _value(case, name)
    size = step * abs(value) if value else step
    known = AdapterTypes(types)

    def build(changed: float) -> LinearSystem:
        source = override(case.origin, [f"{name}={changed!r}"])
        other = check(source, types=known, folder=Path(str(case.context["folder"])))
        return case_modes(other, static=True, types=types).system

    change = pencil_change(build, value, size)
    return CaseSensitivity(name, value, mode_changes(found.system, change), change.error)


def _value(case: Case, name: str) -> float:
    """The number that the case has under this name."""
    if name in case.parameters:
        return float(case.parameters[name])
    node: object = case.origin.data
    for key in name.split("."):
        if isinstance(node, Mapping):
            node = node.get(key)
        elif isinstance(node, list) and key.isdigit() and int(key) < len(node):
            node = node[int(key)]
        else:
            node = None
    if isinstance(node, int | float) and not isinstance(node, bool) and math.isfinite(node):
        return float(node)
    listing = ", ".join(case.parameters) or "none"
    raise CaseError(
        f"there is no number '{name}' in the case to differentiate by; its parameters: {listing}; "
        "any other number as section.key (bodies.spar.mass)"
    )
