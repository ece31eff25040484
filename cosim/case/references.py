"""Names that lead nowhere, found even while other parts of the description are wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError

from cosim.model.base import EARTH
from cosim.model.body import Body
from cosim.model.elements import Element, ElementKind
from cosim.model.joints import Joint, JointKind
from cosim.model.motions import Motion, MotionKind
from cosim.model.sentences import Problem
from cosim.model.system import System, reference_problems

__all__ = ["dangling_references"]

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)
Context = Mapping[str, object]
_KINDS: Mapping[str, type[JointKind]] = {
    kind.model_fields["type"].default: kind for kind in get_args(JointKind)
}


def dangling_references(data: Mapping[str, Any], context: Context) -> list[Problem]:
    """Problems of references in a description that is not valid as a whole.

    Bodies and joints with mistakes of their own are stood in for by what can be read of
    them; where nothing can, no reference is judged.
    """
    bodies, joints = data.get("bodies"), data.get("joints")
    if not isinstance(bodies, Mapping) or not isinstance(joints, Mapping):
        return []
    sketched_bodies = {name: _body(value) for name, value in bodies.items()}
    sketched_joints = {name: _joint(value, context) for name, value in joints.items()}
    if None in sketched_joints.values() or None in sketched_bodies.values():
        return []
    sketch = _unchecked(
        System,
        bodies=sketched_bodies,
        joints=sketched_joints,
        elements=dict(_entries(TypeAdapter[ElementKind](Element), data.get("elements"), context)),
        motions=dict(_entries(TypeAdapter[MotionKind](Motion), data.get("motions"), context)),
        earth_points=data.get("earth_points") or {},
        parameters=data.get("parameters") or {},
    )
    return reference_problems(sketch)


def _unchecked(kind: type[M], **fields: object) -> M:
    return kind.model_construct(None, **fields)


def _body(value: object) -> Body | None:
    if not isinstance(value, Mapping):
        return None
    points = value.get("points")
    names = points if isinstance(points, Mapping) else {}
    origin = (0.0, 0.0, 0.0)
    return _unchecked(Body, cog=origin, points=dict.fromkeys(names, origin))


def _joint(value: object, context: Context) -> JointKind | None:
    try:
        return TypeAdapter[JointKind](Joint).validate_python(value, context=dict(context))
    except ValidationError:
        pass
    if not isinstance(value, Mapping) or not isinstance(value.get("child"), str):
        return None
    kind = _KINDS.get(str(value.get("type")))
    if kind is None:
        return None
    return _unchecked(kind, parent=value.get("parent", EARTH), child=value["child"])


def _entries(adapter: TypeAdapter[T], value: object, context: Context) -> Iterator[tuple[str, T]]:
    for name, entry in (value if isinstance(value, Mapping) else {}).items():
        try:
            yield name, adapter.validate_python(entry, context=dict(context))
        except ValidationError:
            continue
