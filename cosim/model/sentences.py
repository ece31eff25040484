"""Validation errors as sentences that name the element and say what to do."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from cosim.model.known_keys import known_keys, known_types

__all__ = [
    "REFERENCE",
    "Path",
    "Problem",
    "as_validation_error",
    "located",
    "nearest",
    "problems",
    "sentences",
]

Path = tuple[str | int, ...]
"""Keys and indices from the root of a description to the place of a mistake."""

Problem = tuple[Path, str]
"""Where, and the sentence."""

REFERENCE = "reference"
"""Type of errors whose sentence already names the element (pydantic's `type`)."""


def problems(
    error: ValidationError, data: object = None, model: type[BaseModel] | None = None
) -> Iterator[Problem]:
    """Every mistake as (path, sentence), in terms of the description as it was written.

    pydantic puts the tag of a tagged union and the member of a plain union into its paths;
    they are left out here. Of the members of a plain union only the one with the fewest
    complaints speaks.

    Parameters
    ----------
    error : pydantic.ValidationError
    data : object
        What was validated; without it tags stay in the paths.
    model : type, optional
        What it was validated against; gives suggestions for unknown keys.

    Yields
    ------
    path : tuple of str or int
    sentence : str
        Several lines of one validator become several problems.
    """
    complaints = [_Complaint.of(item, data) for item in error.errors()]
    told: dict[Path, list[tuple[_Complaint, str]]] = defaultdict(list)
    for complaint in _closest_members(_one_per_tuple(complaints)):
        text = _message(complaint, data, model)
        here = told[complaint.place]
        if here and complaint.is_alternative_to(here[-1][0]):
            here[-1] = (complaint, _either(here[-1][1], text))
        else:
            here.append((complaint, text))
    for path, pairs in told.items():
        lines = [line for _, text in pairs for line in text.split("\n")]
        yield from ((path, line) for line in dict.fromkeys(lines))


def sentences(
    error: ValidationError, data: object = None, model: type[BaseModel] | None = None
) -> list[str]:
    """Every mistake as one sentence that starts with its path."""
    return [located(path, text) for path, text in problems(error, data, model)]


def as_validation_error(title: str, found: Iterable[Problem]) -> ValidationError:
    """The error that a validator raises for problems it has found and placed itself."""
    return ValidationError.from_exception_data(
        title,
        [
            InitErrorDetails(
                type=PydanticCustomError(REFERENCE, "{text}", {"text": text}), loc=path, input=None
            )
            for path, text in found
        ],
    )


def located(path: Path, text: str) -> str:
    """The sentence with its path in front, unless it names the element itself."""
    if not path or re.match(r"(body|joint|element) '", text):
        return text
    if text.startswith((f"unknown key '{path[-1]}'", f"key '{path[-1]}'")):
        path = path[:-1]
    return f"{'.'.join(map(str, path))}: {text}" if path else text


def nearest(name: str, known: Iterable[str]) -> str:
    """``; did you mean '...'?`` or nothing."""
    names = list(known)
    near = [other for other in names if other.casefold() == name.casefold()]
    near = near or difflib.get_close_matches(name, names, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


@dataclass(frozen=True)
class _Complaint:
    """One of pydantic's errors, its path cleaned.

    `members` are the union members that the path went through: where and which.
    """

    item: ErrorDetails
    path: Path
    members: tuple[tuple[Path, str], ...]

    @classmethod
    def of(cls, item: ErrorDetails, data: object) -> _Complaint:
        path, members = _clean(item, data)
        return cls(item, path, members)

    @property
    def place(self) -> Path:
        """Where to look: the holder of what is missing, else the value itself."""
        return self.path[:-1] if self.item["type"] == "missing" else self.path

    def is_alternative_to(self, other: _Complaint) -> bool:
        """Both complain about one value, as different members of one union."""
        members = dict(self.members)
        return any(members.get(place, tag) != tag for place, tag in other.members)


def _clean(item: ErrorDetails, data: object) -> tuple[Path, tuple[tuple[Path, str], ...]]:
    path: list[str | int] = []
    members: list[tuple[Path, str]] = []
    node, tagged = data, False
    for position, key in enumerate(item["loc"]):
        last = position == len(item["loc"]) - 1
        is_tag = isinstance(node, Mapping) and not tagged and not last and key == node.get("type")
        if data is None:
            inside = key != "[key]"
        elif is_tag or key == "[key]":
            inside = False
        else:
            inside = _has(node, key) or (last and item["type"] == "missing")
        if not inside:
            members.append((tuple(path), str(key)))
            tagged = True
            continue
        path.append(key)
        node, tagged = _child(node, key), False
    return tuple(path), tuple(members)


def _has(node: object, key: str | int) -> bool:
    if isinstance(node, Mapping):
        return key in node
    if isinstance(node, Sequence) and not isinstance(node, str):
        return isinstance(key, int) and 0 <= key < len(node)
    return False


def _child(node: object, key: str | int) -> object:
    return node[key] if _has(node, key) else None  # type: ignore[index]


def _one_per_tuple(complaints: list[_Complaint]) -> list[_Complaint]:
    """Of several entries missing at the end of one tuple keep the last."""
    last: dict[tuple[Path, object], _Complaint] = {}
    for number, complaint in enumerate(complaints):
        short = complaint.item["type"] == "missing" and isinstance(complaint.path[-1], int)
        last[(complaint.place, complaint.members if short else number)] = complaint
    return list(last.values())


def _closest_members(complaints: list[_Complaint]) -> list[_Complaint]:
    """Keep, at every plain union, the complaints of the members that came closest."""
    tally: dict[Path, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for complaint in complaints:
        for place, member in complaint.members:
            tally[place][member] += 1
    best = {place: min(counts.values()) for place, counts in tally.items()}
    return [
        complaint
        for complaint in complaints
        if all(tally[place][member] == best[place] for place, member in complaint.members)
    ]


def _either(first: str, second: str) -> str:
    """One sentence for the complaints of two members of a union."""
    counts = [re.fullmatch(r"([\d or]+) values are needed, (.*)", text) for text in (first, second)]
    if counts[0] and counts[1] and counts[0][1] != counts[1][1]:
        return f"{counts[0][1]} or {counts[1][1]} values are needed, {counts[0][2]}"
    return first if second in first else f"{first}, or {second}"


def _message(complaint: _Complaint, data: object, model: type[BaseModel] | None) -> str:
    item = complaint.item
    kind, context = item["type"], item.get("ctx", {})
    last = complaint.path[-1] if complaint.path else ""
    match kind:
        case "extra_forbidden":
            known = known_keys(model, data, complaint.path[:-1]) if model else []
            if last in known:
                return f"key '{last}' does not go together with the others here"
            return f"unknown key '{last}'{_hint(str(last), known)}"
        case "missing" if isinstance(last, int):
            return f"{last + 1} values are needed, {_length(item)} given"
        case "missing":
            return f"'{last}' is required"
        case "too_long":
            return f"{context['max_length']} values are needed, {context['actual_length']} given"
        case "too_short":
            return "is empty; at least one is needed"
        case "union_tag_not_found":
            types = known_types(model, data, complaint.path) if model else []
            return f"'type' is required{': ' if types else ''}{', '.join(types)}"
        case "union_tag_invalid":
            expected = re.findall(r"'([^']*)'", context["expected_tags"])
            return f"unknown type '{context['tag']}'{_hint(context['tag'], expected)}"
        case "string_pattern_mismatch" if "A-Za-z_" in context["pattern"]:
            return (
                f"{item['input']!r} is not a name: letters, digits and _, not starting with a digit"
            )
        case "value_error" | "assertion_error":
            return str(context.get("error", item["msg"]))
        case "reference":
            return item["msg"]
    return _reworded(item)


def _reworded(item: ErrorDetails) -> str:
    text = re.sub(r"^(Input|Value|String|Tuple|Dictionary|List) should ", "must ", item["msg"])
    text = text.replace("must be a valid number", "must be a number")
    text = re.sub("a valid integer(, .*)?", "a whole number", text)
    text = re.sub("a valid boolean(, unable to interpret input)?", "true or false", text)
    text = re.sub("a valid dictionary( or (instance of|object to) .*)?", "a mapping", text)
    text = text.replace("a valid tuple", "a list").replace("a valid string", "a text")
    shown = repr(item["input"])
    return f"{text[0].lower()}{text[1:]} (got {shown if len(shown) < 60 else shown[:57] + '...'})"


def _length(item: ErrorDetails) -> int:
    value: Any = item["input"]
    return len(value) if isinstance(value, Sequence) else 0


def _hint(name: str, known: Sequence[str]) -> str:
    near = nearest(name, known)
    return near or (f"; known: {', '.join(known)}" if known else "")
