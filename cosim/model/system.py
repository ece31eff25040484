"""The mechanical system as the user describes it; no formulation, no time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import Field, PrivateAttr, ValidationError, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError

from cosim.environment.environment import Environment
from cosim.errors import ModelError
from cosim.model.base import EARTH, Name, Number, Strict, Vector3
from cosim.model.body import Body
from cosim.model.elements import (
    Element,
    ElementKind,
    JointLoad,
    MatrixLoad,
    PointForce,
    Tension,
    Torsion,
)
from cosim.model.joints import Joint
from cosim.model.sentences import REFERENCE, Problem, nearest, sentences

__all__ = ["System", "reference_problems"]


class System(Strict):
    """Environment, bodies, joints, points and force elements, in SI units.

    Use :meth:`from_dict` where values are ``=expressions`` of `parameters`.

    Parameters
    ----------
    environment : Environment
        Gravity, water, sea state and current: the one source of these.
    bodies, joints, elements : mapping of name to description
        Every body is the child of exactly one joint.
    earth_points : mapping
        Named points fixed to earth, m, world coordinates; addressed ``earth/name``.
    parameters : mapping
        Values of the names that ``=expressions`` use.
    """

    environment: Environment = Field(default_factory=Environment)
    bodies: dict[Name, Body]
    joints: dict[Name, Joint]
    elements: dict[Name, Element] = Field(default_factory=dict)
    earth_points: dict[Name, Vector3] = Field(default_factory=dict)
    parameters: dict[Name, Number] = Field(default_factory=dict)

    _source: dict[str, Any] = PrivateAttr(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> System:
        """Validate a description; all mistakes are reported together.

        Raises
        ------
        ModelError
            One line per mistake, each naming the element and what to do.
        """
        try:
            context = {"parameters": data.get("parameters", {})}
            system = cls.model_validate(dict(data), context=context)
        except ValidationError as error:
            raise ModelError("\n".join(sentences(error, data, cls))) from None
        system._source = dict(data)
        return system

    @property
    def source(self) -> Mapping[str, Any]:
        """The description as written, expressions included (empty if built from objects)."""
        return self._source

    @model_validator(mode="after")
    def _references_exist(self) -> System:
        problems = reference_problems(self)
        if problems:
            raise ValidationError.from_exception_data(
                "System",
                [
                    InitErrorDetails(
                        type=PydanticCustomError(REFERENCE, "{text}", {"text": text}),
                        loc=path,
                        input=None,
                    )
                    for path, text in problems
                ],
            )
        return self

    def point(self, address: str) -> tuple[str, tuple[float, float, float]]:
        """Body and reference position, m, of ``body/point``, ``body`` or ``earth/name``.

        Raises
        ------
        ModelError
            No such point; the nearest name is suggested.
        """
        if address in self.bodies:
            return address, self.bodies[address].cog
        body, _, name = address.rpartition("/")
        if body == EARTH and name in self.earth_points:
            return EARTH, self.earth_points[name]
        if body in self.bodies and name in self.bodies[body].points:
            return body, self.bodies[body].points[name]
        raise ModelError(f"there is no point '{address}'{nearest(address, self._addresses())}")

    def _addresses(self) -> list[str]:
        named = [f"{body}/{point}" for body, b in self.bodies.items() for point in b.points]
        return [*self.bodies, *named, *(f"{EARTH}/{name}" for name in self.earth_points)]


def reference_problems(system: System) -> list[Problem]:
    """Names in joints and elements that lead nowhere, and what is wrong with the tree."""
    return [*_tree_problems(system), *_element_problems(system)]


def _tree_problems(system: System) -> Iterable[Problem]:
    if EARTH in system.bodies:
        yield ("bodies", EARTH), f"a body cannot be called '{EARTH}'"
    known = [EARTH, *system.bodies]
    holder: dict[str, str] = {}
    for name, joint in system.joints.items():
        for end in ("parent", "child"):
            body = getattr(joint, end)
            if body not in known:
                text = f"joint '{name}': unknown {end} body '{body}'{nearest(body, known)}"
                yield ("joints", name, end), text
        if joint.child in holder:
            yield (
                ("joints", name, "child"),
                f"joint '{name}': body '{joint.child}' is already the child of joint "
                f"'{holder[joint.child]}'; closed loops need another formulation",
            )
        holder.setdefault(joint.child, name)
    for body in system.bodies:
        if body not in holder:
            text = f"body '{body}': no joint has it as child; add one (floating if it is free)"
            yield ("bodies", body), text
        elif body in _ancestors(body, system, holder):
            text = f"body '{body}': its chain of joints closes on itself and never reaches earth"
            yield ("bodies", body), text


def _ancestors(body: str, system: System, holder: Mapping[str, str]) -> list[str]:
    chain: list[str] = []
    current = body
    while current in holder:
        current = system.joints[holder[current]].parent
        if current in chain:
            break
        chain.append(current)
    return chain


def _element_problems(system: System) -> Iterable[Problem]:
    for name, element in system.elements.items():
        for text in _problems_of(f"element '{name}'", element, system):
            yield ("elements", name), text


def _problems_of(label: str, element: ElementKind, system: System) -> Iterable[str]:
    bodies = [EARTH, *system.bodies]
    match element:
        case JointLoad(joint=joint) if joint not in system.joints:
            yield f"{label}: unknown joint '{joint}'{nearest(joint, system.joints)}"
        case JointLoad():
            yield from _coordinate_problems(label, element, system)
        case PointForce(point=point):
            yield from _point_problems(label, [point], system)
        case Tension(points=points):
            yield from _point_problems(label, points, system)
        case Torsion(bodies=pair):
            yield from _body_problems(label, pair, bodies)
        case MatrixLoad(body=body, reference=reference):
            yield from _body_problems(label, (body, reference), bodies)


def _body_problems(label: str, names: Iterable[str], known: list[str]) -> Iterable[str]:
    for name in names:
        if name not in known:
            yield f"{label}: unknown body '{name}'{nearest(name, known)}"


def _point_problems(label: str, addresses: Iterable[str], system: System) -> Iterable[str]:
    for address in addresses:
        try:
            system.point(address)
        except ModelError as error:
            yield f"{label}: {error}"


def _coordinate_problems(label: str, element: JointLoad, system: System) -> Iterable[str]:
    joint = system.joints[element.joint]
    allowed = joint.coordinates
    if joint.type in ("spherical", "floating"):
        allowed = tuple(name for name in allowed if name not in joint.angular)
    if element.coordinate is None and len(joint.coordinates) != 1:
        yield f"{label}: joint '{element.joint}' needs 'coordinate', one of {', '.join(allowed)}"
    elif element.coordinate is not None and element.coordinate not in allowed:
        listing = ", ".join(allowed) or "none"
        yield (
            f"{label}: joint '{element.joint}' ({joint.type}) has no coordinate "
            f"'{element.coordinate}' to load; it has {listing}"
        )
