"""What exported programs evaluate, and the names they give it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

import sympy as sp

from cosim.multibody.joint.symbolic.equations import Equations
from cosim.multibody.joint.symbolic.functions import needed
from cosim.multibody.joint.symbolic.generated import Definitions

__all__ = ["Listing", "Part", "plain_title", "rates_of_coordinates"]


@dataclass(frozen=True)
class Part:
    """Matrices that one function of a program returns, with the intermediates they need.

    Attributes
    ----------
    steps : sequence of (Symbol, Expr)
    outputs : mapping of name to Matrix
    used : set of Symbol
        What steps and outputs depend on.
    """

    outputs: Mapping[str, sp.MatrixBase]
    steps: Definitions
    used: Collection[sp.Basic]


@dataclass
class Listing:
    """The equations as a program needs them.

    Parameters
    ----------
    equations : Equations
    reserved : collection of str
        Names that the language or the program has already.
    """

    equations: Equations
    reserved: Collection[str]
    names: dict[sp.Basic, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kin = self.equations.kin
        taken = set(self.reserved)
        symbols = (*kin.q, *kin.u, *kin.values.numbers, *(s for s, _ in kin.definitions))
        for symbol in symbols:
            name = re.sub(r"\W", "_", str(symbol))
            while name in taken:
                name += "_"
            taken.add(name)
            self.names[symbol] = name
        self.names[kin.t] = "t"

    @property
    def dynamics(self) -> Part:
        """B, B', the mass matrix of the bodies, their loads, Q and q'."""
        equations = self.equations
        kin = equations.kin
        return self.part(
            {
                "B": kin.B(),
                "B_dot": kin.B_dot(),
                "M": equations.M,
                "g": equations.g_gravity + equations.g_elements - equations.c,
                "Q": sp.Matrix(equations.Q_joint),
                "q_dot": sp.Matrix(list(rates_of_coordinates(equations))),
            }
        )

    @property
    def energies(self) -> Part:
        """Kinetic and potential energy."""
        pair = sp.Matrix([self.equations.kinetic, self.equations.potential])
        return self.part({"energy": pair})

    @property
    def positions(self) -> Part:
        """Centres of gravity of all bodies, one row each."""
        kin = self.equations.kin
        rows = [list(kin.position(body)) for body in kin.bodies]
        return self.part({"r": sp.Matrix(rows)})

    def part(self, outputs: Mapping[str, sp.MatrixBase]) -> Part:
        """Outputs with what they need."""
        entries = [entry for matrix in outputs.values() for entry in matrix.flat()]
        steps = needed(self.equations.kin.definitions, entries)
        used: set[sp.Basic] = set()
        for expression in (*entries, *(expression for _, expression in steps)):
            used |= expression.free_symbols
        return Part(outputs, steps, used)


def plain_title(title: str) -> str:
    """A title that may stand in a comment of any language."""
    return re.sub(r"[^\w .,()-]", " ", title)


def rates_of_coordinates(equations: Equations) -> Iterable[sp.Expr]:
    """Rates q' = N u, with the term (1 - p.p) p that brings quaternions back to length 1."""
    kin = equations.kin
    rates = dict(zip(kin.q, kin.q_dot, strict=True))
    for form in kin.forms.values():
        square = sp.Add(*(p**2 for p in form.quaternion))
        rates |= {p: rates[p] + (1 - square) * p for p in form.quaternion}
    return rates.values()
