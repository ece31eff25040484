"""The part of the case file that belongs to this adapter."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from adapters.moordyn.checks import scheme_problem
from cosim.coupling.template import TemplateInterface
from cosim.environment.wave_base import CasePath
from cosim.model.base import Name, NonNegative, Number, Positive, Strict, Vector3

__all__ = [
    "FileBody",
    "FreePointOptions",
    "LineOptions",
    "LineTypeOptions",
    "MoorDynOptions",
    "SeabedOptions",
]

Address = Annotated[str, Field(min_length=1)]
Whole = Annotated[int, Field(ge=1)]


class FileBody(Strict):
    """Which body of the case a coupled body of the file is.

    Parameters
    ----------
    body : str
        Body of the case.
    frame : {"file", "cog"}
        "file": the position and attitude in the file place the body's points in the world,
        in the reference configuration. "cog": the file's frame is that of the case's body,
        with its origin at the centre of gravity, wherever the file says the body starts.
    """

    body: Name
    frame: Literal["file", "cog"] = "file"


class LineTypeOptions(Strict):
    """Properties of a kind of line.

    Parameters
    ----------
    diameter : float
        Volume-equivalent, m.
    mass : float
        In air, kg/m.
    stiffness : float
        EA, N.
    damping : float
        BA, N s; negative: share of the critical damping of a segment.
    bending_stiffness : float
        EI, N m².
    drag, added_mass : float
        Transverse coefficients, on the diameter and on the displaced mass.
    axial_drag, axial_added_mass : float
        Tangential coefficients, on the wetted surface and on the displaced mass.
    """

    diameter: Positive
    mass: Positive
    stiffness: Positive
    damping: Number = -0.8
    bending_stiffness: NonNegative = 0.0
    drag: NonNegative = 1.2
    added_mass: NonNegative = 1.0
    axial_drag: NonNegative = 0.05
    axial_added_mass: NonNegative = 0.0


class LineOptions(Strict):
    """One line.

    Parameters
    ----------
    type : str
        One of `line_types`.
    ends : (2,) sequence
        Anchor end first. Each is a name from `anchors` or `free_points`, an ``earth/point``,
        or a ``body/point`` of the case.
    length : float
        Unstretched, m.
    segments : int
        Pieces that MoorDyn cuts it into.
    """

    type: str
    ends: tuple[Address, Address]
    length: Positive
    segments: Whole = 20


class FreePointOptions(Strict):
    """A point that lines hold and the water moves: clump weight, float, or mere joint.

    Parameters
    ----------
    at : (3,) sequence
        First guess of its position, m, world frame.
    mass : float
        kg.
    volume : float
        m³.
    drag_area : float
        Drag coefficient times area, m².
    added_mass : float
        Coefficient on the displaced mass.
    """

    at: Vector3
    mass: NonNegative = 0.0
    volume: NonNegative = 0.0
    drag_area: NonNegative = 0.0
    added_mass: NonNegative = 0.0


class SeabedOptions(Strict):
    """Contact with the sea bed.

    Parameters
    ----------
    stiffness, damping : float
        Pa/m and Pa s/m on the projected area of a segment.
    friction : float
        Coefficient of Coulomb friction.
    """

    stiffness: Positive = 3.0e6
    damping: NonNegative = 3.0e5
    friction: NonNegative = 0.0


class MoorDynOptions(TemplateInterface.Options):
    """Mooring lines by MoorDyn: an existing version 2 file, or lines described here.

    Parameters
    ----------
    file : path or None
        A MoorDyn version 2 input file.
    bodies : mapping of int to str or FileBody
        Body of the case for each coupled body of the file; not needed where there is one of
        each.
    fairleads : mapping of int to str
        For coupled points of the file, by number: ``body`` (the position in the file holds)
        or ``body/point`` (the position of that point holds). Not needed where the case has
        one body.
    line_types, anchors, free_points, lines : mappings
        The lines, where there is no file.
    seabed : SeabedOptions or None
        Contact with the sea bed, where there is no file.
    scheme : str
        MoorDyn's time scheme, or "file".
    time_step : float, "auto", "file" or None
        MoorDyn's own step, s. "auto" estimates a stable one from stiffness, mass and damping
        of the segments; None is "file" where there is a file and "auto" where there is none.
    water_depth, water_density, gravity : float, "file" or None
        Instead of the environment's. None takes the environment's, and a file that says
        otherwise is an error.
    max_strain : float
        Largest strain at which a line may reach from end to end; steel breaks near 0.01.
    water_interval : float
        Longest time that one motion of the water is held, s.
    """

    file: CasePath | None = None
    bodies: dict[int, Name | FileBody] = Field(default_factory=dict)
    fairleads: dict[int, Address] = Field(default_factory=dict)
    line_types: dict[Name, LineTypeOptions] = Field(default_factory=dict)
    anchors: dict[Name, Vector3] = Field(default_factory=dict)
    free_points: dict[Name, FreePointOptions] = Field(default_factory=dict)
    lines: dict[Name, LineOptions] = Field(default_factory=dict)
    seabed: SeabedOptions | None = None
    scheme: str = "rk4"
    time_step: Positive | Literal["auto", "file"] | None = None
    water_depth: Literal["file"] | Positive | None = None
    water_density: Literal["file"] | Positive | None = None
    gravity: Literal["file"] | NonNegative | None = None
    max_strain: NonNegative = 0.01
    water_interval: Positive = 0.05

    @model_validator(mode="after")
    def _one_source(self) -> MoorDynOptions:
        described = ("line_types", "anchors", "free_points", "lines", "seabed")
        given = [key for key in described if getattr(self, key)]
        if self.file is None and not self.lines:
            raise ValueError("moordyn needs 'file', or 'line_types' and 'lines'")
        if self.file is not None and given:
            raise ValueError(f"moordyn takes either 'file' or '{given[0]}', not both")
        if self.file is None:
            self._refuse_keys_of_a_file()
        if self.scheme != "file" and (problem := scheme_problem(self.scheme)):
            raise ValueError(problem)
        return self

    def _refuse_keys_of_a_file(self) -> None:
        for key in ("bodies", "fairleads"):
            if getattr(self, key):
                raise ValueError(f"'{key}' belongs to a mooring 'file'")
        for key in ("scheme", "time_step", "water_depth", "water_density", "gravity"):
            if getattr(self, key) == "file":
                raise ValueError(f"'{key}: file' needs a mooring 'file'")
