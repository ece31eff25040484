"""The part of a result file that a run goes on from."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from cosim.errors import CaseError
from cosim.multibody.interface import Float
from cosim.results.variables import SHAPE_TIME, TIME

if TYPE_CHECKING:
    import h5py

__all__ = [
    "CHECKPOINTS",
    "COMPLETED",
    "RUN",
    "SETTINGS",
    "Kept",
    "attributes",
    "cut",
    "series",
    "time_settings",
]

COMPLETED = "completed"
"""Status of a run that reached its end."""
RUN = "run"
"""Attribute that ties a result file to its checkpoints."""
CHECKPOINTS = "checkpoints"
"""Attribute that says why there are none; empty where there are."""
SETTINGS = "settings"
"""Attribute that holds those of the time integration."""
_BLOCK = 4096


@dataclass(frozen=True)
class Kept:
    """First rows of an older result file.

    Parameters
    ----------
    path : Path
        May be the file that the run writes.
    run : str
        Name of the run that wrote it.
    rows : mapping of dimension of time to int
    end : float
        Of the run that goes on, s.
    """

    path: Path
    run: str
    rows: Mapping[str, int]
    end: float

    def check(self) -> None:
        """Refuse a file of another run, or without these rows.

        Raises
        ------
        CaseError
        """
        with _read(self.path) as file, _undamaged(self.path):
            self._compare(file)

    def copy_to(self, file: h5py.File) -> None:
        """Write the rows into a file that is laid out already."""
        with _read(self.path) as old:
            with _undamaged(self.path):
                self._compare(old)
            for dim, rows in self.rows.items():
                for target in series(file, dim):
                    for start in range(0, rows, _BLOCK):
                        stop = min(start + _BLOCK, rows)
                        target[start:stop] = self._values(old, target, start, stop)

    def finish(self, path: Path, status: str) -> None:
        """Make a file of its own of the rows, for a run that adds none."""
        import h5py

        if path != self.path:
            shutil.copyfile(self.path, path)
        with _undamaged(path), h5py.File(path, "r+") as file:
            cut(file, self.rows, status)
            file.attrs[SETTINGS] = json.dumps({**time_settings(file.attrs), "end": self.end})

    def _values(self, old: h5py.File, target: h5py.Dataset, start: int, stop: int) -> Float:
        with _undamaged(self.path):
            source = old[target.name]
            if source.shape[1:] == target.shape[1:]:
                return np.asarray(source[start:stop])
        raise CaseError(f"'{self.path}' has other variables than the run; run the case anew")

    def _compare(self, file: h5py.File) -> None:
        if str(file.attrs.get(RUN)) != self.run:
            raise CaseError(
                f"'{self.path}' is of another run than the checkpoint beside it; run the case anew"
            )
        for dim, rows in self.rows.items():
            if rows and not (dim in file and _reaches(file[dim], rows)):
                raise CaseError(
                    f"'{self.path}' holds less than the {rows} instants up to its checkpoint; run "
                    "the case anew"
                )


def attributes(path: Path) -> dict[str, str]:
    """Texts of a result file that belong to the whole of it.

    Raises
    ------
    CaseError
        Not a result file, a damaged one, or being written.
    """
    with _read(path) as file, _undamaged(path):
        return {key: str(value) for key, value in file.attrs.items()}


def time_settings(texts: Mapping[str, str]) -> dict[str, object]:
    """Settings of the time integration among these attributes; empty if none are told."""
    try:
        found = json.loads(texts[SETTINGS])
    except (KeyError, TypeError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


@contextmanager
def _read(path: Path) -> Iterator[h5py.File]:
    import h5py

    if not path.is_file():
        raise CaseError(f"there is no result file '{path}'; run the case anew")
    try:
        file = h5py.File(path, "r")
    except BlockingIOError:
        raise CaseError(
            f"'{path}' is being written by another run; wait for its end, or end it"
        ) from None
    except OSError:
        raise CaseError(f"'{path}' is not a result file; run the case anew") from None
    with file:
        yield file


@contextmanager
def _undamaged(path: Path) -> Iterator[None]:
    """Say in one sentence what h5py finds in many ways."""
    try:
        yield
    except (KeyError, OSError, RuntimeError, TypeError, ValueError):
        raise CaseError(f"'{path}' is damaged; run the case anew") from None


def _reaches(time: h5py.Dataset, rows: int) -> bool:
    return len(time) >= rows and bool(np.isfinite(time[rows - 1]))


def cut(file: h5py.File, rows: Mapping[str, int], status: str) -> None:
    """Cut off rows never reached and note how the run ended."""
    for dim in (TIME, SHAPE_TIME):
        for dataset in series(file, dim):
            dataset.resize(rows.get(dim, 0), axis=0)
    file.attrs["status"] = status


def series(file: h5py.File, time: str) -> Iterator[h5py.Dataset]:
    """The time axis, if the file has it, and all on it."""
    if time not in file:
        return
    yield file[time]
    for reference, _ in file[time].attrs.get("REFERENCE_LIST", ()):
        yield file[reference]
