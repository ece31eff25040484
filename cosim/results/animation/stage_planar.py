"""A film seen along y, drawn to scale."""

from __future__ import annotations

import numpy as np

from cosim.multibody.interface import Float
from cosim.results.animation.film import Film
from cosim.results.animation.outline import coil, outline
from cosim.results.animation.stage import SPRING, Look, Stage, body_colours, framed, spring_width
from cosim.results.style import GREY, INK, SAND, SEA, figure_style

__all__ = ["PlanarStage"]

_MARGIN = 80.0
"""Left of and below the axes, pixels at 100 dpi."""
_FREE = frozenset({"floating", "fixed", "planar"})


class PlanarStage(Stage):
    """Bodies, springs, lines and water in the x-z plane."""

    def __init__(self, film: Film, look: Look) -> None:
        from matplotlib.collections import LineCollection, PolyCollection

        with figure_style():
            super().__init__(film, look)
            left, bottom = (_MARGIN * look.dpi / 100.0 / side for side in (look.width, look.height))
            box = (left, bottom, 1.0 - 1.3 * left, 0.89 - bottom)
            self.axes = self.figure.add_axes(box)
            aspect = box[2] * look.width / (box[3] * look.height)
            everything = film.box()[:, [0, 2]]
            self.x_limits, self.z_limits = framed(everything, aspect)
            self.axes.set(xlim=self.x_limits, ylim=self.z_limits, aspect="equal")
            self.axes.set_xlabel("x  [m]")
            self.axes.set_ylabel("z  [m]")
        self._width = spring_width(film)
        colours = [body_colours(film)[solid.body] for solid in film.solids]
        self._bodies = PolyCollection(
            [], facecolors=colours, edgecolors=INK, linewidths=0.7, zorder=4
        )
        self._springs = LineCollection([], colors=SPRING, linewidths=1.6, zorder=5)
        self._lines = LineCollection([], colors=INK, linewidths=1.3, zorder=3)
        for collection in (self._lines, self._bodies, self._springs):
            self.axes.add_collection(collection)
        self._joints = self.axes.plot([], [], "o", ms=6, mfc="white", mec=INK, mew=1.4, zorder=6)[0]
        self._centres = self.axes.plot([], [], "o", ms=3.5, color=INK, zorder=6)[0]
        self._surface_x = np.linspace(self.x_limits[0], self.x_limits[1], 300)
        self._sea = self.axes.fill([], [], color=SEA, alpha=0.28, linewidth=0, zorder=7)[0]
        self._surface = self.axes.plot([], [], color="#2d78a8", linewidth=1.3, zorder=8)[0]
        self._ground()

    def _ground(self) -> None:
        film = self.film
        if film.waves is None:
            return
        self.axes.axhline(0.0, color=GREY, linewidth=0.8, linestyle=(0, (5, 4)), zorder=2)
        if -film.depth > self.z_limits[0]:
            self.axes.axhspan(self.z_limits[0], -film.depth, color=SAND, linewidth=0, zorder=2)

    def move(self, index: int) -> None:
        """Bring all artists to an instant."""
        film = self.film
        self._bodies.set_verts(
            [outline(solid, film.placed(solid.body, solid.ends, index)[0]) for solid in film.solids]
        )
        self._springs.set_segments(
            [
                coil(film.spring_ends(spring, index)[0][:, [0, 2]], self._width, rope=spring.rope)
                for spring in film.springs
            ]
        )
        self._lines.set_segments([line.nodes[index][:, [0, 2]] for line in film.lines])
        self._joints.set_data(*self._hinges(index).T)
        self._centres.set_data(*film.r[index][:, [0, 2]].T)
        self._move_water(index)

    def _hinges(self, index: int) -> Float:
        places = [
            self.film.placed(hinge.body, hinge.place[None], index)[0, 0, [0, 2]]
            for hinge in self.film.hinges
            if hinge.kind not in _FREE
        ]
        return np.array(places).reshape(-1, 2)

    def _move_water(self, index: int) -> None:
        film, x = self.film, self._surface_x
        if film.waves is None:
            return
        level = film.waves.at(film.times[index]).elevation(x, np.zeros_like(x))
        bottom = max(self.z_limits[0], -film.depth)
        corners = np.array([[x[-1], bottom], [x[0], bottom]])
        self._sea.set_xy(np.concatenate([np.column_stack([x, level]), corners]))
        self._surface.set_data(x, level)
