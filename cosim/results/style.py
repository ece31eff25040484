"""One look for all figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

__all__ = ["COLOURS", "GREY", "INK", "SAND", "SEA", "figure_style", "prefixed"]

COLOURS = ("#1b5e8c", "#d9772b", "#3a8f5c", "#a13d63", "#6b5b95", "#8a7a34", "#2c9c9c", "#7f4f24")
INK, GREY, SEA, SAND = "#22303c", "#8a97a3", "#5aa5cf", "#d8c6a0"

_SETTINGS: Mapping[str, Any] = {
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelcolor": INK,
    "axes.edgecolor": GREY,
    "axes.linewidth": 0.8,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#e3e8ec",
    "grid.linewidth": 0.8,
    "lines.linewidth": 1.0,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "figure.facecolor": "white",
    "savefig.dpi": 150,
}


@contextmanager
def figure_style() -> Iterator[None]:
    """Draw in the look of this package; settings of the caller come back afterwards."""
    import matplotlib as mpl

    with mpl.rc_context(dict(_SETTINGS)):  # type: ignore[arg-type]
        yield


def prefixed(largest: float, units: str) -> tuple[float, str]:
    """Factor and name of the unit in which a quantity of this size reads well."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if units in ("N", "N m", "W", "J") and largest >= factor:
            return factor, prefix + units
    return 1.0, units
