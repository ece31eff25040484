"""What docstrings in numpy style say about the fields of a class, as Markdown."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

__all__ = ["cell", "documentation", "prose"]

SECTION = re.compile(r"^(\w[\w ]+)\n-{3,}\n", re.MULTILINE)
ROLE = re.compile(r":[\w:]+:`~?([^`<]+?)`")
WORDS = (
    (re.compile(r"\((\d),\) or \((\d),\) sequence"), r"list of \1 or \2"),
    (re.compile(r"\((\d),\) or \((\d), (\d)\) sequence"), r"list of \1, or \2 lists of \3"),
    (re.compile(r"\((\d),\) sequence(?: of str)?"), r"list of \1"),
    (re.compile(r"\(n,\) sequence"), "list"),
    (re.compile(r"\bsequence of float\b"), "list of numbers"),
    (re.compile(r"\bsequence of str\b"), "list of texts"),
    (re.compile(r"\bsequence\b"), "list"),
    (re.compile(r",? (?:or None|optional)$"), ""),
    (re.compile(r"\bfloat\b"), "number"),
    (re.compile(r"\bint\b"), "whole number"),
    (re.compile(r"\bstr\b"), "text"),
    (re.compile(r"\bbool\b"), "`true` or `false`"),
    (re.compile(r'"([\w-]+)"'), r"`\1`"),
    (re.compile(r"\{([^}]*)\}"), r"one of \1"),
)


def prose(kind: type) -> Iterator[str]:
    """Paragraphs of a class's docstring, without its tables of parameters."""
    pieces = SECTION.split(inspect.cleandoc(kind.__doc__ or ""))
    notes = [body for name, body in zip(pieces[1::2], pieces[2::2], strict=True) if name == "Notes"]
    for paragraph in (pieces[0], *notes):
        yield from ("", markdown(paragraph.strip()), "")


def documentation(kind: type) -> dict[str, tuple[str, str]]:
    """Type and meaning of the fields, from the docstrings of a class and its bases."""
    found: dict[str, tuple[str, str]] = {}
    for base in reversed(kind.__mro__):
        pieces = SECTION.split(inspect.cleandoc(base.__doc__ or ""))
        for name, body in zip(pieces[1::2], pieces[2::2], strict=True):
            if name in ("Parameters", "Attributes"):
                found.update(entries(body))
    return found


def entries(body: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """``a, b : type`` and the indented lines below it."""
    for entry in re.split(r"\n(?=\S)", body.strip()):
        first, _, meaning = entry.partition("\n")
        names, _, kind = first.partition(" : ")
        for name in names.split(","):
            yield name.strip(), (worded(kind.strip()), meaning)


def worded(kind: str) -> str:
    """A type in words that suit a case file."""
    for pattern, words in WORDS:
        kind = pattern.sub(words, kind)
    return kind


def markdown(text: str) -> str:
    """Markdown of the little reStructuredText that docstrings use."""
    text = ROLE.sub(lambda match: f"`{match[1].rpartition('.')[2]}`", text)
    return text.replace("``", "`").replace("::\n", ":\n")


def cell(text: str) -> str:
    """The text on one line of a table."""
    return markdown(" ".join(text.split())).replace("|", r"\|")
