"""The whole case file as one strict record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, StringConstraints, model_validator

from cosim.case.formulation import CartesianChoice, Formulation
from cosim.case.source import Source
from cosim.errors import ModelError
from cosim.integrate.settings import TimeSettings
from cosim.model.base import EARTH, Name, NonNegative, Number, Positive, Strict
from cosim.model.elements import MatrixLoad
from cosim.model.sentences import Problem, as_validation_error, nearest
from cosim.model.system import System
from cosim.results.drawing import Member, drawing_problems
from cosim.results.variables import RESERVED

__all__ = ["VERSION", "AdapterEntry", "Case", "Output", "Start"]

VERSION: Literal[1] = 1
"""Version of the case-file schema, its key ``case``."""

_MOST_INSTANTS = 1e9


class AdapterEntry(BaseModel):
    """One adapter: its `type`; all other keys are that type's options."""

    model_config = ConfigDict(extra="allow", frozen=True)

    type: Annotated[str, StringConstraints(min_length=1)]

    def options(self) -> dict[str, Any]:
        """All keys but `type`, as written."""
        return dict(self.model_extra or {})


class Start(Strict):
    """Where the run starts.

    Parameters
    ----------
    from : {"equilibrium", "reference"}
        The coupled static equilibrium (waves off, mean current on), or the configuration
        that the case describes.
    set : mapping
        Values that replace those found: ``name.coordinate`` (m, rad), ``_deg`` in degrees,
        ``_rate`` for speeds; `name` is a joint or the child body of one. Displacements
        count from the reference configuration.
    """

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    from_: Literal["equilibrium", "reference"] = Field(default="equilibrium", alias="from")
    set: dict[str, Number] = Field(default_factory=dict)


class Output(Strict):
    """What the results hold.

    Parameters
    ----------
    step : float
        Interval of the output instants, s.
    checkpoint : float or None
        Interval of the checkpoints from which ``cosim resume`` goes on, s of simulated time;
        None takes 600 output instants, 0 keeps none.
    points : sequence of str
        ``body/point`` whose position, velocity and acceleration are stored.
    channels : "all" or sequence of str
        Variables to store; ``*`` stands for anything, as in ``lines/*``.
    file : str or None
        Name of the result file; None takes the case's name.
    drawing : mapping of body to members
        What bodies look like in pictures; ``*`` in a name stands for anything.
    """

    step: Positive = 0.1
    checkpoint: NonNegative | None = None
    points: tuple[str, ...] = ()
    channels: Literal["all"] | tuple[str, ...] = "all"
    file: str | None = None
    drawing: dict[str, tuple[Member, ...]] = Field(default_factory=dict)


class Case(System):
    """A system with its adapters, start, time and output: all that a run needs.

    Parameters
    ----------
    case : int
        Version of this schema: 1.
    title : str
        Shown in plots and stored with the results.
    formulation : str or mapping
        Of the equations of motion: ``joint``, ``symbolic`` or ``cartesian``, the latter also as
        ``{type: cartesian, ...}`` with options.
    adapters : mapping of name to adapter
        External loads; their order has no meaning.
    start : Start
    time : TimeSettings
    output : Output

    Notes
    -----
    The other parameters are those of :class:`~cosim.model.system.System`. Build it from a
    file with :func:`cosim.read_case`, from a dictionary with :meth:`from_dict`.
    """

    case: Literal[1] = VERSION
    title: str = ""
    formulation: Formulation | CartesianChoice = "joint"
    adapters: dict[Name, AdapterEntry] = Field(default_factory=dict)
    start: Start = Field(default_factory=Start)
    time: TimeSettings
    output: Output = Field(default_factory=Output)

    _origin: Source = PrivateAttr(default_factory=lambda: Source({}))
    _context: dict[str, object] = PrivateAttr(default_factory=dict)

    @model_validator(mode="after")
    def _sections_agree(self) -> Case:
        found = list(_disagreements(self))
        if found:
            raise as_validation_error("Case", found)
        return self

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, folder: str | Path = ".") -> Case:
        """Validate a description; parts are placed, ``=expressions`` evaluated.

        Parameters
        ----------
        data : mapping
            As a case file would hold it.
        folder : path
            What relative paths start from.

        Raises
        ------
        CaseError
            One line per mistake, each naming the element and what to do.
        """
        from cosim.case.check import check

        return check(Source(dict(data)), folder=Path(folder))

    @property
    def origin(self) -> Source:
        """Text and path of the file it was read from (empty if made in Python)."""
        return self._origin

    @property
    def context(self) -> Mapping[str, object]:
        """What validators of its parts are told: `parameters` and `folder`."""
        return self._context or {"parameters": self.parameters, "folder": "."}

    @property
    def name(self) -> str:
        """Name of the case: of its file, or of the folder where the file is ``case.yaml``."""
        path = self._origin.path
        if path is None:
            return "case"
        return path.resolve().parent.name if path.stem == "case" else path.stem


def _disagreements(case: Case) -> Iterator[Problem]:
    frames = ["world", *case.adapters]
    for name, element in case.elements.items():
        if isinstance(element, MatrixLoad) and element.axes not in frames:
            text = f"element '{name}': unknown axes '{element.axes}'"
            yield ("elements", name, "axes"), f"{text}{nearest(element.axes, frames)}"
    points = case.output.points
    for index, address in enumerate(points):
        if address in points[:index]:
            yield ("output", "points", index), f"'{address}' stands twice; keep one"
        try:
            body, _ = case.point(address)
        except ModelError as error:
            yield ("output", "points", index), str(error)
            continue
        if body == EARTH:
            yield ("output", "points", index), f"'{address}' is fixed to earth and does not move"
    for pattern, text in drawing_problems(case, case.output.drawing):
        yield ("output", "drawing", pattern), text
    for name in sorted(set(case.adapters) & RESERVED):
        text = f"the results use '{name}' for something else; choose another name"
        yield ("adapters", name), text
    yield from _time_problems(case)


def _time_problems(case: Case) -> Iterator[Problem]:
    end, span, step = case.time.end, case.time.end - case.time.start, case.output.step
    if step > span:
        text = f"an output every {step:g} s never comes in a run of {span:g} s; take a smaller step"
        yield ("output", "step"), text
    if span / step > _MOST_INSTANTS:
        text = (
            f"an output every {step:g} s makes {span / step:.3g} of them in {span:g} s, and "
            f"{_MOST_INSTANTS:.0e} are the most; take a larger step, or an earlier time.end"
        )
        yield ("output", "step"), text
    last = case.environment.sea_state.end_time
    if end > last:
        text = (
            f"the run ends at {end:g} s and the record of the waves at {last:g} s; end it there, "
            "or use a longer record"
        )
        yield ("time", "end"), text
