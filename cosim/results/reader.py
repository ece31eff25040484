"""Results read back from a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cosim.errors import CaseError
from cosim.results.netcdf import NAME, RUNNING
from cosim.results.variables import SHAPE_TIME, TIME

if TYPE_CHECKING:
    import h5py
    import xarray as xr

__all__ = ["open_results"]

_PURE_DIMENSION = b"This is a netCDF dimension but not a netCDF variable"
_INTERNAL = frozenset(
    {"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_FillValue", "_NCProperties"}
)
"""Attributes that NetCDF keeps for itself; so are those that start with ``_Netcdf4``."""


def open_results(path: str | Path) -> xr.Dataset:
    """Read a result file into memory.

    Works while the run goes on and after it was killed: only instants that were written
    are returned, and the attribute ``status`` says ``running`` in both cases.

    Parameters
    ----------
    path : path

    Returns
    -------
    xarray.Dataset
        See :mod:`cosim.results.layout`.

    Raises
    ------
    CaseError
        No such file, or not one of results.
    """
    file = Path(path)
    if not file.is_file():
        raise CaseError(f"there is no result file '{file}'")
    try:
        with _opened(file) as stored:
            dataset = _read(stored)
    except (OSError, ValueError) as error:
        raise CaseError(
            f"'{file}' is not a result file, as 'cosim run' writes it: {error}"
        ) from None
    if "status" not in dataset.attrs or TIME not in dataset:
        raise CaseError(f"'{file}' holds no results of this program")
    if dataset.attrs["status"] == RUNNING:
        for time in (TIME, SHAPE_TIME):
            if time in dataset:
                dataset = dataset.isel({time: np.isfinite(dataset[time].values)})
    return dataset


def _opened(file: Path) -> h5py.File:
    import h5py

    try:
        return h5py.File(file)
    except BlockingIOError:  # its run holds the lock
        return h5py.File(file, locking=False)


def _read(file: h5py.File) -> xr.Dataset:
    """All variables of the file.

    h5py alone: xarray's engine takes twice as long or more where there are some hundred.
    """
    import h5py
    import xarray as xr

    stored = {name: item for name, item in file.items() if isinstance(item, h5py.Dataset)}
    full = {name: _text(item.attrs.get(NAME, name)) for name, item in stored.items()}
    scales = {_address(item): name for name, item in stored.items() if item.is_scale}
    variables = {
        full[name]: (_dimensions(item, scales, full), _values(item), _attributes(item))
        for name, item in stored.items()
        if not bytes(item.attrs.get("NAME", b"")).startswith(_PURE_DIMENSION)
    }
    return xr.Dataset(variables, attrs=_attributes(file))


def _address(item: h5py.Dataset) -> int:
    """Where in the file it is: HDF5 searches the file for the name of what a reference leads to."""
    import h5py

    return int(h5py.h5o.get_info(item.id).addr)


def _dimensions(
    item: h5py.Dataset, scales: dict[int, str], full: dict[str, str]
) -> tuple[str, ...]:
    if item.is_scale:
        return (scales[_address(item)],)
    names = [scales[_address(axis[0])] for axis in item.dims]
    # the nodes of a shape are a dimension of their own: `shape.lines.line1.node`
    owners = {f"{name}.node": f"{whole}/node" for name, whole in full.items() if whole != name}
    return tuple(owners.get(name, name) for name in names)


def _values(item: h5py.Dataset) -> np.ndarray:
    import h5py

    if h5py.check_string_dtype(item.dtype) is not None:
        return np.array(item.asstr()[()], dtype=object)
    return np.asarray(item[()])


def _attributes(item: h5py.Dataset | h5py.File) -> dict[str, str]:
    return {
        key: _text(value)
        for key, value in item.attrs.items()
        if key not in _INTERNAL and key != NAME and not key.startswith("_Netcdf4")
    }


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
