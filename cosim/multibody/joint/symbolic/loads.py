"""What force elements do, in symbols: wrenches, generalised forces, energy, power."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import sympy as sp

from cosim.model.base import EARTH

if TYPE_CHECKING:
    from cosim.multibody.joint.symbolic.kinematics import Kinematics

__all__ = ["ElementLoad", "Loads"]


@dataclass(frozen=True)
class ElementLoad:
    """The load of one element.

    Attributes
    ----------
    kin : Kinematics
    wrenches : tuple of (body, force, moment)
        Forces and moments at the centres of gravity, columns in world axes, N and N m.
        A body may appear twice.
    forces : tuple of (speed, force)
        Generalised forces on the speeds of these numbers, N or N m.
    spring : Expr
        Energy of springs, preloads and stops, J: what the numeric core counts as potential.
    law_energy : Expr
        Energy of what a law gives as a function of position alone, J.
    other_power : Expr
        Power, W, of everything whose energy is in neither, so that
        d/dt (spring + law_energy) = other_power - (power of all wrenches and forces).
    """

    kin: Kinematics
    wrenches: tuple[tuple[str, sp.Matrix, sp.Matrix], ...] = ()
    forces: tuple[tuple[int, sp.Expr], ...] = ()
    spring: sp.Expr = sp.S.Zero
    law_energy: sp.Expr = sp.S.Zero
    other_power: sp.Expr = sp.S.Zero

    @property
    def potential(self) -> sp.Expr:
        """All energy that it stores, J."""
        return self.spring + self.law_energy

    @property
    def g(self) -> sp.Matrix:
        """Wrenches at the centres of gravity, (6n, 1), body after body, world axes."""
        return _assembled(self.kin, (self,))

    @property
    def Q(self) -> sp.Matrix:  # noqa: N802
        """Generalised forces, (nu, 1)."""
        return _gathered(self.kin, (self,))


@dataclass(frozen=True)
class Loads:
    """The loads of all elements, without weight.

    Attributes
    ----------
    kin : Kinematics
    by_element : dict of name to ElementLoad
    """

    kin: Kinematics
    by_element: dict[str, ElementLoad] = field(default_factory=dict)

    @cached_property
    def g(self) -> sp.Matrix:
        """Wrenches at the centres of gravity, (6n, 1), body after body, world axes."""
        return _assembled(self.kin, tuple(self.by_element.values()))

    @cached_property
    def Q(self) -> sp.Matrix:  # noqa: N802
        """Generalised forces that act on joint coordinates, (nu, 1)."""
        return _gathered(self.kin, tuple(self.by_element.values()))

    @cached_property
    def spring(self) -> sp.Expr:
        """Energy of springs, preloads and stops, J: what the numeric core counts."""
        return sp.Add(*(load.spring for load in self.by_element.values()))

    @cached_property
    def law_energy(self) -> sp.Expr:
        """Energy of the laws that depend on position alone, J."""
        return sp.Add(*(load.law_energy for load in self.by_element.values()))

    @cached_property
    def potential(self) -> sp.Expr:
        """Energy of all that is conservative, J."""
        return self.spring + self.law_energy

    @cached_property
    def other_power(self) -> sp.Expr:
        """Power of what is not in `potential`, W: d/dt (kinetic + weight + potential)."""
        return sp.Add(*(load.other_power for load in self.by_element.values()))


def _assembled(kin: Kinematics, loads: Sequence[ElementLoad]) -> sp.Matrix:
    row = {body: 6 * k for k, body in enumerate(kin.system.bodies)}
    entries: dict[int, list[sp.Expr]] = {}
    for load in loads:
        for body, force, moment in load.wrenches:
            if body != EARTH:
                for k, value in enumerate((*force, *moment)):
                    entries.setdefault(row[body] + k, []).append(value)
    return _column(6 * len(row), entries)


def _gathered(kin: Kinematics, loads: Sequence[ElementLoad]) -> sp.Matrix:
    entries: dict[int, list[sp.Expr]] = {}
    for load in loads:
        for speed, force in load.forces:
            entries.setdefault(speed, []).append(force)
    return _column(len(kin.u), entries)


def _column(length: int, entries: dict[int, list[sp.Expr]]) -> sp.Matrix:
    return sp.Matrix([sp.Add(*entries.get(k, ())) for k in range(length)])
