"""The functions of MoorDyn's Python extension that are used here, found by name at the start."""

from __future__ import annotations

import ctypes
import importlib
import importlib.metadata
import sys
from collections.abc import Callable, Sequence
from typing import Protocol, cast

from cosim.errors import AdapterError

__all__ = ["Binding", "Handle", "Reals", "keep_none_alive", "load_binding", "moordyn_version"]

Handle = object
"""An opaque capsule of the extension: a system, a line or a point."""

Reals = tuple[float, ...]


class Binding(Protocol):
    """Signatures of the extension `cmoordyn`; it takes flat lists and returns flat tuples."""

    create: Callable[[str], Handle]
    close: Callable[[Handle], int]
    init: Callable[[Handle, list[float], list[float], int], int]
    step: Callable[[Handle, list[float], list[float], float, float], Reals]
    serialize: Callable[[Handle], bytes]
    deserialize: Callable[[Handle, bytes], None]
    set_verbosity: Callable[[Handle, int], int]
    n_coupled_dof: Callable[[Handle], int]
    ext_wave_init: Callable[[Handle], int]
    ext_wave_coords: Callable[[Handle], Reals]
    ext_wave_set: Callable[[Handle, list[float], list[float], float], int]
    get_line: Callable[[Handle, int], Handle]
    get_point: Callable[[Handle, int], Handle]
    line_get_n: Callable[[Handle], int]
    line_get_node_pos: Callable[[Handle, int], Reals]
    line_get_node_ten: Callable[[Handle, int], Reals]
    line_get_fairlead_tension: Callable[[Handle], float]
    point_get_m: Callable[[Handle], Sequence[Reals]]


def load_binding(adapter: str) -> Binding:
    """Import the extension and check that it has what is used here.

    Parameters
    ----------
    adapter : str
        Name of the adapter, for the message.

    Raises
    ------
    AdapterError
        Not installed, or a version with another interface.
    """
    try:
        module = importlib.import_module("cmoordyn")
    except ImportError as error:
        raise AdapterError(
            f"MoorDyn cannot be loaded ({error}); install it with 'pip install moordyn'",
            adapter=adapter,
        ) from error
    missing = [
        name for name in Binding.__annotations__ if not callable(getattr(module, name, None))
    ]
    if missing:
        raise AdapterError(
            f"moordyn {moordyn_version()} has no {', '.join(missing)}; install a 2.7 version",
            adapter=adapter,
        )
    return cast(Binding, module)


def moordyn_version() -> str:
    """Version of the installed package."""
    return importlib.metadata.version("moordyn")


def keep_none_alive() -> None:
    """Give back the reference to None that `deserialize` of MoorDyn 2.7 loses at each call.

    Up to Python 3.11 the interpreter would abort after about 4,600 calls; from 3.12 on None
    is immortal.
    """
    if sys.version_info < (3, 12):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(None))
