"""What a report consists of, whatever it is written in."""

from __future__ import annotations

from dataclasses import dataclass

from cosim.multibody.joint.symbolic.notation import Written

__all__ = ["Block", "Document", "Formula", "Heading", "Paragraph", "Table"]


@dataclass(frozen=True)
class Heading:
    """Title of a section."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Plain words."""

    text: str


@dataclass(frozen=True)
class Table:
    """Column titles and rows of plain words or formulas."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str | Written, ...], ...]


@dataclass(frozen=True)
class Formula:
    """An equation: left = right."""

    left: Written
    right: Written


Block = Heading | Paragraph | Table | Formula


@dataclass(frozen=True)
class Document:
    """A title and what stands below it."""

    title: str
    blocks: tuple[Block, ...]
