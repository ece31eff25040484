"""Results read back from a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cosim.errors import CaseError
from cosim.results.netcdf import NAME, RUNNING
from cosim.results.variables import SHAPE_TIME, TIME

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["open_results"]


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
        dataset = _load(file, **_locking(file))
    except (OSError, ValueError) as error:
        raise CaseError(f"'{file}' is not a result file: {error}") from None
    if "status" not in dataset.attrs or TIME not in dataset:
        raise CaseError(f"'{file}' holds no results of this program")
    if dataset.attrs["status"] == RUNNING:
        for time in (TIME, SHAPE_TIME):
            if time in dataset:
                dataset = dataset.isel({time: np.isfinite(dataset[time].values)})
    return _with_full_names(dataset)


def _locking(file: Path) -> dict[str, bool]:
    """Options for a file whose run may hold its lock."""
    import h5py

    try:
        h5py.File(file).close()
    except BlockingIOError:
        return {"locking": False}
    return {}


def _load(file: Path, **options: bool) -> xr.Dataset:
    import xarray as xr

    with xr.open_dataset(
        file, engine="h5netcdf", decode_times=False, driver_kwds=options
    ) as stored:
        return stored.load()


def _with_full_names(dataset: xr.Dataset) -> xr.Dataset:
    names = {
        name: variable.attrs.pop(NAME)
        for name, variable in dataset.variables.items()
        if NAME in variable.attrs
    }
    dims = {
        dim: f"{full}/node"
        for name, full in names.items()
        for dim in dataset[name].dims
        if dim == f"{name}.node"
    }
    for variable in dataset.variables.values():
        variable.encoding.clear()
    return dataset.rename({**names, **dims})
