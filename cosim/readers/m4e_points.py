"""Points of M4E's lists, and the codes that address them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cosim.errors import ModelError
from cosim.model.sentences import nearest
from cosim.readers.formula import Value, total, value
from cosim.readers.m4e_tree import GROUND, Tree

__all__ = ["Points"]

Pair = tuple[Value, Value]


class Points:
    """Named points of ground and bodies.

    Parameters
    ----------
    tree : Tree
    points : mapping
        ``GR``: list of (x, z); ``BD``: mapping of body to such a list.

    Attributes
    ----------
    ground : mapping of name to (3,)
        m, world frame; ``p0``, ``p1``, ...
    """

    def __init__(self, tree: Tree, points: Mapping[str, Any]) -> None:
        if not isinstance(points, Mapping) or not isinstance(points.get("BD") or {}, Mapping):
            raise ModelError(
                f"points: {{'GR': [...], 'BD': {{1: [...]}}}} is needed, not {points!r}"
            )
        for key in points:
            if key not in ("GR", "BD"):
                raise ModelError(
                    f"points: unknown key '{key}'{nearest(str(key), ['GR', 'BD'])}; "
                    "points on joints (JO) are not read: give them to a body (BD)"
                )
        self._tree = tree
        ox, oz = tree.cog[GROUND]
        grounded = [_pair(p, f"points['GR'][{i}]") for i, p in enumerate(points.get("GR") or ())]
        self.ground = {
            f"p{i}": [total(ox, x), 0.0, total(oz, z)] for i, (x, z) in enumerate(grounded)
        }
        self._own: dict[int, list[Pair]] = {}
        for body, entries in (points.get("BD") or {}).items():
            if body not in tree.bodies:
                raise ModelError(f"points['BD']: there is no body {body}")
            place = f"points['BD'][{body}]"
            self._own[int(body)] = [_pair(p, f"{place}[{i}]") for i, p in enumerate(entries)]

    def of(self, body: int) -> dict[str, Pair]:
        """Points of a body relative to its centre of gravity, m."""
        return {f"p{i}": pair for i, pair in enumerate(self._own.get(body, ()))}

    def address(self, code: object) -> str:
        """Our address of M4E's code.

        Raises
        ------
        ModelError
            Not a code, ambiguous, or no such point.
        """
        match = re.fullmatch(r"(?i)([A-Z]{2})(\d+)(?:[._](\d+))?", str(code).strip())
        if match is None:
            raise ModelError(f"'{code}' is not a point; write BD2.0, GR0.1 or CG2")
        kind, first, second = match[1].upper(), match[2], match[3]
        if second is None and len(first) > 1:
            first, second = self._digits(kind, first, str(code))
        match kind:
            case "GR":
                return self._grounded(int(second if second is not None else first), str(code))
            case "BD" if second is not None:
                return self.on_body(int(first), int(second), str(code))
            case "CG":
                return self.centre(int(first), str(code))
            case "JO":
                raise ModelError(f"'{code}': points on joints are not read; give it to a body (BD)")
        raise ModelError(f"'{code}' is not a point; write BD2.0, GR0.1 or CG2")

    def centre(self, body: int, code: str) -> str:
        """Address of a centre of gravity."""
        if body not in self._tree.bodies:
            raise ModelError(f"'{code}': there is no body {body}")
        return f"body{body}"

    def on_body(self, body: int, point: int, code: str) -> str:
        """Address of a point of a body."""
        self.centre(body, code)
        if point >= len(self._own.get(body, ())):
            raise ModelError(f"'{code}': body {body} has no point {point}; they count from 0")
        return f"body{body}/p{point}"

    def _grounded(self, point: int, code: str) -> str:
        if f"p{point}" not in self.ground:
            raise ModelError(f"'{code}': there is no ground point {point}; they count from 0")
        return f"earth/p{point}"

    def _digits(self, kind: str, digits: str, code: str) -> tuple[str, str | None]:
        """M4E's two digits, body and point; only where they cannot mean anything else."""
        body, point = digits[0], digits[1:]
        plain = {
            "BD": len(digits) == 2,
            "GR": len(digits) == 2 and body == "0",
            "CG": len(digits) == 2 and (body == point or len(self._tree.bodies) < 10),
        }
        if plain.get(kind, True):
            return body, point
        raise ModelError(
            f"'{code}' may mean several points; separate body and point, as in "
            f"'{kind}{digits}.0' or '{kind}{body}.{point}'"
        )


def _pair(entry: Sequence[object], place: str) -> Pair:
    try:
        items = list(entry)
    except TypeError:
        raise ModelError(f"{place}: two values (x, z) are needed, not {entry!r}") from None
    if len(items) != 2:
        raise ModelError(f"{place}: two values (x, z) are needed, {len(items)} given")
    return value(items[0]), value(items[1])
