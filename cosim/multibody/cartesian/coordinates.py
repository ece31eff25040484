r"""Joint coordinates of bodies that are described by directors.

A translation along the parent's axis s, from the parent's particle P to the child's C, and an
angle about an axis n, which turns the parent's direction t_p to the child's t_c, are

.. math::

    x = s \cdot (r_C - r_P), \qquad
    \theta = \mathrm{atan2}(n \cdot (t_p \times t_c),\; t_p \cdot t_c) + 2 \pi k,

with the number of turns k that comes nearest to a winding angle, which is integrated beside the
directors. Universal joints turn about axis 1 of the parent, then about axis 2 of the child; the
two are perpendicular, so that each rate is the part of the relative angular velocity along its
axis.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import get_vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import Vector, cross, dot, scale, subtract
from cosim.model.base import EARTH
from cosim.model.joints import (
    PLANES,
    Cylindrical,
    Floating,
    JointKind,
    Planar,
    Prismatic,
    Revolute,
    Universal,
)
from cosim.model.system import System
from cosim.multibody.cartesian.arrays import Index
from cosim.multibody.cartesian.joints import triad
from cosim.multibody.elements.bodies import (
    Bodies,
    add_load,
    place,
    rotation_rate,
    turn,
    velocity,
)

__all__ = ["ANGLE_OF_CHILD", "Coordinates", "add_coordinate_forces", "coordinates_of", "measure"]

TRANSLATION, ANGLE, ANGLE_OF_CHILD = range(3)


class Coordinates(NamedTuple):
    """The single-axis coordinates of all joints.

    Attributes
    ----------
    ends : (k, 2)
        Rows of parent and child, -1 for earth.
    kind : (k,)
        `TRANSLATION`, `ANGLE` about an axis of the parent, or `ANGLE_OF_CHILD`.
    axis : (k, 3)
        s or n in the axes of the body that carries it.
    before, after : (k, 3)
        Arms of P and C from the centres of gravity, or t_p and t_c; axes of parent and child.
    winding : (k,)
        Number of the winding angle, -1 for translations.
    value, rate : (k,)
        Written by :func:`measure`, m and rad.
    """

    ends: Index
    kind: Index
    axis: Float
    before: Float
    after: Float
    winding: Index
    value: Float
    rate: Float


def coordinates_of(system: System) -> tuple[Coordinates, tuple[tuple[str, str], ...]]:
    """Tables of the coordinates without quaternions, and (joint, coordinate) of each."""
    names: list[tuple[str, str]] = []
    records: list[tuple[JointKind, int, Float, Float, Float]] = []
    for name, joint in system.joints.items():
        if not joint.cut:
            own = list(_records(system, joint))
            coordinates = joint.coordinates[: len(own)]
            names += [(name, coordinate) for coordinate in coordinates]
            records += [(joint, *record) for record in own]
    rows = {body: i for i, body in enumerate(system.bodies)} | {EARTH: -1}
    count = len(records)
    kind = np.array([record[1] for record in records], dtype=np.int64)
    ends = [(rows[joint.parent], rows[joint.child]) for joint, *_ in records]
    axis, before, after = (
        np.array([record[k] for record in records]).reshape(count, 3) for k in (2, 3, 4)
    )
    table = Coordinates(
        ends=np.array(ends, dtype=np.int64).reshape(count, 2),
        kind=kind,
        axis=axis,
        before=before,
        after=after,
        winding=np.where(kind == TRANSLATION, -1, np.cumsum(kind != TRANSLATION) - 1),
        value=np.zeros(count),
        rate=np.zeros(count),
    )
    return table, tuple(names)


def _records(system: System, joint: JointKind) -> list[tuple[int, Float, Float, Float]]:
    """Kind, axis, and what leads to P and C, of the coordinates of one joint."""

    def angle(n: Float, t: Float, kind: int = ANGLE) -> tuple[int, Float, Float, Float]:
        return kind, n, t, t

    def way(s: Float, at: tuple[float, float, float]) -> tuple[int, Float, Float, Float]:
        arms = [np.subtract(at, _centre(system, body)) for body in (joint.parent, joint.child)]
        return TRANSLATION, s, arms[0], arms[1]

    match joint:
        case Revolute(axis=axis):
            return [angle(_unit(axis), triad(_unit(axis))[0])]
        case Prismatic(axis=axis, at=at):
            return [way(_unit(axis), at)]
        case Cylindrical(axis=axis, at=at):
            return [way(_unit(axis), at), angle(_unit(axis), triad(_unit(axis))[0])]
        case Planar(plane=plane, at=at):
            first, second, normal = np.eye(3)[list(PLANES[plane])]
            return [way(first, at), way(second, at), angle(normal, first)]
        case Universal(axis1=axis1, axis2=axis2):
            one, two = _unit(axis1), _unit(axis2)
            return [angle(one, two), angle(two, one, ANGLE_OF_CHILD)]
        case Floating(child=child):
            return [way(e, system.bodies[child].cog) for e in np.eye(3)]
    return []


def _centre(system: System, body: str) -> Float:
    return np.zeros(3) if body == EARTH else np.array(system.bodies[body].cog)


def _unit(axis: tuple[float, float, float]) -> Float:
    vector = np.asarray(axis, dtype=np.float64)
    return np.asarray(vector / np.linalg.norm(vector))


@compiled
def measure(table: Coordinates, bodies: Bodies, windings: Float) -> None:
    """Write value and rate of all coordinates."""
    for k in range(table.kind.size):
        parent, child = table.ends[k, 0], table.ends[k, 1]
        n = _axis(table, bodies, k)
        if table.kind[k] == TRANSLATION:
            at = place(bodies, child, get_vector(table.after, k, 0))
            way = subtract(at, place(bodies, parent, get_vector(table.before, k, 0)))
            table.value[k] = dot(n, way)
            slide = subtract(velocity(bodies, child, at), velocity(bodies, parent, at))
            table.rate[k] = dot(n, slide)
        else:
            before = turn(bodies, parent, get_vector(table.before, k, 0))
            after = turn(bodies, child, get_vector(table.after, k, 0))
            angle = math.atan2(dot(n, cross(before, after)), dot(before, after))
            turns = (windings[table.winding[k]] - angle) / (2.0 * math.pi)
            table.value[k] = angle + 2.0 * math.pi * math.floor(turns + 0.5)
            spin = subtract(rotation_rate(bodies, child), rotation_rate(bodies, parent))
            table.rate[k] = dot(n, spin)


@compiled
def add_coordinate_forces(
    table: Coordinates, chosen: Index, forces: Float, bodies: Bodies, g: Float
) -> None:
    """Add generalised forces on the coordinates `chosen` as wrenches on parent and child."""
    for m in range(chosen.size):
        k = chosen[m]
        n = scale(forces[m], _axis(table, bodies, k))
        parent, child = table.ends[k, 0], table.ends[k, 1]
        zero = (0.0, 0.0, 0.0)
        if table.kind[k] == TRANSLATION:
            at = place(bodies, child, get_vector(table.after, k, 0))
            add_load(g, bodies, child, at, n, zero)
            add_load(g, bodies, parent, at, scale(-1.0, n), zero)
        else:
            _add_moment(g, child, n)
            _add_moment(g, parent, scale(-1.0, n))


@compiled
def _add_moment(g: Float, body: int, moment: Vector) -> None:
    if body >= 0:
        for a in range(3):
            g[body, 3 + a] += moment[a]


@compiled
def _axis(table: Coordinates, bodies: Bodies, k: int) -> Vector:
    carrier = table.ends[k, 1] if table.kind[k] == ANGLE_OF_CHILD else table.ends[k, 0]
    return turn(bodies, carrier, get_vector(table.axis, k, 0))
