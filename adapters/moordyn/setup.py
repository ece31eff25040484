"""From options to what a mooring is run with; opens no solver."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from adapters.moordyn.conditions import set_conditions
from adapters.moordyn.describe import describe
from adapters.moordyn.fairleads import Fairlead, couple
from adapters.moordyn.file import read_mooring_file
from adapters.moordyn.levers import Index
from adapters.moordyn.options import MoorDynOptions
from adapters.moordyn.records import MooringFile
from adapters.moordyn.write import mooring_text
from cosim.model.system import System
from cosim.multibody.interface import Float

__all__ = ["Setup", "prepare"]


@dataclass(frozen=True)
class Setup:
    """A checked mooring.

    Attributes
    ----------
    file : MooringFile
        As it is run.
    text : str
        Input file of MoorDyn.
    key : str
        Everything that the lines at rest depend on but the positions of the fairleads.
    bodies : tuple of str
        The k bodies that carry fairleads, in the system's order.
    fairleads : tuple of Fairlead
        The p coupled points.
    owner : (p,) array
        Row in `bodies` of each fairlead.
    lever : (p, 3) array
        From the centre of gravity, m, body axes.
    time_step : float
        MoorDyn's own, s.
    """

    file: MooringFile
    text: str
    key: str
    bodies: tuple[str, ...]
    fairleads: tuple[Fairlead, ...]
    owner: Index
    lever: Float
    time_step: float


def prepare(name: str, options: MoorDynOptions, system: System) -> Setup:
    """Read, or describe, check and complete the mooring of one adapter.

    Raises
    ------
    MooringFileError, ModelError
    """
    if options.file is None:
        file, fairleads = describe(name, options, system)
    else:
        file, fairleads = couple(read_mooring_file(options.file), options, system)
    file = set_conditions(file, options, system.environment)
    text = mooring_text(file)
    carrying = {fairlead.body for fairlead in fairleads}
    bodies = tuple(body for body in system.bodies if body in carrying)
    return Setup(
        file=file,
        text=text,
        key=_key(file, text, system),
        bodies=bodies,
        fairleads=fairleads,
        owner=np.array([bodies.index(fairlead.body) for fairlead in fairleads], dtype=np.intp),
        lever=np.array([fairlead.lever for fairlead in fairleads]),
        time_step=float(file.options["dtM"].value),
    )


def _key(file: MooringFile, text: str, system: System) -> str:
    tables = [hashlib.sha256(path.read_bytes()).hexdigest() for path in file.tables.values()]
    current = system.environment.current
    return "\n".join([text, *tables, "" if current is None else current.model_dump_json()])
