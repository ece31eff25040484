"""A report as Markdown with formulas between dollar signs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cosim.multibody.joint.symbolic.document import (
    Block,
    Document,
    Formula,
    Heading,
    Paragraph,
    Table,
)
from cosim.multibody.joint.symbolic.notation import Written

__all__ = ["markdown_page"]


def markdown_page(document: Document) -> str:
    """Text of the page.

    Parameters
    ----------
    document : Document
    """
    blocks = [f"# {document.title}", *("\n".join(_lines(block)) for block in document.blocks)]
    return "\n\n".join(blocks) + "\n"


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading(text=text):
            yield f"## {text}"
        case Paragraph(text=text):
            yield re.sub(r"([_*\[\]])", r"\\\1", text)
        case Formula(left=left, right=right):
            yield "$$"
            yield f"{left.latex} = {right.latex}"
            yield "$$"
        case Table(titles=titles, rows=rows):
            yield f"| {' | '.join(titles)} |"
            yield f"|{'---|' * len(titles)}"
            for row in rows:
                yield f"| {' | '.join(map(_cell, row))} |"


def _cell(cell: str | Written) -> str:
    """A cell without the sign that ends cells."""
    if isinstance(cell, str):
        return re.sub(r"([_*|])", r"\\\1", cell)
    latex = cell.latex.replace("\\|", "\\Vert ").replace("|", "\\vert ")
    return f"${latex}$"
