"""One accepted step of the equations, with its dense output."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from cosim.multibody.interface import Float

__all__ = ["Outcome", "Piece"]


class Piece(ABC):
    """Solution over one accepted step.

    Valid until the loads of the communication step are committed: a method may evaluate
    the equations again to build its dense output.

    Attributes
    ----------
    t0, t1 : float
        s.
    y1 : (n,)
        y at t1.
    total : (m,)
        Integral of the quadrature over the step.
    """

    t0: float
    t1: float
    y1: Float
    total: Float

    @abstractmethod
    def at(self, t: float) -> Float:
        """Solution y at t0 <= t <= t1."""

    @abstractmethod
    def total_to(self, t: float) -> Float:
        """Integral of the quadrature from t0 to t."""


@dataclass(frozen=True)
class Outcome:
    """Converged solution over one step of a scheme.

    Attributes
    ----------
    pieces : tuple of Piece
        Accepted steps of the equations, in order of time.
    """

    pieces: tuple[Piece, ...]

    @property
    def t0(self) -> float:
        """Start, s."""
        return self.pieces[0].t0

    @property
    def t1(self) -> float:
        """End, s."""
        return self.pieces[-1].t1

    @property
    def y1(self) -> Float:
        """Vector y at t1."""
        return self.pieces[-1].y1

    def total(self) -> Float:
        """Integral of the quadrature over the whole step."""
        return sum((p.total for p in self.pieces[1:]), self.pieces[0].total)

    def piece(self, t: float) -> Piece:
        """Piece that holds t."""
        return next((p for p in self.pieces if t <= p.t1), self.pieces[-1])

    def at(self, t: float) -> Float:
        """Solution y at t0 <= t <= t1."""
        return self.y1 if t == self.t1 else self.piece(t).at(t)

    def total_to(self, t: float) -> Float:
        """Integral of the quadrature from t0 to t."""
        current = self.piece(t)
        before = [p.total for p in self.pieces if p.t1 <= current.t0]
        return sum(before, current.total_to(t))
