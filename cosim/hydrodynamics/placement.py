"""Where a database lies in the world, and whether that is where its bodies are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cosim.algebra.attitude import yaw_matrix
from cosim.errors import DatabaseError
from cosim.hydrodynamics.database import HydroDatabase
from cosim.hydrodynamics.frame import FixedFrame, HydroFrame, SlowFrame
from cosim.hydrodynamics.rigid import Float
from cosim.model.base import Name, Number, Positive, Strict

__all__ = ["FrameOptions", "Placed", "make_frame", "place"]

_TOLERANCE = 1e-3


class FrameOptions(Strict):
    """The horizontal frame H of a database.

    Parameters
    ----------
    at : (2,) sequence or "bodies"
        World x, y of the origin of the database, m; ``bodies`` puts it where its centres of
        mass meet those of the bodies (at the world's origin where it does not know them).
    yaw_deg : float
        Heading of its x axis, degrees counter-clockwise.
    follow : {"none", "slow"}
        Stay at rest, or follow the slow horizontal motion of a body.
    body : str, optional
        Body to follow; default the first.
    period : float
        Cut-off period of `follow: slow`, s.
    """

    at: tuple[Number, Number] | Literal["bodies"] = "bodies"
    yaw_deg: Number = 0.0
    follow: Literal["none", "slow"] = "none"
    body: Name | None = None
    period: Positive = 120.0


@dataclass(frozen=True)
class Placed:
    """A database about the centres of gravity of the bodies.

    Attributes
    ----------
    database : HydroDatabase
        Bodies have the names of the model.
    pose : (3,)
        x, y, yaw of H in the reference configuration.
    """

    database: HydroDatabase
    pose: Float


def place(
    database: HydroDatabase,
    centres: Mapping[str, Sequence[float]],
    options: FrameOptions,
    *,
    check_centres: bool = True,
) -> Placed:
    """Put a database into the world and move its moments to the centres of gravity.

    Parameters
    ----------
    database : HydroDatabase
        Its bodies have the names of the model already.
    centres : mapping of body to (3,)
        Centres of gravity in the reference configuration, m, world frame.
    options : FrameOptions
    check_centres : bool
        Whether centres of mass that the database knows must be where the bodies have them.

    Raises
    ------
    DatabaseError
        A body is more than 1 mm from where the database has it.
    """
    yaw = math.radians(options.yaw_deg)
    turn = yaw_matrix(yaw)
    at = _origin(database, centres, turn) if options.at == "bodies" else np.array(options.at)
    origin = np.array([at[0], at[1], 0.0])
    points = {name: turn.T @ (np.asarray(centre) - origin) for name, centre in centres.items()}
    if check_centres:
        for body in database.bodies:
            if body.centre_of_mass is not None:
                there = origin + turn @ body.centre_of_mass
                _require(body.name, np.asarray(centres[body.name]), there)
    return Placed(database.move_reference(points), np.array([at[0], at[1], yaw]))


def _origin(database: HydroDatabase, centres: Mapping[str, Sequence[float]], turn: Float) -> Float:
    known = [b for b in database.bodies if b.centre_of_mass is not None]
    if not known:
        return np.zeros(2)
    first = known[0]
    assert first.centre_of_mass is not None
    return np.asarray((np.asarray(centres[first.name]) - turn @ first.centre_of_mass)[:2])


def _require(body: str, here: Float, there: Float) -> None:
    off = np.abs(here - there)
    if off.max() > _TOLERANCE:
        axis = "xyz"[int(np.argmax(off))]
        raise DatabaseError(
            f"body '{body}' has its centre of gravity at ({_text(here)}) m, the hydrodynamic "
            f"database puts it at ({_text(there)}) m: {axis} differs by {off.max():.4g} m; "
            "correct the body or the placement ('frame'), or set 'check_centres: false' if only "
            "the ballast differs and the hull floats as computed"
        )


def _text(point: Float) -> str:
    return ", ".join(f"{x:.4g}" for x in point)


def make_frame(options: FrameOptions, placed: Placed, bodies: Sequence[str]) -> HydroFrame:
    """Frame H of a placed database; `bodies` in the order of the loads.

    Raises
    ------
    DatabaseError
        The body to follow is not one of them.
    """
    if options.follow == "none":
        return FixedFrame(placed.pose)
    name = options.body or bodies[0]
    if name not in bodies:
        raise DatabaseError(
            f"frame: there is no body '{name}' to follow; there are {', '.join(bodies)}"
        )
    row = list(bodies).index(name)
    centre = placed.database.bodies[placed.database.index(name)].reference_point[:2]
    return SlowFrame(placed.pose, body=row, centre=centre, period=options.period)
