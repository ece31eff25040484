"""Values of a description as SymPy expressions of its parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeGuard

import sympy as sp

from cosim.errors import ModelError
from cosim.model.elements import MatrixLoad
from cosim.model.sentences import nearest
from cosim.model.system import System
from cosim.multibody.joint.symbolic.grammar import exact, to_sympy
from cosim.multibody.joint.symbolic.names import free_name

__all__ = ["Path", "Values"]

Path = tuple[str | int, ...]
"""Where a value stands in a description, e.g. ``("bodies", "bob", "cog", 2)``."""

_PARAMETERS = "parameters"
_TIME = "t"


class Values:
    """Numbers and symbols of one system.

    A value that the description gives as ``=expression`` becomes that expression of the
    kept parameters; every other value is the number of the validated system. A parameter
    that is itself an ``=expression`` is written out in the parameters it is made of,
    unless it is kept by name.

    Parameters
    ----------
    system : System
        Built with :meth:`System.from_dict` (or from a case) where it has symbols.
    keep : collection of str, optional
        Parameters that stay symbols; None keeps all that are given as numbers, an empty
        collection none.

    Attributes
    ----------
    symbols : dict of name to Symbol
        The kept parameters.
    headings : dict of adapter to Symbol
        Headings, rad, of the adapters' frames that matrix loads use as axes.
    numbers : dict of Symbol to float
        Values of all these symbols: those of the system, and 0 for headings.

    Raises
    ------
    ModelError
        A name in `keep` that is not a parameter.
    """

    symbols: dict[str, sp.Symbol]
    headings: dict[str, sp.Symbol]
    numbers: dict[sp.Symbol, float]

    def __init__(self, system: System, keep: Collection[str] | None = None) -> None:
        self.system = system
        raw = system.source.get(_PARAMETERS, {})
        self._formulas = {name: text for name, text in raw.items() if _is_formula(text)}
        taken = {_TIME, *(name for name in system.parameters if name != _TIME)}
        self.symbols = {
            name: sp.Symbol(
                free_name(_TIME, taken) if name == _TIME else name,
                real=True,
                **self._assumptions(name),
            )
            for name in self._kept(keep)
        }
        axes = (e.axes for e in system.elements.values() if isinstance(e, MatrixLoad))
        self.headings = {
            name: sp.Symbol(free_name(f"heading_{name.replace('/', '_')}", taken), real=True)
            for name in dict.fromkeys(axes)
            if name != "world"
        }
        self.numbers = {s: float(system.parameters[n]) for n, s in self.symbols.items()}
        self.numbers |= dict.fromkeys(self.headings.values(), 0.0)
        self._parameters: dict[str, sp.Expr] = {}
        for name in system.parameters:  # each uses only those before it
            self._parameters[name] = self._parameter(name)

    def value(self, path: Path, default: float | None = None) -> sp.Expr:
        """Value at a place of the description.

        Parameters
        ----------
        path : tuple
            For example ``("joints", "hinge", "at", 2)``.
        default : float, optional
            Where the description has None there.

        Raises
        ------
        ModelError
            There is no number there.
        """
        written = self._written(path)
        if _is_formula(written):
            expression = to_sympy(written, self._parameters)
            if expression.free_symbols:
                return expression
        number = self._validated(path)
        if number is None:
            number = default
        if not isinstance(number, int | float):
            raise ModelError(f"there is no number at {'.'.join(map(str, path))}")
        return exact(number)

    def vector(self, path: Path) -> sp.Matrix:
        """Three values as a column."""
        return sp.Matrix([self.value((*path, k)) for k in range(3)])

    def direction(self, path: Path) -> sp.Matrix:
        """Three values as a column of length 1."""
        vector = self.vector(path)
        square = sp.trigsimp(sum(x**2 for x in vector))
        return vector / sp.sqrt(square)

    def component(self, path: Path, variables: Mapping[str, sp.Expr]) -> sp.Expr:
        """A number or an expression of parameters and `variables` (the time, for example)."""
        validated = self._validated(path)
        written = self._written(path)
        text = validated if written is None else written
        if isinstance(text, str):
            expression = self.law(text, variables)
            if expression.free_symbols or isinstance(validated, str):
                return expression
        return self.value(path)

    def law(self, text: str, variables: Mapping[str, sp.Expr]) -> sp.Expr:
        """A force law in the parameters and its variables."""
        return to_sympy(text, {**self._parameters, **variables})

    @property
    def gravity(self) -> sp.Expr:
        """Acceleration of gravity, m/s², along -z."""
        return self.value(("environment", "gravity"))

    def inertia(self, body: str) -> sp.Matrix:
        """Inertia tensor about the centre of gravity, kg m², world axes at q = 0."""
        given = self.system.bodies[body].inertia
        v = [self.value(("bodies", body, "inertia", k)) for k in range(len(given))]
        xy, xz, yz = v[3:] if len(v) == 6 else (0, 0, 0)
        local = sp.Matrix([[v[0], xy, xz], [xy, v[1], yz], [xz, yz, v[2]]])
        roll, pitch, yaw = (
            self.value(("bodies", body, "attitude_deg", k)) * sp.pi / 180 for k in range(3)
        )
        turns = sp.rot_ccw_axis3(yaw), sp.rot_ccw_axis2(pitch), sp.rot_ccw_axis1(roll)
        first, second, third = (turn.applyfunc(_decimal) for turn in turns)
        turn = first * second * third
        return turn * local * turn.T

    def _kept(self, keep: Collection[str] | None) -> list[str]:
        parameters = self.system.parameters
        if isinstance(keep, str):
            keep = (keep,)
        if keep is None:
            return [name for name in parameters if name not in self._formulas]
        for name in keep:
            if name not in parameters:
                hint = nearest(name, parameters)
                raise ModelError(f"cannot keep '{name}': there is no such parameter{hint}")
        return [name for name in parameters if name in keep]

    def _assumptions(self, name: str) -> dict[str, bool]:
        """Positive where it is a mass or a moment of inertia as it stands."""
        for body, described in self.system.bodies.items():
            places: list[Path] = [("bodies", body, "mass")]
            if not any(described.attitude_deg):
                places += [("bodies", body, "inertia", k) for k in range(3)]
            for place in places:
                written = self._written(place)
                if _is_formula(written) and written.removeprefix("=").strip() == name:
                    return {"positive": True}
        return {}

    def _parameter(self, name: str) -> sp.Expr:
        if name in self.symbols:
            return self.symbols[name]
        if name in self._formulas:
            expression = to_sympy(self._formulas[name], self._parameters)
            if expression.free_symbols:
                return expression
        return exact(float(self.system.parameters[name]))

    def _written(self, path: Path) -> object:
        """What the source says there; None where it says nothing."""
        place: object = self.system.source
        for key in path:
            if isinstance(place, Mapping):
                place = place.get(key)
            elif isinstance(place, list | tuple) and isinstance(key, int) and key < len(place):
                place = place[key]
            else:
                return None
        return place

    def _validated(self, path: Path) -> object:
        place: object = self.system
        for key in path:
            if isinstance(place, Mapping) or isinstance(key, int):
                place = place[key]  # type: ignore[index]
            else:
                place = getattr(place, key)
        return place


def _decimal(entry: sp.Expr) -> sp.Expr:
    """Sines of given angles as doubles: nested roots would be exact, and unreadable."""
    return exact(float(entry)) if entry.is_number else entry


def _is_formula(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and value.startswith("=")
