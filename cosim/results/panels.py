"""Panels of figures: curves over the time of a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cosim.multibody.interface import Float
from cosim.results.style import COLOURS, GREY, INK, SEA

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

__all__ = ["Curve", "Panel", "draw_panel"]

_FLATTEST = 0.05
"""Least range of a panel, relative to the widest of its kind: noise is not blown up."""


@dataclass(frozen=True)
class Curve:
    """One line of a panel."""

    label: str
    values: Float


@dataclass(frozen=True)
class Panel:
    """Curves over time on one pair of axes.

    Attributes
    ----------
    title, units : str
    curves : sequence of Curve
    kind : str
        Panels of one kind share the least range that they show.
    filled : bool
        Down to zero, as water.
    note : str
        Written small into the panel.
    """

    title: str
    units: str
    curves: Sequence[Curve]
    kind: str = ""
    filled: bool = False
    note: str = ""

    @property
    def span(self) -> float:
        """Largest less smallest value."""
        values = np.concatenate([curve.values for curve in self.curves])
        good = values[np.isfinite(values)]
        return float(np.ptp(good)) if good.size else 0.0


def draw_panel(axes: Axes, panel: Panel, dataset: xr.Dataset, widest: float = 0.0) -> None:
    """Draw a panel of a run.

    Parameters
    ----------
    axes : Axes
    panel : Panel
    dataset : xarray.Dataset
        The run: its time and the ramp of its waves.
    widest : float
        Widest range of all panels of this kind.
    """
    time = dataset["time"].values
    # earlier curves are wider: they stay visible under later ones that coincide with them
    widths = np.linspace(1.0 + 0.5 * (len(panel.curves) > 1), 0.9, len(panel.curves))
    for colour, width, curve in zip(COLOURS, widths, panel.curves, strict=False):
        if panel.filled:
            axes.fill_between(time, curve.values, color=SEA, alpha=0.3, linewidth=0)
            colour = COLOURS[0]
        axes.plot(time, curve.values, color=colour, linewidth=width, label=curve.label)
    axes.set_title(panel.title)
    if panel.note:
        axes.text(
            *(0.008, 0.975, panel.note),
            transform=axes.transAxes,
            va="top",
            fontsize=7.0,
            color=INK,
            alpha=0.75,
        )
    axes.set_ylabel(f"[{panel.units}]")
    if time.size > 1:
        axes.set_xlim(time[0], time[-1])
    _shade_ramp(axes, panel, dataset)
    least = _FLATTEST * widest
    if panel.span < least:
        low, high = axes.get_ylim()
        middle = 0.5 * (low + high)
        axes.set_ylim(middle - 0.5 * least, middle + 0.5 * least)
    if len(panel.curves) > 1:
        legend = axes.legend(
            loc="lower right",
            bbox_to_anchor=(1.01, 0.97),
            ncols=len(panel.curves),
            fontsize=8,
            handlelength=1.4,
            columnspacing=1.4,
        )
        legend.set_in_layout(False)


def _shade_ramp(axes: Axes, panel: Panel, dataset: xr.Dataset) -> None:
    ramp = float(dataset.attrs.get("wave_ramp", 0.0))
    if ramp > 0.0 and "wave_omega" in dataset:
        axes.axvspan(0.0, ramp, color=GREY, alpha=0.12, linewidth=0)
        if panel.filled:
            axes.text(
                0.01, 0.95, "wave ramp", transform=axes.transAxes, va="top", fontsize=8, color=GREY
            )
