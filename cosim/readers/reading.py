"""What a reader hands over: a description in the terms of a case file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cosim.case.schema import Case
from cosim.model.system import System

__all__ = ["Reading"]

_END = 10.0
"""Length of a run, s, where nothing says it."""


@dataclass(frozen=True)
class Reading:
    """A system read from another program's input.

    Attributes
    ----------
    description : dict
        ``environment``, ``bodies``, ``joints``, ``elements``, ``earth_points`` and
        ``parameters``, as a case file holds them.
    start : mapping
        ``start.set`` of a case: displacements from the described configuration, and rates.
    end : float or None
        Where the run ends, s, if the input says so.
    title : str
    """

    description: dict[str, Any]
    start: Mapping[str, float] = field(default_factory=dict)
    end: float | None = None
    title: str = ""

    @property
    def system(self) -> System:
        """The system, validated."""
        return System.from_dict(self.description)

    def sections(
        self, *, end: float | None = None, more: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """All of a case file.

        Parameters
        ----------
        end : float, optional
            In place of what the input says, s; 10 s where neither does.
        more : mapping, optional
            Further sections (`output`, `adapters`), or others in place of those made here.
        """
        last = next(value for value in (end, self.end, _END) if value is not None)
        return {
            "case": 1,
            "title": self.title,
            **self.description,
            "start": {"from": "reference"} | ({"set": dict(self.start)} if self.start else {}),
            "time": {"end": last},
            "output": {"step": min(0.1, last) if last > 0.0 else 0.1},
            **(more or {}),
        }

    def case(
        self,
        *,
        end: float | None = None,
        more: Mapping[str, Any] | None = None,
        folder: str | Path = ".",
    ) -> Case:
        """A case that starts where the input does; parameters of `sections`, and its folder.

        Raises
        ------
        CaseError
        """
        return Case.from_dict(self.sections(end=end, more=more), folder=folder)
