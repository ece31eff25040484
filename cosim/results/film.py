"""A run as something to look at: poses, lines and water over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cosim.errors import CaseError
from cosim.multibody.interface import Float
from cosim.results.solids import Solid, body_solids
from cosim.results.water import Waves, waves_of

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Film", "Hinge", "MovingLine", "Spring", "film_of", "frame_times"]

_FLAT = 1e-6
"""Largest motion out of the x-z plane of a planar run, relative to its size."""


@dataclass(frozen=True)
class MovingLine:
    """A line over time.

    Attributes
    ----------
    name : str
    nodes : (n, m, 3)
        m, world frame, at the n instants of the film.
    """

    name: str
    nodes: Float


@dataclass(frozen=True)
class Hinge:
    """A joint that is drawn.

    Attributes
    ----------
    name, kind : str
    body : int
        The child.
    place : (3,)
        On the child, from its centre of gravity, body axes, m.
    axis : (3,)
        Unit vector, body axes of the reference configuration; NaN where there is none.
    """

    name: str
    kind: str
    body: int
    place: Float
    axis: Float


@dataclass(frozen=True)
class Spring:
    """An element along a line between two points.

    Attributes
    ----------
    name : str
    bodies : (2,) int
        -1 for earth.
    places : (2, 3)
        From the centres of gravity, body axes, m; world coordinates on earth.
    rope : bool
        It takes no compression.
    """

    name: str
    bodies: tuple[int, int]
    places: Float
    rope: bool


@dataclass(frozen=True)
class Film:
    """Everything that moves, at the same n instants.

    Attributes
    ----------
    title : str
    times : (n,)
        s.
    bodies : sequence of str
    r : (n, b, 3)
        Centres of gravity, m.
    R : (n, b, 3, 3)
        Rotation matrices.
    quaternions : (n, b, 4)
        The same, scalar first.
    solids : sequence of Solid
    hinges : sequence of Hinge
    springs : sequence of Spring
    lines : sequence of MovingLine
    waves : Waves or None
        Of the water, where there is any.
    depth : float
        Of the water, m.
    planar : bool
        Nothing leaves the x-z plane.
    """

    title: str
    times: Float
    bodies: Sequence[str]
    r: Float
    R: Float
    quaternions: Float
    solids: Sequence[Solid]
    hinges: Sequence[Hinge]
    springs: Sequence[Spring]
    lines: Sequence[MovingLine]
    waves: Waves | None
    depth: float
    planar: bool

    def placed(self, body: int, places: Float, index: int | None = None) -> Float:
        """World coordinates, (n, k, 3), of places (k, 3) on a body; of earth for -1.

        Those of one instant, (1, k, 3), with its `index`.
        """
        now = slice(None) if index is None else slice(index, index + 1)
        if body < 0:
            return np.broadcast_to(places, (len(self.times[now]), *places.shape))
        turned = np.einsum("nij,kj->nki", self.R[now, body], places)
        return np.asarray(self.r[now, body, None] + turned)

    def spring_ends(self, spring: Spring, index: int | None = None) -> Float:
        """World coordinates of both ends, (n, 2, 3), m; (1, 2, 3) with an `index`."""
        pairs = zip(spring.bodies, spring.places, strict=True)
        ends = [self.placed(body, place[None], index)[:, 0] for body, place in pairs]
        return np.stack(ends, axis=1)

    def bodies_box(self) -> Float:
        """Least and largest coordinates of bodies and springs over the whole film, (2, 3)."""
        low, high = [self.r.min(axis=(0, 1))], [self.r.max(axis=(0, 1))]
        for solid in self.solids:
            ends = self.placed(solid.body, solid.ends)
            reach = 0.5 * float(np.max(solid.diameters))
            low.append(ends.min(axis=(0, 1)) - reach)
            high.append(ends.max(axis=(0, 1)) + reach)
        for spring in self.springs:
            ends = self.spring_ends(spring)
            low.append(ends.min(axis=(0, 1)))
            high.append(ends.max(axis=(0, 1)))
        return np.array([np.min(low, axis=0), np.max(high, axis=0)])

    def box(self) -> Float:
        """Least and largest coordinates of everything over the whole film, (2, 3)."""
        corners = [self.bodies_box()]
        corners += [
            np.array([line.nodes.min(axis=(0, 1)), line.nodes.max(axis=(0, 1))])
            for line in self.lines
        ]
        return np.array([np.min(corners, axis=(0, 1)), np.max(corners, axis=(0, 1))])


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
    low = stored[0] if start is None and stored.size else start
    high = stored[-1] if end is None and stored.size else end
    good = np.isfinite(dataset["position"].values).all(axis=(1, 2))
    inside = stored[good & (stored >= low) & (stored <= high)] if stored.size else stored
    if inside.size < 2:
        span = f"go from {stored[0]:g} to {stored[-1]:g} s" if stored.size else "are empty"
        raise CaseError(f"fewer than two instants to show; these results {span}")
    if step is None:
        return np.asarray(inside)
    count = int((inside[-1] - inside[0]) / step + 1e-9)
    return np.asarray(inside[0] + step * np.arange(count + 1))


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

    stored = dataset["time"].values
    r = _between(stored, dataset["position"].values, times)
    angles = dataset["attitude_deg"].values
    each = [Rotation.from_euler("xyz", one, degrees=True) for one in np.moveaxis(angles, 1, 0)]
    turns = [Slerp(stored, one)(times) for one in each]
    R = np.stack([turn.as_matrix() for turn in turns], axis=1)
    lines = _lines(dataset, times)
    return Film(
        title=str(dataset.attrs.get("title") or "Results"),
        times=times,
        bodies=[str(name) for name in dataset["body"].values],
        r=r,
        R=R,
        quaternions=np.stack([turn.as_quat(scalar_first=True) for turn in turns], axis=1),
        solids=body_solids(dataset),
        hinges=_hinges(dataset),
        springs=_springs(dataset),
        lines=lines,
        waves=waves_of(dataset),
        depth=float(dataset.attrs.get("water_depth", "inf")),
        planar=_is_planar(r, R, lines),
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
    columns = ("joint", "joint_type", "joint_child", "joint_location", "joint_axis")
    found = []
    for name, kind, child, location, axis in zip(
        *(dataset[c].values for c in columns), strict=True
    ):
        body = names.index(str(child))
        found.append(Hinge(str(name), str(kind), body, location - own[body], axis))
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


def _is_planar(r: Float, R: Float, lines: Sequence[MovingLine]) -> bool:
    size = max(float(np.ptp(r, axis=(0, 1)).max()), 1.0)
    moved = float(np.ptp(r[..., 1], axis=0).max())
    turned = float(np.abs(R[..., 1, :] - [0.0, 1.0, 0.0]).max())
    along = max((float(np.ptp(line.nodes[..., 1])) for line in lines), default=0.0)
    return moved < _FLAT * size and turned < _FLAT and along < 1e-3 * size
