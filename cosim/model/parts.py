"""Reusable sub-assemblies: ``parts`` described once, put into the system by ``place``.

This happens before anything is validated: what comes out is an ordinary description, in
which the names of a part carry the name of the place (``leg1/arm``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any

from pydantic import StringConstraints, ValidationError

from cosim.errors import ModelError
from cosim.model.base import EARTH, Number, Strict, Vector3
from cosim.model.beam_parts import BEAM, with_beams
from cosim.model.placement import Placement
from cosim.model.sentences import Path, Problem, located, nearest, problems

__all__ = ["PartsError", "Place", "expand"]

Record = Mapping[str, Any]
Sections = dict[str, dict[str, Any]]

SECTIONS = ("bodies", "joints", "elements", "motions", "earth_points")
"""What a part may hold."""

_VECTORS = ("axis", "axis1", "axis2", "force", "moment")
_WORLD_COORDINATES = {"floating": ("surge", "sway"), "planar": ("x", "y")}


class PartsError(ModelError):
    """Mistakes in `parts` and `place`; `problems` has the place of each."""

    def __init__(self, found: list[Problem]) -> None:
        super().__init__("\n".join(located(path, text) for path, text in found))
        self.problems = found


class Place(Strict):
    """One use of a part.

    Parameters
    ----------
    part : str
        Key of `parts`.
    name : str
        Goes before the names of the part: ``name/body``.
    at : (3,) sequence
        Where the origin of the part's coordinates goes, m, world frame.
    yaw_deg : float
        Turns the part about its vertical axis first, degrees.
    """

    part: str
    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
    at: Vector3 = (0.0, 0.0, 0.0)
    yaw_deg: Number = 0.0


def expand(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Replace `parts` and `place` of a description by what they stand for.

    Positions are turned by the yaw and moved; axes, forces and attitudes are turned. Names
    of bodies, joints and points of the part itself get the prefix of the place; all others
    are left alone and mean what is outside. Expressions stay expressions.

    Parameters
    ----------
    data : mapping
        As a case file holds it.

    Returns
    -------
    mapping
        Without `parts` and `place`; `data` itself where it has neither.

    Raises
    ------
    PartsError
        One line per mistake in `parts` and `place`, and per joint or load that cannot turn.
    """
    if "parts" not in data and "place" not in data:
        return data
    places = data.get("place") or []
    parts, found = with_beams(data.get("parts") or {}, data.get("parameters") or {})
    found += [*_part_problems(parts), *_place_problems(places, parts, data)]
    whole: dict[str, Any] = {k: v for k, v in data.items() if k not in ("parts", "place")}
    if not found:
        for index, place in enumerate(places):
            copy = _Copy(place, parts[place["part"]])  # type: ignore[index]  # a mapping: checked
            here: Path = ("place", index)
            found += [(here, text) for text in copy.problems()]
            for section, entries in copy.sections().items():
                mine = whole.get(section) or {}
                if not isinstance(mine, Mapping):
                    continue  # the validation of the whole says so
                found += [
                    (here, f"there is already '{name}' in {section}")
                    for name in entries.keys() & mine.keys()
                ]
                whole[section] = {**mine, **entries}
    if found:
        raise PartsError(found)
    return whole


def _part_problems(parts: object) -> Iterator[Problem]:
    if not isinstance(parts, Mapping):
        yield ("parts",), "must be a mapping of names to parts"
        return
    for name, part in parts.items():
        if not isinstance(part, Mapping):
            yield ("parts", name), f"must be a mapping with {', '.join(SECTIONS)}"
            continue
        for key, entries in part.items():
            here: Path = ("parts", name, key)
            if key not in SECTIONS:
                yield here, f"unknown key '{key}'{nearest(str(key), (*SECTIONS, BEAM))}"
            elif not isinstance(entries, Mapping):
                yield here, "must be a mapping of names"
            elif key != "earth_points":
                for entry, value in entries.items():
                    if not isinstance(value, Mapping):
                        yield (*here, entry), "must be a mapping"


def _place_problems(places: object, parts: object, data: Record) -> Iterator[Problem]:
    if not isinstance(places, list | tuple):
        yield ("place",), "must be a list of places ({part: ..., name: ...})"
        return
    names = list(parts) if isinstance(parts, Mapping) else []
    used: set[object] = set()
    for index, place in enumerate(places):
        try:
            Place.model_validate(place, context={"parameters": data.get("parameters") or {}})
        except ValidationError as error:
            yield from ((("place", index, *p), text) for p, text in problems(error, place, Place))
            continue
        if place["part"] not in names:
            text = f"unknown part '{place['part']}'{nearest(place['part'], names)}"
            yield ("place", index, "part"), text
        if place["name"] in used:
            yield ("place", index, "name"), f"the name '{place['name']}' is used twice"
        used.add(place["name"])


class _Copy:
    """A part under the name and at the position of one place."""

    def __init__(self, place: Record, part: Record) -> None:
        self._name = place["name"]
        self._part = {section: part.get(section) or {} for section in SECTIONS}
        self._placement = Placement(tuple(place.get("at", (0, 0, 0))), place.get("yaw_deg", 0))

    def sections(self) -> Sections:
        """The part's entries as entries of the whole description."""
        change = {
            "bodies": self._body,
            "joints": self._joint,
            "elements": self._element,
            "motions": self._motion,
            "earth_points": self._placement.point,
        }
        return {
            section: {f"{self._name}/{name}": change[section](e) for name, e in entries.items()}
            for section, entries in self._part.items()
            if entries
        }

    def problems(self) -> Iterator[str]:
        """What a turned part cannot have."""
        for name, motion in self._part["motions"].items():
            if motion.get("type") != "joint":
                yield f"the motion '{name}' is not of a joint; prescribe it outside of the part"
        if not self._placement.turns:
            return
        for name, joint in self._part["joints"].items():
            if joint.get("type") == "planar" and joint.get("plane", "xz") != "xy":
                yield (
                    f"the plane of the planar joint '{name}' cannot be turned; "
                    "use yaw_deg: 0 or another joint"
                )
        acting = [("load", *item) for item in self._part["elements"].items()]
        acting += [("motion", *item) for item in self._part["motions"].items()]
        for kind, name, element in acting:
            joint = self._part["joints"].get(str(element.get("joint")), {})
            if element.get("coordinate") in _WORLD_COORDINATES.get(str(joint.get("type")), ()):
                yield (
                    f"the {kind} '{name}' acts on '{element['coordinate']}', which "
                    "does not turn with the part; use a matrix load"
                )

    def _body(self, body: Record) -> Record:
        turned = self._moved(body, ("cog",))
        if isinstance(body.get("points"), Mapping):
            points = body["points"].items()
            turned["points"] = {name: self._placement.point(p) for name, p in points}
        attitude = body.get("attitude_deg", (0.0, 0.0, 0.0))
        if self._placement.turns and isinstance(attitude, list | tuple) and len(attitude) == 3:
            turned["attitude_deg"] = [*attitude[:2], self._placement.yaw(attitude[2])]
        return turned

    def _joint(self, joint: Record) -> Record:
        return self._renamed(self._moved(joint, ("at",)), ("parent", "child"), "bodies")

    def _element(self, element: Record) -> Record:
        turned = self._moved(element, ("at",))
        turned = self._renamed(turned, ("joint",), "joints")
        turned = self._renamed(turned, ("body", "reference"), "bodies")
        if isinstance(element.get("bodies"), list | tuple):
            turned["bodies"] = [self._own(name, self._part["bodies"]) for name in element["bodies"]]
        if isinstance(element.get("points"), list | tuple):
            turned["points"] = [self._address(address) for address in element["points"]]
        if "point" in element:
            turned["point"] = self._address(element["point"])
        if element.get("type") == "matrix" and element.get("axes", "world") == "world":
            turned["yaw_deg"] = self._placement.yaw(element.get("yaw_deg", 0.0))
        return turned

    def _motion(self, motion: Record) -> Record:
        return self._renamed(motion, ("joint",), "joints")

    def _moved(self, entry: Record, positions: Collection[str]) -> dict[str, Any]:
        changed = {key: self._placement.point(entry[key]) for key in positions if key in entry}
        turned = {key: self._placement.vector(entry[key]) for key in _VECTORS if key in entry}
        return {**entry, **changed, **turned}

    def _renamed(self, entry: Record, keys: Collection[str], section: str) -> dict[str, Any]:
        own = {key: self._own(entry[key], self._part[section]) for key in keys if key in entry}
        return {**entry, **own}

    def _own(self, name: object, names: Collection[str]) -> object:
        return f"{self._name}/{name}" if isinstance(name, str) and name in names else name

    def _address(self, address: object) -> object:
        if not isinstance(address, str):
            return address
        body, _, point = address.partition("/")
        if body == EARTH and point in self._part["earth_points"]:
            return f"{EARTH}/{self._name}/{point}"
        holder = address.rpartition("/")[0]
        inside = address in self._part["bodies"] or holder in self._part["bodies"]
        return f"{self._name}/{address}" if inside else address
