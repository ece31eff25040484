"""Lines described in the case file, as the records of a mooring file."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from adapters.moordyn.checks import check
from adapters.moordyn.fairleads import Fairlead
from adapters.moordyn.options import LineTypeOptions, MoorDynOptions, SeabedOptions
from adapters.moordyn.records import (
    LineEnd,
    LineRecord,
    LineType,
    MooringFile,
    OptionRecord,
    PointRecord,
    Triple,
)
from cosim.errors import ModelError
from cosim.model.base import EARTH
from cosim.model.system import System

__all__ = ["describe"]


def describe(
    name: str, options: MoorDynOptions, system: System
) -> tuple[MooringFile, tuple[Fairlead, ...]]:
    """Records and fairleads of the lines of the case.

    Parameters
    ----------
    name : str
        Of the adapter; stands where a file's path would in messages.
    options : MoorDynOptions
    system : System

    Raises
    ------
    ModelError, MooringFileError
        A line has an unknown type or end, a point has no line, or no line hangs on a body.
    """
    ends = _Ends(options, system)
    lines = []
    for number, (label, line) in enumerate(options.lines.items(), start=1):
        if line.type not in options.line_types:
            raise ModelError(
                f"line '{label}': unknown type '{line.type}'{_near(line.type, options.line_types)}"
            )
        first, second = (LineEnd(ends.number(label, end)) for end in line.ends)
        lines.append(
            LineRecord(number, line.type, first, second, line.length, line.segments, name=label)
        )
    file = MooringFile(
        path=Path(f"adapter '{name}'"),
        line_types=tuple(_line_type(key, kind) for key, kind in options.line_types.items()),
        points=tuple(ends.points),
        lines=tuple(lines),
        options=_seabed(options.seabed or SeabedOptions()),
    )
    check(file)
    ends.refuse_idle()
    if not ends.fairleads:
        raise ModelError(f"adapter '{name}': no line hangs on a body of the case")
    return file, tuple(ends.fairleads)


class _Ends:
    """Points numbered in the order in which lines name them."""

    def __init__(self, options: MoorDynOptions, system: System) -> None:
        self._options = options
        self._system = system
        self._numbers: dict[str, int] = {}
        self.points: list[PointRecord] = []
        self.fairleads: list[Fairlead] = []

    def number(self, line: str, address: str) -> int:
        if address not in self._numbers:
            self._numbers[address] = len(self.points) + 1
            self.points.append(self._point(line, address))
        return self._numbers[address]

    def refuse_idle(self) -> None:
        """Refuse points that no line holds, and names with two meanings."""
        options = self._options
        for name in (*options.anchors, *options.free_points):
            if name in options.anchors and name in options.free_points:
                raise ModelError(f"'{name}' is an anchor and a free point; rename one of them")
            if name not in self._numbers:
                kind = "anchor" if name in options.anchors else "free point"
                raise ModelError(f"{kind} '{name}' holds no line; name it in 'ends' or take it out")

    def _point(self, line: str, address: str) -> PointRecord:
        number, options = self._numbers[address], self._options
        if address in options.anchors:
            return PointRecord(number, "fixed", options.anchors[address], name=address)
        if address in options.free_points:
            free = options.free_points[address]
            hydrodynamic = free.mass, free.volume, free.drag_area, free.added_mass
            return PointRecord(number, "free", free.at, *hydrodynamic, name=address)
        body, place = self._of_case(line, address)
        if body == EARTH:
            return PointRecord(number, "fixed", place, name=address)
        lever = np.subtract(place, self._system.bodies[body].cog)
        self.fairleads.append(Fairlead(number, body, lever))
        return PointRecord(number, "coupled", place, name=address)

    def _of_case(self, line: str, address: str) -> tuple[str, Triple]:
        try:
            return self._system.point(address)
        except ModelError as error:
            known = {**self._options.anchors, **self._options.free_points}
            hint = _near(address, known) or f" (there are: {', '.join(known) or 'none'})"
            raise ModelError(
                f"line '{line}': no anchor or free point '{address}'{hint}, and {error}"
            ) from None


def _line_type(name: str, kind: LineTypeOptions) -> LineType:
    return LineType(
        name=name,
        diameter=kind.diameter,
        mass=kind.mass,
        EA=repr(kind.stiffness),
        BA=repr(kind.damping),
        EI=repr(kind.bending_stiffness),
        Cd=kind.drag,
        Ca=kind.added_mass,
        CdAx=kind.axial_drag,
        CaAx=kind.axial_added_mass,
    )


def _seabed(seabed: SeabedOptions) -> dict[str, OptionRecord]:
    values = {
        "kBot": seabed.stiffness,
        "cBot": seabed.damping,
        "FrictionCoefficient": seabed.friction,
    }
    return {key: OptionRecord(repr(value)) for key, value in values.items()}


def _near(name: str, known: Mapping[str, object]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""
