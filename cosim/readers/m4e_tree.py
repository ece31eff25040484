"""The tree of M4E's lists: positions with all coordinates 0, joints, start values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cosim.errors import ModelError
from cosim.readers.formula import Value, total

__all__ = ["GROUND", "Row", "Tree"]

GROUND = 0

Point = tuple[Value, Value]

_COORDINATES = {"R": ("angle",), "P": ("position",), "F": ("x", "z", "angle")}


@dataclass(frozen=True)
class Row:
    """One joint as the lists have it."""

    parent: int
    child: int
    kind: str
    to_joint: Point
    to_child: Point
    direction: Point


class Tree:
    """Bodies 1 to n by their joints.

    Parameters
    ----------
    rows : sequence of Row
    origin : (x, z)
        Of the ground.

    Attributes
    ----------
    bodies : range
    cog : mapping of body to (x, z)
        Centres of gravity with all coordinates 0, m; `GROUND` is the origin.
    """

    def __init__(self, rows: Sequence[Row], *, origin: Point) -> None:
        self.bodies = range(1, len(rows) + 1)
        self.rows = {row.child: row for row in rows}
        for row in rows:
            self._check(row)
        if len(self.rows) < len(rows):
            twice = next(b for b in self.rows if sum(r.child == b for r in rows) > 1)
            raise ModelError(f"joints: body {twice} is the child of two joints; M4E reads trees")
        self.cog: dict[int, Point] = {GROUND: origin}
        for body in self.bodies:
            for link in reversed(self.path(body)):
                self.cog.setdefault(link, self._position(self.rows[link]))

    def path(self, body: int) -> list[int]:
        """The body and those between it and the ground."""
        links: list[int] = []
        while body != GROUND:
            if body in links:
                raise ModelError(f"joints: body {body} hangs on itself, never on the ground (0)")
            links.append(body)
            body = self.rows[body].parent
        return links

    def turning(self, body: int) -> list[int]:
        """Those of the path whose joints turn."""
        return [link for link in self.path(body) if self.rows[link].kind != "P"]

    def joint(self, body: int) -> dict[str, Any]:
        """The joint that moves a body, as a case file has it."""
        row = self.rows[body]
        parent = "earth" if row.parent == GROUND else f"body{row.parent}"
        ends = {"parent": parent, "child": f"body{body}"}
        if row.kind == "F":
            x, z = self.cog[body]
            return {"type": "planar", **ends, "at": [x, 0.0, z], "plane": "xz"}
        px, pz = self.cog[row.parent]
        at = [total(px, row.to_joint[0]), 0.0, total(pz, row.to_joint[1])]
        if row.kind == "R":
            return {"type": "revolute", **ends, "at": at, "axis": [0.0, 1.0, 0.0]}
        axis = [row.direction[0], 0.0, row.direction[1]]
        return {"type": "prismatic", **ends, "at": at, "axis": axis}

    def start(self, initial: Sequence[float] | None) -> dict[str, float]:
        """Start values of our coordinates from M4E's vector of coordinates and rates."""
        if initial is None:
            return {}
        try:
            values = [float(v) for v in initial]
        except (TypeError, ValueError):
            raise ModelError("'initial' holds something that is not a number") from None
        count = sum(len(_COORDINATES[self.rows[b].kind]) for b in self.bodies)
        if len(values) != 2 * count:
            raise ModelError(
                f"'initial' has {len(values)} values; {count} coordinates and {count} rates "
                "are needed"
            )
        q = self._relative(values[:count])
        rates = self._relative(values[count:])
        for body in self.bodies:
            if self.rows[body].kind == "F":
                self._displace(body, q)
        told = q | {f"{key}_rate": rate for key, rate in rates.items()}
        return {key: number for key, number in told.items() if number}

    def _relative(self, values: Sequence[float]) -> dict[str, float]:
        """Angles of M4E are absolute: take off that of the body below."""
        told, absolute = {}, {GROUND: 0.0}
        rest = iter(values)
        for body in self.bodies:
            for name in _COORDINATES[self.rows[body].kind]:
                told[f"joint{body}.{name}"] = next(rest)
        for body in self.bodies:
            for link in reversed(self.turning(body)):
                absolute.setdefault(link, told[f"joint{link}.angle"])
        for body, angle in absolute.items():
            below = self.turning(body)[1:]
            if below:
                told[f"joint{body}.angle"] = angle - absolute[below[0]]
        return told

    def _displace(self, body: int, q: dict[str, float]) -> None:
        """X and Z count from the origin in M4E, from the reference position here."""
        for name, place in zip(("x", "z"), self.rows[body].to_joint, strict=True):
            key = f"joint{body}.{name}"
            if isinstance(place, str) or math.isnan(place):
                continue
            if q[key] not in (0.0, place):
                raise ModelError(
                    f"'initial' puts {name.upper()} of the floating body {body} at {q[key]:g} m "
                    f"and 'parent_cg_to_joint' at {place:g} m, which is what M4E takes; "
                    "give the same value, or nan in 'parent_cg_to_joint'"
                )
            q[key] = 0.0

    def _position(self, row: Row) -> Point:
        x, z = (_known(v) for v in row.to_joint)
        if row.kind != "F":
            x, z = total(x, row.to_child[0]), total(z, row.to_child[1])
        px, pz = self.cog[row.parent]
        return total(px, x), total(pz, z)

    def _check(self, row: Row) -> None:
        where = f"joints: joint [{row.parent}, {row.child}]"
        if row.child not in self.bodies or row.parent not in (GROUND, *self.bodies):
            raise ModelError(f"{where}: bodies are 0 (ground) to {len(self.bodies)}")
        if row.kind not in _COORDINATES:
            raise ModelError(f"{where} has the type '{row.kind}'; there are R, P and F")
        if row.kind == "F" and row.parent != GROUND:
            raise ModelError(f"{where}: a floating joint (F) hangs on the ground, body 0")
        needed = {"joint_to_child_cg": row.to_child, "parent_cg_to_joint": row.to_joint}
        for name, pair in needed.items() if row.kind != "F" else ():
            if any(not isinstance(v, str) and math.isnan(v) for v in pair):
                raise ModelError(f"{where}: its entry of '{name}' is nan")
        if row.kind == "P" and any(_known(v) != v for v in row.direction):
            raise ModelError(f"{where} is prismatic and has no 'prismatic_direction'")


def _known(entry: Value) -> Value:
    return 0.0 if not isinstance(entry, str) and math.isnan(entry) else entry
