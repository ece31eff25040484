"""Tables that describe a system: bodies, joints, points, elements, adapters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cosim.case.element_text import element_ends, element_text
from cosim.case.motion_text import motion_of, motion_text
from cosim.case.schema import Case
from cosim.model.base import EARTH
from cosim.model.joints import Floating, JointKind
from cosim.model.system import System
from cosim.results.geometry import joint_axis, joint_location, place_on_body

__all__ = ["Cell", "Table", "case_tables", "joint_graph", "system_tables"]

Cell = str | float | tuple[float, ...]
"""A text, a number or a vector."""


@dataclass(frozen=True)
class Table:
    """A table as data.

    Attributes
    ----------
    title : str
    columns : sequence of str
        With units in brackets.
    rows : sequence of sequences of text, numbers and vectors
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def column(self, name: str) -> list[Cell]:
        """Cells of one column."""
        index = list(self.columns).index(name)
        return [row[index] for row in self.rows]


def system_tables(system: System) -> list[Table]:
    """Bodies, products of inertia, joints, where they sit on bodies, points, elements, motions.

    All in the reference configuration (q = 0) and world axes; a table without rows is left
    out.
    """
    tables = [
        _bodies(system),
        _products(system),
        _joints(system),
        _levers(system),
        _points(system),
        _elements(system),
        _motions(system),
    ]
    return [table for table in tables if table.rows]


def case_tables(case: Case) -> list[Table]:
    """Those of the system, then the adapters."""
    rows = [
        (name, entry.type, ", ".join(f"{key}: {_short(v)}" for key, v in entry.options().items()))
        for name, entry in case.adapters.items()
    ]
    adapters = [Table("adapters", ("adapter", "type", "options"), rows)] if rows else []
    return [*system_tables(case), *adapters]


def joint_graph(system: System) -> Mapping[str, Sequence[tuple[str, str]]]:
    """What hangs on what: body or ``earth`` to pairs of joint and child, cut joints left out."""
    graph: dict[str, list[tuple[str, str]]] = {EARTH: [], **{body: [] for body in system.bodies}}
    for name, joint in system.joints.items():
        if not joint.cut:
            graph[joint.parent].append((name, joint.child))
    return graph


def _bodies(system: System) -> Table:
    columns = ["body", "mass [kg]", "centre of gravity [m]", "Ixx, Iyy, Izz [kg m2]"]
    scaled = any(body.gravity_scale != 1.0 for body in system.bodies.values())
    rows: list[list[Cell]] = []
    for name, body in system.bodies.items():
        moments = tuple(np.diag(body.inertia_tensor()).tolist())
        row: list[Cell] = [name, body.mass, body.cog, moments]
        rows.append(row + [body.gravity_scale] * scaled)
    return Table("bodies", columns + ["weight x"] * scaled, rows)


def _products(system: System) -> Table:
    """Products of inertia of the bodies that have any."""
    rows = []
    for name, body in system.bodies.items():
        tensor = body.inertia_tensor()
        products = _tidy(tensor[[0, 0, 1], [1, 2, 2]], tensor)
        if any(products):
            rows.append((name, products))
    return Table("products of inertia", ("body", "Ixy, Ixz, Iyz [kg m2]"), rows)


def _joints(system: System) -> Table:
    columns = ["joint", "kind", "parent", "child", "at [m]", "axis", "coordinates"]
    rows = [
        (
            name,
            f"{joint.type}, cut" if joint.cut else joint.type,
            joint.parent,
            joint.child,
            "centre of gravity" if isinstance(joint, Floating) else _at(system, joint),
            _axis(joint),
            ", ".join(joint.coordinates),
        )
        for name, joint in system.joints.items()
    ]
    return Table("joints", columns, rows)


def _levers(system: System) -> Table:
    """Vectors that the paper's geometry input consists of."""
    columns = ("joint", "connects", "parent's centre to joint [m]", "joint to child's centre [m]")
    rows = [
        (
            name,
            f"{joint.parent} - {joint.child}",
            _tidy(place_on_body(system, joint.parent, _at(system, joint))),
            _tidy(-place_on_body(system, joint.child, _at(system, joint))),
        )
        for name, joint in system.joints.items()
        if not isinstance(joint, Floating)
    ]
    return Table("joints on their bodies", columns, rows)


def _points(system: System) -> Table:
    fixed = [(f"{EARTH}/{name}", at, at) for name, at in system.earth_points.items()]
    rows = [
        (f"{name}/{point}", at, _tidy(np.subtract(at, body.cog)))
        for name, body in system.bodies.items()
        for point, at in body.points.items()
    ]
    return Table("points", ("point", "at [m]", "from its body's centre [m]"), [*rows, *fixed])


def _elements(system: System) -> Table:
    rows = [
        (name, element.type, element_ends(element), element_text(element))
        for name, element in system.elements.items()
    ]
    return Table("force elements", ("element", "type", "acts on", "load"), rows)


def _motions(system: System) -> Table:
    rows = [
        (name, motion.type, motion_of(motion), motion_text(motion))
        for name, motion in system.motions.items()
    ]
    return Table("prescribed motions", ("motion", "type", "of", "law [m, rad]"), rows)


def _at(system: System, joint: JointKind) -> tuple[float, float, float]:
    x, y, z = joint_location(system, joint)
    return (float(x), float(y), float(z))


def _axis(joint: JointKind) -> Cell:
    axis = joint_axis(joint)
    return _tidy(axis) if np.isfinite(axis).all() else ""


def _tidy(values: np.ndarray, scale: np.ndarray | None = None) -> tuple[float, ...]:
    """Numbers without the rounding of sums: -0.0 and 1e-17 are 0."""
    size = float(np.max(np.abs(values if scale is None else scale), initial=0.0))
    return tuple(0.0 if abs(v) <= 1e-14 * size else float(v) for v in values)


def _short(value: object) -> str:
    """An option in few words."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(map(str, value))}}}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"[{', '.join(_short(item) for item in value)}]"
    return str(value)
