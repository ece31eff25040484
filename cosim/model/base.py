"""Base of every piece of a description: strict, frozen, numbers or ``=expressions``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo

from cosim.errors import ModelError
from cosim.model.expressions import evaluate

__all__ = [
    "EARTH",
    "NAME_PATTERN",
    "Depth",
    "Integer",
    "Name",
    "NonNegative",
    "Number",
    "Positive",
    "Strict",
    "Vector3",
    "Vector6",
]

EARTH = "earth"
NAME_PATTERN = r"^[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*$"


class Strict(BaseModel):
    """A frozen record that refuses unknown keys, NaN and infinities."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy with some fields replaced; what was calculated from the old ones is forgotten."""
        copy = super().model_copy(update=update, deep=deep)
        for cached in copy.__dict__.keys() - type(copy).model_fields.keys():
            del copy.__dict__[cached]
        return copy


def _number(value: object, info: ValidationInfo) -> object:
    """Evaluate ``=expression``; refuse what YAML users mistake for numbers."""
    if isinstance(value, str) and value.startswith("="):
        parameters = (info.context or {}).get("parameters", {})
        try:
            return evaluate(value, parameters)
        except ModelError as error:
            raise ValueError(str(error)) from None
    if isinstance(value, bool | str):
        raise ValueError(f"{value!r} is not a number (write 1.5, 1e3 or '=expression')")
    return value


def _unbounded(value: object) -> object:
    return math.inf if value in ("inf", ".inf") else value


Number = Annotated[float, BeforeValidator(_number, json_schema_input_type=float | str)]
Integer = Annotated[int, BeforeValidator(_number, json_schema_input_type=int | str)]
Positive = Annotated[Number, Field(gt=0)]
NonNegative = Annotated[Number, Field(ge=0)]
Depth = Annotated[
    float,
    Field(gt=0, allow_inf_nan=True),
    BeforeValidator(_number, json_schema_input_type=float | str),
    BeforeValidator(_unbounded),
]
Vector3 = tuple[Number, Number, Number]
Vector6 = tuple[Number, Number, Number, Number, Number, Number]
Name = Annotated[str, Field(pattern=NAME_PATTERN)]
