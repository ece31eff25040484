"""Channels as an animation shows them: few words, readable units, what matters first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cosim.results.statistics import Series, series_of
from cosim.results.style import prefixed

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["readouts"]

_STILL = 1e-6
"""Span of a series that does not move, relative to the widest of the same unit."""
_SIGNS = {"degree": "°"}


def readouts(dataset: xr.Dataset, most: int = 40) -> Sequence[Series]:
    """At most `most` series of a run; those that do not move come last.

    Parameters
    ----------
    dataset : xarray.Dataset
        Results of a run.
    most : int
    """
    found = [_readable(one) for one in series_of(dataset) if np.isfinite(one.values).any()]
    widest: dict[str, float] = {}
    for one in found:
        widest[one.units] = max(widest.get(one.units, 0.0), _span(one))
    still = [_span(one) <= _STILL * widest[one.units] for one in found]
    moving = [one for one, rests in zip(found, still, strict=True) if not rests]
    resting = [one for one, rests in zip(found, still, strict=True) if rests]
    return [*moving, *resting][:most]


def _readable(series: Series) -> Series:
    factor, units = prefixed(float(np.nanmax(np.abs(series.values))), series.units)
    first, slash, rest = series.name.partition("/")
    # `lines/line1/fairlead_tension`, but a body `leg1/arm` keeps its own name
    owned = slash and (first == "element" or ("." not in rest and " " not in rest))
    name = rest.replace("/", " ").replace("_", " ") if owned else series.name
    return Series(name, _SIGNS.get(units, units), series.values / factor)


def _span(series: Series) -> float:
    return float(np.nanmax(series.values) - np.nanmin(series.values))
