"""Symbols of mechanics in the plane of a picture: joints, ground, springs, dampers, forces."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cosim.multibody.interface import Float
from cosim.results.style import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "draw_arrow",
    "draw_centre",
    "draw_dashpot",
    "draw_ground",
    "draw_joint",
    "draw_spiral",
]

LineStyle = str | tuple[float, tuple[float, float]]
_TOP = 12


def draw_joint(
    axes: Axes, kind: str, place: Float, axis: Float, size: float, *, cut: bool = False
) -> None:
    """The symbol of a joint.

    ===========================  ===========================================
    kind                         symbol
    ===========================  ===========================================
    revolute                     ring
    spherical                    ring with a dot
    universal                    ring with a cross
    prismatic                    box on two rails along its axis
    cylindrical                  the same with a ring inside
    planar                       square with a cross of arrows
    fixed                        filled square
    floating                     none: nothing holds the body
    ===========================  ===========================================

    Parameters
    ----------
    axes : Axes
    kind : str
    place, axis : (2,)
        In the plane of the picture; `axis` without length where it points at the viewer.
    size : float
        Radius, data units.
    cut : bool
        Dashed: the joint closes a loop.
    """
    style: LineStyle = (0, (2.0, 1.5)) if cut else "solid"
    if kind in ("prismatic", "cylindrical"):
        _slider(axes, place, axis, size, style)
    if kind in ("revolute", "spherical", "universal", "cylindrical"):
        radius = 0.62 * size if kind == "cylindrical" else size
        _ring(axes, place, radius, style)
    if kind == "spherical":
        axes.plot(*place, "o", color=INK, ms=3.5, zorder=_TOP + 1)
    if kind in ("universal", "planar"):
        for a, b in (((-1, 0), (1, 0)), ((0, -1), (0, 1))):
            ends = place + size * np.array([a, b]) * (1.5 if kind == "planar" else 0.8)
            axes.plot(*ends.T, color=INK, lw=1.0, zorder=_TOP + 1)
    if kind in ("fixed", "planar"):
        face = INK if kind == "fixed" else "white"
        _box(axes, place, np.array([1.0, 0.0]), (0.8 * size, 0.8 * size), face=face, style=style)


def _ring(axes: Axes, place: Float, radius: float, style: LineStyle) -> None:
    from matplotlib.patches import Circle

    ring = Circle(tuple(place), radius, fc="white", ec=INK, lw=1.6, linestyle=style, zorder=_TOP)
    axes.add_patch(ring)


def _slider(axes: Axes, place: Float, axis: Float, size: float, style: LineStyle) -> None:
    length = float(np.linalg.norm(axis))
    along = axis / length if length > 1e-6 else np.array([1.0, 0.0])
    across = np.array([-along[1], along[0]])
    for side in (-1.0, 1.0):
        rail = place + side * 0.95 * size * across + np.outer([-2.2 * size, 2.2 * size], along)
        axes.plot(*rail.T, lw=1.3, color=INK, linestyle=style, zorder=_TOP)
    _box(axes, place, along, (1.2 * size, 0.7 * size), face="white", style=style)


def _box(
    axes: Axes,
    place: Float,
    along: Float,
    half: tuple[float, float],
    *,
    face: str,
    style: LineStyle,
) -> None:
    from matplotlib.patches import Polygon

    across = np.array([-along[1], along[0]])
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    corners = place + signs[:, :1] * half[0] * along + signs[:, 1:] * half[1] * across
    axes.add_patch(Polygon(corners, fc=face, ec=INK, lw=1.4, linestyle=style, zorder=_TOP))


def draw_ground(axes: Axes, place: Float, size: float) -> None:
    """Hatching under a joint that earth holds."""
    base = place[1] - 1.9 * size
    leg = np.array([place, [place[0] - 1.3 * size, base], [place[0] + 1.3 * size, base], place])
    axes.plot(*leg.T, color=INK, lw=1.2, zorder=_TOP - 1)
    axes.plot(place[0] + size * np.array([-2.1, 2.1]), [base, base], color=INK, lw=1.6, zorder=3)
    for x in np.linspace(-1.9, 1.7, 7):
        tick = place[0] + size * np.array([x, x - 0.55])
        axes.plot(tick, [base, base - 0.7 * size], color=INK, lw=0.9, zorder=3)


def draw_centre(axes: Axes, place: Float, size: float) -> None:
    """A centre of gravity: a disc of four quarters, black and white."""
    from matplotlib.patches import Circle, Wedge

    centre = (float(place[0]), float(place[1]))
    axes.add_patch(Circle(centre, size, fc="white", ec=INK, lw=1.0, zorder=_TOP + 1))
    for start in (0.0, 180.0):
        wedge = Wedge(centre, size, start, start + 90.0, fc=INK, ec="none", zorder=_TOP + 2)
        axes.add_patch(wedge)


def draw_spiral(axes: Axes, place: Float, size: float, colour: str, *, damper: bool) -> None:
    """A torsion spring around a joint; a damper is a broad open arc around it."""
    if damper:
        angle = np.linspace(-0.8 * np.pi, 0.35 * np.pi, 40)
        radius = np.full_like(angle, 2.6 * size)
    else:
        angle = np.linspace(0.0, 4.5 * np.pi, 120)
        radius = np.linspace(1.3 * size, 2.3 * size, angle.size)
    curve = place + radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    axes.plot(*curve.T, color=colour, lw=2.6 if damper else 1.2, zorder=_TOP - 1)


def draw_arrow(axes: Axes, place: Float, vector: Float, colour: str) -> None:
    """A force at its point, data units."""
    axes.annotate(
        "",
        xy=tuple(place + vector),
        xytext=tuple(place),
        arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 2.0, "shrinkA": 0, "shrinkB": 0},
        zorder=_TOP + 3,
    )


def draw_dashpot(axes: Axes, ends: Float, colour: str, size: float) -> None:
    """A damper beside the line between two places, (2, 2)."""
    start, end = ends
    length = float(np.linalg.norm(end - start))
    if length < 4.0 * size:
        return
    along = (end - start) / length
    across = np.array([-along[1], along[0]])
    middle = 0.5 * (start + end) + 1.6 * size * across
    first, second = start + 1.6 * size * across, end + 1.6 * size * across
    cup = middle + size * np.array([-along + 0.6 * across, along + 0.6 * across])
    other = middle + size * np.array([-along - 0.6 * across, along - 0.6 * across])
    bottom = np.array([cup[0], other[0]])
    plate = middle + 0.45 * size * np.array([across, -across])
    pieces = [cup, other, bottom, plate, [first, middle - size * along], [middle, second]]
    pieces += [[start, first], [end, second]]
    for piece in pieces:
        axes.plot(*np.asarray(piece).T, color=colour, lw=1.1, zorder=_TOP - 1)
