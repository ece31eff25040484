"""Read any known hydrodynamic database, recognised by what is inside."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import h5py
import xarray as xr

from cosim.errors import DatabaseError
from cosim.hydrodynamics.database import HydroDatabase
from cosim.hydrodynamics.facts import BodyFacts, apply_facts
from cosim.hydrodynamics.read_bemio import read_bemio
from cosim.hydrodynamics.read_capytaine import is_capytaine, read_capytaine
from cosim.hydrodynamics.read_wamit import is_wamit, read_wamit
from cosim.hydrodynamics.storage import FORMAT, load_database

__all__ = ["read_database"]

_HDF5 = b"\x89HDF"
_NETCDF3 = b"CDF"
_LFS = b"version https://git-lfs"
_STRANGE = "'{}' is NetCDF or HDF5, but neither of this package nor of Capytaine or BEMIO"


def read_database(
    path: Path | str,
    facts: Mapping[str, BodyFacts] | None = None,
    *,
    water_density: float | None = None,
) -> HydroDatabase:
    """Read a database of this package, Capytaine, BEMIO or WAMIT, in our convention.

    Parameters
    ----------
    path : Path or str
    facts : mapping of body name (in the file) to BodyFacts, optional
        What the file does not say or says worse.
    water_density : float, optional
        kg/m³, for files that do not hold it (WAMIT).

    Raises
    ------
    DatabaseError
        Missing file, git-lfs stub, unknown format or a broken file.
    """
    path = Path(path)
    known = facts or {}
    kind = _recognise(path)
    try:
        if kind == "own":
            database = load_database(path)
        elif kind == "capytaine":
            database = read_capytaine(path, known)
        elif kind == "bemio":
            database = read_bemio(path, known)
        else:
            database = read_wamit(path, known, water_density)
    except (KeyError, ValueError, OSError) as error:
        raise DatabaseError(f"'{path}': broken {kind} database ({error})") from error
    return apply_facts(database, known)


def _recognise(path: Path) -> str:
    if not path.is_file():
        raise DatabaseError(f"there is no hydrodynamic database '{path}'")
    with path.open("rb") as file:
        head = file.read(64)
    if head.startswith(_LFS):
        raise DatabaseError(
            f"'{path}' is a git-lfs pointer, not the data; run 'git lfs pull' in its repository"
        )
    try:
        if head.startswith(_HDF5):
            return _recognise_hdf5(path)
        if head.startswith(_NETCDF3):
            return _recognise_netcdf3(path)
        if is_wamit(path):
            return "wamit"
    except (OSError, ValueError) as error:
        raise DatabaseError(f"'{path}' cannot be read: {error}") from error
    raise DatabaseError(
        f"'{path}' is no known hydrodynamic database; known are this package's and Capytaine's "
        "NetCDF, BEMIO .h5 and WAMIT .out"
    )


def _recognise_hdf5(path: Path) -> str:
    with h5py.File(path, "r") as file:
        if file.attrs.get("format") in (FORMAT, FORMAT.encode()):
            return "own"
        if {"simulation_parameters", "body1"} <= set(file):
            return "bemio"
        if {"added_mass", "influenced_dof", "radiating_dof"} <= set(file):
            return "capytaine"
    raise DatabaseError(_STRANGE.format(path))


def _recognise_netcdf3(path: Path) -> str:
    with xr.open_dataset(path, engine="scipy") as dataset:
        if is_capytaine(dataset):
            return "capytaine"
    raise DatabaseError(_STRANGE.format(path))
