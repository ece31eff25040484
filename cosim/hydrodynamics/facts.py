"""What the user knows about a body and the file does not say, or says worse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from cosim.errors import DatabaseError
from cosim.hydrodynamics.database import HydroBody, HydroDatabase
from cosim.hydrodynamics.hydrostatics import lever_stiffness
from cosim.hydrodynamics.rigid import Float
from cosim.model.base import Positive, Strict, Vector3

__all__ = ["BodyFacts", "apply_facts"]

REPORTED = 1e-3


class BodyFacts(Strict):
    """Facts about one body of a database, in the axes of the BEM computation.

    Parameters
    ----------
    reference_point : (3,) sequence, optional
        Point of the file's moments, m; only where the file does not say.
    centre_of_mass : (3,) sequence, optional
        Centre of gravity the source used, m; only where the file does not say.
    mass : float, optional
        Mass the source used for its stiffness, kg; default the displaced mass.
    volume : float, optional
        True displaced volume, m³; wins over the mesh.
    centre_of_buoyancy : (3,) sequence, optional
        m; wins over the mesh.
    waterplane_area : float, optional
        m²; wins over the mesh.
    """

    reference_point: Vector3 | None = None
    centre_of_mass: Vector3 | None = None
    mass: Positive | None = None
    volume: Positive | None = None
    centre_of_buoyancy: Vector3 | None = None
    waterplane_area: Positive | None = None


def apply_facts(database: HydroDatabase, facts: Mapping[str, BodyFacts]) -> HydroDatabase:
    """Replace volume, centre of buoyancy and waterplane of the mesh by the true ones.

    A difference above 0.1 % is noted as metres of draft.

    Raises
    ------
    DatabaseError
        Unknown body, or a true volume without the centre of buoyancy where the file lacks it.
    """
    for name in facts:
        database.index(name)
    notes: list[str] = []
    specific = database.water_density * database.gravity
    bodies = tuple(
        _with_facts(body, facts.get(body.name, BodyFacts()), specific, notes)
        for body in database.bodies
    )
    return replace(database, bodies=bodies, notes=(*database.notes, *notes))


def _with_facts(body: HydroBody, facts: BodyFacts, specific: float, notes: list[str]) -> HydroBody:
    volume = facts.volume or body.volume
    area = facts.waterplane_area or body.waterplane_area
    centre = np.array(facts.centre_of_buoyancy or body.centre_of_buoyancy)
    if (volume, area) == (body.volume, body.waterplane_area) and np.array_equal(
        centre, body.centre_of_buoyancy, equal_nan=True
    ):
        return body
    if np.isnan(centre).any() or np.isnan(body.centre_of_buoyancy).any():
        raise DatabaseError(
            f"hydrodynamic body '{body.name}': the database does not know the height of its "
            "centre of buoyancy, so a true volume cannot replace the one of the mesh; leave "
            "'volume', 'centre_of_buoyancy' and 'waterplane_area' out"
        )
    stiffness = _exchange(body, volume, centre, area, specific)
    notes.extend(_differences(body, volume, centre, area))
    return replace(
        body, volume=volume, waterplane_area=area, centre_of_buoyancy=centre, stiffness=stiffness
    )


def _exchange(body: HydroBody, volume: float, centre: Float, area: float, specific: float) -> Float:
    point = body.reference_point
    old = lever_stiffness(specific * body.volume, body.centre_of_buoyancy - point)
    new = lever_stiffness(specific * volume, centre - point)
    # moments of a similar waterplane: area, first and second moments scale as 1, 3/2, 2
    ratio = area / body.waterplane_area if body.waterplane_area > 0.0 else 1.0
    scale = np.array([1.0, 1.0, np.sqrt(ratio), ratio, ratio, 1.0])
    return (body.stiffness - old) * np.outer(scale, scale) + new


def _differences(body: HydroBody, volume: float, centre: Float, area: float) -> list[str]:
    found = []
    if abs(volume / body.volume - 1.0) > REPORTED and area > 0.0:
        draft = (volume - body.volume) / area
        found.append(
            f"body '{body.name}': the mesh displaces {body.volume:.6g} m3, the given volume is "
            f"{volume:.6g} m3; the mesh alone would float {abs(draft):.3g} m too "
            f"{'deep' if draft > 0.0 else 'high'}"
        )
    if body.waterplane_area > 0.0 and abs(area / body.waterplane_area - 1.0) > REPORTED:
        found.append(
            f"body '{body.name}': the waterplane of the mesh is {body.waterplane_area:.6g} m2, "
            f"the given one {area:.6g} m2"
        )
    offset = float(np.linalg.norm(centre - body.centre_of_buoyancy))
    if offset > REPORTED * volume ** (1.0 / 3.0):
        found.append(
            f"body '{body.name}': the given centre of buoyancy lies {offset:.3g} m from that of "
            "the mesh"
        )
    return found
