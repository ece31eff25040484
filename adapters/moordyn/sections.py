"""A mooring file cut into sections and rows of words; nothing is interpreted yet.

MoorDyn finds a section by a line that contains ``---`` and the section's name, skips two
heading lines and reads rows up to the next ``---``. What it does not recognise it ignores;
here that is an error.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from cosim.errors import CaseError

__all__ = ["MooringFileError", "Row", "Sections", "read_sections"]

_SECTIONS = {
    "line types": r"LINE (TYPES|DICTIONARY)",
    "rod types": r"ROD (TYPES|DICTIONARY)",
    "bodies": r"\bBODIES\b|BODY (LIST|PROPERTIES)",
    "rods": r"\bRODS\b|ROD (LIST|PROPERTIES)",
    "points": r"\bPOINTS\b|POINT (LIST|PROPERTIES)|(CONNECTION|NODE) PROPERTIES",
    "lines": r"\bLINES\b|LINE (LIST|PROPERTIES)",
    "options": r"\bOPTIONS\b",
    "output": r"\bOUTPUTS?\b",
}
_REFUSED = {
    r"\bFAILURE": "line failures do not work in MoorDyn 2.7: the line breaks at the first step",
    r"\bCONTROL": "only the Fortran version of MoorDyn knows control channels",
    r"EXTERNAL LOADS": "only the Fortran version of MoorDyn knows external loads; use 'elements'",
    r"SYROPE": "the SYROPE rope model is not supported; give EA as numbers or as a table",
}
_HEADINGS = 2
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


class MooringFileError(CaseError):
    """A mooring file that must not be run.

    Parameters
    ----------
    path : Path
    row : int
        Line of the file, from 1; 0 for the file as a whole.
    reason : str
    """

    def __init__(self, path: Path, row: int, reason: str) -> None:
        where = f"{path}:{row}" if row else f"{path}"
        super().__init__(f"{where}: {reason}")
        self.path = path
        self.row = row
        self.reason = reason


@dataclass(frozen=True)
class Row:
    """Words of one line of a section."""

    path: Path
    number: int
    words: tuple[str, ...]

    def error(self, reason: str) -> MooringFileError:
        """An error about this line."""
        return MooringFileError(self.path, self.number, reason)

    def real(self, column: int, name: str) -> float:
        """Number in a column; MoorDyn would read 'abc' as 0 and '1.0D6' as 1."""
        word = self.words[column]
        if not _NUMBER.fullmatch(word) or not math.isfinite(float(word)):
            raise self.error(f"column {column + 1} ({name}) is '{word}', which is not a number")
        return float(word)

    def reals(self, column: int, name: str, counts: tuple[int, ...]) -> tuple[float, ...]:
        """Numbers joined by ``|`` in a column."""
        words = self.words[column].split("|")
        if len(words) not in counts or not all(map(_NUMBER.fullmatch, words)):
            allowed = " or ".join(map(str, counts))
            raise self.error(
                f"column {column + 1} ({name}) is '{self.words[column]}'; it takes {allowed} "
                "numbers joined by '|'"
            )
        return tuple(map(float, words))

    def whole(self, column: int, name: str) -> int:
        """Whole number in a column."""
        word = self.words[column]
        if not re.fullmatch(r"[+-]?\d+", word):
            raise self.error(
                f"column {column + 1} ({name}) is '{word}', which is not a whole number"
            )
        return int(word)


@dataclass(frozen=True)
class Sections:
    """All rows of a file.

    Attributes
    ----------
    path : Path
    rows : dict
        Rows by name of section; sections that are absent are not in it.
    """

    path: Path
    rows: dict[str, list[Row]]

    def __getitem__(self, section: str) -> list[Row]:
        return self.rows.get(section, [])


def read_sections(path: Path) -> Sections:
    """Read a mooring file into rows.

    Parameters
    ----------
    path : Path

    Raises
    ------
    MooringFileError
        The file is absent, empty, not text, not a mooring file, or has sections that
        MoorDyn would ignore or that do not work in it.
    """
    lines = _text(path).splitlines()
    rows: dict[str, list[Row]] = {}
    headers = [i for i, line in enumerate(lines) if "---" in line]
    for start, end in pairwise([*headers, len(lines)]):
        section = _section(path, start + 1, lines[start])
        body = list(_rows(path, lines, start + 1, end))
        if section is None:
            if rows and body:
                raise _unknown_section(path, start + 1, lines[start])
            continue
        if section in rows:
            raise MooringFileError(
                path, start + 1, f"a second section of {section}; MoorDyn reads only the first"
            )
        rows[section] = (
            body if section in ("options", "output") else _table(path, lines, start, body)
        )
    for section in ("line types", "points", "lines"):
        if section not in rows:
            raise _absent_section(path, section, [lines[i] for i in headers])
    return Sections(path, rows)


def _text(path: Path) -> str:
    if path.is_dir():
        raise MooringFileError(path, 0, "is a directory, not a mooring file")
    if not path.is_file():
        raise MooringFileError(path, 0, "there is no such file; paths are relative to the case")
    data = path.read_bytes()
    if b"\0" in data:
        raise MooringFileError(path, 0, "is not a text file, so not a mooring file")
    # remarks and units come in many encodings; names and numbers are ASCII in all of them
    text = data.decode("utf-8-sig", errors="replace")
    if text.startswith("version https://git-lfs"):
        raise MooringFileError(path, 1, "is a git-lfs pointer, not data; run 'git lfs pull'")
    if not text.strip():
        raise MooringFileError(path, 0, "is empty; MoorDyn would run without lines")
    return text


def _section(path: Path, row: int, header: str) -> str | None:
    title = header.upper()
    for pattern, reason in _REFUSED.items():
        if re.search(pattern, title):
            raise MooringFileError(path, row, reason)
    for section, pattern in _SECTIONS.items():
        if re.search(pattern, title):
            return section
    return None


def _rows(path: Path, lines: list[str], start: int, end: int) -> Iterator[Row]:
    for i in range(start, end):
        words = tuple(lines[i].partition("#")[0].split())
        if words:
            yield Row(path, i + 1, words)


def _table(path: Path, lines: list[str], header: int, body: list[Row]) -> list[Row]:
    """Rows below the two heading lines, which may hold anything but data."""
    for row in body:
        if row.number <= header + 1 + _HEADINGS and row.words[0].isdigit():
            raise row.error(
                f"MoorDyn skips the {_HEADINGS} lines below '{lines[header].strip(' -')}' as "
                "column names and units, and this one holds data"
            )
    return [row for row in body if row.number > header + 1 + _HEADINGS]


def _unknown_section(path: Path, row: int, header: str) -> MooringFileError:
    title = header.strip(" -\t")
    near = difflib.get_close_matches(title.lower(), _SECTIONS, n=1)
    hint = f"; did you mean '{near[0].upper()}'?" if near else ""
    return MooringFileError(path, row, f"unknown section '{title}', which MoorDyn ignores{hint}")


def _absent_section(path: Path, section: str, headers: list[str]) -> MooringFileError:
    missing = f"has no '{section.upper()}' section" if headers else "has no '--- SECTION ---' lines"
    return MooringFileError(path, 0, f"is not a MoorDyn file: it {missing}")
