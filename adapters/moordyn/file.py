"""Reading a MoorDyn version 2 input file, refusing what MoorDyn would misread.

MoorDyn reads 'abc' as 0, ignores options it does not know or that are written backwards,
and reports the rest on its own output without stopping. Reading the file here first ends
each of these in one sentence with file and line.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from adapters.moordyn.checks import check
from adapters.moordyn.records import (
    BodyRecord,
    LineEnd,
    LineRecord,
    LineType,
    MooringFile,
    OptionRecord,
    PointRecord,
    RodRecord,
    RodType,
    Triple,
)
from adapters.moordyn.sections import Row, Sections, read_sections

__all__ = ["OPTION_NAMES", "read_mooring_file"]

# own name of each option, and other spellings that MoorDyn accepts; case does not matter
_SPELLINGS = {
    "dtM": ("dt",),
    "CFL": (),
    "tScheme": (),
    "g": ("gravity",),
    "rho": ("WtrDnsty",),
    "WtrDpth": (),
    "kBot": ("kb",),
    "cBot": ("cb",),
    "dtIC": ("ICdt",),
    "TmaxIC": ("ICTmax",),
    "CdScaleIC": ("ICDfac",),
    "threshIC": ("ICthresh",),
    "ICgenDynamic": ("genDynamicIC",),
    "fileIC": ("ICfile",),
    "WaveKin": (),
    "dtWave": (),
    "Currents": (),
    "UnifyCurrentGrid": (),
    "WriteUnits": (),
    "FrictionCoefficient": (),
    "FricDamp": (),
    "StatDynFricScale": (),
    "dtOut": (),
    "SeafloorFile": (),
    "disableOutput": (),
    "disableOutTime": (),
    "writeLog": (),
}
OPTION_NAMES = {
    spelling.lower(): name for name, others in _SPELLINGS.items() for spelling in (name, *others)
}
_WORD_OPTIONS = {"tScheme", "SeafloorFile", "fileIC"}

_FIXED = ("fixed", "fix", "anchor")
_COUPLED = ("coupled", "vessel", "cpld", "ves")
_POINT_WORDS = {
    **dict.fromkeys(_FIXED, "fixed"),
    **dict.fromkeys((*_COUPLED, "fairlead"), "coupled"),
    **dict.fromkeys(("free", "connect", "con", "point"), "free"),
}
_BODY_WORDS = {
    **dict.fromkeys(_FIXED, "fixed"),
    **dict.fromkeys(_COUPLED, "coupled"),
    **dict.fromkeys(("coupledpinned", "cpldpin", "vesselpinned", "vespin"), "pinned"),
    "free": "free",
}
_ROD_WORDS = {
    **dict.fromkeys(_FIXED, "fixed"),
    **dict.fromkeys(_COUPLED, "coupled"),
    **dict.fromkeys(("coupledpinned", "cpldpin", "vesselpinned", "vespin"), "coupled pinned"),
    **dict.fromkeys(("pinned", "pin"), "pinned"),
    **dict.fromkeys(("free", "con"), "free"),
}


def read_mooring_file(path: Path) -> MooringFile:
    """Read and check a file.

    Parameters
    ----------
    path : Path

    Returns
    -------
    MooringFile

    Raises
    ------
    MooringFileError
        With file, line and reason.
    """
    sections = read_sections(path)
    _refuse_version_1(sections)
    file = MooringFile(
        path=path,
        line_types=tuple(map(_line_type, sections["line types"])),
        points=tuple(map(_point, sections["points"])),
        lines=tuple(map(_line, sections["lines"])),
        options=_options(sections["options"]),
        rod_types=tuple(map(_rod_type, sections["rod types"])),
        bodies=tuple(map(_body, sections["bodies"])),
        rods=tuple(map(_rod, sections["rods"])),
    )
    check(file)
    return file


def _refuse_version_1(sections: Sections) -> None:
    """Version 1 has no EI column in line types and forces in the columns of points."""
    for section, columns in (("line types", 9), ("points", 12)):
        for row in sections[section]:
            if len(row.words) == columns:
                raise row.error(
                    f"{section} with {columns} columns are those of a version 1 file; MoorDyn 2 "
                    "needs its own format: convert it, or describe the lines in the case"
                )


def _columns(row: Row, what: str, least: int, most: int | None = None) -> None:
    count, most = len(row.words), most or least
    if not least <= count <= most:
        needed = f"{least}" if least == most else f"{least} to {most}"
        hint = "" if count < least else "; put remarks behind '#'"
        raise row.error(f"a {what} has {needed} columns, this line has {count}{hint}")


def _triple(row: Row, column: int, names: str) -> Triple:
    a, b, c = (row.real(column + i, name) for i, name in enumerate(names.split()))
    return a, b, c


def _line_type(row: Row) -> LineType:
    _columns(row, "line type", 10, 13)
    vortex = ("Cl", "dF", "cF")[: len(row.words) - 10]
    return LineType(
        name=row.words[0],
        diameter=row.real(1, "Diam"),
        mass=row.real(2, "Mass/m"),
        EA=row.words[3],
        BA=row.words[4],
        EI=row.words[5],
        Cd=row.real(6, "Cd"),
        Ca=row.real(7, "Ca"),
        CdAx=row.real(8, "CdAx"),
        CaAx=row.real(9, "CaAx"),
        vortex=tuple(row.real(10 + i, name) for i, name in enumerate(vortex)),
        row=row.number,
    )


def _rod_type(row: Row) -> RodType:
    _columns(row, "rod type", 7)
    return RodType(
        name=row.words[0],
        diameter=row.real(1, "Diam"),
        mass=row.real(2, "Mass/m"),
        Cd=row.real(3, "Cd"),
        Ca=row.real(4, "Ca"),
        CdEnd=row.real(5, "CdEnd"),
        CaEnd=row.real(6, "CaEnd"),
        row=row.number,
    )


def _body(row: Row) -> BodyRecord:
    _columns(row, "body", 14)
    return BodyRecord(
        id=row.whole(0, "ID"),
        attachment=_word(row, 1, _BODY_WORDS),
        position=_triple(row, 2, "X0 Y0 Z0"),
        attitude_deg=_triple(row, 5, "r0 p0 y0"),
        mass=row.real(8, "Mass"),
        cog=row.reals(9, "CG", (1, 3)),
        inertia=row.reals(10, "I", (1, 3)),
        volume=row.real(11, "Volume"),
        CdA=row.reals(12, "CdA", (1, 2, 3, 6)),
        Ca=row.reals(13, "Ca", (1, 2, 3, 6)),
        row=row.number,
    )


def _point(row: Row) -> PointRecord:
    _columns(row, "point", 9)
    body = re.fullmatch(r"body(\d+)", row.words[1].lower())
    return PointRecord(
        id=row.whole(0, "ID"),
        attachment="body" if body else _word(row, 1, _POINT_WORDS, "Body1"),
        position=_triple(row, 2, "X Y Z"),
        mass=row.real(5, "Mass"),
        volume=row.real(6, "Volume"),
        CdA=row.real(7, "CdA"),
        Ca=row.real(8, "Ca"),
        body=int(body[1]) if body else 0,
        row=row.number,
    )


def _rod(row: Row) -> RodRecord:
    _columns(row, "rod", 11)
    held = re.fullmatch(r"body(\d+)(pinned|pin)?", row.words[2].lower())
    return RodRecord(
        id=row.whole(0, "ID"),
        type=row.words[1],
        attachment="body" if held else _word(row, 2, _ROD_WORDS, "Body1", "Body1Pinned"),
        end_a=_triple(row, 3, "Xa Ya Za"),
        end_b=_triple(row, 6, "Xb Yb Zb"),
        segments=row.whole(9, "NumSegs"),
        body=int(held[1]) if held else 0,
        pinned=bool(held and held[2]),
        row=row.number,
    )


def _line(row: Row) -> LineRecord:
    _columns(row, "line", 7)
    return LineRecord(
        id=row.whole(0, "ID"),
        type=row.words[1],
        end_a=_line_end(row, 2),
        end_b=_line_end(row, 3),
        length=row.real(4, "UnstrLen"),
        segments=row.whole(5, "NumSegs"),
        row=row.number,
    )


def _line_end(row: Row, column: int) -> LineEnd:
    word = row.words[column].lower()
    if rod := re.fullmatch(r"(?:r|rod)(\d+)([ab])", word):
        return LineEnd(int(rod[1]), rod[2].upper())
    if point := re.fullmatch(r"(?:p|point|c|con)?(\d+)", word):
        return LineEnd(int(point[1]))
    raise row.error(
        f"column {column + 1} is '{row.words[column]}'; a line ends on a point (4) or on a rod "
        "end (R1A)"
    )


def _word(row: Row, column: int, words: dict[str, str], *more: str) -> str:
    word = row.words[column].lower()
    if word in words:
        return words[word]
    near = difflib.get_close_matches(word, words, n=1)
    hint = f"; did you mean '{near[0]}'?" if near else ""
    known = ", ".join((*dict.fromkeys(words.values()), *more))
    raise row.error(f"unknown attachment '{row.words[column]}' (known: {known}){hint}")


def _options(rows: list[Row]) -> dict[str, OptionRecord]:
    options: dict[str, OptionRecord] = {}
    for row in rows:
        name = _option_name(row)
        if name in options:
            raise row.error(f"option {name} is given twice, first in line {options[name].row}")
        if name not in _WORD_OPTIONS:
            row.real(0, name)
        options[name] = OptionRecord(row.words[0], row.number)
    return options


def _option_name(row: Row) -> str:
    if len(row.words) < 2:
        raise row.error(f"'{row.words[0]}' alone is no option; write 'value name'")
    value, name = row.words[:2]
    if name.lower() in OPTION_NAMES:
        return OPTION_NAMES[name.lower()]
    if value.lower() in OPTION_NAMES:
        raise row.error(
            f"value and name are reversed, which MoorDyn ignores; write '{name} {value}'"
        )
    near = difflib.get_close_matches(name.lower(), OPTION_NAMES, n=1)
    hint = f"; did you mean '{OPTION_NAMES[near[0]]}'?" if near else ""
    raise row.error(f"unknown option '{name}', which MoorDyn ignores{hint}")
