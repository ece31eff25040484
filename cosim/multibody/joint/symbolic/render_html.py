"""A report as one HTML page that needs nothing else: formulas are MathML."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from cosim.multibody.joint.symbolic.document import (
    Block,
    Document,
    Formula,
    Heading,
    Paragraph,
    Table,
)
from cosim.multibody.joint.symbolic.notation import Written

__all__ = ["html_page"]

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem;
  color: #1b1f24; background: #fff; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 2.2rem; }
nav { columns: 3 14rem; font-size: 0.95rem; } nav a { display: block; color: #0b5cad; }
.wide { overflow-x: auto; }
table.words { border-collapse: collapse; margin: 0.8rem 0; }
table.words th, table.words td { padding: 0.3rem 0.9rem 0.3rem 0; border-bottom: 1px solid #d8dee4;
  text-align: left; vertical-align: middle; white-space: nowrap; }
.formula { overflow-x: auto; overflow-y: hidden; margin: 0.7rem 0; padding: 0.4rem 0; }
math { font-size: 1.1rem; }
mtable.matrix { border-left: 1.5px solid; border-right: 1.5px solid; border-radius: 0.5rem;
  padding: 0.1rem 0.3rem; }
mtable.cases { border-left: 1.5px solid; border-radius: 0.5rem 0 0 0.5rem; padding-left: 0.4rem; }
mtable.cases mtd { text-align: left; }
mtd { padding: 0.4rem 0.5rem; } mover > mo { padding-bottom: 0.2em; }
@media (prefers-color-scheme: dark) { body { color: #e6e9ec; background: #14181d; }
  nav a { color: #7db8f0; } table.words th, table.words td { border-color: #3a424b; } }
"""


def html_page(document: Document) -> str:
    """Text of the page.

    Parameters
    ----------
    document : Document
    """
    headings = [b.text for b in document.blocks if isinstance(b, Heading)]
    links = "".join(f'<a href="#{_anchor(text)}">{escape(text)}</a>' for text in headings)
    title = escape(document.title)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{title}</title>\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<nav>{links}</nav>\n"
        + "\n".join(line for block in document.blocks for line in _lines(block))
        + "\n</body>\n</html>\n"
    )


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading(text=text):
            yield f'<h2 id="{_anchor(text)}">{escape(text)}</h2>'
        case Paragraph(text=text):
            yield f"<p>{escape(text)}</p>"
        case Formula(left=left, right=right):
            both = f"<mrow>{left.mathml}</mrow><mo>=</mo><mrow>{right.mathml}</mrow>"
            yield f'<div class="formula"><math display="block">{both}</math></div>'
        case Table(titles=titles, rows=rows):
            yield '<div class="wide"><table class="words">'
            yield f"<tr>{''.join(f'<th>{escape(title)}</th>' for title in titles)}</tr>"
            for row in rows:
                yield f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>"
            yield "</table></div>"


def _cell(cell: str | Written) -> str:
    return (
        escape(cell) if isinstance(cell, str) else f'<math displaystyle="true">{cell.mathml}</math>'
    )


def _anchor(text: str) -> str:
    return text.lower().replace(" ", "-")
