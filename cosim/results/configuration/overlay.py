"""A sheet over a drawn stage, in pixels, onto which places in space are projected."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cosim.multibody.interface import Float
from cosim.results.animation.stage import Stage
from cosim.results.animation.stage_space import SpaceStage

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Overlay"]


class Overlay:
    """Axes over the whole figure whose data coordinates are pixels.

    Parameters
    ----------
    stage : Stage
        Drawn already: its view is final.
    """

    def __init__(self, stage: Stage) -> None:
        look = stage.look
        self._stage = stage
        self.axes: Axes = stage.figure.add_axes((0.0, 0.0, 1.0, 1.0), zorder=10)
        self.axes.set(xlim=(0.0, look.width), ylim=(0.0, look.height))
        self.axes.set_axis_off()
        self.axes.patch.set_visible(False)

    def at(self, places: Float) -> Float:
        """Pixels, (k, 2), of places (k, 3), m."""
        stage = self._stage
        flat = places[:, [0, 2]]
        if isinstance(stage, SpaceStage):
            from mpl_toolkits.mplot3d import proj3d

            x, y, _ = proj3d.proj_transform(*places.T, stage.axes.get_proj())
            flat = np.column_stack([x, y])
        return np.asarray(stage.axes.transData.transform(flat))

    def along(self, place: Float, direction: Float) -> Float:
        """How a unit vector (3,) at a place looks: (2,), shorter where it points at the viewer."""
        size = 0.02 * float(np.linalg.norm(np.ptp(self._stage.film.bodies_box(), axis=0)))
        up = np.array([0.0, 0.0, size])
        here, there, above = self.at(np.array([place, place + size * direction, place + up]))
        return np.asarray((there - here) / max(float(np.linalg.norm(above - here)), 1e-9))
