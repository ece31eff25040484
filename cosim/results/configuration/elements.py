"""Force elements in the picture of a configuration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from cosim.model.base import EARTH
from cosim.model.elements import JointLoad, MatrixLoad, PointForce, Tension, Torsion
from cosim.model.expressions import evaluate
from cosim.model.system import System
from cosim.multibody.interface import Float, State
from cosim.results.animation.stage import SPRING, Stage
from cosim.results.configuration.labels import Label
from cosim.results.configuration.overlay import Overlay
from cosim.results.configuration.symbols import draw_arrow, draw_dashpot, draw_spiral
from cosim.results.geometry import place_on_body

__all__ = ["draw_elements"]

_FORCE = "#b3261e"
_LOAD = "#6a5d2e"
_LONGEST, _SHORTEST = 80.0, 28.0
"""Arrows of the largest and of small forces, pixels."""
_SIZE = 8.0


@dataclass(frozen=True)
class _Sheet:
    overlay: Overlay
    stage: Stage
    system: System
    state: State

    def place(self, body: str, at: tuple[float, float, float]) -> Float:
        """World place, (3,), of a place of the reference configuration."""
        index = -1 if body == EARTH else self.stage.film.bodies.index(body)
        lever = place_on_body(self.system, body, at)
        return np.asarray(self.stage.film.placed(index, lever[None], 0)[0, 0])

    def seen(self, place: Float) -> tuple[float, float]:
        """Pixels of a place."""
        ((x, y),) = self.overlay.at(place[None])
        return float(x), float(y)

    def joint(self, name: str) -> Float:
        """World place of a joint."""
        film = self.stage.film
        hinge = next(hinge for hinge in film.hinges if hinge.name == name)
        return np.asarray(film.placed(hinge.body, hinge.place[None], 0)[0, 0])


def draw_elements(overlay: Overlay, stage: Stage, system: System, state: State) -> list[Label]:
    """Draw forces, springs and dampers; returns their names.

    Parameters
    ----------
    overlay : Overlay
    stage : Stage
    system : System
    state : State
        Of all bodies; its time is that of forces that depend on time.
    """
    sheet = _Sheet(overlay, stage, system, state)
    labels = _forces(sheet)
    for name, element in system.elements.items():
        match element:
            case Tension():
                labels.append(_tension(sheet, name, element))
            case JointLoad():
                labels.append(_joint_load(sheet, name, element))
            case Torsion():
                labels.append(_torsion(sheet, name, element))
            case MatrixLoad():
                place = sheet.seen(sheet.place(element.body, element.at))
                overlay.axes.plot(*place, "D", color=_LOAD, ms=4.5, zorder=14)
                labels.append(Label(name, place, _LOAD, 7.5))
    return labels


def _forces(sheet: _Sheet) -> list[Label]:
    found = {n: e for n, e in sheet.system.elements.items() if isinstance(e, PointForce)}
    vectors = {name: _force(sheet, element) for name, element in found.items()}
    largest = max((float(np.linalg.norm(v)) for v in vectors.values()), default=0.0)
    labels = []
    for name, element in found.items():
        where = sheet.place(*sheet.system.point(element.point))
        place, size = sheet.seen(where), float(np.linalg.norm(vectors[name]))
        tip = np.array(place)
        if size > 0.0:
            length = max(_LONGEST * size / largest, _SHORTEST)
            arrow = length * sheet.overlay.along(where, vectors[name] / size)
            draw_arrow(sheet.overlay.axes, tip, arrow, _FORCE)
            tip = tip + arrow
        labels.append(Label(f"{name} {size:.4g} N", (float(tip[0]), float(tip[1])), _FORCE))
    return labels


def _force(sheet: _Sheet, element: PointForce) -> Float:
    """Force at the time of the state, world axes, N."""
    values = {**sheet.system.parameters, "t": sheet.state.t}
    force = np.array(
        [evaluate(c, values) if isinstance(c, str) else float(c) for c in element.force]
    )
    body, _ = sheet.system.point(element.point)
    if element.axes == "body":
        force = sheet.state.R[sheet.stage.film.bodies.index(body)] @ force
    return force


def _tension(sheet: _Sheet, name: str, element: Tension) -> Label:
    ends = np.array([sheet.place(*sheet.system.point(address)) for address in element.points])
    if element.damping and not element.slack:
        draw_dashpot(sheet.overlay.axes, sheet.overlay.at(ends), SPRING, _SIZE)
    return Label(name, sheet.seen(ends.mean(axis=0)), SPRING)


def _joint_load(sheet: _Sheet, name: str, element: JointLoad) -> Label:
    joint = sheet.system.joints[element.joint]
    place = sheet.seen(sheet.joint(element.joint))
    angular = (element.coordinate or joint.names[0] if joint.names else "") in joint.angular
    if angular:
        _curl(sheet, place, element)
    return Label(name, place, SPRING, 7.5)


def _torsion(sheet: _Sheet, name: str, element: Torsion) -> Label:
    between = [
        n for n, j in sheet.system.joints.items() if {j.parent, j.child} == {*element.bodies}
    ]
    if between:
        where = sheet.joint(between[0])
    else:
        centres = [sheet.place(b, sheet.system.point(b)[1]) for b in element.bodies if b != EARTH]
        where = np.mean(centres, axis=0)
    place = sheet.seen(where)
    _curl(sheet, place, element)
    return Label(name, place, SPRING, 7.5)


def _curl(sheet: _Sheet, place: tuple[float, float], element: JointLoad | Torsion) -> None:
    axes = sheet.overlay.axes
    if element.stiffness or element.law:
        draw_spiral(axes, np.array(place), _SIZE, SPRING, damper=False)
    if element.damping:
        draw_spiral(axes, np.array(place), _SIZE, SPRING, damper=True)
