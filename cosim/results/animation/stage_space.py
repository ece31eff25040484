"""A film in space: bodies, springs, lines, water surface and bed in perspective."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from cosim.multibody.interface import Float
from cosim.results.animation.film import Film
from cosim.results.animation.outline import coil
from cosim.results.animation.stage import SPRING, Look, Stage, body_colours, spring_width
from cosim.results.drawing import facets
from cosim.results.solids import Solid
from cosim.results.style import INK, SAND, figure_style

if TYPE_CHECKING:
    from mpl_toolkits.mplot3d.axes3d import Axes3D

__all__ = ["SpaceStage"]

_LIGHT = np.array([0.45, -0.6, 0.66])
_AROUND, _ALONG, _GRID = 24, 10, 56
_BED, _SURFACE, _LINES, _WETTED, _DRIED = 1, 2, 3, 4, 5
_DEEP, _BRIGHT = np.array([0.58, 0.72, 0.81]), np.array([0.95, 0.98, 1.0])
_UNDER_WATER = np.array([0.50, 0.63, 0.70])
_FILLED, _FILLED_CLOSE = np.array([0.7, 0.62]), np.array([0.8, 0.74])
"""Part of the width and height of the picture that bodies take."""
_MOST_ZOOM = 3.0
_QUIET = 2e-3
"""Energy of waves that the surface leaves out."""


class SpaceStage(Stage):
    """Bodies, springs, lines and water from a fixed place."""

    def __init__(self, film: Film, look: Look) -> None:
        from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

        with figure_style():
            super().__init__(film, look)
            place = (-0.05, -0.12, 1.1, 1.2)
            self.axes: Axes3D = cast("Axes3D", self.figure.add_axes(place, projection="3d"))
        self._box = _view_box(film, close=look.close)
        self._set_view()
        self._width = spring_width(film)
        self._waves = None if film.waves is None else film.waves.strongest(120, _QUIET)
        self._skin = [_skin(solid) for solid in film.solids]
        count = [len(corners) for corners in self._skin]
        colours = np.array([_rgb(colour) for colour in body_colours(film)])
        self._paint = np.repeat(colours[[solid.body for solid in film.solids]], count, axis=0)
        self._wet = Poly3DCollection([], zorder=_WETTED)
        self._dry = Poly3DCollection([], zorder=_DRIED)
        self._lines = Line3DCollection([], colors=INK, linewidths=1.2, zorder=_LINES)
        self._springs = Line3DCollection([], colors=SPRING, linewidths=1.5, zorder=_DRIED)
        self._sea = Poly3DCollection([], zorder=_SURFACE, linewidths=0.4)
        for artist in (self._lines, self._wet, self._sea, self._dry, self._springs):
            artist.set_clip_on(False)
            self.axes.add_collection3d(artist, autolim=False)
        self._add_bed()
        still = self._waves is None or not self._waves.omega.size
        self._grid = _sheet(self._box, 1 if still else _GRID)

    def _set_view(self) -> None:
        axes, box = self.axes, self._box
        axes.computed_zorder = False
        axes.set_proj_type("persp", focal_length=0.9)
        axes.view_init(elev=self.look.elevation, azim=self.look.azimuth)
        axes.set_xlim(*box[:, 0])
        axes.set_ylim(*box[:, 1])
        axes.set_zlim(*box[:, 2])
        axes.set_box_aspect(np.ptp(box, axis=0))
        if self.film.waves is not None:
            axes.set_axis_off()
        axes.set_xlabel("x  [m]")
        axes.set_ylabel("y  [m]")
        axes.set_zlabel("z  [m]")
        self._fill_figure()

    def _fill_figure(self) -> None:
        """Enlarge the view until the bodies fill the picture as far as they should."""
        from itertools import product

        from mpl_toolkits.mplot3d import proj3d

        box = self._box if self.film.waves is None else self.film.bodies_box()
        self.figure.draw_without_rendering()
        corners = np.array(list(product(*box.T)))
        x, y, _ = proj3d.proj_transform(*corners.T, self.axes.get_proj())
        seen = self.axes.transData.transform(np.column_stack([x, y]))
        part = np.ptp(seen, axis=0) / [self.look.width, self.look.height]
        wanted = _FILLED_CLOSE if self.look.close else _FILLED
        zoom = min(float(np.min(wanted / part)), _MOST_ZOOM)
        self.axes.set_box_aspect(np.ptp(self._box, axis=0), zoom=zoom)

    def _add_bed(self) -> None:
        from mpl_toolkits.mplot3d.art3d import Poly3DCollection

        depth = self.film.depth
        if self.film.waves is None or depth > 1.01 * -self._box[0, 2]:
            return
        x, y = (side.ravel()[[0, 2, 3, 1]] for side in _sheet(self._box, 1))
        rim = np.column_stack([x, y, np.full(4, -depth)])
        bed = Poly3DCollection([rim], facecolors=SAND, alpha=0.5, zorder=_BED)
        bed.set_clip_on(False)
        self.axes.add_collection3d(bed, autolim=False)

    def move(self, index: int) -> None:
        """Bring all artists to an instant."""
        film = self.film
        self._move_bodies(index)
        self._lines.set_segments([line.nodes[index] for line in film.lines])
        ends = [(film.spring_ends(spring, index)[0], spring.rope) for spring in film.springs]
        self._springs.set_segments([coil(end, self._width, rope=rope) for end, rope in ends])
        self._move_sea(index)

    def _move_bodies(self, index: int) -> None:
        film = self.film
        corners = np.concatenate(
            [
                film.r[index, solid.body] + skin @ film.R[index, solid.body].T
                for solid, skin in zip(film.solids, self._skin, strict=True)
            ]
        )
        middle = corners.mean(axis=1)
        under = np.zeros(len(corners), dtype=bool)
        if self._waves is not None:
            water = self._waves.at(film.times[index])
            under = middle[:, 2] < water.elevation(middle[:, 0], middle[:, 1])
        paint = _shade(corners)[:, None] * self._paint
        for artist, chosen in ((self._wet, under), (self._dry, ~under)):
            colours = paint[chosen]
            if artist is self._wet:
                colours = 0.45 * colours + 0.55 * _UNDER_WATER
            artist.set_verts(corners[chosen])
            artist.set_facecolor(colours)
            artist.set_edgecolor(colours)

    def _move_sea(self, index: int) -> None:
        if self._waves is None:
            return
        x, y = self._grid
        z = self._waves.at(self.film.times[index]).elevation(x, y)
        nodes = np.stack([x, y, z], axis=-1)
        quads = np.stack([nodes[:-1, :-1], nodes[1:, :-1], nodes[1:, 1:], nodes[:-1, 1:]], axis=2)
        height = quads[..., 2].mean(axis=2).ravel()
        tallest = np.sqrt(0.5 * np.sum(self._waves.amplitude**2))
        light = np.clip(0.5 + 0.25 * height / max(tallest, 1e-9), 0.0, 1.0)
        # opaque, below everything that shines through it: edges of clear pieces would be seen
        colours = _DEEP + light[:, None] * (_BRIGHT - _DEEP)
        self._sea.set_verts(quads.reshape(-1, 4, 3))
        self._sea.set_facecolor(colours)
        self._sea.set_edgecolor(colours)


def _view_box(film: Film, *, close: bool) -> Float:
    """Box of the view: the bodies with some water around, lines as far as they fit."""
    bodies = film.bodies_box()
    centre, size = bodies.mean(axis=0), float(np.ptp(bodies, axis=0).max())
    half = 0.5 * np.ptp(bodies, axis=0)
    wide = max(half[:2].max() * 1.05, 0.35 * size if close and film.waves is not None else 0.0)
    low, high = bodies[0, 2], bodies[1, 2]
    if film.waves is not None and not close:
        everything = film.box()
        reach = max(np.abs(everything[:, :2] - centre[:2]).max(), 0.0)
        wide = max(wide, min(1.08 * reach, 1.1 * size), 0.8 * size)
        low = max(everything[0, 2], low - 0.25 * size) if film.lines else low
        if film.depth < 1.15 * -low:
            low = -film.depth
    xy = np.array([centre[:2] - wide, centre[:2] + wide])
    return np.column_stack([xy, [low, high]])


def _sheet(box: Float, pieces: int) -> tuple[Float, Float]:
    """Square grid (pieces + 1, pieces + 1) over the box."""
    sides = [np.linspace(box[0, axis], box[1, axis], pieces + 1) for axis in (0, 1)]
    x, y = np.meshgrid(*sides, indexing="ij")
    return x, y


def _skin(solid: Solid) -> Float:
    """Facets of a solid on its body, (n, 4, 3)."""
    ends = solid.ends
    if solid.kind == "ball":
        radius = 0.5 * float(solid.diameters[0])
        levels = radius * np.cos(np.linspace(np.pi, 0.0, 9))
        widths = 2.0 * np.sqrt(np.maximum(radius**2 - levels**2, 0.0))
        rings = [
            _tube(ends[0] + np.array([[0, 0, a], [0, 0, b]]), np.array([d, e]), 1)
            for a, b, d, e in zip(levels[:-1], levels[1:], widths[:-1], widths[1:], strict=True)
        ]
        return np.concatenate(rings)
    return _tube(ends, solid.diameters, _ALONG)


def _tube(ends: Float, diameters: Float, along: int) -> Float:
    return facets(ends, diameters, np.zeros(3), np.eye(3), around=_AROUND, along=along).corners


def _shade(corners: Float) -> Float:
    first, second = corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1]
    normal = np.cross(first, second)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    return np.asarray(0.62 + 0.38 * np.abs(normal @ _LIGHT))


def _rgb(colour: str) -> Float:
    from matplotlib.colors import to_rgb

    return np.array(to_rgb(colour))
