"""Expressions as values of a description: force laws, and components that depend on time."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, StringConstraints, ValidationInfo

from cosim.errors import ModelError
from cosim.model.expressions import evaluate, names, parse

__all__ = ["TIME", "Component", "Law"]

TIME = "t"
"""Name of the time in expressions."""


def _grammatical(text: str) -> str:
    try:
        parse(text)
    except ModelError as error:
        raise ValueError(str(error)) from None
    return text


def _component(value: object, info: ValidationInfo) -> object:
    """A number, the value of an expression of parameters, or an expression of the time."""
    if isinstance(value, bool):
        raise ValueError(f"{value} is not a number")
    if not isinstance(value, str):
        return value
    try:
        if names(parse(value)) & {TIME}:
            return value
        return evaluate(value, (info.context or {}).get("parameters", {}))
    except ModelError as error:
        raise ValueError(str(error)) from None


Law = Annotated[str, StringConstraints(min_length=1), AfterValidator(_grammatical)]
Component = Annotated[float | str, BeforeValidator(_component)]
