"""Forces of lines at rest at one pose after another."""

from __future__ import annotations

import numpy as np

from adapters.moordyn.initial import kept_path, recall, remember
from adapters.moordyn.instance import MoorDynInstance
from adapters.moordyn.settle import Settler
from adapters.moordyn.setup import Setup
from adapters.moordyn.time_step import eased
from adapters.moordyn.water import Water
from adapters.moordyn.write import mooring_text
from cosim.multibody.interface import Float

__all__ = ["RestingLines"]


class RestingLines:
    """A mooring that is led to each pose and left to come to rest; waves off, current on.

    It runs the lines with other dampers (:func:`~adapters.moordyn.time_step.eased`), which
    makes no difference at rest. Forces are kept on disk by pose.

    Parameters
    ----------
    setup : Setup
    water : Water
        Gives the current.
    adapter : str
    """

    def __init__(self, setup: Setup, water: Water, *, adapter: str) -> None:
        self._setup = setup
        self._water = water
        self._adapter = adapter
        self._instance: MoorDynInstance | None = None
        self._place: list[float] = []

    def forces(self, x: list[float]) -> Float:
        """Forces on the fairleads at x, (3p,), m; (p, 3), N.

        Raises
        ------
        AdapterError
            The lines diverge or do not come to rest.
        """
        path = kept_path(self._setup.key, x, "force")
        kept = recall(path)
        if kept is not None and len(kept) == 8 * len(x):
            return np.frombuffer(kept).reshape(-1, 3)
        force = np.array(self._settled(x))
        remember(path, force.tobytes())
        return force.reshape(-1, 3)

    def close(self) -> None:
        """Close the mooring; may be called twice."""
        if self._instance is not None:
            self._instance.close()
        self._instance = None

    def _settled(self, x: list[float]) -> tuple[float, ...]:
        file = eased(self._setup.file)
        begun = self._instance is not None
        if self._instance is None:
            text = mooring_text(file)
            self._instance = MoorDynInstance(text, file.tables, adapter=self._adapter)
            self._instance.start(x, len(file.lines), len(file.points))
        settler = Settler(self._instance, file, self._water.current, adapter=self._adapter)
        if begun:
            settler.lead(self._place, x)
        self._place = x
        return settler.settle(x)
