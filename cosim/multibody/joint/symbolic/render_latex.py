"""A report as a LaTeX document that stands alone."""

from __future__ import annotations

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

__all__ = ["latex_document"]

# formulas wider than the page are made to fit it
_HEAD = r"""\documentclass[a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage[margin=2cm]{geometry}
\usepackage{amsmath}
\usepackage{graphicx}
\usepackage{longtable}
\setcounter{MaxMatrixCols}{99}
\newsavebox{\formulabox}
\newcommand{\fitted}[1]{\[\savebox{\formulabox}{$\displaystyle #1$}%
  \ifdim\wd\formulabox>\linewidth\resizebox{\linewidth}{!}{\usebox{\formulabox}}%
  \else\usebox{\formulabox}\fi\]}
"""

_SPECIAL = {
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{"→": r"$\rightarrow$", "²": r"\textsuperscript{2}", "~": r"\textasciitilde{}"},
    **{"\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "<": r"$<$", ">": r"$>$"},
}


def latex_document(document: Document) -> str:
    """Text of the document.

    Parameters
    ----------
    document : Document
    """
    body = "\n".join(line for block in document.blocks for line in _lines(block))
    title = _escaped(document.title)
    return (
        f"{_HEAD}\\title{{{title}}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n"
        f"{body}\n\\end{{document}}\n"
    )


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading(text=text):
            yield f"\\section*{{{_escaped(text)}}}"
        case Paragraph(text=text):
            yield f"{_escaped(text)}\n"
        case Formula(left=left, right=right):
            yield f"\\fitted{{{left.latex} = {right.latex}}}"
        case Table(titles=titles, rows=rows):
            yield f"\\begin{{longtable}}[l]{{{'l' * len(titles)}}}"
            yield f"{' & '.join(map(_escaped, titles))} \\\\ \\hline"
            for row in rows:
                yield f"{' & '.join(map(_cell, row))} \\\\"
            yield "\\end{longtable}"


def _cell(cell: str | Written) -> str:
    return _escaped(cell) if isinstance(cell, str) else f"${cell.latex}$"


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)
