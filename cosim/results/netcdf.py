"""Results written to a NetCDF file while the run goes on.

The file is laid out in full before the first value: all dimensions at the length the run
will need, all chunks allocated and filled with NaN. Later writes only put numbers where
the file already has room for them, so that whatever instant the process dies at, the file
is whole and holds what was flushed. Rows never reached have the time NaN.
"""

from __future__ import annotations

import logging
import math
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cosim.errors import CaseError, CosimError, SolverError
from cosim.multibody.interface import Float
from cosim.results.checkpoint import checkpoint_file
from cosim.results.kept import COMPLETED, Kept, cut
from cosim.results.sink import Contents
from cosim.results.variables import SHAPE_TIME, TIME, Variable, time_axis

if TYPE_CHECKING:
    import h5netcdf
    import h5py

__all__ = ["NAME", "RUNNING", "NetcdfSink", "disk_name"]

LOG = logging.getLogger(__name__)
NAME = "name"
"""Attribute that holds the name of a variable where the file cannot: ``lines/tension``."""
RUNNING = "running"
_CHUNK_BYTES = 1 << 18
_LARGE = 2e9
_FORMAT = ("v108", "v108")
"""Of HDF5: the first whose attributes hold a list of more than 4000 variables."""
_SPARE_ROWS = 1000  # of what a run may take more instants than was foreseen


class NetcdfSink:
    """Writes to `path`, replacing an older result file of that name.

    Parameters
    ----------
    path : path
    kept : Kept, optional
        Rows of an older file that this one begins with.

    Raises
    ------
    CaseError
        The file cannot be written, is being written by another run, or is no result file.
    """

    def __init__(self, path: str | Path, *, kept: Kept | None = None) -> None:
        self.path = Path(path)
        self._file: h5py.File | None = None
        self._kept = kept
        self._rows = {TIME: 0, SHAPE_TIME: 0, **(kept.rows if kept else {})}
        self._ours = False

    @property
    def written(self) -> bool:
        """Some instants of this run are in the file."""
        return self._ours and self._rows[TIME] > 0

    def check(self) -> None:
        """Refuse a place where nothing can be written, before a run takes its time to start."""
        with _refused(self.path):
            if self._kept is not None:
                self._kept.check()
                self._ours = self._kept.path == self.path
            _check_place(self.path)
            self._draft.touch()
            self._draft.unlink()

    def open(self, contents: Contents) -> None:
        """Lay the file out."""
        import h5netcdf
        import h5py

        with _refused(self.path):
            _check_place(self.path)
            try:
                _check_room(self._draft, contents)
                with h5netcdf.File(self._draft, "w") as constants:
                    _lay_out_constants(constants, contents)
                with h5py.File(self._draft, "r+", libver=_FORMAT) as file:
                    _lay_out_series(file, contents)
                    if self._kept is not None:
                        self._kept.copy_to(file)
                if self._kept is not None:  # else a power cut might leave neither file
                    with self._draft.open("r+b") as stream:
                        os.fsync(stream.fileno())
                self._draft.replace(self.path)
            finally:
                self._draft.unlink(missing_ok=True)
            self._file = h5py.File(self.path, "r+")
        self._file.flush()
        self._ours = True

    @property
    def _draft(self) -> Path:
        """Name of a file that is only half laid out: readers never see one."""
        return self.path.with_name(f"{self.path.name}.part")

    def append(self, values: Mapping[str, Float]) -> None:
        """Write instants and flush them to the disk."""
        if self._file is None:
            raise RuntimeError("append before open")
        time = SHAPE_TIME if SHAPE_TIME in values else TIME
        start = self._rows[time]
        stop = start + len(values[time])
        with _refused(self.path, SolverError):
            for name, array in values.items():
                dataset = self._file[disk_name(name)]
                if stop > dataset.shape[0]:
                    dataset.resize(stop, axis=0)
                dataset[start:stop] = array
            self._file.flush()
        self._rows[time] = stop

    def sync(self) -> None:
        """Wait until the disk has what was written."""
        if self._file is not None:
            with _refused(self.path, SolverError):
                os.fsync(self._file.id.get_vfd_handle())

    def rewind(self, rows: Mapping[str, int]) -> None:
        """Forget what came after these rows."""
        self._rows.update(rows)
        if self._file is not None:
            for dim in self._rows.keys() & self._file.keys():
                self._file[dim][self._rows[dim] :] = np.nan

    def close(self, status: str) -> None:
        """Cut off rows never reached and note how the run ended."""
        if self._file is not None:
            cut(self._file, self._rows, status)
            self._file.close()
            self._file = None
        elif self._kept is not None and status == COMPLETED:
            with _refused(self.path):
                self._kept.finish(self.path, status)
        else:  # a run that failed before it came as far leaves an older file as it is
            return
        LOG.info("results in '%s'", self.path)


@contextmanager
def _refused(path: Path, kind: type[CosimError] = CaseError) -> Iterator[None]:
    """Say in one sentence what the disk refuses."""
    try:
        yield
    except (OSError, RuntimeError) as error:  # HDF5 has no number where it tidies up
        number = error.errno if isinstance(error, OSError) else None
        reason = os.strerror(number) if number else str(error).split("\n")[0]
        raise kind(
            f"the results cannot be written to '{path}': {reason}; choose another folder with --out"
        ) from None


def disk_name(name: str) -> str:
    """Name in the file, where ``/`` would make a group."""
    return name.replace("/", ".")


def _check_place(path: Path) -> None:
    import h5py

    if path.is_dir():
        raise CaseError(f"'{path}' is a folder; name a file for the results")
    if path == checkpoint_file(path):
        raise CaseError(f"'{path}' is where the checkpoint of the run goes; name its results anew")
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        return
    if not h5py.is_hdf5(path):
        raise CaseError(f"'{path}' exists and is not a result file; choose another name")
    try:
        with h5py.File(path, "r+") as old:
            ours = "status" in old.attrs
    except BlockingIOError:
        raise CaseError(
            f"'{path}' is being written by another run; choose another folder with --out"
        ) from None
    except PermissionError:
        raise
    except (OSError, RuntimeError):
        LOG.debug("replacing the broken file '%s'", path)
        return
    if not ours:
        raise CaseError(f"'{path}' exists and holds no results; choose another name")


def _check_room(draft: Path, contents: Contents) -> None:
    """Refuse what does not fit before HDF5 begins: it does not survive a full disk."""
    needed = sum(
        (contents.shape_instants if variable.is_shape else contents.instants) * _row_bytes(variable)
        for variable in contents.variables
    )
    free = shutil.disk_usage(draft.parent).free
    hint = "take a larger output.step, fewer output.channels or an earlier time.end"
    if needed > free:
        raise CaseError(
            f"the results of {contents.instants:.3g} instants need {needed / 1e9:.3g} GB and "
            f"'{draft.parent}' has {free / 1e9:.3g} GB left; {hint}"
        )
    if needed > _LARGE:
        LOG.warning("the results will take %.3g GB; %s", needed / 1e9, hint)
    with draft.open("wb") as stream:
        os.truncate(stream.fileno(), needed)  # fails cleanly where files may not grow so large


def _kind(variable: Variable) -> np.dtype[np.floating[Any]]:
    return np.dtype(np.float32 if variable.is_shape else np.float64)


def _row_bytes(variable: Variable) -> int:
    return _kind(variable).itemsize * math.prod(variable.shape)


def _lay_out_constants(file: h5netcdf.File, contents: Contents) -> None:
    """Dimensions, labels and everything else that does not change with time."""
    used: set[str] = set()
    for variable in contents.variables:
        used.update(variable.dims)
        for dim, size in zip(variable.dims, variable.shape, strict=True):
            if disk_name(dim) not in file.dimensions:
                file.dimensions[disk_name(dim)] = size
    for name, (dims, array, attributes) in contents.constants.arrays.items():
        for dim, size in zip(dims, np.shape(array), strict=True):
            if dim not in file.dimensions:
                file.dimensions[dim] = size
                used.add(dim)
        if array.dtype == object:
            stored = _texts(file, name, dims, array)
        else:
            stored = file.create_variable(name, dims, data=array)
        stored.attrs.update(attributes)
    for dim, labels in contents.coordinates.items():
        if dim in used:
            _texts(file, dim, (dim,), np.array(labels, dtype=object))
    for name, text in contents.constants.texts.items():
        _texts(file, name, (), text)
    file.attrs.update({**contents.constants.attributes, "status": RUNNING})


def _lay_out_series(file: h5py.File, contents: Contents) -> None:
    """Everything that changes with time, on time axes of bounded length.

    NetCDF libraries ask every variable of an unlimited dimension for its length, h5netcdf
    once for each of them: a minute to open a file of 300.
    """
    shapes = any(variable.is_shape for variable in contents.variables)
    lengths = {TIME: contents.instants, **({SHAPE_TIME: contents.shape_instants} if shapes else {})}
    for dim, length in lengths.items():
        _variable(file, time_axis(dim), length).make_scale(dim)
    for variable in contents.variables:
        stored = _variable(file, variable, lengths[variable.time])
        for axis, dim in enumerate((variable.time, *variable.dims)):
            stored.dims[axis].attach_scale(file[disk_name(dim)])


def _variable(file: h5py.File, variable: Variable, length: int) -> h5py.Dataset:
    import h5py

    kind, row = _kind(variable), _row_bytes(variable)
    early = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    early.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
    stored = file.create_dataset(
        disk_name(variable.name),
        (length, *variable.shape),
        kind,
        maxshape=(_SPARE_ROWS + 2 * length, *variable.shape),
        fillvalue=kind.type(np.nan),
        chunks=(max(1, min(length, _CHUNK_BYTES // row)), *variable.shape),
        dcpl=early,
    )
    stored.attrs["_FillValue"] = np.array([np.nan], kind)
    stored.attrs.update(variable.attributes)
    if "/" in variable.name:
        stored.attrs[NAME] = variable.name
    return stored


def _texts(
    file: h5netcdf.File, name: str, dims: tuple[str, ...], value: object
) -> h5netcdf.Variable:
    import h5py

    variable = file.create_variable(name, dims, h5py.string_dtype())
    variable[...] = value
    return variable
