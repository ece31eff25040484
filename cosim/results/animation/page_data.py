"""What the interactive page is given: arrays in base64, within a budget."""

from __future__ import annotations

import base64
import logging
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from cosim.multibody.interface import Float
from cosim.results.animation.film import Film, Hinge, Spring
from cosim.results.animation.filming import film_of, frame_times
from cosim.results.animation.readouts import readouts
from cosim.results.statistics import Series
from cosim.results.water import Waves

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["page_data"]

LOG = logging.getLogger(__name__)

Json = Mapping[str, object]

_MOST_BYTES = 1_600_000
"""Of poses and channels: 2.1 MB in base64."""
_MOST_NODES = 120_000
"""Nodes of all lines at all their instants: 1.4 MB of numbers, 1.9 MB in base64."""
_FINE = 1.0
"""Interval of poses or lines from which on something may be missed, s."""
_MOST_WAVES = 256
_QUIET = 5e-4
"""Part of the energy of the waves that may be left out."""
_COILS = 7


def page_data(dataset: xr.Dataset, *, start: float | None = None, end: float | None = None) -> Json:
    """Motion, lines, water and channels for the page's script.

    Poses are those of stored instants, evenly picked where they are too many for the size of
    the page, which interpolates between them; lines have instants of their own.

    Parameters
    ----------
    dataset : xarray.Dataset
        Results of a run.
    start, end : float, optional
        Part of the run, s.

    Raises
    ------
    CaseError
        Nothing to show in that part.
    """
    series = readouts(dataset)
    stored = frame_times(dataset, None, start=start, end=end)
    most = _MOST_BYTES // (4 * (1 + 7 * dataset.sizes["body"] + len(series)))
    film = film_of(dataset, stored[:: math.ceil(stored.size / most)])
    lines = film_of(dataset, _line_times(dataset, film))
    _warn_of_gaps(film, lines)
    return {
        "title": film.title,
        "status": str(dataset.attrs.get("status", "")),
        "planar": film.planar,
        "depth": film.depth if math.isfinite(film.depth) else None,
        "box": film.box().tolist(),
        "bodies_box": film.bodies_box().tolist(),
        "joint_size": _joint_size(film),
        "bodies": list(film.bodies),
        "times": _packed(film.times),
        "positions": _packed(film.r),
        "quaternions": _packed(film.quaternions),
        "solids": [
            {"body": s.body, "kind": s.kind, "ends": _rows(s.ends), "diameters": _rows(s.diameters)}
            for s in film.solids
        ],
        "hinges": [_hinge(hinge) for hinge in film.hinges],
        "springs": [_spring(spring) for spring in film.springs],
        "line_times": _packed(lines.times),
        "lines": [
            {"name": line.name, "count": line.nodes.shape[1], "nodes": _packed(line.nodes)}
            for line in lines.lines
        ],
        "water": _water(film.waves) if film.waves is not None else None,
        "series": [_series(one, dataset, film.times) for one in series],
    }


def _line_times(dataset: xr.Dataset, film: Film) -> Float:
    """Stored instants of the lines, as many as the budget allows."""
    if not film.lines or "shape_time" not in dataset:
        return film.times[:1]
    stored = dataset["shape_time"].values
    inside = stored[(stored >= film.times[0]) & (stored <= film.times[-1])]
    if inside.size == 0:
        return film.times[[0, -1]]
    nodes = sum(line.nodes.shape[1] for line in film.lines)
    most = max(2, _MOST_NODES // nodes)
    return np.asarray(inside[:: math.ceil(inside.size / most)])


def _warn_of_gaps(film: Film, lines: Film) -> None:
    for what, times in (("poses", film.times), ("lines", lines.times)):
        step = float(times[1] - times[0]) if times.size > 1 else 0.0
        if step > _FINE and (what == "poses" or lines.lines):
            LOG.warning(
                "the page holds %s every %.3g s only; show a part of the run (--from, --to) to see "
                "quicker motion",
                what,
                step,
            )


def _joint_size(film: Film) -> float:
    """Radius of the marks of joints, m: seen on the thinnest solid, small beside the whole."""
    size = float(np.linalg.norm(np.ptp(film.bodies_box(), axis=0)))
    thinnest = min((float(s.diameters.max()) for s in film.solids if s.kind != "ball"), default=0.0)
    return min(max(0.7 * thinnest, 0.006 * size), 0.03 * size)


def _hinge(hinge: Hinge) -> Json:
    axis = _rows(hinge.axis) if np.isfinite(hinge.axis).all() else None
    return {
        "name": hinge.name,
        "kind": hinge.kind,
        "body": hinge.body,
        "place": _rows(hinge.place),
        "axis": axis,
    }


def _spring(spring: Spring) -> Json:
    coils = 0 if spring.rope else _COILS
    return {
        "name": spring.name,
        "bodies": list(spring.bodies),
        "places": _rows(spring.places),
        "coils": coils,
    }


def _water(waves: Waves) -> Json:
    kept = waves.strongest(_MOST_WAVES, _QUIET)
    return {
        "ramp": kept.ramp,
        "omega": _packed(kept.omega),
        "kx": _packed(kept.wavenumber * np.cos(kept.heading)),
        "ky": _packed(kept.wavenumber * np.sin(kept.heading)),
        "amplitude": _packed(kept.amplitude),
        "phase": _packed(kept.phase),
    }


def _series(series: Series, dataset: xr.Dataset, times: Float) -> Json:
    values = np.interp(times, dataset["time"].values, series.values)
    return {"name": series.name, "units": series.units, "values": _packed(values)}


def _packed(values: Float) -> str:
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")


def _rows(values: Float) -> object:
    """Nested lists of numbers short enough to read."""
    return np.round(values, 9).tolist()
