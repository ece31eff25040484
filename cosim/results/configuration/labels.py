"""Names in a picture that do not cover each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cosim.multibody.interface import Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Label", "put_labels"]

_DISTANCES = (9.0, 16.0, 26.0, 40.0, 58.0, 80.0)
"""Between a place and its name, points."""
_LEADER = 20.0
"""Distance from which on a thin line leads to the place, points."""
_ROOM = 1.5
_CUT = 10.0
"""How much worse a name is cut than covered."""


@dataclass(frozen=True)
class Label:
    """A name and where it belongs.

    Attributes
    ----------
    text : str
    place : (2,)
        Data coordinates of the axes.
    colour : str
    size : float
        Points.
    bold : bool
    """

    text: str
    place: tuple[float, float]
    colour: str
    size: float = 8.0
    bold: bool = False


def put_labels(axes: Axes, labels: list[Label], *, avoid: Float | None = None) -> None:
    """Write names near their places, each where it still finds room.

    Parameters
    ----------
    axes : Axes
        Its limits are final.
    labels : list of Label
        Those that matter most first.
    avoid : (k, 2), optional
        Places, data coordinates, that no name should cover.
    """
    per_point = axes.figure.dpi / 72.0
    dots = axes.transData.transform(np.zeros((0, 2)) if avoid is None else avoid)
    taken: list[Float] = [np.concatenate([dot - 3.0, dot + 3.0]) for dot in dots]
    sheet = np.asarray(axes.bbox.extents, dtype=np.float64)
    for label in labels:
        place = axes.transData.transform(label.place)
        size = per_point * label.size * np.array([0.58 * len(label.text), 1.25])
        box, distance = _free(place, size, per_point, [sheet, *taken])
        taken.append(box)
        _write(axes, label, box, place, leads=distance >= _LEADER)


def _free(place: Float, size: Float, scale: float, boxes: list[Float]) -> tuple[Float, float]:
    """Box (4,) in pixels nearest to a place that overlaps least, and its distance, points.

    `boxes` are the sheet, which no name may leave, and what is taken on it.
    """
    sheet, *taken = boxes
    best: tuple[float, Float, float] | None = None
    for distance in _DISTANCES:
        for angle in np.radians([35, 145, -35, -145, 0, 180, 90, -90]):
            toward = np.array([np.cos(angle), np.sin(angle)])
            centre = place + scale * distance * toward + 0.5 * size * np.sign(np.round(toward, 6))
            box = np.concatenate([centre - 0.5 * size - _ROOM, centre + 0.5 * size + _ROOM])
            outside = _overlap(box, box) - _overlap(box, sheet)
            covered = sum(_overlap(box, other) for other in taken) + _CUT * outside
            if covered == 0.0:
                return box, distance
            if best is None or covered < best[0]:
                best = (covered, box, distance)
    assert best is not None
    return best[1], best[2]


def _overlap(a: Float, b: Float) -> float:
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    return float(max(width, 0.0) * max(height, 0.0))


def _write(axes: Axes, label: Label, box: Float, place: Float, *, leads: bool) -> None:
    centre = 0.5 * (box[:2] + box[2:])
    here = axes.transData.inverted().transform(centre)
    if leads:
        near = np.clip(place, box[:2], box[2:])
        start, end = axes.transData.inverted().transform([near, place])
        axes.plot(*zip(start, end, strict=True), color=label.colour, lw=0.5, alpha=0.6, zorder=19)
    text = axes.text(
        here[0],
        here[1],
        label.text,
        color=label.colour,
        fontsize=label.size,
        fontweight="bold" if label.bold else "normal",
        ha="center",
        va="center",
        zorder=20,
    )
    text.set_bbox({"facecolor": "white", "alpha": 0.6, "edgecolor": "none", "pad": 0.6})
