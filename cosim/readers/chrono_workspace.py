"""The description that grows while a Chrono model is read."""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.sentences import Path, Problem, nearest
from cosim.readers.chrono_frames import Frame, frame_of, vector
from cosim.readers.chrono_records import ChronoBody, Model

__all__ = ["Workspace", "plain_name"]

LOG = logging.getLogger(__name__)

_ROUNDING = 1e-14
_ENTRIES = {
    "bodies": "body",
    "joints": "joint",
    "tsdas": "element",
    "rsdas": "element",
    "body_loads": "element",
    "motors": "element",
}
"""What the entries of a section are called in sentences."""


class Workspace:
    """Bodies, points and elements under our names, and what was wrong.

    Parameters
    ----------
    model : Model

    Attributes
    ----------
    degrees : bool
    frames : mapping of the file's name to Frame
    moving : tuple of str
        Bodies that are not fixed, as the file names them.
    description : dict
    origins : mapping of (section, name) to path
        Where in the file an entry comes from.
    problems : list of Problem
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.degrees = model.angle_degrees
        self.problems: list[Problem] = []
        self.origins: dict[tuple[str, str], Path] = {}
        self.frames: dict[str, Frame] = {}
        self._names: dict[str, str] = {}
        sections = ("bodies", "joints", "elements", "earth_points")
        self.description: dict[str, Any] = {section: {} for section in sections}
        self._read_bodies()
        self.moving = tuple(b.name for b in model.bodies if not b.fixed)

    def refuse(self, path: Path, text: str) -> None:
        """Note a mistake, or what is not read; the sentence names the entry."""
        match path:
            case (str(section), int(index), *_) if section in _ENTRIES:
                text = f"{_ENTRIES[section]} '{getattr(self.model, section)[index].name}': {text}"
        self.problems.append((("model", *path), text))

    def end(self, name: str, path: Path) -> str:
        """Our name of a body, ``earth`` for a fixed one; a problem if there is none."""
        if name not in self._names:
            self.refuse(path, f"unknown body '{name}'{nearest(name, self._names)}")
        return self._names.get(name, EARTH)

    def add(self, section: str, name: str, entry: dict[str, Any], path: Path) -> str:
        """Put an entry into a section under a free name, which is returned."""
        free = plain_name(name, self.description[section])
        if free != name:
            LOG.info("'%s' of the model is called '%s' in %s", name, free, section)
        self.description[section][free] = entry
        self.origins[section, free] = ("model", *path)
        return free

    def point(self, body: str, position: Sequence[float] | Float, name: str) -> str:
        """Address of a new point of a body (our name) or of earth, world coordinates."""
        points = (
            self.description["earth_points"]
            if body == EARTH
            else self.description["bodies"][body].setdefault("points", {})
        )
        free = plain_name(name, points)
        points[free] = vector(position)
        return f"{body}/{free}"

    def _read_bodies(self) -> None:
        for index, body in enumerate(self.model.bodies):
            path: Path = ("bodies", index)
            if body.name in self._names:
                self.refuse((*path, "name"), f"the name '{body.name}' stands twice")
            if body.contact is not None:
                text = "contact is not read; leave it out if the bodies never touch"
                self.refuse((*path, "contact"), text)
            try:
                self.frames[body.name] = frame_of(body, degrees=self.degrees)
            except ModelError as error:
                self.refuse(path, str(error))
                self.frames[body.name] = Frame(np.zeros(3), np.eye(3))
            if body.fixed:
                self._names[body.name] = EARTH
            else:
                self._names[body.name] = self._add_body(body, path)

    def _add_body(self, body: ChronoBody, path: Path) -> str:
        missing = [key for key in ("mass", "inertia") if getattr(body, key) is None]
        for key in missing:
            self.refuse(path, f"'{key}' is required of a body that is not fixed")
        frame = self.frames[body.name]
        entry = {"mass": body.mass, "cog": vector(frame.cog)}
        if body.inertia is not None:
            xx, yy, zz = body.inertia.moments
            xy, xz, yz = body.inertia.products
            local = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            entry["inertia"] = _components(frame.R @ local @ frame.R.T)
        name = EARTH + "_body" if body.name == EARTH else body.name
        return self.add("bodies", name, entry, path)


def plain_name(text: str, taken: Collection[str]) -> str:
    """The text as a name of ours: letters, digits and _; a number where it is taken."""
    letters = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    name = re.sub(r"\W", "_", "".join(letters), flags=re.ASCII)
    if not re.match(r"[A-Za-z_]", name):
        name = f"_{name}"
    free, count = name, 1
    while free in taken:
        count += 1
        free = f"{name}_{count}"
    return free


def _components(J: Float) -> list[float]:
    """Moments, and products where there are any, rounding errors of the turn removed."""
    J = np.where(np.abs(J) < _ROUNDING * np.abs(J).max(), 0.0, J)
    moments, products = vector(np.diag(J)), vector((J[0, 1], J[0, 2], J[1, 2]))
    return moments + products if any(products) else moments
