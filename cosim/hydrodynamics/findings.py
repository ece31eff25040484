"""What an inspection of a database says: never a repair, always a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Finding", "error", "note", "warning"]

Severity = Literal["note", "warning", "error"]


@dataclass(frozen=True)
class Finding:
    """One finding.

    Attributes
    ----------
    severity : {"note", "warning", "error"}
        An error forbids the use of the database, a warning doubts a number, a note says
        what was done.
    sentence : str
    """

    severity: Severity
    sentence: str


def note(sentence: str) -> Finding:
    """A finding that says what was done."""
    return Finding("note", sentence)


def warning(sentence: str) -> Finding:
    """A finding that doubts a number."""
    return Finding("warning", sentence)


def error(sentence: str) -> Finding:
    """A finding that forbids the use."""
    return Finding("error", sentence)
