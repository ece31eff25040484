"""Shorter, readable forms of expressions, on request and within limits.

Nothing in the derivation simplifies blindly; here it is asked for. Every step keeps the
shortest form so far, and what was too long or took too long says so instead of hanging.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import sympy as sp

from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["ReadableEquations", "Shortener", "readable"]

_LONGEST = 400
"""Operations of an expression up to which trigonometric identities are tried."""


@dataclass
class Shortener:
    """Shortens expressions until its time is used up.

    Parameters
    ----------
    kin : Kinematics
        Its intermediates are written out, its speeds collected.
    seconds : float
        No simplification starts after that time, s; one that has started ends.
    longest : int
        Longer expressions, in operations, are only collected.

    Attributes
    ----------
    notes : list of str
        What was left as it was, and why; empty where everything was simplified.
    """

    kin: Kinematics
    seconds: float = 20.0
    longest: int = _LONGEST
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._end = time.monotonic() + self.seconds

    def shorten(self, expression: sp.Expr, name: str = "an expression") -> sp.Expr:
        """The shortest form found.

        Parameters
        ----------
        expression : Expr
        name : str
            For the notes.
        """
        best = self.kin.expand(sp.sympify(expression))
        for step in (self._collected, sp.factor_terms):
            best = min((best, step(best)), key=_length)
        if _length(best) > self.longest:
            self._note(f"{name}: longer than {self.longest} operations")
            return best
        for step in (_trigonometric, _expanded, self._collected, sp.factor_terms):
            if time.monotonic() > self._end:
                self._note(f"{name}: the time of {self.seconds:g} s was used up")
                return best
            best = min((best, step(best)), key=_length)
        return best

    def matrix(self, matrix: sp.MatrixBase, name: str = "a matrix") -> sp.Matrix:
        """Shorten entry by entry; equal entries once."""
        known: dict[sp.Expr, sp.Expr] = {}
        for place, entry in matrix.todok().items():
            if entry not in known:
                known[entry] = self.shorten(entry, f"{name}{list(place)}")
        return sp.Matrix(*matrix.shape, lambda i, j: known.get(matrix[i, j], sp.S.Zero))

    def _collected(self, expression: sp.Expr) -> sp.Expr:
        """By products of speeds, then by speeds."""
        u = [speed for speed in self.kin.u if expression.has(speed)]
        products = [a * b for k, a in enumerate(u) for b in u[k:]]
        return sp.collect(sp.expand_mul(expression), [*products, *u]) if u else expression

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


@dataclass(frozen=True)
class ReadableEquations:
    """Both sides of eq. (5) and the energies in their shortest form.

    Attributes
    ----------
    lhs : (nu, nu)
        Reduced mass matrix.
    rhs : (nu, 1)
    kinetic, potential : Expr
        J.
    notes : tuple of str
        What was too long or took too long and stands as derived; empty where all was done.
    """

    lhs: sp.Matrix
    rhs: sp.Matrix
    kinetic: sp.Expr
    potential: sp.Expr
    notes: tuple[str, ...]


def readable(
    equations: Equations, *, seconds: float = 20.0, longest: int = _LONGEST
) -> ReadableEquations:
    """Equations of motion and energies, simplified as far as the limits allow.

    Parameters
    ----------
    equations : Equations
    seconds : float
        No simplification starts after that time.
    longest : int
        Longer expressions, in operations, are only collected by the speeds.
    """
    shortener = Shortener(equations.kin, seconds=seconds, longest=longest)
    lhs = shortener.matrix(equations.lhs, "lhs")
    return ReadableEquations(
        lhs=lhs,
        rhs=shortener.matrix(equations.rhs, "rhs"),
        kinetic=_kinetic(lhs, equations.kin),
        potential=shortener.shorten(equations.potential, "potential energy"),
        notes=tuple(shortener.notes),
    )


def _kinetic(lhs: sp.Matrix, kin: Kinematics) -> sp.Expr:
    """T = u·(lhs u)/2, term by term: far shorter than the sum over the bodies."""
    u = kin.u
    terms = [lhs[i, i] * u[i] ** 2 / 2 for i in range(len(u))]
    terms += [lhs[i, j] * u[i] * u[j] for i in range(len(u)) for j in range(i)]
    return sp.Add(*terms)


def _trigonometric(expression: sp.Expr) -> sp.Expr:
    return sp.trigsimp(expression) if expression.has(sp.sin, sp.cos) else expression


def _expanded(expression: sp.Expr) -> sp.Expr:
    return _trigonometric(sp.expand(expression))


def _length(expression: sp.Expr) -> int:
    return int(sp.count_ops(expression))
