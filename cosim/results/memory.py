"""Results kept in memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from cosim.multibody.interface import Float
from cosim.results.sink import Contents
from cosim.results.variables import SHAPE_TIME, TIME, time_axis

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["MemorySink"]


class MemorySink:
    """Collects the values of a run; `dataset` is the same as what a file gives back."""

    def __init__(self) -> None:
        self._contents: Contents | None = None
        self._parts: dict[str, list[Float]] = {}
        self._status = "running"

    def open(self, contents: Contents) -> None:
        """Prepare for these variables."""
        self._contents = contents
        self._parts = {variable.name: [] for variable in contents.variables}

    def append(self, values: Mapping[str, Float]) -> None:
        """Add instants."""
        for name, array in values.items():
            self._parts.setdefault(name, []).append(array)

    def sync(self) -> None:
        """Nothing to do."""

    def rewind(self, rows: Mapping[str, int]) -> None:
        """Forget what came after these rows."""
        shapes = {v.name for v in self._contents.variables if v.is_shape} if self._contents else {}
        for name, parts in self._parts.items():
            on_shapes = name == SHAPE_TIME or name in shapes
            left = rows[SHAPE_TIME if on_shapes else TIME]
            whole = np.concatenate(parts)[:left] if parts else np.zeros(0)
            self._parts[name] = [whole] if left else []

    def close(self, status: str) -> None:
        """Note how the run ended."""
        self._status = status

    def dataset(self) -> xr.Dataset:
        """Everything as one dataset (empty if no sample came)."""
        import xarray as xr

        if self._contents is None:
            return xr.Dataset(attrs={"status": self._status})
        contents = self._contents
        axes: dict[str, tuple[object, ...]] = {}
        for time in (TIME, SHAPE_TIME):
            if self._parts.get(time):
                values = np.concatenate(self._parts[time])
                axes[time] = (time, values, dict(time_axis(time).attributes))
        # one by one, each new variable would copy the dataset
        variables: dict[str, tuple[object, ...]] = {}
        for variable in contents.variables:
            values = np.concatenate(self._parts[variable.name])
            if variable.is_shape:
                values = values.astype(np.float32)
            dims = (variable.time, *variable.dims)
            variables[variable.name] = (dims, values, dict(variable.attributes))
        for name, (dims, array, notes) in contents.constants.arrays.items():
            variables[name] = (dims, array, dict(notes))
        for name, text in contents.constants.texts.items():
            variables[name] = ((), text)
        attributes = {**contents.constants.attributes, "status": self._status}
        dataset = xr.Dataset(variables, coords=axes, attrs=attributes)
        for dim, labels in contents.coordinates.items():
            if dim in dataset.dims:
                dataset.coords[dim] = (dim, np.array(labels, dtype=object))
        return dataset
