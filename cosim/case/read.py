"""Case files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cosim.case.adapter_types import AdapterTypes
from cosim.case.check import check
from cosim.case.overrides import override
from cosim.case.schema import Case
from cosim.case.source import read_source

__all__ = ["read_case"]


def read_case(
    path: str | Path, settings: Iterable[str] = (), *, types: AdapterTypes | None = None
) -> Case:
    """Read and validate a case file.

    Parameters
    ----------
    path : path
        Of the file, or of a folder that holds ``case.yaml``.
    settings : iterable of str
        ``name=value`` replaces a parameter, ``section.key=value`` any other entry.
    types : AdapterTypes, optional
        Those installed, by default.

    Raises
    ------
    CaseError
        All mistakes at once, each with file, line and what to do.
    """
    source = override(read_source(path), settings)
    return check(source, types=types or AdapterTypes())
