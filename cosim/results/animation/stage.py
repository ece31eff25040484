"""Where an animation in Matplotlib takes place: a figure whose artists follow the film."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cosim.multibody.interface import Float
from cosim.results.animation.film import Film
from cosim.results.style import GREY, INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

__all__ = ["BODY_COLOURS", "SPRING", "Look", "Stage", "body_colours", "framed", "spring_width"]

BODY_COLOURS = (
    "#e5a93c",
    "#4a86b5",
    "#c05a3e",
    "#569b72",
    "#86679f",
    "#a98a5a",
    "#3f9a9a",
    "#7d5a3c",
)
SPRING = "#a13d63"


@dataclass(frozen=True)
class Look:
    """Size of the picture and what stands on it.

    Attributes
    ----------
    width, height : int
        Pixels.
    dpi : int
    note : str
        Beside the time, such as the speed.
    elevation, azimuth : float
        Of the place that a scene in space is seen from, degrees.
    close : bool
        Show the bodies alone, with little water around.
    """

    width: int = 1280
    height: int = 720
    dpi: int = 100
    note: str = ""
    elevation: float = 14.0
    azimuth: float = -58.0
    close: bool = False


class Stage(ABC):
    """One figure, drawn anew for every instant; limits stay the same over the film."""

    axes: Axes

    def __init__(self, film: Film, look: Look) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.film = film
        self.look = look
        size = (look.width / look.dpi, look.height / look.dpi)
        self.figure: Figure = Figure(figsize=size, dpi=look.dpi, facecolor="white")
        self._canvas = FigureCanvasAgg(self.figure)
        text = self.figure.text
        text(0.02, 0.95, film.title, fontsize=14, fontweight="bold", color=INK)
        self._clock = text(0.02, 0.915, "", fontsize=11, color=GREY)

    @abstractmethod
    def move(self, index: int) -> None:
        """Bring all artists to an instant."""

    def picture(self, index: int) -> NDArray[np.uint8]:
        """The picture at an instant, (height, width, 3)."""
        self.move(index)
        note = f"   {self.look.note}" if self.look.note else ""
        self._clock.set_text(f"t = {self.film.times[index]:.2f} s{note}")
        self._canvas.draw()  # type: ignore[no-untyped-call]
        seen = self._canvas.buffer_rgba()  # type: ignore[no-untyped-call]
        return np.asarray(seen, dtype=np.uint8)[:, :, :3]


def body_colours(film: Film) -> list[str]:
    """One colour per body; bodies of the same last name share it.

    So do, of many bodies, those whose names differ in a number at the end only.
    """
    last = [name.rpartition("/")[2] for name in film.bodies]
    if len(last) > len(BODY_COLOURS):
        last = [name.rstrip("0123456789") for name in last]
    kinds = list(dict.fromkeys(last))
    return [BODY_COLOURS[kinds.index(name) % len(BODY_COLOURS)] for name in last]


def framed(box: Float, aspect: float, margin: float = 1.12) -> tuple[Float, Float]:
    """Limits (2,) along both directions of a picture that hold a flat box (2, 2), m.

    Parameters
    ----------
    box : (2, 2)
        Least and largest coordinates.
    aspect : float
        Width over height.
    margin : float
    """
    centre = box.mean(axis=0)
    half = 0.5 * margin * np.maximum(np.ptp(box, axis=0), 1e-6)
    tall = max(half[1], half[0] / aspect)
    reach = np.array([aspect * tall, tall])
    limits = np.array([centre - reach, centre + reach])
    return limits[:, 0], limits[:, 1]


def spring_width(film: Film) -> float:
    """Width of a drawn spring, m."""
    return 0.035 * float(np.linalg.norm(np.ptp(film.bodies_box(), axis=0)))
