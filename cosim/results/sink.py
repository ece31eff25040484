"""Where results go: one contract for memory and file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from numpy.typing import NDArray

from cosim.multibody.interface import Float
from cosim.results.variables import Variable

__all__ = ["Arrays", "Constants", "Contents", "Sink"]


Arrays = Mapping[str, tuple[tuple[str, ...], NDArray[Any], Mapping[str, str]]]


@dataclass(frozen=True)
class Constants:
    """What does not change during a run.

    Attributes
    ----------
    attributes : mapping
        Global attributes.
    arrays : mapping of name to (dimensions, values, attributes)
        Wave components, reference positions; numbers or (as objects) texts.
    texts : mapping of name to str
        Longer texts, such as the case file.
    """

    attributes: Mapping[str, str] = field(default_factory=dict)
    arrays: Arrays = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Contents:
    """What a sink is told before the first values.

    Attributes
    ----------
    coordinates : mapping of dimension to labels
    variables : sequence of Variable
    instants, shape_instants : int
        How many instants are expected; more may come.
    constants : Constants
    """

    coordinates: Mapping[str, Sequence[str]]
    variables: Sequence[Variable]
    instants: int
    shape_instants: int
    constants: Constants


class Sink(Protocol):
    """Receives values in order of time.

    Call order: `open`, (`append` | `sync` | `rewind`)*, `close`.
    """

    def open(self, contents: Contents) -> None:
        """Prepare for these variables."""

    def append(self, values: Mapping[str, Float]) -> None:
        """Add instants: arrays with time first; ``time`` or ``shape_time`` is among them."""

    def sync(self) -> None:
        """Make what was added safe."""

    def rewind(self, rows: Mapping[str, int]) -> None:
        """Forget all but the first rows on each dimension of time; others come in their place."""

    def close(self, status: str) -> None:
        """Finish; `status` says how the run ended. May be called without `open`."""
