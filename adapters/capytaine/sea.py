"""The sea of a case beside the one a database was computed for."""

from __future__ import annotations

import math

from adapters.capytaine.options import HydroOptions
from cosim.environment import Environment
from cosim.errors import DatabaseError
from cosim.hydrodynamics.database import HydroDatabase
from cosim.hydrodynamics.findings import Finding, warning

__all__ = ["current_findings", "refuse_other_sea"]


def current_findings(environment: Environment) -> list[Finding]:
    """What a current does not do to hulls; nothing where there is none."""
    if environment.current is None:
        return []
    return [
        warning(
            "the current gives no load on hulls; add its drag as a force element or by an adapter "
            "of your own"
        )
    ]


def refuse_other_sea(
    database: HydroDatabase, options: HydroOptions, environment: Environment
) -> None:
    """Refuse a database for another sea, naming both values.

    Raises
    ------
    DatabaseError
        Depth, density or gravity differ by more than 0.1 % and the options do not say so.
    """
    pairs = (
        ("water_depth", "m", database.water_depth),
        ("water_density", "kg/m3", database.water_density),
        ("gravity", "m/s2", database.gravity),
    )
    for name, units, value in pairs:
        allowed = getattr(options, name)
        expected = getattr(environment, name) if allowed is None else allowed
        if not math.isclose(value, expected, rel_tol=1e-3):
            raise DatabaseError(
                f"hydrodynamic database '{database.source.path}' is for {name} = {value:g} "
                f"{units}, the environment has {expected:g}; compute it for that, or set "
                f"'{name}: {value:g}' in the adapter if the difference is meant"
            )
