"""Descriptions as the text of a case file."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cosim.errors import CaseError

__all__ = ["case_text", "write_case"]

_LINE = 92
"""Characters up to which a list or an innermost mapping stands on one line."""


def write_case(path: str | Path, sections: Mapping[str, Any], *, comment: str = "") -> None:
    """Write a case file.

    Parameters
    ----------
    path : path
    sections : mapping
        As a case file holds them.
    comment : str
        Put above them.

    Raises
    ------
    CaseError
        The file cannot be written.
    """
    try:
        Path(path).write_text(case_text(sections, comment=comment), encoding="utf-8")
    except OSError as error:
        raise CaseError(f"'{path}' cannot be written: {error.strerror}") from None


def case_text(sections: Mapping[str, Any], *, comment: str = "") -> str:
    """YAML of a case: short entries on one line, a blank line between sections."""
    from ruamel.yaml import YAML

    yaml = YAML(typ="rt")
    yaml.width = 4096  # expressions are not broken
    document = _node(sections)
    for key in list(sections)[2:]:
        document.yaml_set_comment_before_after_key(key, before="\n")
    if comment:
        document.yaml_set_start_comment(comment)
    text = io.StringIO()
    yaml.dump(document, text)
    return "\n".join(line if line.strip("# ") else "" for line in text.getvalue().split("\n"))


def _node(entry: Any) -> Any:  # noqa: ANN401  (anything that YAML has)
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    if isinstance(entry, Mapping):
        mapping = CommentedMap((key, _node(value)) for key, value in entry.items())
        if not any(isinstance(value, Mapping) for value in entry.values()) and _short(entry):
            mapping.fa.set_flow_style()
        return mapping
    if isinstance(entry, list | tuple):
        sequence = CommentedSeq(_node(value) for value in entry)
        sequence.fa.set_flow_style()
        return sequence
    return entry


def _short(entry: Mapping[str, Any]) -> bool:
    return len(str(dict(entry)).replace("'", "")) <= _LINE
