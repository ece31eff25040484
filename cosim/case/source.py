"""The text of a case: YAML 1.2 with the line of every key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cosim.errors import CaseError
from cosim.model.sentences import nearest

if TYPE_CHECKING:
    from ruamel.yaml.comments import CommentedMap, CommentedSeq
    from ruamel.yaml.error import MarkedYAMLError

__all__ = ["Keys", "Source", "load_yaml", "read_source"]

Keys = tuple[str | int, ...]

_MOST_ENTRIES = 200_000
_MOST_NAMES = 12
"""Files of a folder that a sentence lists."""


@dataclass(frozen=True)
class Source:
    """A description and where each of its entries was written.

    Attributes
    ----------
    data : dict
        Plain dictionaries, lists, numbers and strings.
    text : str
        As written; empty for a description made in Python.
    path : Path or None
    lines : mapping of keys to line
        Counted from 1.
    overrides : mapping of keys to str
        Entries that came from elsewhere than the file, and from where.
    """

    data: dict[str, Any]
    text: str = ""
    path: Path | None = None
    lines: Mapping[Keys, int] = field(default_factory=dict)
    overrides: Mapping[Keys, str] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """What relative paths in the case start from."""
        return self.path.parent if self.path else Path()

    def where(self, keys: Keys) -> str:
        """``case.yaml:12``, the closest line known for an entry; empty for Python objects."""
        for length in range(len(keys), 0, -1):
            for place in (keys[:length], self._as_part(keys[:length])):
                if place in self.overrides:
                    return self.overrides[place]
        if keys and keys not in self.lines:
            for place, origin in self.overrides.items():
                if place[: len(keys)] == keys:
                    return origin
        return f"{self.path}:{self.line(keys)}" if self.path else ""

    def line(self, keys: Keys) -> int:
        """Line of an entry, or of the closest that holds it; 1 where none is known."""
        for length in range(len(keys), 0, -1):
            start = keys[:length]
            for place in (start, self._as_part(start)):
                if place in self.lines:
                    return self.lines[place]
        _, part, *_ = self._as_part(keys) or ("", "")
        made = [("parts", part, "flexible_beam"), ("parts", part)]  # what nobody wrote down
        return next((self.lines[place] for place in made if place in self.lines), 1)

    def _as_part(self, keys: Keys) -> Keys:
        """Where the entry of a placed part was written: the part's own section."""
        if len(keys) < 2 or "/" not in str(keys[1]):
            return ()
        placed, _, name = str(keys[1]).partition("/")
        for place in self.data.get("place") or ():
            if isinstance(place, Mapping) and place.get("name") == placed:
                return ("parts", str(place.get("part")), keys[0], name, *keys[2:])
        return ()


def read_source(path: str | Path, kind: str = "case") -> Source:
    """Read a case file, or ``case.yaml`` in a folder.

    Parameters
    ----------
    path : path
    kind : str
        What sentences call the file.

    Raises
    ------
    CaseError
        No such file, not YAML, a key twice: with file and line.
    """
    file = Path(path)
    if file.is_dir():
        file = file / "case.yaml"
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise CaseError(f"there is no {kind} file '{file}'{_others(file)}") from None
    except UnicodeDecodeError:
        raise CaseError(f"'{file}' is not a text file; a {kind} is YAML in UTF-8") from None
    except OSError as error:
        raise CaseError(f"'{file}' cannot be read: {error.strerror}") from None
    return load_yaml(text, file, kind)


def _others(file: Path) -> str:
    names = sorted(other.name for other in file.parent.glob("*.yaml"))
    if len(names) > _MOST_NAMES:
        near = nearest(file.name, names)
        return near or f"; its folder holds {len(names)} others"
    return f"; its folder holds {', '.join(names)}" if names else ""


def load_yaml(text: str, path: Path | None = None, kind: str = "case") -> Source:
    """Parse the text of a case.

    Raises
    ------
    CaseError
        Not YAML, a key twice, or not a mapping.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    label = str(path or "<case>")
    try:
        document = YAML(typ="rt").load(text)
        lines: dict[Keys, int] = {}
        data = _plain(document, (), lines)
    except MarkedYAMLError as error:
        raise CaseError(_syntax(error, label)) from None
    except YAMLError as error:
        raise CaseError(f"{label}: not YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise CaseError(f"{label}: an alias contains itself") from None
    except OverflowError:
        raise CaseError(
            f"{label}: holds more than {_MOST_ENTRIES} entries; put tables into files"
        ) from None
    if not isinstance(data, dict):
        start = "case: 1" if kind == "case" else f"{kind}:"
        raise CaseError(f"{label}:1: a {kind} is a mapping that starts with '{start}'")
    return Source(data, text, path, lines)


def _plain(node: object, keys: Keys, lines: dict[Keys, int]) -> object:
    from ruamel.yaml.comments import CommentedMap, CommentedSeq

    if len(lines) > _MOST_ENTRIES:  # aliases of aliases
        raise OverflowError
    if isinstance(node, CommentedMap):
        for key in node:
            lines[(*keys, key)] = _line(node, "key", key)
        return {key: _plain(value, (*keys, key), lines) for key, value in node.items()}
    if isinstance(node, CommentedSeq):
        for index in range(len(node)):
            lines[(*keys, index)] = _line(node, "item", index)
        return [_plain(value, (*keys, index), lines) for index, value in enumerate(node)]
    for kind in (bool, int, float, str):
        if isinstance(node, kind):
            return kind(node)
    return node if node is None else str(node)


def _line(node: CommentedMap | CommentedSeq, kind: str, key: object) -> int:
    # merged keys ("<<") have no position of their own
    try:
        return int(getattr(node.lc, kind)(key)[0]) + 1
    except (KeyError, TypeError):
        return int(node.lc.line) + 1


def _syntax(error: MarkedYAMLError, label: str) -> str:
    mark = error.problem_mark or error.context_mark
    line = f":{mark.line + 1}" if mark else ""
    problem = (error.problem or str(error)).strip()
    if "duplicate key" in problem:
        key = problem.split('"')[1]
        return f"{label}{line}: key '{key}' stands twice; keep one"
    if "\\t" in problem:
        problem = "a tab cannot indent YAML; use spaces"
    elif "<block end>" in problem or "mapping values" in problem:
        problem = (
            "this line does not continue what stands above it; look there and here for wrong "
            "indentation, or a ':' without a space after it"
        )
    return f"{label}{line}: not YAML: {problem}"
