"""Case-file schema of the hydrodynamic adapter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, PrivateAttr, ValidationInfo, model_validator

from adapters.capytaine.hulls import HullGeometry
from cosim.environment.wave_base import CasePath
from cosim.hydrodynamics.assemble import RadiationOptions
from cosim.hydrodynamics.checks import ImportPolicy
from cosim.hydrodynamics.facts import BodyFacts
from cosim.hydrodynamics.placement import FrameOptions
from cosim.model.base import Depth, Name, Number, Positive, Strict

__all__ = ["Frequencies", "HydroOptions"]


class Frequencies(Strict):
    """Frequencies of a computation, evenly spaced; infinity is added.

    Parameters
    ----------
    min, max : float
        rad/s.
    count : int
        How many, 5 to 1000.
    """

    min: Positive
    max: Positive
    count: Annotated[int, Field(ge=5, le=1000)]

    @model_validator(mode="after")
    def _rising(self) -> Frequencies:
        if self.max <= self.min:
            raise ValueError(f"'max' ({self.max:g}) must be above 'min' ({self.min:g})")
        return self

    def values(self) -> NDArray[np.float64]:
        """All of them, rad/s."""
        return np.linspace(self.min, self.max, self.count)


class HydroOptions(Strict):
    """Hydrodynamic loads from a database, or from hulls that Capytaine computes first.

    Parameters
    ----------
    bodies : sequence of names, or mapping of body to body of the database
        A sequence when both have the same names.
    database : path, optional
        NetCDF of this package or of Capytaine, BEMIO .h5 or WAMIT .out.
    hulls : mapping of body to hull, optional
        In place of `database`: mesh files or parametric shapes, one for every body.
    omega : Frequencies, optional
        Frequencies for `hulls`.
    headings_deg : sequence of float
        Wave headings for `hulls`, degrees, going-to, counter-clockwise from +x.
    facts : mapping of body (of the database) to BodyFacts
        What the file does not say or says worse.
    accept : ImportPolicy
        What is allowed at import.
    frame : FrameOptions
        Placement of the database, and whether it follows a body.
    check_centres : bool
        Whether the centres of mass that the database knows must be those of the bodies.
    radiation : RadiationOptions
        How the memory of the radiated waves is computed.
    body_interaction : bool
        Whether the bodies radiate into each other.
    water_depth, water_density, gravity : float, optional
        Values of the database where they differ from the environment on purpose.
    """

    bodies: list[Name] | dict[Name, str]
    database: CasePath | None = None
    hulls: dict[Name, HullGeometry] = Field(default_factory=dict)
    omega: Frequencies | None = None
    headings_deg: tuple[Number, ...] = (0.0,)
    facts: dict[str, BodyFacts] = Field(default_factory=dict)
    accept: ImportPolicy = Field(default_factory=ImportPolicy)
    frame: FrameOptions = Field(default_factory=FrameOptions)
    check_centres: bool = True
    radiation: RadiationOptions = Field(default_factory=RadiationOptions)
    body_interaction: bool = True
    water_depth: Depth | None = None
    water_density: Positive | None = None
    gravity: Positive | None = None

    _folder: Path = PrivateAttr(default=Path())

    @property
    def folder(self) -> Path:
        """Folder of the case, where paths of mesh files start."""
        return self._folder

    @property
    def names(self) -> dict[str, str]:
        """Body of the database for every body of the model, in the order of the case."""
        if isinstance(self.bodies, dict):
            return dict(self.bodies)
        return {name: name for name in self.bodies}

    @model_validator(mode="after")
    def _one_source(self, info: ValidationInfo) -> HydroOptions:
        self._folder = Path((info.context or {}).get("folder", "."))
        if not self.names:
            raise ValueError("'bodies' is empty: name the bodies that feel the water")
        if len(set(self.names.values())) < len(self.bodies):
            raise ValueError("two bodies share one body of the database; use one adapter for each")
        if (self.database is None) == (not self.hulls):
            raise ValueError("give either 'database' or 'hulls'")
        if self.hulls and self.omega is None:
            raise ValueError("'hulls' need 'omega: {min: , max: , count: }'")
        if self.hulls and set(self.hulls) != set(self.names):
            raise ValueError(
                "'hulls' and 'bodies' must name the same bodies"
                + _only("hulls", set(self.hulls) - set(self.names))
                + _only("bodies", set(self.names) - set(self.hulls))
            )
        return self


def _only(key: str, names: set[str]) -> str:
    return f"; only '{key}' has {', '.join(map(repr, sorted(names)))}" if names else ""
