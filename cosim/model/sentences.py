"""Validation errors as sentences that name the element and say what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from pydantic import ValidationError
from pydantic_core import ErrorDetails

__all__ = ["Problem", "problems", "sentences"]

Problem = tuple[tuple[str | int, ...], str]
"""Path of keys into the description, and the sentence."""


def problems(error: ValidationError) -> Iterator[Problem]:
    """Every mistake as (path, sentence), discriminator tags left out of the path.

    Parameters
    ----------
    error : pydantic.ValidationError

    Yields
    ------
    path : tuple of str or int
    sentence : str
        Several lines of one validator become several problems.
    """
    for item in error.errors():
        for line in _message(item).split("\n"):
            yield tuple(item["loc"]), line


def sentences(error: ValidationError) -> list[str]:
    """Every mistake as one sentence that starts with its path."""
    return [
        f"{'.'.join(map(str, path))}: {text}" if path else text for path, text in problems(error)
    ]


def _message(item: ErrorDetails) -> str:
    kind, context = item["type"], item.get("ctx", {})
    if kind == "extra_forbidden":
        return f"unknown key '{item['loc'][-1]}'"
    if kind == "missing":
        return f"'{item['loc'][-1]}' is required"
    if kind == "value_error":
        return str(context.get("error", item["msg"]))
    return f"{item['msg'][0].lower()}{item['msg'][1:]} (got {item['input']!r})"


def nearest(name: str, known: list[str]) -> str:
    """``; did you mean '...'?`` or nothing."""
    near = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""
