"""Adapter types that a case may name: the entry points of the group ``cosim.adapters``."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from pydantic import ValidationError

from cosim.errors import CaseError
from cosim.model.base import Strict
from cosim.model.sentences import Problem, nearest, problems

if TYPE_CHECKING:
    from cosim.case.schema import AdapterEntry
    from cosim.coupling.template import TemplateInterface

__all__ = ["GROUP", "AdapterTypes", "ResolvedAdapter"]

GROUP = "cosim.adapters"


@dataclass(frozen=True)
class ResolvedAdapter:
    """An adapter of a case: its class and validated options."""

    name: str
    kind: type[TemplateInterface]
    options: Strict


class AdapterTypes:
    """Names of adapter types and the classes behind them.

    Parameters
    ----------
    own : mapping of name to class, optional
        Types that are not installed as entry points, such as one written in a script.
    """

    def __init__(self, own: Mapping[str, type[TemplateInterface]] | None = None) -> None:
        self._own = dict(own or {})
        self._installed = {point.name: point for point in entry_points(group=GROUP)}

    @property
    def names(self) -> list[str]:
        """All types, own ones first."""
        return [*self._own, *(name for name in self._installed if name not in self._own)]

    def find(self, name: str) -> type[TemplateInterface]:
        """Class of a type.

        Raises
        ------
        CaseError
            Unknown, not importable, or not an adapter.
        """
        from cosim.coupling.template import TemplateInterface

        if name not in self._own and name not in self._installed:
            known = ", ".join(self.names) or "none is installed"
            hint = nearest(name, self.names) or f"; known: {known}"
            raise CaseError(f"unknown adapter type '{name}'{hint}")
        try:
            kind = self._own[name] if name in self._own else self._installed[name].load()
        except (ImportError, AttributeError) as error:
            raise CaseError(
                f"adapter type '{name}' is installed but cannot be imported: {error}"
            ) from error
        if not (inspect.isclass(kind) and issubclass(kind, TemplateInterface)):
            raise CaseError(f"adapter type '{name}' is not a TemplateInterface")
        return kind

    def resolve(
        self, name: str, entry: AdapterEntry, context: Mapping[str, object]
    ) -> tuple[ResolvedAdapter | None, list[Problem]]:
        """Class and validated options of one adapter of a case, or what is wrong with it.

        Parameters
        ----------
        name : str
            In the case.
        entry : AdapterEntry
        context : mapping
            ``parameters`` and ``folder`` of the case.
        """
        raw = entry.options()
        try:
            kind = self.find(entry.type)
        except CaseError as error:
            return None, [(("adapters", name, "type"), str(error))]
        try:
            options = kind.Options.model_validate(raw, context=dict(context))
        except ValidationError as error:
            found = problems(error, raw, kind.Options)
            return None, [(("adapters", name, *path), text) for path, text in found]
        return ResolvedAdapter(name, kind, options), []
