"""M4E's six types of forces as elements of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cosim.errors import ModelError
from cosim.model.sentences import nearest
from cosim.readers.formula import Value, minus, substitute, text_of, used, value
from cosim.readers.m4e_points import Points
from cosim.readers.m4e_tree import GROUND, Tree

__all__ = ["Forces"]

Element = dict[str, Any]

_FORMS = {
    "PointsBD": "[body, point, Fx, Fz, My]",
    "CG": "[body, Fx, Fz, My]",
    "TensionSpring": "[(point, point), [length, stiffness]]",
    "TensionDamper": "[(point, point), damping]",
    "TorsionSpring": "[(body, body), [angle, stiffness]]",
    "TorsionDamper": "[(body, body), damping]",
}
"""Of an entry, in sentences."""


class Forces:
    """Translates force entries.

    Parameters
    ----------
    tree : Tree
    points : Points
    parameters : mapping
        Names that coefficients may contain and stay coefficients.
    """

    def __init__(self, tree: Tree, points: Points, parameters: Mapping[str, object]) -> None:
        self._tree, self._points, self._parameters = tree, points, set(parameters)

    def elements(self, forces: Mapping[str, Sequence[Any]]) -> dict[str, Element]:
        """All of them, named by type and number from 1.

        Raises
        ------
        ModelError
            Naming the entry.
        """
        return dict(self._named(forces))

    def _named(self, forces: Mapping[str, Sequence[Any]]) -> Iterator[tuple[str, Element]]:
        kinds: dict[str, tuple[str, Callable[..., Element]]] = {
            "PointsBD": ("force", self._at_point),
            "CG": ("cg_force", self._at_centre),
            "TensionSpring": ("spring", self._tension_spring),
            "TensionDamper": ("damper", self._tension_damper),
            "TorsionSpring": ("torsion_spring", self._torsion_spring),
            "TorsionDamper": ("torsion_damper", self._torsion_damper),
        }
        if not isinstance(forces, Mapping):
            raise ModelError(f"forces: a mapping of types to lists is needed, not {forces!r}")
        for kind, entries in forces.items():
            if kind not in kinds:
                raise ModelError(f"forces: unknown type '{kind}'{nearest(str(kind), kinds)}")
            if not isinstance(entries, Sequence) or isinstance(entries, str):
                raise ModelError(f"forces['{kind}']: a list is needed, not {entries!r}")
            name, translate = kinds[kind]
            for index, entry in enumerate(entries):
                try:
                    yield f"{name}{index + 1}", translate(*entry)
                except (TypeError, ValueError):
                    raise ModelError(
                        f"forces['{kind}'][{index}]: {entry} is not of the form {_FORMS[kind]}"
                    ) from None
                except ModelError as error:
                    raise ModelError(f"forces['{kind}'][{index}]: {error}") from None

    def _at_point(self, body: int, point: int, Fx: object, Fz: object, My: object = 0.0) -> Element:
        address = self._points.on_body(int(body), int(point), f"[{body}, {point}]")
        return _force(address, Fx, Fz, My)

    def _at_centre(self, body: int, Fx: object, Fz: object, My: object = 0.0) -> Element:
        return _force(self._points.centre(int(body), f"[{body}]"), Fx, Fz, My)

    def _tension_spring(self, points: Sequence[str], law: Sequence[object]) -> Element:
        length, stiffness = law
        pair = {"type": "tension", "points": self._pair(points), "length": value(length)}
        if "l" in used(stiffness):
            return pair | {"law": substitute(stiffness, {"l": "x"})}
        return pair | self._coefficient("stiffness", stiffness, "({})*x")

    def _tension_damper(self, points: Sequence[str], damping: object) -> Element:
        pair = {"type": "tension", "points": self._pair(points)}
        if "ld" in used(damping):
            return pair | {"law": substitute(damping, {"ld": "v"})}
        return pair | self._coefficient("damping", damping, "({})*v")

    def _torsion_spring(self, bodies: Sequence[int], law: Sequence[object]) -> Element:
        rest, stiffness = value(law[0]), law[1]
        element, sign, turns = self._hinge(bodies)
        nonlinear = "theta" in used(stiffness)
        if not turns:
            element["rest"] = rest
            angle = "x"
        else:
            element |= {} if nonlinear else {"rest": rest if sign > 0 else minus(rest)}
            angle = f"{'x' if sign > 0 else '-x'} - ({text_of(rest)})"
        if nonlinear:
            return element | {"law": _opposite(sign, substitute(stiffness, {"theta": angle}))}
        arm = f"({angle})" if sign > 0 else f"(-({angle}))"
        return element | self._coefficient("stiffness", stiffness, f"-({{}})*{arm}")

    def _torsion_damper(self, bodies: Sequence[int], damping: object) -> Element:
        element, sign, _ = self._hinge(bodies)
        if "thetad" in used(damping):
            rate = "v" if sign > 0 else "-v"
            return element | {"law": _opposite(sign, substitute(damping, {"thetad": rate}))}
        return element | self._coefficient("damping", damping, "-({})*v")

    def _hinge(self, bodies: Sequence[int]) -> tuple[Element, int, bool]:
        """Element without coefficients, sign of its angle to th_j - th_i, whether it is a joint.

        Where one joint alone turns between the two bodies, its coordinate is loaded, whose
        angle counts turns.
        """
        first, second = (int(b) for b in bodies)
        for body in (first, second):
            if body != GROUND:
                self._points.centre(body, f"({first}, {second})")
        lower, upper = (set(self._tree.turning(b)) for b in (first, second))
        between = lower ^ upper
        if not between:
            raise ModelError(f"bodies {first} and {second} cannot turn against each other")
        if len(between) == 1:
            joint = between.pop()
            load = {"type": "joint", "joint": f"joint{joint}", "coordinate": "angle"}
            return load, 1 if joint in upper else -1, True
        pair = ["earth" if b == GROUND else f"body{b}" for b in (first, second)]
        return {"type": "torsion", "bodies": pair, "axis": [0.0, 1.0, 0.0]}, 1, False

    def _pair(self, points: Sequence[str]) -> list[str]:
        first, second = points
        return [self._points.address(first), self._points.address(second)]

    def _coefficient(self, name: str, entry: object, law: str) -> Element:
        """A coefficient, or a law where it depends on more than parameters."""
        if used(entry) <= self._parameters:
            return {name: value(entry)}
        return {"law": law.format(text_of(entry))}


def _force(address: str, Fx: object, Fz: object, My: object) -> Element:
    element: Element = {"type": "force", "point": address, "force": [value(Fx), 0.0, value(Fz)]}
    moment: Value = value(My)
    return element if moment == 0.0 else element | {"moment": [0.0, moment, 0.0]}


def _opposite(sign: int, law: str) -> str:
    """The moment on the second body from M4E's on the first."""
    return f"-({law})" if sign > 0 else f"{law}"
