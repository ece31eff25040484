"""From results, or from a system at one pose, to a film."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cosim.errors import CaseError
from cosim.model.system import System
from cosim.multibody.interface import Float, State
from cosim.results.animation.film import Film, Hinge, MovingLine, Spring
from cosim.results.drawing import Drawing
from cosim.results.provenance import reference_arrays
from cosim.results.solids import body_solids
from cosim.results.water import Waves, waves_of

if TYPE_CHECKING:
    import xarray as xr
    from numpy.typing import NDArray

__all__ = ["film_of", "frame_times", "still_film"]

_INSTANT = 1e-9
"""How far an instant may be beyond the part of the run that is shown, relative to the run."""
_FLAT = 1e-6
"""Sine of the largest angle of axes in, or normal to, the x-z plane."""


def frame_times(
    dataset: xr.Dataset, step: float | None, *, start: float | None, end: float | None
) -> Float:
    """Instants of a film, (n,), s.

    Parameters
    ----------
    dataset : xarray.Dataset
        Results of a run.
    step : float or None
        Interval, s; None takes the stored instants themselves.
    start, end : float or None
        Part of the run, s; all of it by default.

    Raises
    ------
    CaseError
        No positions are stored, or none in that part.
    """
    if not {"position", "attitude_deg"} <= set(dataset.data_vars):
        raise CaseError("these results hold no positions to draw (output.channels)")
    stored = dataset["time"].values
    good = _drawable(dataset)
    slack = _INSTANT * float(np.ptp(stored)) if stored.size else 0.0
    low = -np.inf if start is None else start - slack
    high = np.inf if end is None else end + slack
    inside = stored[good & (stored >= low) & (stored <= high)]
    if inside.size < 2:
        span = f"go from {stored[0]:g} to {stored[-1]:g} s" if stored.size else "are empty"
        raise CaseError(f"fewer than two instants to show; these results {span}")
    if step is None:
        return np.asarray(inside)
    count = int((inside[-1] - inside[0]) / step + 1e-9)
    return np.asarray(inside[0] + step * np.arange(count + 1))


def _drawable(dataset: xr.Dataset) -> NDArray[np.bool_]:
    """Instants whose poses are numbers: of a run that diverged, those before."""
    poses = (dataset["position"].values, dataset["attitude_deg"].values)
    position, attitude = (np.isfinite(values).all(axis=(1, 2)) for values in poses)
    return np.asarray(position & attitude)


def film_of(dataset: xr.Dataset, times: Float) -> Film:
    """Collect what is to be seen at some instants, interpolated between those stored.

    Parameters
    ----------
    dataset : xarray.Dataset
        Results of a run.
    times : (n,)
        s, within the run.
    """
    from scipy.spatial.transform import Rotation, Slerp

    good = _drawable(dataset)
    stored = dataset["time"].values[good]
    r = _between(stored, dataset["position"].values[good], times)
    angles = dataset["attitude_deg"].values[good]
    each = [Rotation.from_euler("xyz", one, degrees=True) for one in np.moveaxis(angles, 1, 0)]
    turns = [Slerp(stored, one)(times) for one in each]
    R = np.stack([turn.as_matrix() for turn in turns], axis=1)
    return _assembled(
        dataset,
        times,
        r,
        (R, np.stack([turn.as_quat(scalar_first=True) for turn in turns], axis=1)),
        lines=_lines(dataset, times),
        waves=waves_of(dataset),
    )


def still_film(
    system: System,
    state: State,
    *,
    lines: Mapping[str, Float] | None = None,
    drawing: Drawing | None = None,
    title: str = "",
    water: bool = False,
) -> Film:
    """One instant of a system, without a run.

    Parameters
    ----------
    system : System
    state : State
        Poses of all its bodies.
    lines : mapping of name to (m, 3), optional
        Nodes, m.
    drawing : mapping of body to members, optional
    title : str
    water : bool
        Show still water also where there are neither waves nor lines.
    """
    import xarray as xr

    arrays = reference_arrays(system, drawing or {})
    coordinates = {"body": list(system.bodies), "joint": list(system.joints)}
    dataset = xr.Dataset(dict(arrays), coords=coordinates, attrs={"title": title})
    dataset.attrs["water_depth"] = f"{system.environment.water_depth:g}"
    still = [MovingLine(name, nodes[None]) for name, nodes in (lines or {}).items()]
    wet = water or not system.environment.sea_state.is_still or bool(still)
    return _assembled(
        dataset,
        np.array([state.t]),
        state.r[None].copy(),
        (state.R[None].copy(), np.zeros((1, len(state.r), 4))),
        lines=still,
        waves=Waves.still() if wet else None,
    )


def _assembled(
    dataset: xr.Dataset,
    times: Float,
    r: Float,
    turns: tuple[Float, Float],
    *,
    lines: Sequence[MovingLine],
    waves: Waves | None,
) -> Film:
    hinges = _hinges(dataset)
    return Film(
        title=str(dataset.attrs.get("title") or "Results"),
        times=times,
        bodies=[str(name) for name in dataset["body"].values],
        r=r,
        R=turns[0],
        quaternions=turns[1],
        solids=body_solids(dataset),
        hinges=hinges,
        springs=_springs(dataset),
        lines=lines,
        waves=waves,
        depth=float(dataset.attrs.get("water_depth", "inf")),
        planar=_is_planar(hinges, lines),
    )


def _between(stored: Float, values: Float, times: Float) -> Float:
    """Linear interpolation along the first axis."""
    right = np.clip(np.searchsorted(stored, times), 1, len(stored) - 1)
    part = (times - stored[right - 1]) / (stored[right] - stored[right - 1])
    weight = np.clip(part, 0.0, 1.0).reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray((1.0 - weight) * values[right - 1] + weight * values[right])


def _lines(dataset: xr.Dataset, times: Float) -> list[MovingLine]:
    found = []
    for name in map(str, dataset.data_vars):
        if name.startswith("shape/") and dataset[name].attrs.get("kind") == "line":
            nodes = dataset[name].values.astype(np.float64)
            stored = dataset["shape_time"].values
            if stored.size > 1:
                nodes = _between(stored, nodes, times)
            else:
                nodes = np.broadcast_to(nodes, (len(times), *nodes.shape[1:]))
            found.append(MovingLine(name.removeprefix("shape/"), nodes))
    return found


def _hinges(dataset: xr.Dataset) -> list[Hinge]:
    if "joint_location" not in dataset:
        return []
    names = [str(name) for name in dataset["body"].values]
    own = dataset["reference_position"].values
    index = {name: number for number, name in enumerate(names)}
    columns = ("joint", "joint_type", "joint_parent", "joint_child", "joint_location", "joint_axis")
    found = []
    rows = zip(*(dataset[column].values for column in columns), strict=True)
    for name, kind, parent, child, location, axis in rows:
        body = index[str(child)]
        place = location - own[body]
        found.append(Hinge(str(name), str(kind), body, index.get(str(parent), -1), place, axis))
    return found


def _springs(dataset: xr.Dataset) -> list[Spring]:
    if "spring_name" not in dataset:
        return []
    return [
        Spring(str(name), (int(first), int(second)), places, bool(rope))
        for name, (first, second), places, rope in zip(
            *(dataset[f"spring_{key}"].values for key in ("name", "body", "place", "rope")),
            strict=True,
        )
    ]


def _is_planar(hinges: Sequence[Hinge], lines: Sequence[MovingLine]) -> bool:
    """Whether joints and lines let nothing leave the x-z plane."""
    if not hinges or not all(_stays_in_plane(hinge) for hinge in hinges):
        return False
    for line in lines:
        size = float(np.ptp(line.nodes, axis=(0, 1)).max())
        if float(np.ptp(line.nodes[..., 1])) > 1e-3 * size:
            return False
    return True


def _stays_in_plane(hinge: Hinge) -> bool:
    match hinge.kind:
        case "fixed":
            return True
        case "revolute" | "planar":
            return bool(abs(hinge.axis[1]) > 1.0 - _FLAT)
        case "prismatic":
            return bool(abs(hinge.axis[1]) < _FLAT)
        case _:
            return False
