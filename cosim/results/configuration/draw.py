"""The configuration of a system: bodies, joints, springs, forces and points, all named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from cosim.model.base import EARTH
from cosim.model.system import System
from cosim.multibody.interface import Float, State
from cosim.results.animation.film import Film
from cosim.results.animation.filming import still_film
from cosim.results.animation.stage import Look, Stage, body_colours
from cosim.results.animation.stage_planar import PlanarStage
from cosim.results.animation.stage_space import SpaceStage
from cosim.results.configuration.elements import draw_elements
from cosim.results.configuration.labels import Label, put_labels
from cosim.results.configuration.overlay import Overlay
from cosim.results.configuration.symbols import draw_centre, draw_ground, draw_joint
from cosim.results.drawing import Drawing
from cosim.results.geometry import place_on_body
from cosim.results.style import GREY, INK

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["draw_configuration", "reference_state"]

_SIZE = 8.0
"""Radius of a joint's symbol, pixels."""
_SHEET = (1400.0, 860.0)
"""Pixels."""
_JOINT = "#1b5e8c"


def reference_state(system: System) -> State:
    """Poses of all bodies in the reference configuration (q = 0), at rest."""
    count = len(system.bodies)
    cogs = np.array([body.cog for body in system.bodies.values()], dtype=np.float64)
    return State(0.0, cogs, np.tile(np.eye(3), (count, 1, 1)), np.zeros((count, 6)))


def draw_configuration(
    system: System,
    state: State | None = None,
    *,
    lines: Mapping[str, Float] | None = None,
    drawing: Drawing | None = None,
    title: str = "",
    water: bool = False,
) -> Figure:
    """Draw a system at one pose, everything named.

    Systems that stay in the x-z plane are drawn in it, others in space: bodies, a symbol for
    each kind of joint, springs, dampers, forces at their points, named points, centres of
    gravity, ground and still water.

    Parameters
    ----------
    system : System
    state : State, optional
        Poses of all bodies; those of the reference configuration by default.
    lines : mapping of name to (m, 3), optional
        Mooring lines and the like, m.
    drawing : mapping of body to members, optional
        What bodies look like.
    title : str
    water : bool
        Show still water also where there are neither waves nor lines.

    Returns
    -------
    matplotlib.figure.Figure
        Save it with ``savefig``; no window is opened.
    """
    pose = reference_state(system) if state is None else state
    film = still_film(system, pose, lines=lines, drawing=drawing, title=title, water=water)
    look = _look(system, film)
    stage: Stage = PlanarStage(film, look) if film.planar else SpaceStage(film, look)
    stage.picture(0)
    overlay = Overlay(stage)
    labels = [*_bodies(overlay, stage), *_joints(overlay, stage, system)]
    labels += draw_elements(overlay, stage, system, pose)
    labels += [*_points(overlay, stage, system), *_lines(overlay, stage)]
    put_labels(overlay.axes, labels, avoid=overlay.at(film.r[0]))
    return stage.figure


def _look(system: System, film: Film) -> Look:
    """A larger sheet where there is much to name; upright where a flat system is."""
    names = len(system.joints) + len(system.elements)
    names += sum(1 + len(body.points) for body in system.bodies.values())
    scale = min(1.7, max(1.0, (names / 25.0) ** 0.5))
    width, height = _SHEET
    if film.planar:
        wide, _, tall = np.ptp(film.box(), axis=0)
        aspect = np.clip(1.15 * wide / max(tall, 1e-9), 0.8, width / height)
        width = height * float(aspect)
    size = int(width * scale), int(height * scale)
    return Look(*size, 100, elevation=22.0, close=True)


def _bodies(overlay: Overlay, stage: Stage) -> list[Label]:
    film, places = stage.film, overlay.at(stage.film.r[0])
    for place in places:
        draw_centre(overlay.axes, place, 0.62 * _SIZE)
    rows = zip(film.bodies, places, body_colours(film), strict=True)
    return [Label(name, (x, y), _darker(colour), 9.5, bold=True) for name, (x, y), colour in rows]


def _joints(overlay: Overlay, stage: Stage, system: System) -> list[Label]:
    labels = []
    for hinge in stage.film.hinges:
        where = stage.film.placed(hinge.body, hinge.place[None], 0)[0]
        (place,) = overlay.at(where)
        joint = system.joints[hinge.name]
        if hinge.parent < 0 and hinge.kind not in ("floating", "planar"):
            draw_ground(overlay.axes, place, _SIZE)
        axis = np.zeros(2)
        if np.isfinite(hinge.axis).all():
            axis = overlay.along(where[0], stage.film.R[0, hinge.body] @ hinge.axis)
        draw_joint(overlay.axes, hinge.kind, place, axis, _SIZE, cut=joint.cut)
        note = ", cut" if joint.cut else ""
        labels.append(
            Label(f"{hinge.name} ({hinge.kind}{note})", (place[0], place[1]), _JOINT, 8.0)
        )
    return labels


def _points(overlay: Overlay, stage: Stage, system: System) -> list[Label]:
    labels = []
    named = [(body, name, at) for body, b in system.bodies.items() for name, at in b.points.items()]
    named += [(EARTH, name, at) for name, at in system.earth_points.items()]
    for body, name, at in named:
        index = -1 if body == EARTH else stage.film.bodies.index(body)
        where = stage.film.placed(index, place_on_body(system, body, at)[None], 0)[0]
        (place,) = overlay.at(where)
        overlay.axes.plot(
            *place, "x" if body != EARTH else "^", color=INK, ms=5, mew=1.2, zorder=15
        )
        labels.append(Label(name, (place[0], place[1]), INK, 7.0))
    return labels


def _lines(overlay: Overlay, stage: Stage) -> list[Label]:
    labels = []
    look = stage.look
    for line in stage.film.lines:
        seen = overlay.at(line.nodes[0])
        inside = (seen > 30.0).all(axis=1) & (seen < [look.width - 30.0, look.height - 60.0]).all(1)
        if inside.any():
            x, y = seen[inside][len(seen[inside]) // 2]
            labels.append(Label(line.name, (x, y), GREY, 7.5))
    return labels


def _darker(colour: str) -> str:
    from matplotlib.colors import to_hex, to_rgb

    red, green, blue = (0.72 * part for part in to_rgb(colour))
    return to_hex((red, green, blue))
