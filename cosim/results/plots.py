"""The summary figure of a run: waves, motions, tensions, powers over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from cosim.results.panels import Curve, Panel, draw_panel
from cosim.results.style import figure_style, prefixed

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["summary_figure"]

_MOTIONS = (("surge", "sway", "heave"), ("roll", "pitch", "yaw"))
_MOST = 8
"""Curves in one panel."""
_FEW = 2
"""Curves whose legend fits above half a row."""


def summary_figure(dataset: xr.Dataset) -> Figure:
    """Wave elevation, motions of floating bodies, other joints, tensions, and powers on joints.

    Parameters
    ----------
    dataset : xarray.Dataset
        Results of a run.

    Returns
    -------
    matplotlib.figure.Figure
        Save it with ``savefig``; no window is opened.
    """
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    rows = _rows(dataset)
    with figure_style():
        heights = [1.0 if len(row) == 2 else 1.15 for row in rows]
        figure = Figure(
            figsize=(11.0, 1.1 + 1.75 * sum(heights)), layout=ConstrainedLayoutEngine(h_pad=0.06)
        )
        grid = figure.add_gridspec(len(rows), 2, height_ratios=heights)
        spans = _spans(rows)
        first: Axes | None = None
        for number, row in enumerate(rows):
            for column, panel in enumerate(row):
                place = grid[number, :] if len(row) == 1 else grid[number, column]
                axes = figure.add_subplot(place, sharex=first)
                first = first or axes
                draw_panel(axes, panel, dataset, spans.get(panel.kind, 0.0))
                last = number == len(rows) - 1
                if last:
                    axes.set_xlabel("time  [s]")
                # where the columns change below, the axis there has other places
                axes.tick_params(labelbottom=last or len(rows[number + 1]) != len(row))
        figure.align_ylabels()
        figure.suptitle(_title(dataset), x=0.012, ha="left", fontsize=13, fontweight="bold")
    return figure


def _rows(dataset: xr.Dataset) -> list[list[Panel]]:
    rows: list[list[Panel]] = []
    if "wave_elevation" in dataset and np.any(dataset["wave_elevation"].values):
        elevation = Curve("", dataset["wave_elevation"].values)
        rows.append([Panel("wave elevation at the origin", "m", [elevation], filled=True)])
    bodies = _floating(dataset)
    if bodies and {"position", "attitude_deg"} <= set(dataset.data_vars):
        rows.extend(
            [_translation(dataset, bodies, i), _rotation(dataset, bodies, i)] for i in range(3)
        )
    joints = [panel for panel in _joints(dataset) if panel.curves]
    side_by_side = len(joints) == 2 and all(len(panel.curves) <= _FEW for panel in joints)
    rows.extend([joints] if side_by_side else [[panel] for panel in joints])
    rows.extend([panel] for panel in (_tensions(dataset), _powers(dataset)) if panel.curves)
    return rows or [[Panel("nothing to show", "", [Curve("", np.zeros(dataset.sizes["time"]))])]]


def _floating(dataset: xr.Dataset) -> list[str]:
    """Bodies that float on their own."""
    if "joint_type" not in dataset:
        return []
    free = dataset["joint_type"].values == "floating"
    return [str(body) for body in dataset["joint_child"].values[free]][:_MOST]


def _translation(dataset: xr.Dataset, bodies: Sequence[str], axis: int) -> Panel:
    moved = (dataset["position"] - dataset["reference_position"]).sel(body=list(bodies))
    values = moved.isel(xyz=axis).values.T
    curves = [Curve(body, value) for body, value in zip(bodies, values, strict=True)]
    return Panel(_MOTIONS[0][axis], "m", curves, kind="m")


def _rotation(dataset: xr.Dataset, bodies: Sequence[str], axis: int) -> Panel:
    values = dataset["attitude_deg"].sel(body=list(bodies)).isel(rpy=axis).values.T
    curves = [Curve(body, value) for body, value in zip(bodies, values, strict=True)]
    return Panel(_MOTIONS[1][axis], "°", curves, kind="°")


def _joints(dataset: xr.Dataset) -> list[Panel]:
    """Coordinates of joints that are not floating: distances and angles."""
    free = set()
    if "joint_type" in dataset:
        free = set(dataset["joint"].values[dataset["joint_type"].values == "floating"])
    panels = []
    for variable, dim, title, units in (
        ("joint_translation", "translation", "sliding joints", "m"),
        ("joint_rotation_deg", "rotation", "turning joints", "°"),
    ):
        if variable not in dataset:
            continue
        names = [str(n) for n in dataset[dim].values if str(n).rpartition(".")[0] not in free]
        curves = [Curve(_short(n), dataset[variable].sel({dim: n}).values) for n in names[:_MOST]]
        panels.append(Panel(names[0] if len(names) == 1 else title, units, curves))
    return panels


def _short(speed: str) -> str:
    """The joint alone where it has one coordinate."""
    return speed.removesuffix(".angle").removesuffix(".position")


def _tensions(dataset: xr.Dataset) -> Panel:
    names = [
        name
        for name in map(str, dataset.data_vars)
        if dataset[name].dims == ("time",)
        and dataset[name].attrs.get("units") == "N"
        and "tension" in name.lower()
    ]
    springs = [n for n in names if n.startswith("element/")]
    lines = [n for n in names if n not in springs]
    ends = [n for n in lines if "fairlead" in n.lower()] or lines
    return _prefixed_panel(dataset, "line tensions", "N", [*ends, *springs][:_MOST])


def _powers(dataset: xr.Dataset) -> Panel:
    """Powers of the elements on joints, power take-offs among them."""
    names = [
        name
        for name in map(str, dataset.data_vars)
        if name.startswith("element/")
        and (dataset[name].attrs.get("units"), dataset[name].attrs.get("point")) == ("W", "joint")
        and np.any(dataset[name].values)
    ]
    return _prefixed_panel(dataset, "power on joints, negative: absorbed", "W", names[:_MOST])


def _prefixed_panel(dataset: xr.Dataset, title: str, unit: str, names: Sequence[str]) -> Panel:
    values = [dataset[name].values for name in names]
    largest = max((float(np.nanmax(np.abs(v))) for v in values), default=0.0)
    factor, units = prefixed(largest, unit)
    own = (name.partition("/")[2].removesuffix("/power") for name in names)
    labels = [name.replace("/", " ").replace("_", " ") for name in own]
    curves = [Curve(n, v / factor) for n, v in zip(labels, values, strict=True)]
    return Panel(title, units, curves)


def _spans(rows: Sequence[Sequence[Panel]]) -> dict[str, float]:
    spans: dict[str, float] = {}
    for panel in (panel for row in rows for panel in row if panel.kind):
        spans[panel.kind] = max(spans.get(panel.kind, 0.0), panel.span)
    return spans


def _title(dataset: xr.Dataset) -> str:
    title = str(dataset.attrs.get("title") or "Results")
    status = str(dataset.attrs.get("status", "completed"))
    return title if status == "completed" else f"{title}   (run {status.split(':')[0][:60]})"
