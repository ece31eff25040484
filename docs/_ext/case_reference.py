"""Write the reference of the case file from the classes that validate it, at every build."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from docstrings import cell, documentation, prose
from pydantic import BaseModel, TypeAdapter
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from cosim.case.adapter_types import AdapterTypes
from cosim.case.schema import Output, Start
from cosim.environment import Environment
from cosim.integrate.settings import TimeSettings
from cosim.model.body import Body
from cosim.model.elements import ElementKind
from cosim.model.flexible_beam import FlexibleBeam
from cosim.model.joints import JointBase, JointKind
from cosim.model.parts import Place

if TYPE_CHECKING:
    from sphinx.application import Sphinx

__all__ = ["lines", "setup"]

TARGET = Path("reference", "generated", "case_file.md")
HEAD = ("", "| key | value | default | meaning |", "|---|---|---|---|")
TOP = (
    ("case", "`1`", "Version of this schema."),
    ("title", "text", "Shown in plots and stored with the results."),
    ("parameters", "names and numbers", "Values of the names that `=expressions` use."),
    ("environment", "[environment](#environment)", "Gravity, water, waves, current."),
    (
        "parts",
        "names and parts",
        "Each has `bodies`, `joints`, `elements`, `earth_points`, or a "
        "[flexible beam](#flexible_beam).",
    ),
    ("place", "list of [places](#place)", "Where parts go; one may be placed many times."),
    ("bodies", "names and [bodies](#bodies)", "Each is the child of one joint that is not cut."),
    (
        "joints",
        "names and [joints](#joints)",
        "A tree from `earth`; those that are cut close loops.",
    ),
    ("elements", "names and [elements](#elements)", "Springs, dampers and forces."),
    ("earth_points", "names and points", "Points fixed to earth, m, world coordinates."),
    ("adapters", "names and [adapters](#adapters)", "External loads; order has no meaning."),
    ("start", "[start](#start)", "Where the run starts."),
    ("time", "[time](#time)", "How long, how accurately, by which scheme."),
    ("output", "[output](#output)", "What is stored."),
)
REQUIRED = ("case", "bodies", "joints", "time")
Model = type[BaseModel]


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}


def write(app: Sphinx) -> None:
    page = Path(app.srcdir, TARGET)
    page.parent.mkdir(exist_ok=True)
    text = "\n".join(lines())
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def lines() -> Iterator[str]:
    """The page, section by section in the order of a case file."""
    yield from heading(2, "Top level")
    yield from HEAD
    for key, kind, meaning in TOP:
        yield f"| `{key}` | {kind} | {'**required**' if key in REQUIRED else ''} | {meaning} |"
    yield from section("environment", [Environment])
    yield from section("place", [Place])
    yield from section("flexible_beam", [FlexibleBeam])
    yield from section("bodies", [Body])
    yield from section("joints", get_args(JointKind))
    yield from section("elements", get_args(ElementKind))
    yield from heading(2, "adapters")
    yield "Every adapter has a `type`; the other keys are that type's."
    yield from adapters()
    for name, kind in (("start", Start), ("time", TimeSettings), ("output", Output)):
        yield from section(name, [kind])


def section(name: str, kinds: Sequence[Model]) -> Iterator[str]:
    yield from heading(2, name)
    for kind in kinds:
        yield from described(kind, 3, headed=len(kinds) > 1)


def adapters() -> Iterator[str]:
    types = AdapterTypes()
    kinds: dict[type, list[str]] = {}
    for name in types.names:
        kinds.setdefault(types.find(name), []).append(name)
    for kind, names in kinds.items():
        yield from heading(3, " or ".join(f"type: {name}" for name in names))
        yield from described(kind.Options, 4, headed=False)


def described(kind: Model, level: int, *, headed: bool = True) -> Iterator[str]:
    """A class and, below it, the classes that its fields hold."""
    if headed:
        yield from heading(level, title(kind))
    yield from prose(kind)
    if issubclass(kind, JointBase) and kind.names:
        yield f"Coordinates: {', '.join(f'`{name}`' for name in kind.names)}."
    yield from HEAD
    yield from rows(kind)
    for part in parts_of(kind):
        yield from described(part, min(level + headed, 6))


def heading(level: int, text: str) -> Iterator[str]:
    yield from ("", f"{'#' * level} {text}", "")


def title(kind: Model) -> str:
    """``type: revolute`` where a key tells the kind, the class's name in words elsewhere."""
    for key in ("type", "shape"):
        if key in kind.model_fields and isinstance(kind.model_fields[key].default, str):
            return f"{key}: {kind.model_fields[key].default}"
    words = kind.__name__.removesuffix("Options")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", words).capitalize()


def parts_of(kind: Model) -> list[Model]:
    found: dict[Model, None] = {}
    for field in kind.model_fields.values():
        found.update(dict.fromkeys(models(field.annotation)))
    return list(found)


def models(annotation: Any) -> Iterator[Model]:
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from models(argument)


def rows(kind: Model) -> Iterator[str]:
    documented = documentation(kind)
    names = sorted(kind.model_fields, key=lambda name: name not in ("type", "shape"))
    for name in names:
        field = kind.model_fields[name]
        key = field.alias or name
        if name in ("type", "shape") and isinstance(field.default, str):
            yield f"| `{key}` | `{field.default}` | | |"
            continue
        value, meaning = documented.get(key, ("", ""))
        value = value or described_by(TypeAdapter(field.annotation).json_schema())
        for part in models(field.annotation):
            value = value.replace(part.__name__, link(part))
        yield f"| `{key}` | {cell(value)} | {default(field)} | {cell(meaning)} |"


def link(kind: Model) -> str:
    """A link to the section of a class; the slug is the one that MyST makes of its title."""
    text = title(kind)
    return f"[{text.lower()}](#{re.sub(r'[^a-z0-9 _-]', '', text.lower()).replace(' ', '-')})"


def default(field: FieldInfo) -> str:
    value = field.get_default(call_default_factory=True)
    if value is PydanticUndefined:
        return "**required**"
    if isinstance(value, BaseModel):
        kind = type(value).model_fields.get("type")
        return f"`{{type: {kind.default}}}`" if kind else ""
    if value is None or value in ({}, ()):
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, tuple):
        return f"`[{', '.join(f'{item:g}' for item in value)}]`"
    return f"`{value:.6g}`" if isinstance(value, float) else f"`{value}`"


def described_by(schema: dict[str, Any]) -> str:
    """The type of a value, where no docstring gives it."""
    if "anyOf" in schema:
        return " or ".join(
            dict.fromkeys(described_by(s) for s in schema["anyOf"] if s.get("type") != "null")
        )
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "prefixItems" in schema:
        return f"list of {len(schema['prefixItems'])}"
    if "$ref" in schema or schema["type"] == "object":
        return "mapping"
    names = {"boolean": "`true` or `false`", "integer": "whole number", "string": "text"}
    return names.get(schema["type"], schema["type"])
