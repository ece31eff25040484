"""The lists of M4E (Python Multibody for Everybody): planar trees in the x-z plane."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cosim.errors import ModelError
from cosim.readers.formula import Value, total, value
from cosim.readers.m4e_forces import Forces
from cosim.readers.m4e_points import Points
from cosim.readers.m4e_tree import Row, Tree
from cosim.readers.reading import Reading

__all__ = ["read_m4e_lists"]

Pair = Sequence[object]


def read_m4e_lists(
    joints: Sequence[Sequence[int]],
    types: Sequence[str],
    parent_cg_to_joint: Sequence[Pair],
    joint_to_child_cg: Sequence[Pair],
    *,
    masses: Sequence[object],
    inertias: Sequence[object],
    prismatic_direction: Sequence[Pair] | None = None,
    points: Mapping[str, Any] | None = None,
    forces: Mapping[str, Sequence[Any]] | None = None,
    initial: Sequence[float] | None = None,
    origin: Pair = (0.0, 0.0),
    gravity: float = 9.81,
    gravity_scale: Sequence[float] | None = None,
    parameters: Mapping[str, float | str] | None = None,
) -> Reading:
    """Read a system from M4E's lists.

    Vectors are (x, z) in the axes of the body they start from; angles are rotations about
    +y, absolute for every body, as M4E has them. In what is returned they are relative:
    body b is ``bodyb``, moved by ``jointb``, and the reference configuration is that of all
    coordinates 0. Numbers may be expressions of `parameters`: texts or SymPy expressions.

    Parameters
    ----------
    joints : sequence of (parent, child)
        0 is the ground; the children are 1 to n, in any order and number.
    types : sequence of {"R", "P", "F"}
        Revolute, prismatic, floating. A floating body hangs on the ground, at
        `parent_cg_to_joint`, its initial X and Z, which M4E takes from there too.
    parent_cg_to_joint, joint_to_child_cg : sequence of (x, z)
        m; nan where it has no meaning.
    masses, inertias : sequence of float
        Of bodies 1 to n, kg, and kg m² about y at the centre of gravity (M4E's `m0`, `J0`).
    prismatic_direction : sequence of (x, z), optional
        In the parent's axes; needs no normalisation.
    points : mapping, optional
        ``{"GR": [(x, z), ...], "BD": {1: [(x, z), ...]}}``; ground points, and points of
        bodies relative to their centres of gravity, both counted from 0.
    forces : mapping, optional
        Any of M4E's six types, ``PointsBD``, ``CG``, ``TensionSpring``, ``TensionDamper``,
        ``TorsionSpring`` and ``TorsionDamper``, with its entries. Forces may depend on ``t``.
        A stiffness that contains ``l`` (elongation) or ``theta``, and a damping that
        contains ``ld`` or ``thetad``, is the force itself, as in M4E. Points are written
        ``BD12.3``, ``BD12_3`` or, for single digits, ``BD13``; ``GR0.1`` or ``GR01``;
        ``CG12.0`` or ``CG22``.
    initial : sequence of float, optional
        M4E's `ic`: coordinates of bodies 1 to n (theta; S; X, Z, theta), then their rates.
    origin : (x, z)
        M4E's `Reference_frame_Origin`, m.
    gravity : float
        m/s².
    gravity_scale : sequence of float, optional
        M4E's `gVec`.
    parameters : mapping, optional
        Values of M4E's symbolic data.

    Returns
    -------
    Reading

    Raises
    ------
    ModelError
        What the lists do not say or contradict, and what M4E has that is not read.
    """
    rows = _rows(joints, types, parent_cg_to_joint, joint_to_child_cg, prismatic_direction)
    tree = Tree(rows, origin=_pair(origin, "origin"))
    placed = Points(tree, points or {})
    loads = Forces(tree, placed, parameters or {}).elements(forces or {})
    scale = _per_body("gravity_scale", gravity_scale, tree)
    description: dict[str, Any] = {
        "environment": {"gravity": float(gravity)},
        "bodies": {
            f"body{b}": _body(
                tree.cog[b],
                mass=_at(masses, "masses", b, tree),
                inertia=_at(inertias, "inertias", b, tree),
                points=placed.of(b),
                scale=scale[b - 1],
            )
            for b in tree.bodies
        },
        "joints": {f"joint{b}": tree.joint(b) for b in tree.bodies},
    }
    description |= {"elements": loads} if loads else {}
    description |= {"earth_points": placed.ground} if placed.ground else {}
    description |= {"parameters": dict(parameters)} if parameters else {}
    return Reading(description, tree.start(initial))


def _rows(
    joints: Sequence[Sequence[int]],
    types: Sequence[str],
    to_joint: Sequence[Pair],
    to_child: Sequence[Pair],
    directions: Sequence[Pair] | None,
) -> list[Row]:
    lists = {
        "types": types,
        "parent_cg_to_joint": to_joint,
        "joint_to_child_cg": to_child,
        "prismatic_direction": directions or [(math.nan, math.nan)] * len(joints),
    }
    for name, entries in lists.items():
        if len(entries) != len(joints):
            raise ModelError(
                f"'{name}' has {len(entries)} entries and 'joints' {len(joints)}; "
                "they need one per joint"
            )
    return [
        Row(
            parent=_whole(parent, f"joints[{i}]"),
            child=_whole(child, f"joints[{i}]"),
            kind=str(types[i]).upper(),
            to_joint=_pair(to_joint[i], f"parent_cg_to_joint[{i}]"),
            to_child=_pair(to_child[i], f"joint_to_child_cg[{i}]"),
            direction=_pair(lists["prismatic_direction"][i], f"prismatic_direction[{i}]"),
        )
        for i, (parent, child) in enumerate(_pairs(joints))
    ]


def _pairs(joints: Sequence[Sequence[int]]) -> Iterator[Sequence[int]]:
    for i, pair in enumerate(joints):
        if np.shape(pair) != (2,):
            raise ModelError(f"joints[{i}]: two bodies (parent, child) are needed, not {pair!r}")
        yield pair


def _whole(entry: object, place: str) -> int:
    number = value(entry)
    if isinstance(number, str) or not number.is_integer():
        raise ModelError(f"{place}: {entry!r} is not the number of a body")
    return int(number)


def _pair(entry: object, place: str) -> tuple[Value, Value]:
    items = list(entry) if isinstance(entry, Sequence) else list(np.ravel(np.asarray(entry)))
    if len(items) != 2:
        raise ModelError(f"{place}: two values (x, z) are needed, {len(items)} given")
    return value(items[0]), value(items[1])


def _per_body(name: str, entries: Sequence[float] | None, tree: Tree) -> list[float]:
    scale = [1.0] * len(tree.bodies) if entries is None else np.ravel(np.asarray(entries)).tolist()
    if len(scale) != len(tree.bodies):
        raise ModelError(f"'{name}' has {len(scale)} entries for {len(tree.bodies)} bodies")
    return [float(s) for s in scale]


def _at(entries: Sequence[object], name: str, body: int, tree: Tree) -> Value:
    if len(entries) != len(tree.bodies):
        raise ModelError(f"'{name}' has {len(entries)} entries for {len(tree.bodies)} bodies")
    return value(entries[body - 1])


def _body(
    cog: tuple[Value, Value],
    *,
    mass: Value,
    inertia: Value,
    points: Mapping[str, tuple[Value, Value]],
    scale: float,
) -> dict[str, Any]:
    x, z = cog
    body: dict[str, Any] = {"mass": mass, "cog": [x, 0.0, z], "inertia": [inertia] * 3}
    if points:
        body["points"] = {
            name: [total(x, px), 0.0, total(z, pz)] for name, (px, pz) in points.items()
        }
    return body if scale == 1.0 else body | {"gravity_scale": scale}
