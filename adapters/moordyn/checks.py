"""What must hold between the records of a mooring file before MoorDyn sees it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from adapters.moordyn.records import LineEnd, LineRecord, LineType, MooringFile, RodType, Triple
from adapters.moordyn.sections import MooringFileError

__all__ = [
    "SCHEME_PATTERN",
    "check",
    "check_depth",
    "check_spans",
    "check_start",
    "scheme_problem",
]

SCHEME_PATTERN = r"(?i)euler|leuler|heun|rk2|rk4|(beuler|midpoint|aca)[1-9]\d*"
"""Time schemes to be trusted; the implicit ones carry a number of iterations (midpoint5)."""

_BAD_SCHEMES = {
    r"(?i)l?ab\d": "has wrong coefficients in MoorDyn 2.7",
    r"(?i)wilson\d*": "runs MoorDyn's clock 1.74 times too fast",
}
_DEPTH_TOLERANCE = 1e-3
"""How far below the sea bed a point may be written, m."""


class _Record(Protocol):
    @property
    def row(self) -> int: ...


class _Numbered(_Record, Protocol):
    @property
    def id(self) -> int: ...


def check(file: MooringFile) -> None:
    """Refuse a file whose records do not fit together.

    Raises
    ------
    MooringFileError
        Naming the line of the first record that is wrong.
    """
    for what, records in (
        ("body", file.bodies),
        ("point", file.points),
        ("rod", file.rods),
        ("line", file.lines),
    ):
        _check_ids(file, what, records)
    if not file.lines:
        raise MooringFileError(file.path, 0, "has no lines; MoorDyn needs at least one")
    _check_types(file)
    _check_hosts(file)
    for line in file.lines:
        _check_line(file, line)
    _check_options(file)


def check_depth(file: MooringFile, depth: float) -> None:
    """Refuse points below the sea bed.

    Parameters
    ----------
    file : MooringFile
    depth : float
        Water depth, m.

    Raises
    ------
    MooringFileError
    """
    if "SeafloorFile" in file.options:
        return
    for point in file.points:
        if point.attachment != "body" and point.position[2] < -depth - _DEPTH_TOLERANCE:
            kind = {"fixed": "anchor", "coupled": "fairlead"}.get(point.attachment, "point")
            raise MooringFileError(
                file.path,
                point.row,
                f"{kind} {point.name or point.id} at z = {point.position[2]:g} m is below the "
                f"sea bed at z = {-depth:g} m",
            )


def check_spans(file: MooringFile, max_strain: float) -> None:
    """Refuse lines that would have to stretch too far to reach from end to end.

    Parameters
    ----------
    file : MooringFile
        With fairleads in world coordinates (no points on coupled bodies).
    max_strain : float
        Strain that is accepted; steel breaks near 0.01.

    Raises
    ------
    MooringFileError
    """
    places = {p.id: p.position for p in file.points if p.attachment in ("fixed", "coupled")}
    for line in file.lines:
        ends = (line.end_a, line.end_b)
        if any(end.side or end.id not in places for end in ends):
            continue
        span = math.dist(*(places[end.id] for end in ends))
        if span > line.length * (1.0 + max_strain):
            raise MooringFileError(
                file.path,
                line.row,
                f"{line.label} is {line.length:g} m long and its ends are {span:g} m apart, a "
                f"strain of {span / line.length - 1.0:.3g}; check length and ends, or set "
                "'max_strain' if it is meant to be that taut",
            )


def check_start(file: MooringFile, places: Mapping[int, Triple], max_strain: float) -> None:
    """Refuse the pose that a run starts from: fairleads in the ground, lines out of reach.

    Parameters
    ----------
    file : MooringFile
    places : mapping of coupled point to (3,)
        Where the fairleads are, m, world frame.
    max_strain : float
        As in `check_spans`.

    Raises
    ------
    MooringFileError
    """
    points = (replace(p, position=places.get(p.id, p.position)) for p in file.points)
    moved = replace(file, points=tuple(points))
    try:
        check_depth(moved, float(file.options["WtrDpth"].value))
        check_spans(moved, max_strain)
    except MooringFileError as error:
        reason = f"where the run starts, {error.reason}"
        raise MooringFileError(error.path, error.row, reason) from None


def scheme_problem(scheme: str) -> str:
    """Why a time scheme must not be used; empty if it may."""
    for pattern, reason in _BAD_SCHEMES.items():
        if re.fullmatch(pattern, scheme):
            return f"the scheme {scheme} {reason}; use rk4"
    if not re.fullmatch(SCHEME_PATTERN, scheme):
        return f"unknown scheme '{scheme}', for which MoorDyn silently takes rk2; use rk4"
    return ""


def _check_ids(file: MooringFile, what: str, records: Sequence[_Numbered]) -> None:
    for expected, record in enumerate(records, start=1):
        if record.id != expected:
            raise MooringFileError(
                file.path,
                record.row,
                f"{what} {record.id} is number {expected} in its section; MoorDyn wants them "
                "numbered from 1 without gaps",
            )


def _check_types(file: MooringFile) -> None:
    for kinds in (file.line_types, file.rod_types):
        names = [kind.name for kind in kinds]
        for kind in kinds:
            first = kinds[names.index(kind.name)]
            if first is not kind:
                raise _wrong(file, kind, f"type '{kind.name}' was defined in line {first.row}")
            _positive(file, kind, {"Diam": kind.diameter, "Mass/m": kind.mass})
            _not_negative(file, kind, {"Cd": kind.Cd, "Ca": kind.Ca})
    for line_type in file.line_types:
        _check_line_type(file, line_type)


def _check_line_type(file: MooringFile, kind: LineType) -> None:
    _not_negative(file, kind, {"CdAx": kind.CdAx, "CaAx": kind.CaAx})
    if kind.stiffness is not None:
        _positive(file, kind, {"EA": kind.stiffness})
    for name, text in (("EA", kind.EA), ("BA", kind.BA), ("EI", kind.EI)):
        if text in kind.tables and not _beside(file, text):
            raise _wrong(
                file, kind, f"{name} is '{text}', neither a number nor a table beside the file"
            )


def _beside(file: MooringFile, name: str) -> bool:
    """True where a table of that name is in the directory of the file itself."""
    return "/" not in name and "\\" not in name and (file.path.parent / name).is_file()


def _check_hosts(file: MooringFile) -> None:
    for what, records in (("point", file.points), ("rod", file.rods)):
        for record in records:
            if record.attachment == "body" and not 1 <= record.body <= len(file.bodies):
                raise _wrong(
                    file,
                    record,
                    f"{what} {record.id} hangs on body {record.body}, "
                    f"and there are {len(file.bodies)} bodies",
                )
    for rod in file.rods:
        _check_type_exists(file, rod, rod.type, file.rod_types)
        if rod.segments < 1:
            raise _wrong(file, rod, f"rod {rod.id} needs at least one segment")


def _check_line(file: MooringFile, line: LineRecord) -> None:
    _check_type_exists(file, line, line.type, file.line_types)
    for end in (line.end_a, line.end_b):
        _check_end(file, line, end)
    if line.end_a == line.end_b:
        point = "" if line.end_a.side else file.points[line.end_a.id - 1].name
        raise _wrong(file, line, f"both ends of {line.label} are at {point or line.end_a}")
    if line.segments < 1:
        raise _wrong(file, line, f"{line.label} needs at least one segment")
    _positive(file, line, {"UnstrLen": line.length})


def _check_end(file: MooringFile, line: LineRecord, end: LineEnd) -> None:
    what, count = ("rod", len(file.rods)) if end.side else ("point", len(file.points))
    if not 1 <= end.id <= count:
        raise _wrong(
            file, line, f"{line.label} ends on {what} {end.id}, and there are {count} {what}s"
        )


def _check_type_exists(
    file: MooringFile, record: _Record, name: str, kinds: Sequence[LineType] | Sequence[RodType]
) -> None:
    names = [kind.name for kind in kinds]
    if name not in names:
        raise _wrong(file, record, f"unknown type '{name}'; there are {', '.join(names) or 'none'}")


def _check_options(file: MooringFile) -> None:
    if "tScheme" in file.options:
        problem = scheme_problem(file.options["tScheme"].value)
        if problem:
            raise _wrong(file, file.options["tScheme"], problem)
    if "SeafloorFile" in file.options and not _beside(file, file.options["SeafloorFile"].value):
        raise _wrong(file, file.options["SeafloorFile"], "there is no such file beside this one")
    for name in ("dtM", "rho"):
        if name in file.options and float(file.options[name].value) <= 0.0:
            raise _wrong(file, file.options[name], f"{name} must be positive")


def _positive(file: MooringFile, record: _Record, values: dict[str, float]) -> None:
    for name, value in values.items():
        if value <= 0.0:
            raise _wrong(file, record, f"{name} is {value:g} and must be positive")


def _not_negative(file: MooringFile, record: _Record, values: dict[str, float]) -> None:
    for name, value in values.items():
        if value < 0.0:
            raise _wrong(file, record, f"{name} is {value:g} and must not be negative")


def _wrong(file: MooringFile, record: _Record, reason: str) -> MooringFileError:
    return MooringFileError(file.path, record.row, reason)
