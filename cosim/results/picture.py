"""A picture of the scene: bodies, mooring lines, water and seabed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cosim.multibody.interface import Float
from cosim.results.scene import Scene, scene_at
from cosim.results.style import GREY, INK, SAND, SEA, figure_style

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d.axes3d import Axes3D

__all__ = ["scene_figure"]

_LIGHT = np.array([0.45, -0.6, 0.66])
_DRY = np.array([0.93, 0.72, 0.30])
_WET = np.array([0.42, 0.55, 0.60])
_GRID = 120
_BED, _LINES, _WETTED, _SURFACE, _DRIED = 1, 2, 3, 4, 5


def scene_figure(dataset: xr.Dataset, t: float | None = None) -> Figure:
    """The whole scene in space, and the bodies from the side.

    Parameters
    ----------
    dataset : xarray.Dataset
        Results of a run.
    t : float, optional
        Instant, s; the last one by default.
    """
    from matplotlib.figure import Figure

    scene = scene_at(dataset, t)
    with figure_style():
        figure = Figure(figsize=(12.0, 6.2))
        space: Axes3D = figure.add_axes((-0.075, -0.14, 0.80, 1.25), projection="3d")
        _draw_space(space, scene)
        _draw_side(figure.add_axes((0.69, 0.1, 0.29, 0.77)), scene)
        figure.text(
            0.012,
            0.95,
            str(dataset.attrs.get("title") or "Scene"),
            fontsize=14,
            fontweight="bold",
            color=INK,
        )
        figure.text(0.012, 0.905, f"t = {scene.t:g} s", fontsize=10, color=GREY)
    return figure


def _draw_space(axes: Axes3D, scene: Scene) -> None:
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    box = _space_box(scene)
    axes.computed_zorder = False
    axes.set_proj_type("persp", focal_length=0.9)
    axes.view_init(elev=15.0, azim=-38.0)
    if scene.water is not None:
        axes.set_axis_off()
    for setter, (low, high) in zip(
        (axes.set_xlim, axes.set_ylim, axes.set_zlim), box.T, strict=True
    ):
        setter(low, high)
    axes.set_box_aspect(np.ptp(box, axis=0), zoom=0.85 if scene.water is None else 1.36)
    if np.isfinite(scene.depth) and scene.depth <= 1.01 * -box[0, 2]:
        _draw_bed(axes, scene, box)
    if scene.lines:
        axes.add_collection3d(
            Line3DCollection(scene.lines, colors=INK, linewidths=1.3, zorder=_LINES)
        )
    if scene.sticks:
        axes.add_collection3d(
            Line3DCollection(scene.sticks, colors="#b5762a", linewidths=3.0, zorder=_DRIED)
        )
    if len(scene.points):
        axes.scatter(*scene.points.T, s=18, color=INK, depthshade=False, zorder=_DRIED)
    if scene.water is not None:
        _draw_surface(axes, scene, box)
    for corners, colours, order in _painted(scene):
        if len(corners):
            axes.add_collection3d(
                Poly3DCollection(corners, facecolors=colours, edgecolors=colours, zorder=order)
            )
    for artist in axes.collections:
        artist.set_clip_on(False)


def _space_box(scene: Scene) -> Float:
    """Box of the scene, centred on the bodies, at least as wide as three of their lengths."""
    box = scene.box()
    bodies = scene.bodies_box()
    centre = bodies.mean(axis=0)
    half = np.max(np.abs(box - centre), axis=0)
    wide = 0.6 if scene.water is None else 1.5
    # water and bed are round: the ends of lines lie inside the circle
    reach = [np.linalg.norm(line[:, :2] - centre[:2], axis=1).max() for line in scene.lines]
    reach.append(half[:2].max())
    half[:2] = max(1.04 * max(reach), wide * float(np.ptp(bodies, axis=0).max()), 0.1)
    low, high = box[0, 2], max(box[1, 2], 0.0 if scene.water is None else 0.06 * half[0])
    if scene.water is not None:
        low = min(low, -0.15 * half[0])
        if np.isfinite(scene.depth) and scene.depth < 2.5 * half[0]:
            low = -scene.depth
    xy = np.array([centre[:2] - half[:2], centre[:2] + half[:2]])
    return np.column_stack([xy, [low, high]])


def _disc(box: Float, rings: int, around: int) -> tuple[Float, Float]:
    """X and y of a polar grid that fills the box."""
    centre, radius = box[:, :2].mean(axis=0), 0.5 * float(np.ptp(box[:, 0]))
    r, angle = np.meshgrid(np.linspace(0.0, radius, rings), np.linspace(0.0, 2 * np.pi, around))
    return centre[0] + r * np.cos(angle), centre[1] + r * np.sin(angle)


def _draw_bed(axes: Axes3D, scene: Scene, box: Float) -> None:
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    x, y = _disc(box, 2, 120)
    rim = np.column_stack([x[:, 1], y[:, 1], np.full(len(x), -scene.depth)])
    axes.add_collection3d(Poly3DCollection([rim], facecolors=SAND, alpha=0.5, zorder=_BED))
    ends = np.array([line[end] for line in scene.lines for end in (0, -1)]).reshape(-1, 3)
    anchors = ends[ends[:, 2] < 0.98 * -scene.depth]
    if len(anchors):
        axes.scatter(*anchors.T, s=14, color=INK, depthshade=False, zorder=_LINES)


def _draw_surface(axes: Axes3D, scene: Scene, box: Float) -> None:
    from matplotlib.colors import to_rgb

    assert scene.water is not None
    x, y = _disc(box, _GRID, 2 * _GRID)
    z = scene.water.elevation(x, y)
    # crests are bright and troughs are dark: slopes of a few per cent would show nothing
    light = np.clip(0.5 + 0.22 * z / max(float(z.std()), 1e-6), 0.0, 1.0)
    deep, bright = np.array(to_rgb("#2a6f9e")), np.array(to_rgb("#e6f5fc"))
    colours = np.empty((*z.shape, 4))
    colours[..., :3] = deep + light[..., None] * (bright - deep)
    colours[..., 3] = 0.5
    axes.plot_surface(
        x, y, z, facecolors=colours, rstride=1, cstride=1, linewidth=0, shade=False, zorder=_SURFACE
    )


def _painted(scene: Scene) -> list[tuple[Float, Float, int]]:
    """Facets below and above the surface with their colours and layers."""
    if not len(scene.facets):
        return []
    middle = scene.facets.mean(axis=1)
    level = np.zeros(len(middle))
    if scene.water is not None:
        level = scene.water.elevation(middle[:, 0], middle[:, 1])
    wet = (middle[:, 2] < level) & (scene.water is not None)
    shade = _shade(scene.facets)
    return [
        (scene.facets[wet], shade[wet, None] * _WET, _WETTED),
        (scene.facets[~wet], shade[~wet, None] * _DRY, _DRIED),
    ]


def _shade(corners: Float) -> Float:
    first, second = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    normal = np.cross(first, second)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    return np.asarray(0.62 + 0.38 * np.abs(normal @ _LIGHT))


def _side_box(scene: Scene) -> Float:
    """Box of the bodies; bodies that are mere points have the extent of what hangs on them."""
    corners = [scene.bodies_box()]
    if not len(scene.facets):
        corners += [line[[np.argmax(line[:, 2])]] for line in scene.lines]
    everything = np.concatenate(corners)
    return np.array([everything.min(axis=0), everything.max(axis=0)])


def _draw_side(axes: Axes, scene: Scene) -> None:
    from matplotlib.collections import LineCollection, PolyCollection

    (x0, _, z0), (x1, _, z1) = _side_box(scene)
    half = 0.58 * max(z1 - z0, 1.6 * (x1 - x0), 0.1)
    centre, middle = 0.5 * (x0 + x1), 0.5 * (z0 + z1)
    wide = 0.62 * half
    axes.set_aspect("equal")
    axes.set_xlim(centre - wide, centre + wide)
    axes.set_ylim(middle - half, middle + half)
    axes.set_xlabel("x  [m]")
    axes.set_ylabel("z  [m]")
    axes.set_title("from the side")
    for corners, colours, _ in _painted(scene):
        order = np.argsort(-corners[:, :, 1].mean(axis=1))
        flat = list(corners[order][:, :, [0, 2]])
        axes.add_collection(
            PolyCollection(flat, facecolors=colours[order], edgecolors=colours[order], zorder=2)
        )
    lines = [line[:, [0, 2]] for line in scene.lines]
    axes.add_collection(LineCollection(lines, colors=INK, linewidths=1.3, zorder=3))
    sticks = [stick[:, [0, 2]] for stick in scene.sticks]
    axes.add_collection(LineCollection(sticks, colors="#b5762a", linewidths=3.0, zorder=3))
    axes.plot(scene.points[:, 0], scene.points[:, 2], "o", color=INK, markersize=4, zorder=4)
    if scene.water is not None:
        x = np.linspace(centre - wide, centre + wide, 300)
        level = scene.water.elevation(x, np.zeros_like(x))
        bottom = np.full_like(x, middle - half)
        axes.fill_between(x, bottom, level, color=SEA, alpha=0.28, linewidth=0, zorder=5)
        axes.plot(x, level, color="#2d78a8", linewidth=1.4, zorder=6)
        axes.axhline(0.0, color=GREY, linewidth=0.8, linestyle=(0, (5, 4)), zorder=4)
