"""Every channel of a run over time: one page per body, point, joint, adapter and element."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cosim.errors import CaseError
from cosim.model.sentences import nearest
from cosim.results.panels import Curve, Panel, draw_panel
from cosim.results.style import figure_style, prefixed

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

__all__ = ["ChannelPage", "channel_pages", "page_figure"]

_OWNERS: Mapping[str, str] = {"body": "body", "point": "point", "joint": "joint"}
_COMPONENTS = ("xyz", "rpy")
_SIGNS = {"degree": "°"}
_PER_PAGE = 8


@dataclass(frozen=True)
class ChannelPage:
    """Panels that belong together.

    Attributes
    ----------
    title : str
    panels : sequence of Panel
    """

    title: str
    panels: Sequence[Panel]


def channel_pages(dataset: xr.Dataset, patterns: Sequence[str] = ("*",)) -> list[ChannelPage]:
    """Pages of all variables over time whose name matches a pattern.

    Parameters
    ----------
    dataset : xarray.Dataset
        Results of a run.
    patterns : sequence of str
        Of variable names, as in ``output.channels``: ``position``, ``lines/*``.

    Returns
    -------
    list of ChannelPage
        At most eight panels each, in the order of the results.

    Raises
    ------
    CaseError
        A pattern that no variable has, or no instants.
    """
    if not dataset.sizes.get("time"):
        raise CaseError("these results hold no instants to draw")
    names = [n for n in map(str, dataset.data_vars) if "time" in dataset[n].dims]
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            hint = nearest(pattern, names) or f"; there are {', '.join(names)}"
            raise CaseError(f"no channel is called '{pattern}'{hint}")
    groups: dict[str, list[Panel]] = {}
    for name in names:
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns):
            for title, panel in _panels(dataset, name):
                groups.setdefault(title, []).append(panel)
    return [page for title, panels in groups.items() for page in _split(title, panels)]


def page_figure(page: ChannelPage, dataset: xr.Dataset) -> Figure:
    """Draw one page, DIN A4 across.

    Parameters
    ----------
    page : ChannelPage
    dataset : xarray.Dataset
        The run that it was made from.
    """
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    columns = 1 if len(page.panels) <= 2 else 2
    rows = -(-len(page.panels) // columns)
    with figure_style():
        figure = Figure(figsize=(11.7, 8.3), layout=ConstrainedLayoutEngine(h_pad=0.06))
        grid = np.atleast_1d(figure.subplots(max(rows, 2), columns, sharex=True)).ravel()
        for axes, panel in zip(grid, page.panels, strict=False):
            draw_panel(axes, panel, dataset)
            axes.tick_params(labelbottom=True)
        for axes in grid[len(page.panels) :]:
            axes.set_axis_off()
        for axes in grid[max(0, len(page.panels) - columns) : len(page.panels)]:
            axes.set_xlabel("time  [s]")
        run = str(dataset.attrs.get("title") or "Results")
        figure.suptitle(f"{page.title}   ({run})", x=0.012, ha="left", fontsize=12)
    return figure


def _split(title: str, panels: Sequence[Panel]) -> Iterator[ChannelPage]:
    count = -(-len(panels) // _PER_PAGE)
    for number in range(count):
        note = f", {number + 1} of {count}" if count > 1 else ""
        part = panels[number * _PER_PAGE : (number + 1) * _PER_PAGE]
        yield ChannelPage(f"{title}{note}", part)


def _panels(dataset: xr.Dataset, name: str) -> Iterator[tuple[str, Panel]]:
    """Panels of a variable, each with the title of its page."""
    variable = dataset[name]
    owners = [str(dim) for dim in variable.dims if dim not in ("time", *_COMPONENTS)]
    if not owners:
        yield _page_of(dataset, name), _panel(name, variable)
    elif owners == ["source", "body"]:
        for source in variable["source"].values:
            for body in variable["body"].values:
                part = variable.sel(source=source, body=body)
                if np.any(part.values):
                    yield f"adapter '{source}'", _panel(f"{name} on {body}", part)
    else:
        (dim,) = owners
        for label in variable[dim].values:
            yield _title(dim, str(label)), _panel(name, variable.sel({dim: label}), str(label))


def _title(dim: str, label: str) -> str:
    """Of coordinates of joints, the joint."""
    if dim in _OWNERS:
        return f"{_OWNERS[dim]} '{label}'"
    return f"joint '{label.rpartition('.')[0]}'"


def _page_of(dataset: xr.Dataset, name: str) -> str:
    first, slash, rest = name.partition("/")
    if first == "element":
        return f"element '{rest.rpartition('/')[0]}'"
    if slash and first in dataset.get("source", ()):
        return f"adapter '{first}'"
    return "waves" if first == "wave_elevation" else "energy and accuracy"


def _panel(name: str, values: xr.DataArray, label: str = "") -> Panel:
    """Panel of a scalar or a vector over time, in units that read well."""
    array = values.values.astype(np.float64)
    finite = np.abs(array[np.isfinite(array)])
    factor, units = prefixed(float(finite.max(initial=0.0)), str(values.attrs.get("units", "")))
    coordinate = label.rpartition(".")[2] if "." in label else ""
    shown = " ".join(part for part in (name, coordinate) if part)
    if array.ndim == 1:
        curves = [Curve("", array / factor)]
    else:
        components = [str(c) for c in values[values.dims[1]].values]
        curves = [Curve(c, v / factor) for c, v in zip(components, array.T, strict=True)]
    note = str(values.attrs.get("long_name", ""))
    return Panel(shown, _SIGNS.get(units, units), curves, note=note)
