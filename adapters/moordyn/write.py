"""Writing a MoorDyn version 2 input file."""

from __future__ import annotations

from collections.abc import Iterable

from adapters.moordyn.records import BodyRecord, MooringFile, PointRecord, RodRecord

__all__ = ["mooring_text"]

_HEADINGS = {
    "LINE TYPES": (
        "TypeName Diam Mass/m EA BA/-zeta EI Cd Ca CdAx CaAx",
        "(name) (m) (kg/m) (N) (N-s/-) (N-m^2) (-) (-) (-) (-)",
    ),
    "ROD TYPES": (
        "TypeName Diam Mass/m Cd Ca CdEnd CaEnd",
        "(name) (m) (kg/m) (-) (-) (-) (-)",
    ),
    "BODIES": (
        "ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca",
        "(#) (word) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)",
    ),
    "RODS": (
        "ID RodType Attachment Xa Ya Za Xb Yb Zb NumSegs RodOutputs",
        "(#) (name) (word) (m) (m) (m) (m) (m) (m) (-) (-)",
    ),
    "POINTS": (
        "ID Attachment X Y Z Mass Volume CdA Ca",
        "(#) (word) (m) (m) (m) (kg) (m^3) (m^2) (-)",
    ),
    "LINES": (
        "ID LineType AttachA AttachB UnstrLen NumSegs LineOutputs",
        "(#) (name) (ID) (ID) (m) (-) (-)",
    ),
}
_NO_OUTPUT = "-"
_PINNED_BODY = "CoupledPinned"


def mooring_text(file: MooringFile) -> str:
    """Text of a file with these records; numbers keep all their digits.

    Outputs of MoorDyn's own are not asked for: the results come through the adapter.

    Parameters
    ----------
    file : MooringFile

    Returns
    -------
    str
    """
    tables: dict[str, list[tuple[object, ...]]] = {
        "LINE TYPES": [
            (t.name, t.diameter, t.mass, t.EA, t.BA, t.EI, t.Cd, t.Ca, t.CdAx, t.CaAx, *t.vortex)
            for t in file.line_types
        ],
        "ROD TYPES": [
            (t.name, t.diameter, t.mass, t.Cd, t.Ca, t.CdEnd, t.CaEnd) for t in file.rod_types
        ],
        "BODIES": [_body(body) for body in file.bodies],
        "RODS": [_rod(rod) for rod in file.rods],
        "POINTS": [_point(point) for point in file.points],
        "LINES": [
            (line.id, line.type, line.end_a, line.end_b, line.length, line.segments, _NO_OUTPUT)
            for line in file.lines
        ],
    }
    text = ["--- MoorDyn input file written by cosim ---"]
    for section, rows in tables.items():
        if rows:
            text += [f"--- {section} ---", *_HEADINGS[section], *map(_words, rows)]
    text += ["--- OPTIONS ---"]
    text += [f"{option.value} {name}" for name, option in file.options.items()]
    text += ["--- END ---", ""]
    return "\n".join(text)


def _point(point: PointRecord) -> tuple[object, ...]:
    return (
        point.id,
        f"Body{point.body}" if point.attachment == "body" else point.attachment,
        *point.position,
        point.mass,
        point.volume,
        point.CdA,
        point.Ca,
    )


def _body(body: BodyRecord) -> tuple[object, ...]:
    return (
        body.id,
        _PINNED_BODY if body.attachment == "pinned" else body.attachment,
        *body.position,
        *body.attitude_deg,
        body.mass,
        _joined(body.cog),
        _joined(body.inertia),
        body.volume,
        _joined(body.CdA),
        _joined(body.Ca),
    )


def _rod(rod: RodRecord) -> tuple[object, ...]:
    attachment = rod.attachment.replace(" ", "")
    if rod.attachment == "body":
        attachment = f"Body{rod.body}{'Pinned' if rod.pinned else ''}"
    return (rod.id, rod.type, attachment, *rod.end_a, *rod.end_b, rod.segments, _NO_OUTPUT)


def _joined(numbers: Iterable[float]) -> str:
    return "|".join(map(repr, numbers))


def _words(row: tuple[object, ...]) -> str:
    return " ".join(repr(word) if isinstance(word, float) else str(word) for word in row)
