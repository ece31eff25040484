"""Two columns of numbers from a text or HDF5 file, or one sentence why not."""

from __future__ import annotations

import re
from pathlib import Path

import h5py
import numpy as np

from cosim.algebra.types import Float
from cosim.errors import ModelError

__all__ = ["read_columns"]


_HDF5_SUFFIXES = {".h5", ".hdf5", ".nc"}
_LFS_HEAD = b"version https://git-lfs"


def read_columns(path: Path, names: tuple[tuple[str, ...], tuple[str, ...]]) -> tuple[Float, Float]:
    """Read two columns of equal length.

    Text files hold numbers separated by commas, semicolons, blanks or tabs; lines that start
    with ``#`` or ``%`` and one heading line are skipped; further columns are ignored. HDF5
    files hold two datasets.

    Parameters
    ----------
    path : Path
        The file.
    names : pair of tuples of str
        Names that the two HDF5 datasets may have.

    Returns
    -------
    first, second : (n,) arrays

    Raises
    ------
    ModelError
        The file is absent, is not such a file, or a line is not numbers.
    """
    if not path.is_file():
        raise ModelError(f"there is no file '{path}'; paths are relative to the case file")
    with path.open("rb") as stream:
        if stream.read(len(_LFS_HEAD)) == _LFS_HEAD:
            raise ModelError(f"'{path}' is a git-lfs pointer, not data; run 'git lfs pull'")
    read = _read_hdf5 if path.suffix.lower() in _HDF5_SUFFIXES else _read_text
    first, second = read(path, names)
    bad = ~(np.isfinite(first) & np.isfinite(second))
    if bad.any():
        raise ModelError(f"'{path}': row {int(np.argmax(bad)) + 1} of the data is not finite")
    return first, second


def _read_text(path: Path, _: tuple[tuple[str, ...], tuple[str, ...]]) -> tuple[Float, Float]:
    rows: list[tuple[float, float]] = []
    heading_allowed = True
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ModelError(f"'{path}' is not a text file; use .csv, .txt or .h5") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip()[0] in "#%":
            continue
        fields = re.split(r"[,;\s]+", line.strip())
        try:
            rows.append((float(fields[0]), float(fields[1])))
        except (ValueError, IndexError):
            if not heading_allowed:
                raise ModelError(
                    f"'{path}', line {number}: expected two numbers, found '{line.strip()[:60]}'"
                ) from None
        heading_allowed = False
    if not rows:
        raise ModelError(f"'{path}' holds no rows of two numbers")
    data = np.array(rows)
    return data[:, 0].copy(), data[:, 1].copy()


def _read_hdf5(path: Path, names: tuple[tuple[str, ...], tuple[str, ...]]) -> tuple[Float, Float]:
    try:
        file = h5py.File(path, "r")
    except OSError:
        raise ModelError(f"'{path}' cannot be read as HDF5; is the file complete?") from None
    with file:
        columns = [_dataset(file, path, choices) for choices in names]
    if columns[0].shape != columns[1].shape:
        raise ModelError(
            f"'{path}': the two datasets have {columns[0].size} and {columns[1].size} values"
        )
    return columns[0], columns[1]


def _dataset(file: h5py.File, path: Path, choices: tuple[str, ...]) -> Float:
    for name in choices:
        if name in file and isinstance(file[name], h5py.Dataset):
            return np.asarray(file[name][...], dtype=np.float64).ravel()
    raise ModelError(
        f"'{path}' has no dataset named {' or '.join(choices)}; it has {', '.join(file) or 'none'}"
    )
