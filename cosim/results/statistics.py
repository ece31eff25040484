"""Mean, deviation and extremes of what a run stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cosim.multibody.interface import Float

if TYPE_CHECKING:
    import xarray as xr

__all__ = [
    "Series",
    "Statistic",
    "largest_imbalance",
    "series_of",
    "settled_from",
    "statistics",
]

_ROUNDING = 1e-9
"""Exchanged over kinetic energy below which nothing but rounding was exchanged."""

_MOST = 12
"""Channels of one adapter that a summary lists; of one with more it lists none."""
_LOADS = ("force", "tension", "moment")
"""Quantities of a force element that say what it carries."""


@dataclass(frozen=True)
class Series:
    """One scalar over time.

    Attributes
    ----------
    name, units : str
    values : (n,)
    """

    name: str
    units: str
    values: Float


@dataclass(frozen=True)
class Statistic:
    """Statistics of one scalar over time.

    Attributes
    ----------
    name, units : str
    mean, std, minimum, maximum : float
    """

    name: str
    units: str
    mean: float
    std: float
    minimum: float
    maximum: float

    @classmethod
    def of(cls, series: Series) -> Statistic:
        """Statistics of a series; NaN are left out."""
        good = series.values[np.isfinite(series.values)]
        found = [float("nan")] * 4
        if good.size:
            found = [float(f(good)) for f in (np.mean, np.std, np.min, np.max)]
        return cls(series.name, series.units, *found)


def settled_from(dataset: xr.Dataset) -> float:
    """Time from which statistics mean something: the end of the wave ramp, if the run got there."""
    time = dataset["time"].values
    ramp = float(dataset.attrs.get("wave_ramp", 0.0))
    return ramp if time.size and ramp < time[-1] else float(time[0]) if time.size else 0.0


def statistics(dataset: xr.Dataset, start: float | None = None) -> list[Statistic]:
    """Statistics of wave elevation, joint coordinates, adapters with few channels, and elements.

    Parameters
    ----------
    dataset : xarray.Dataset
        Results of a run.
    start : float, optional
        Left out before, s; the end of the wave ramp by default.
    """
    begin = settled_from(dataset) if start is None else start
    late = dataset.sel(time=slice(begin, None))
    return [Statistic.of(series) for series in series_of(late)]


def series_of(dataset: xr.Dataset) -> Iterator[Series]:
    """What a summary lists: see `statistics`."""
    if "wave_elevation" in dataset and np.any(dataset["wave_elevation"].values):
        yield Series("wave elevation", "m", dataset["wave_elevation"].values)
    for variable, dim in (("joint_translation", "translation"), ("joint_rotation_deg", "rotation")):
        if variable not in dataset:
            continue
        for speed in dataset[dim].values:
            values = dataset[variable].sel({dim: speed}).values
            yield Series(_readable(dataset, str(speed)), dataset[variable].attrs["units"], values)
    for source in dataset["source"].values if "source" in dataset.coords else ():
        names = [n for n in map(str, dataset.data_vars) if n.startswith(f"{source}/")]
        for name in names if len(names) <= _MOST else ():
            yield Series(name, dataset[name].attrs["units"], dataset[name].values)
    for name in _elements(dataset):
        yield Series(name, dataset[name].attrs["units"], dataset[name].values)


def _elements(dataset: xr.Dataset) -> list[str]:
    """Loads and powers of the force elements; of many their powers, of very many nothing."""
    names = [name for name in map(str, dataset.data_vars) if name.startswith("element/")]
    for wanted in ((*_LOADS, "power"), ("power",)):
        chosen = [name for name in names if name.rpartition("/")[2] in wanted]
        if len(chosen) <= _MOST:
            return chosen
    return []


def _readable(dataset: xr.Dataset, speed: str) -> str:
    """``spar surge`` for the coordinate ``free.surge`` of a floating joint."""
    joint, _, coordinate = speed.rpartition(".")
    if "joint_type" in dataset and str(dataset["joint_type"].sel(joint=joint).item()) == "floating":
        return f"{dataset['joint_child'].sel(joint=joint).item()} {coordinate}"
    return speed


def largest_imbalance(results: xr.Dataset) -> float:
    """Largest error of the energy balance, over the energy exchanged in the whole run.

    The channel ``ledger/balance`` divides by what was exchanged so far: next to nothing at the
    start of a run from rest, where it shows the tolerance of the integrator and no error.
    """
    error = np.abs(results["ledger/balance"].values)
    if "ledger/exchanged" not in results or "energy/kinetic" not in results:
        return float(error.max())
    exchanged = results["ledger/exchanged"].values
    if exchanged[-1] > _ROUNDING * results["energy/kinetic"].values.max():
        error = error * exchanged / exchanged[-1]
    return float(error.max())
