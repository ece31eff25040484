"""Which coupled points of a mooring file sit where on which bodies of the case.

A file whose fairleads hang on a coupled body is rewritten with coupled points: the force on
a coupled body contains an inertia term that depends on the step (-5.5e4 N for a change of
0.1 m/s in 0.01 s), its angles are extrapolated as if they were Euler rates, and its force is
wrong after a restart. Coupled points have none of these.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

import numpy as np

from adapters.moordyn.options import FileBody, MoorDynOptions
from adapters.moordyn.records import BodyRecord, MooringFile, PointRecord, Triple
from adapters.moordyn.sections import MooringFileError
from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.system import System
from cosim.multibody.interface import Float

__all__ = ["Fairlead", "couple"]

LOG = logging.getLogger(__name__)

_NEAR = 1.0
"""A file's body this close to a centre of gravity, m, but not at it, deserves a remark."""


@dataclass(frozen=True)
class Fairlead:
    """A coupled point.

    Attributes
    ----------
    point : int
        Number in the rewritten file.
    body : str
    lever : (3,)
        From the centre of gravity, m, axes of the body.
    """

    point: int
    body: str
    lever: Float


def couple(
    file: MooringFile, options: MoorDynOptions, system: System
) -> tuple[MooringFile, tuple[Fairlead, ...]]:
    """Rewrite a file with coupled points only, in world coordinates.

    Parameters
    ----------
    file : MooringFile
    options : MoorDynOptions
        Say which body of the case each coupled body or point is.
    system : System

    Returns
    -------
    file : MooringFile
        No coupled bodies; its coupled points are at their place in the reference
        configuration.
    fairleads : tuple of Fairlead
        In the order of the coupled points.

    Raises
    ------
    MooringFileError
        Something is coupled that is no point and cannot become one, or to no body.
    """
    _refuse_rods(file)
    carriers = _carriers(file, options, system)
    _refuse_unknown_fairleads(file, options)
    points, fairleads = [], []
    numbers = _remaining_bodies(file, carriers)
    for point in file.points:
        if point.attachment == "body" and point.body in carriers:
            name, place = _on_body(point, file, carriers[point.body], system)
        elif point.attachment == "coupled":
            name, place = _on_case(point, file, options, system)
        else:
            points.append(replace(point, body=numbers.get(point.body, 0)))
            continue
        points.append(replace(point, attachment="coupled", body=0, position=place))
        fairleads.append(Fairlead(point.id, name, np.subtract(place, system.bodies[name].cog)))
    if not fairleads:
        raise MooringFileError(file.path, 0, "has no coupled point or body; nothing moves it")
    bodies = tuple(replace(body, id=numbers[body.id]) for body in file.bodies if body.id in numbers)
    rods = tuple(replace(rod, body=numbers.get(rod.body, 0)) for rod in file.rods)
    return replace(file, points=tuple(points), bodies=bodies, rods=rods), tuple(fairleads)


def _refuse_rods(file: MooringFile) -> None:
    coupled = {body.id for body in file.bodies if body.attachment == "coupled"}
    for rod in file.rods:
        if rod.attachment.startswith("coupled") or rod.body in coupled:
            raise MooringFileError(
                file.path,
                rod.row,
                f"rod {rod.id} is fixed to a body of the case; describe its mass and loads there "
                "and hang the lines on points",
            )


def _carriers(file: MooringFile, options: MoorDynOptions, system: System) -> dict[int, FileBody]:
    """Body of the case for each coupled body of the file."""
    coupled = [body for body in file.bodies if body.attachment in ("coupled", "pinned")]
    carriers = {}
    for body in coupled:
        _refuse_own_properties(file, body)
        given = options.bodies.get(body.id)
        if given is None and len(coupled) == 1 and len(system.bodies) == 1:
            given = next(iter(system.bodies))
        if given is None:
            raise MooringFileError(
                file.path,
                body.row,
                f"body {body.id} is coupled; say which body of the case it is with "
                f"'bodies: {{{body.id}: name}}'",
            )
        carrier = given if isinstance(given, FileBody) else FileBody(body=given)
        _refuse_unknown_body(file, body.row, carrier.body, system)
        _remark_on_place(file, body, carrier, system)
        carriers[body.id] = carrier
    for number in options.bodies:
        if number not in carriers:
            raise MooringFileError(file.path, 0, f"has no coupled body {number} ('bodies')")
    return carriers


def _refuse_own_properties(file: MooringFile, body: BodyRecord) -> None:
    if body.attachment == "pinned":
        raise MooringFileError(
            file.path, body.row, f"body {body.id} is coupled and pinned; use joints of the case"
        )
    if body.mass or body.volume or any(body.CdA):
        raise MooringFileError(
            file.path,
            body.row,
            f"coupled body {body.id} has mass, volume or drag of its own; the body of the case "
            "has them, so set them to 0 here",
        )


def _refuse_unknown_body(file: MooringFile, row: int, name: str, system: System) -> None:
    if name not in system.bodies:
        raise MooringFileError(
            file.path, row, f"there is no body '{name}'; there are {', '.join(system.bodies)}"
        )


def _remark_on_place(
    file: MooringFile, body: BodyRecord, carrier: FileBody, system: System
) -> None:
    distance = float(np.linalg.norm(np.subtract(body.position, system.bodies[carrier.body].cog)))
    if carrier.frame == "file" and 1e-6 < distance < _NEAR:
        LOG.warning(
            "%s:%d: body %d starts %.3g m from the centre of gravity of '%s'; its points are "
            "placed where the file says, in the reference configuration (frame: cog would "
            "count them from the centre of gravity)",
            file.path,
            body.row,
            body.id,
            distance,
            carrier.body,
        )


def _refuse_unknown_fairleads(file: MooringFile, options: MoorDynOptions) -> None:
    coupled = {point.id for point in file.points if point.attachment == "coupled"}
    for number in options.fairleads:
        if number not in coupled:
            raise MooringFileError(file.path, 0, f"has no coupled point {number} ('fairleads')")


def _remaining_bodies(file: MooringFile, carriers: dict[int, FileBody]) -> dict[int, int]:
    """New number of each body that stays in the file."""
    kept = [body.id for body in file.bodies if body.id not in carriers]
    return {old: new for new, old in enumerate(kept, start=1)}


def _on_body(
    point: PointRecord, file: MooringFile, carrier: FileBody, system: System
) -> tuple[str, Triple]:
    body = file.bodies[point.body - 1]
    if carrier.frame == "cog":
        place = np.add(system.bodies[carrier.body].cog, point.position)
    else:
        place = np.add(body.position, _intrinsic_xyz(body.attitude_deg) @ point.position)
    return carrier.body, _triple(place)


def _on_case(
    point: PointRecord, file: MooringFile, options: MoorDynOptions, system: System
) -> tuple[str, Triple]:
    address = options.fairleads.get(point.id)
    if address is None:
        if len(system.bodies) > 1:
            raise MooringFileError(
                file.path,
                point.row,
                f"point {point.id} is coupled; say which body carries it with "
                f"'fairleads: {{{point.id}: name}}'",
            )
        return next(iter(system.bodies)), point.position
    try:
        name, place = system.point(address)
    except ModelError as error:
        raise MooringFileError(file.path, point.row, str(error)) from None
    if name == EARTH:
        raise MooringFileError(file.path, point.row, f"fairlead '{address}' is on no body")
    return name, point.position if address == name else place


def _intrinsic_xyz(angles_deg: Triple) -> Float:
    (sx, sy, sz), (cx, cy, cz) = np.sin(np.radians(angles_deg)), np.cos(np.radians(angles_deg))
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, cx, -sx], [0.0, sx, cx]])
    about_y = np.array([[cy, 0.0, sy], [0.0, 1.0, 0.0], [-sy, 0.0, cy]])
    about_z = np.array([[cz, -sz, 0.0], [sz, cz, 0.0], [0.0, 0.0, 1.0]])
    rotation: Float = about_x @ about_y @ about_z
    return rotation


def _triple(place: Float) -> Triple:
    x, y, z = place.tolist()
    return x, y, z
