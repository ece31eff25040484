"""Which files of a Chrono or SEA-Stack run say what, and what its simulation file asks for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from cosim.case.check import report
from cosim.case.source import Source, read_source
from cosim.errors import CaseError
from cosim.model.base import Number, Strict, Vector3
from cosim.model.sentences import Problem, problems

__all__ = ["Files", "Simulation", "find_files", "read_simulation", "validated"]

R = TypeVar("R", bound=BaseModel)

DEFAULT_GRAVITY = 9.8
"""Of Chrono's parser where a simulation file does not say it, m/s²."""


class SimulationSection(Strict):
    """The section `simulation`; how Chrono solves and draws is of no use here."""

    end_time: Number | None = None
    gravity: Vector3 | None = None
    time_step: Any = None
    contact_method: Any = None
    enforce_realtime: Any = None
    integrator: Any = None
    integrator_type: Any = None
    solver: Any = None
    visualization: Any = None
    output: Any = None


class SimulationFile(Strict):
    """A simulation file, or the file of type MBS that names the others."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    version: Annotated[str, BeforeValidator(str)] = Field(default="", alias="chrono-version")
    type: str = "MBS"
    model: Any = None
    solver: Any = None
    simulation: SimulationSection
    output: Any = None
    visualization: Any = None


class Setup(Strict):
    """SEA-Stack's setup file."""

    model_file: str
    simulation_file: str | None = None
    hydro_file: Any = None
    output_directory: Any = None


@dataclass(frozen=True)
class Files:
    """A model and, where there is one, its simulation."""

    model: Source
    simulation: Source | None


@dataclass(frozen=True)
class Simulation:
    """What is taken from a simulation file.

    Attributes
    ----------
    gravity : float or None
        m/s², downwards; None where there is no file.
    end : float or None
        s; None for a run without an end.
    """

    gravity: float | None = None
    end: float | None = None


def find_files(path: str | Path, simulation: str | Path | None = None) -> Files:
    """The model that a path means, and its simulation.

    `path` is a model file, Chrono's file of type MBS or SEA-Stack's setup file. Beside
    ``name.model.yaml``, ``name.simulation.yaml`` is taken where `simulation` is not given.

    Raises
    ------
    CaseError
        No such file, or a file of another kind.
    """
    source = read_source(path, "model")
    data, folder = source.data, source.folder
    chosen = None if simulation is None else read_source(simulation, "simulation")
    if "model_file" in data:
        setup = validated(source, Setup)
        if setup.hydro_file is not None:
            text = (
                "the hydrodynamics of SEA-Stack are not read; read the model file itself and "
                "give its database to an adapter of type 'hydrodynamics'"
            )
            raise report(source, [(("hydro_file",), text)])
        if chosen is None and setup.simulation_file:
            chosen = read_source(folder / setup.simulation_file, "simulation")
        return Files(read_source(folder / setup.model_file, "model"), chosen)
    kind = str(data.get("type", "MBS")).upper()
    if kind != "MBS":
        raise report(source, [(("type",), f"files of type {kind} are not read; only MBS")])
    if isinstance(data.get("model"), str):
        return Files(read_source(folder / data["model"], "model"), chosen or source)
    if "model" not in data:
        raise CaseError(f"{source.path}:1: 'model' is required: this is not a Chrono model file")
    return Files(source, chosen or _beside(source))


def read_simulation(source: Source | None) -> Simulation:
    """Gravity and end of a simulation.

    Raises
    ------
    CaseError
    """
    if source is None:
        return Simulation()
    section = validated(source, SimulationFile).simulation
    found: list[Problem] = []
    x, y, z = section.gravity or (0.0, 0.0, -DEFAULT_GRAVITY)
    if x or y or z > 0.0:
        text = "gravity must point along -z here; turn the model so that z is up"
        found.append((("simulation", "gravity"), text))
    if found:
        raise report(source, found)
    endless = section.end_time is None or section.end_time <= 0.0
    return Simulation(gravity=abs(z), end=None if endless else section.end_time)


def validated(source: Source, record: type[R]) -> R:
    """A file as one record.

    Raises
    ------
    CaseError
        All mistakes, each with file and line.
    """
    try:
        return record.model_validate(source.data)
    except ValidationError as error:
        raise report(source, list(problems(error, source.data, record))) from None


def _beside(source: Source) -> Source | None:
    if source.path is None or not source.path.name.endswith(".model.yaml"):
        return None
    name = source.path.name.removesuffix(".model.yaml") + ".simulation.yaml"
    other = source.path.with_name(name)
    return read_source(other, "simulation") if other.exists() else None
