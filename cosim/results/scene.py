"""What there is to see at one instant of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cosim.algebra.attitude import rotation_from_rpy
from cosim.errors import CaseError
from cosim.multibody.interface import Float
from cosim.results.drawing import facets
from cosim.results.water import Water, waves_of

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Scene", "scene_at"]

EARTH = "earth"


@dataclass(frozen=True)
class Scene:
    """Geometry at one instant; all in m, world frame.

    Attributes
    ----------
    t : float
        s.
    facets : (n, 4, 3)
        Surface of the members drawn.
    lines : sequence of (m, 3)
        Mooring lines and the like.
    sticks : sequence of (2, 3)
        Bodies without members: from joints to centres of gravity.
    points : (k, 3)
        Centres of gravity of bodies without members, and points of adapters.
    water : Water or None
    depth : float
        inf for deep water.
    """

    t: float
    facets: Float
    lines: Sequence[Float]
    sticks: Sequence[Float]
    points: Float
    water: Water | None
    depth: float

    def bodies_box(self) -> Float:
        """Least and largest coordinates of everything but lines, (2, 3)."""
        parts = [self.facets.reshape(-1, 3), self.points, *self.sticks]
        everything = np.concatenate([part for part in parts if part.size] or [np.zeros((1, 3))])
        return np.array([everything.min(axis=0), everything.max(axis=0)])

    def box(self) -> Float:
        """Least and largest coordinates of everything, (2, 3)."""
        everything = np.concatenate([self.bodies_box(), *self.lines])
        return np.array([everything.min(axis=0), everything.max(axis=0)])


def scene_at(dataset: xr.Dataset, t: float | None = None) -> Scene:
    """Collect what is to be drawn.

    Parameters
    ----------
    dataset : xarray.Dataset
        Results of a run.
    t : float, optional
        The stored instant closest to it is taken; the last one by default.

    Raises
    ------
    CaseError
        The results hold no instant, or no positions, or end before `t`.
    """
    if not {"position", "attitude_deg"} <= set(dataset.data_vars) or not dataset.sizes["time"]:
        raise CaseError("these results hold no positions to draw (output.channels)")
    axis = "shape_time" if "shape_time" in dataset.dims else "time"
    times = dataset[axis].values
    if t is not None and not dataset["time"].values[0] <= t <= dataset["time"].values[-1]:
        raise CaseError(
            f"there are no results at t = {t:g} s; they go from {dataset['time'].values[0]:g} to "
            f"{dataset['time'].values[-1]:g} s"
        )
    instant = float(times[-1] if t is None else times[np.argmin(np.abs(times - t))])
    now = dataset.sel(time=instant, method="nearest")
    drawn = set(now["member_body"].values.tolist()) if "member_body" in now else set()
    bare = [i for i in range(now.sizes["body"]) if i not in drawn]
    lines, points = _shapes(dataset, instant)
    waves = waves_of(dataset)
    return Scene(
        t=instant,
        facets=_facets(now),
        lines=lines,
        sticks=_sticks(now, bare),
        points=np.concatenate([now["position"].values[bare], points]),
        water=None if waves is None else waves.at(instant),
        depth=float(dataset.attrs.get("water_depth", "inf")),
    )


def _facets(now: xr.Dataset) -> Float:
    if "member_body" not in now:
        return np.zeros((0, 4, 3))
    positions, angles = now["position"].values, np.radians(now["attitude_deg"].values)
    members = zip(
        now["member_body"].values,
        now["member_ends"].values,
        now["member_diameters"].values,
        strict=True,
    )
    return np.concatenate(
        [
            facets(ends, diameters, positions[body], rotation_from_rpy(angles[body])).corners
            for body, ends, diameters in members
        ]
    )


def _sticks(now: xr.Dataset, bare: Sequence[int]) -> list[Float]:
    if "joint_point" not in now or "joint_child" not in now:
        return []
    names = [str(name) for name in now["body"].values]
    shown = {names[i] for i in bare}
    position = dict(zip(names, now["position"].values, strict=True))
    sticks = []
    for joint in now["joint"].values:
        here = now["joint_point"].sel(joint=joint).values
        for end in ("joint_child", "joint_parent"):
            body = str(now[end].sel(joint=joint).item())
            if body in shown and body != EARTH:
                sticks.append(np.array([here, position[body]]))
    return sticks


def _shapes(dataset: xr.Dataset, instant: float) -> tuple[list[Float], Float]:
    lines, points = [], [np.zeros((0, 3))]
    for name in map(str, dataset.data_vars):
        if name.startswith("shape/"):
            nodes = dataset[name].sel(shape_time=instant, method="nearest").values.astype(float)
            if dataset[name].attrs.get("kind") == "line":
                lines.append(nodes)
            else:
                points.append(nodes)
    return lines, np.concatenate(points)
