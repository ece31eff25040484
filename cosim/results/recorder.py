"""The recorder of a run: samples in, chunks of values out to sinks."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import numpy as np

from cosim.integrate.sample import Sample
from cosim.multibody.interface import Float, MultibodyModel
from cosim.results.chunk import Chunk
from cosim.results.kept import COMPLETED
from cosim.results.layout import Layout
from cosim.results.sink import Constants, Contents, Sink
from cosim.results.variables import SHAPE_TIME, TIME, Variable

__all__ = ["Instants", "ResultRecorder"]

_CHUNK = 256
_SHAPE_STEP, _SHAPES = 0.5, 2400
"""Interval of shapes, s, and how many a short run has."""
_LONGEST_WAIT = 2.0
"""Wall time after which values go out even if the chunk is not full, s."""


@dataclass(frozen=True)
class Instants:
    """When results are stored.

    Attributes
    ----------
    start, end, step : float
        s.
    shape_step : float or None
        Least interval between stored shapes, s; a whole multiple of `step` is taken. By
        default a 2,400th of the run, and at most 0.5 s: shapes of short runs, which may be
        quick, are stored more often.
    """

    start: float
    end: float
    step: float
    shape_step: float | None = None

    @property
    def stride(self) -> int:
        """Every how many-th instant shapes are stored."""
        wanted = self.shape_step
        if wanted is None:
            wanted = min(_SHAPE_STEP, (self.end - self.start) / _SHAPES)
        return max(1, math.ceil(wanted / self.step - 1e-9))

    @property
    def count(self) -> int:
        """How many instants there are."""
        return math.floor((self.end - self.start) / self.step + 1e-6) + 1

    @property
    def shape_count(self) -> int:
        """How many of them hold shapes."""
        return (self.count - 1) // self.stride + 1


class ResultRecorder:
    """Turns samples into the variables of a layout and hands them to sinks.

    Values go out whenever a chunk is full or two seconds of wall time have passed, so that
    a killed run leaves what it had. Use it as a context manager, or call `close`.

    Parameters
    ----------
    layout : Layout
    probe : MultibodyModel
        A second model of the same system, for this recorder alone.
    sinks : sequence of Sink
    instants : Instants
    constants : Constants, optional
    kept : mapping of dimension of time to int, optional
        Rows that the sinks have already, of the run that goes on.

    Attributes
    ----------
    instants : Instants
    """

    def __init__(
        self,
        layout: Layout,
        probe: MultibodyModel,
        sinks: Sequence[Sink],
        instants: Instants,
        *,
        constants: Constants | None = None,
        kept: Mapping[str, int] | None = None,
    ) -> None:
        self._layout = layout
        self._probe = probe
        self._sinks = sinks
        self.instants = instants
        self._constants = constants or Constants()
        self._chunk: Chunk | None = None
        self._shapes: list[Variable] = []
        self._shape_rows: list[tuple[float, list[Float]]] = []
        kept = kept or {}
        self._samples, self._shape_count = kept.get(TIME, 0), kept.get(SHAPE_TIME, 0)
        self._last_flush = time.monotonic()

    def record(self, sample: Sample) -> None:
        """Keep a sample."""
        chunk = self._chunk or self._begin(sample)
        chunk.add(sample)
        if self._shapes and self._samples % self.instants.stride == 0:
            self._shape_rows.append((sample.t, self._nodes(sample)))
            self._shape_count += 1
        self._samples += 1
        if chunk.is_full or time.monotonic() - self._last_flush > _LONGEST_WAIT:
            self.flush()

    def flush(self) -> None:
        """Hand everything recorded so far to the sinks."""
        if self._chunk is not None and self._chunk.count:
            values = self._chunk.values()
            for sink in self._sinks:
                sink.append(values)
        if self._shape_rows:
            times = np.array([t for t, _ in self._shape_rows])
            columns = zip(*(nodes for _, nodes in self._shape_rows), strict=True)
            rows = {
                variable.name: np.array(column)
                for variable, column in zip(self._shapes, columns, strict=True)
            }
            self._shape_rows.clear()
            for sink in self._sinks:
                sink.append({SHAPE_TIME: times, **rows})
        self._last_flush = time.monotonic()

    def sync(self) -> dict[str, int]:
        """Make everything recorded so far safe; returns how many rows that is."""
        self.flush()
        for sink in self._sinks:
            sink.sync()
        return {TIME: self._samples, SHAPE_TIME: self._shape_count}

    def rewind(self, rows: Mapping[str, int]) -> None:
        """Forget what came after these rows: the run goes on from there."""
        self._samples, self._shape_count = rows[TIME], rows[SHAPE_TIME]
        self._shape_rows.clear()
        if self._chunk is not None:
            self._chunk.count = 0
        for sink in self._sinks:
            sink.rewind(rows)

    def close(self, status: str = COMPLETED) -> None:
        """Write what is left; `status` is stored with the results. Once only."""
        self.flush()
        for sink in self._sinks:
            sink.close(status)

    def fail(self, error: BaseException) -> None:
        """Close after an error, whose sentence is stored with the results."""
        self.close(f"{'interrupted' if isinstance(error, KeyboardInterrupt) else error}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.fail(error)

    def _begin(self, sample: Sample) -> Chunk:
        variables = self._layout.variables(sample)
        self._shapes = [variable for variable in variables if variable.is_shape]
        arrays = [variable for variable in variables if not variable.is_shape]
        contents = Contents(
            coordinates=self._layout.coordinates(),
            variables=variables,
            instants=self.instants.count,
            shape_instants=self.instants.shape_count,
            constants=self._constants,
        )
        size = min(_CHUNK, self.instants.count)
        self._chunk = Chunk(self._layout, arrays, self._probe, size)
        for sink in self._sinks:
            sink.open(contents)
        return self._chunk

    def _nodes(self, sample: Sample) -> list[Float]:
        nodes = {
            f"shape/{adapter}/{shape.name}": shape.nodes
            for adapter, shapes in sample.shapes.items()
            for shape in shapes
        }
        return [np.array(nodes[variable.name]) for variable in self._shapes]
