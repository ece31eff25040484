"""Whether a body can float at all where the database has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cosim.hydrodynamics.database import HydroDatabase
from cosim.hydrodynamics.findings import Finding, warning

__all__ = ["check_weight"]

_LIGHT, _HEAVY = 0.05, 3.0
"""Mass over displaced mass that moorings and joints still explain."""


def check_weight(database: HydroDatabase, masses: Mapping[str, float]) -> Iterator[Finding]:
    """Compare the mass of every body with the water it displaces.

    Lines, joints and neighbours carry much, but not everything: beyond that a mesh is in
    millimetres or a mass in tonnes.

    Parameters
    ----------
    database : HydroDatabase
    masses : mapping of body to float
        kg; weightless bodies left out.
    """
    for body in database.bodies:
        displaced = database.water_density * body.volume
        mass = masses.get(body.name)
        if mass is None or displaced <= 0.0:
            continue
        if not _LIGHT <= mass / displaced <= _HEAVY:
            yield warning(
                f"body '{body.name}' has a mass of {mass:.4g} kg and displaces {displaced:.4g} kg "
                "of water; check the units of both"
            )
