"""Imports that need an extra of the package."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from cosim.errors import CosimError

__all__ = ["optional_module"]


def optional_module(name: str, extra: str, purpose: str) -> ModuleType:
    """A module that is not installed by default.

    Parameters
    ----------
    name : str
        To import.
    extra : str
        Of this package that installs it.
    purpose : str
        What needs it; starts the sentence of the error.

    Raises
    ------
    CosimError
        It is not installed; says how to install it.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.partition(".")[0]:
            raise
        raise CosimError(
            f"{purpose} needs the package '{name.partition('.')[0]}': "
            f"pip install 'offshore-cosim[{extra}]'"
        ) from error
