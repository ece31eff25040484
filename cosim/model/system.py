"""The mechanical system as the user describes it; no formulation, no time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field, PrivateAttr, ValidationError, model_validator

from cosim.environment.environment import Environment
from cosim.errors import ModelError
from cosim.model.base import EARTH, Name, Number, Strict, Vector3
from cosim.model.body import Body
from cosim.model.elements import Element
from cosim.model.joints import Joint
from cosim.model.motions import Motion
from cosim.model.parameters import resolve
from cosim.model.parts import expand
from cosim.model.references import reference_problems
from cosim.model.sentences import as_validation_error, nearest, sentences

__all__ = ["System", "reference_problems"]


class System(Strict):
    """Environment, bodies, joints, points and force elements, in SI units.

    Use :meth:`from_dict` where values are ``=expressions`` of `parameters`.

    Parameters
    ----------
    environment : Environment
        Gravity, water, sea state and current: the one source of these.
    bodies, joints, elements : mapping of name to description
        Every body is the child of exactly one joint that is not ``cut``.
    motions : mapping of name to description
        What is prescribed; names differ from those of the elements.
    earth_points : mapping
        Named points fixed to earth, m, world coordinates; addressed ``earth/name``.
    parameters : mapping
        Values of the names that ``=expressions`` use.
    """

    environment: Environment = Field(default_factory=Environment)
    bodies: Annotated[dict[Name, Body], Field(min_length=1)]
    joints: dict[Name, Joint]
    elements: dict[Name, Element] = Field(default_factory=dict)
    motions: dict[Name, Motion] = Field(default_factory=dict)
    earth_points: dict[Name, Vector3] = Field(default_factory=dict)
    parameters: dict[Name, Number] = Field(default_factory=dict)

    _source: dict[str, Any] = PrivateAttr(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> System:
        """Validate a description; parts are placed, ``=expressions`` evaluated.

        Parameters may be expressions of earlier ones. All mistakes are reported together.

        Raises
        ------
        ModelError
            One line per mistake, each naming the element and what to do.
        """
        whole = dict(expand(data))
        given = data.get("parameters") or {}
        whole["parameters"] = resolve(given)
        try:
            system = cls.model_validate(whole, context={"parameters": whole["parameters"]})
        except ValidationError as error:
            raise ModelError("\n".join(sentences(error, whole, cls))) from None
        system._source = {**whole, "parameters": dict(given)}
        return system

    @property
    def source(self) -> Mapping[str, Any]:
        """The description with its expressions, parts placed (empty if built from objects)."""
        return self._source

    @model_validator(mode="after")
    def _references_exist(self) -> System:
        problems = reference_problems(self)
        if problems:
            raise as_validation_error("System", problems)
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
        earth, _, name = address.partition("/")
        if earth == EARTH and name in self.earth_points:
            return EARTH, self.earth_points[name]
        body, _, name = address.rpartition("/")
        if body in self.bodies and name in self.bodies[body].points:
            return body, self.bodies[body].points[name]
        raise ModelError(f"there is no point '{address}'{nearest(address, self._addresses())}")

    def _addresses(self) -> list[str]:
        named = [f"{body}/{point}" for body, b in self.bodies.items() for point in b.points]
        return [*self.bodies, *named, *(f"{EARTH}/{name}" for name in self.earth_points)]
