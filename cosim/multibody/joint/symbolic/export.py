"""The equations of a system in every form that is written to a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from cosim.algebra.types import Float
from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.export_c import c_source
from cosim.multibody.joint.symbolic.export_python import python_module
from cosim.multibody.joint.symbolic.render_html import html_page
from cosim.multibody.joint.symbolic.render_latex import latex_document
from cosim.multibody.joint.symbolic.render_markdown import markdown_page
from cosim.multibody.joint.symbolic.report import report

__all__ = ["ENDINGS", "Form", "Names", "exported"]

Form = Literal["html", "md", "latex", "python", "c"]

ENDINGS: Mapping[Form, str] = {
    "html": ".html",
    "md": ".md",
    "latex": ".tex",
    "python": ".py",
    "c": ".c",
}
"""Of the files of each form."""

_PAGES = {"html": html_page, "md": markdown_page, "latex": latex_document}


class Names(NamedTuple):
    """What a text calls the system: for people, and as a word."""

    title: str
    word: str


def exported(
    equations: Equations, form: Form, names: Names, *, start: tuple[Float, Float] | None = None
) -> str:
    """Text of a page (html, md, latex) or of a program (python, c).

    Parameters
    ----------
    equations : Equations
    form : str
    names : Names
    start : (q, u), optional
        For programs that can run.
    """
    if form == "python":
        return python_module(equations, title=names.title, start=start)
    if form == "c":
        return c_source(equations, title=names.word)
    return _PAGES[form](report(equations, title=names.title))
