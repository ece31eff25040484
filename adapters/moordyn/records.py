"""Contents of a MoorDyn version 2 input file, as plain data in the file's own units (SI).

Every record keeps the line of the file it came from in `row` (0 if it came from elsewhere),
so that an error found late can still name it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

__all__ = [
    "BodyRecord",
    "LineEnd",
    "LineRecord",
    "LineType",
    "MooringFile",
    "OptionRecord",
    "PointRecord",
    "RodRecord",
    "RodType",
    "Triple",
]

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class LineType:
    """Properties of a kind of line.

    Attributes
    ----------
    name : str
    diameter : float
        Volume-equivalent, m.
    mass : float
        In air, kg/m.
    EA, BA, EI : str
        Stiffness, N, internal damping, N s (negative: share of critical), bending stiffness,
        N m²; as written: a number, numbers joined by ``|``, or the name of a table.
    Cd, Ca, CdAx, CaAx : float
        Transverse and tangential drag and added mass.
    vortex : tuple of float
        Up to three coefficients of vortex-induced vibration (Cl, dF, cF).
    """

    name: str
    diameter: float
    mass: float
    EA: str
    BA: str
    EI: str
    Cd: float
    Ca: float
    CdAx: float
    CaAx: float
    vortex: tuple[float, ...] = ()
    row: int = 0

    @property
    def stiffness(self) -> float | None:
        """Largest EA written as a number, N; None where a table gives it."""
        return _largest_number(self.EA)

    @property
    def damping(self) -> float | None:
        """Largest BA written as a number, N s; negative: share of critical; None: a table."""
        return _largest_number(self.BA)

    @property
    def tables(self) -> tuple[str, ...]:
        """Names of the files that EA, BA and EI refer to."""
        columns = (self.EA, self.BA, self.EI)
        return tuple(text for text in columns if _largest_number(text) is None)


@dataclass(frozen=True)
class RodType:
    """Properties of a kind of rod: m, kg/m, drag and added mass across and at the ends."""

    name: str
    diameter: float
    mass: float
    Cd: float
    Ca: float
    CdEnd: float
    CaEnd: float
    row: int = 0


@dataclass(frozen=True)
class BodyRecord:
    """A rigid body of the file.

    Attributes
    ----------
    id : int
    attachment : {"fixed", "coupled", "pinned", "free"}
    position : (3,)
        m, world frame.
    attitude_deg : (3,)
        Intrinsic x-y-z angles: R = Rx Ry Rz, degrees.
    mass, volume : float
    cog, inertia, CdA, Ca : tuple of float
        As many numbers as the file joins with ``|``.
    """

    id: int
    attachment: str
    position: Triple
    attitude_deg: Triple
    mass: float
    cog: tuple[float, ...]
    inertia: tuple[float, ...]
    volume: float
    CdA: tuple[float, ...]
    Ca: tuple[float, ...]
    row: int = 0


@dataclass(frozen=True)
class PointRecord:
    """A point: anchor, fairlead, or free connection with mass, volume and drag.

    Attributes
    ----------
    id : int
    attachment : {"fixed", "coupled", "free", "body"}
    body : int
        Body it is fixed to where `attachment` is "body", else 0.
    position : (3,)
        m; world frame, or the body's frame where `attachment` is "body".
    """

    id: int
    attachment: str
    position: Triple
    mass: float = 0.0
    volume: float = 0.0
    CdA: float = 0.0
    Ca: float = 0.0
    body: int = 0
    row: int = 0
    name: str = ""

    @property
    def label(self) -> str:
        """Name in the case, or ``point 4``."""
        return f"'{self.name}'" if self.name else f"point {self.id}"


@dataclass(frozen=True)
class RodRecord:
    """A rod between two places; `attachment` as for points, or "pinned"."""

    id: int
    type: str
    attachment: str
    end_a: Triple
    end_b: Triple
    segments: int
    body: int = 0
    pinned: bool = False
    row: int = 0


@dataclass(frozen=True)
class LineEnd:
    """What one end of a line hangs on: point `id`, or end `side` (A or B) of rod `id`."""

    id: int
    side: str = ""

    def __str__(self) -> str:
        return f"R{self.id}{self.side}" if self.side else str(self.id)


@dataclass(frozen=True)
class LineRecord:
    """A line of one type: unstretched length, m, in `segments` equal parts."""

    id: int
    type: str
    end_a: LineEnd
    end_b: LineEnd
    length: float
    segments: int
    row: int = 0
    name: str = ""

    @property
    def label(self) -> str:
        """Name in the case, or ``line 2``."""
        return f"line '{self.name}'" if self.name else f"line {self.id}"


@dataclass(frozen=True)
class OptionRecord:
    """One option, `value` as written."""

    value: str
    row: int = 0


@dataclass(frozen=True)
class MooringFile:
    """A whole input file.

    Attributes
    ----------
    path : Path
        Where it was read from; tables are looked for beside it.
    options : dict
        By MoorDyn's own name of the option.
    """

    path: Path
    line_types: tuple[LineType, ...]
    points: tuple[PointRecord, ...]
    lines: tuple[LineRecord, ...]
    options: dict[str, OptionRecord] = field(default_factory=dict)
    rod_types: tuple[RodType, ...] = ()
    bodies: tuple[BodyRecord, ...] = ()
    rods: tuple[RodRecord, ...] = ()

    def line_type(self, name: str) -> LineType:
        """The line type of that name."""
        return next(kind for kind in self.line_types if kind.name == name)

    @property
    def tables(self) -> dict[str, Path]:
        """Files that this one refers to, by the name it uses."""
        names = [name for kind in self.line_types for name in kind.tables]
        if "SeafloorFile" in self.options:
            names.append(self.options["SeafloorFile"].value)
        return {name: self.path.parent / name for name in names}

    def number(self, option: str) -> float | None:
        """Value of a numeric option, or None where the file does not give it."""
        record = self.options.get(option)
        return None if record is None else float(record.value)


def _largest_number(text: str) -> float | None:
    try:
        return max((float(part) for part in text.split("|")), key=abs)
    except ValueError:
        return None
