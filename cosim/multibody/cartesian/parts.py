"""What integrators and analyses need of a model in Cartesian coordinates."""

from __future__ import annotations

from dataclasses import dataclass

from cosim.multibody.cartesian.memory import Memory

__all__ = ["Parts"]


@dataclass(frozen=True)
class Parts:
    """The arrays of a model.

    Attributes
    ----------
    memory : Memory
    rigid : int
        Number of rows that keep bodies rigid.
    flat : tuple of int
        Bodies without inertia along one of their directors.
    bodies : tuple of str
    """

    memory: Memory
    rigid: int
    flat: tuple[int, ...]
    bodies: tuple[str, ...]
