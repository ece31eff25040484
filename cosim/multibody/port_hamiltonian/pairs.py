r"""Kinematic pairs as power-conserving interconnection of bodies.

A pair ties the velocities of two bodies by :math:`G_J v = 0` and loads them with
:math:`-G_J^T \lambda_J`: a transformer between their ports, whose efforts are the multipliers. It
neither stores nor loses power (PH paper, section 4.3, table 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.linalg import block_diag

from cosim.algebra.types import Float
from cosim.errors import ModelError
from cosim.multibody.port_hamiltonian.mechanics import ConstrainedMechanics, Potential
from cosim.multibody.port_hamiltonian.quadratic import Quadratic, stacked

__all__ = ["KinematicPair", "PairKind", "interconnect", "pair"]

PairKind = Literal["spherical", "revolute", "universal", "cylindrical", "prismatic", "weld"]
EARTH = "earth"


@dataclass(frozen=True)
class KinematicPair:
    """A pair between two bodies, or earth and a body.

    Attributes
    ----------
    kind : str
    bodies : (str, str)
        Parent, or ``earth``, and child.
    points : ((3,), (3,))
        The joint's point, in the directors of the parent (earth: world coordinates) and of the
        child, m.
    axes : ((3, 3), (3, 3))
        Triads (t1, t2, n) by rows, in the directors of the parent and of the child. Of a universal
        pair n is the parent's cross axis and t1 that of the child.
    """

    kind: PairKind
    bodies: tuple[str, str]
    points: tuple[Float, Float]
    axes: tuple[Float, Float]

    def constraints(self, first: Mapping[str, int], size: int) -> Quadratic:
        """The equations in the coordinates of all bodies.

        Parameters
        ----------
        first : mapping of body to its first coordinate
        size : int
            Number of all coordinates.
        """
        ends = [first.get(body) for body in self.bodies]
        here, there = (_affine(e, 1.0, p, size) for e, p in zip(ends, self.points, strict=True))
        way = there - here
        s = [_affine(ends[0], 0.0, axis, size) for axis in self.axes[0]]
        t = [_affine(ends[1], 0.0, axis, size) for axis in self.axes[1]]
        meet = [(_constant(e, size), way, 0.0) for e in np.eye(3)]
        slide = [(s[0], way, 0.0), (s[1], way, 0.0)]
        aligned = [(s[0], t[2], 0.0), (s[1], t[2], 0.0)]
        locked = [(s[0], t[1], 0.0)]
        rows = {
            "spherical": meet,
            "universal": [*meet, (s[2], t[0], 0.0)],
            "revolute": [*meet, *aligned],
            "weld": [*meet, *aligned, *locked],
            "cylindrical": [*slide, *aligned],
            "prismatic": [*slide, *aligned, *locked],
        }
        return Quadratic.products(rows[self.kind])


def pair(
    kind: PairKind,
    bodies: tuple[str, str],
    at: Float,
    states: Mapping[str, Float],
    *,
    axis: Float | None = None,
    cross: Float | None = None,
) -> KinematicPair:
    """A pair from its place and axes in the world, for bodies at the coordinates `states`.

    Parameters
    ----------
    kind : str
    bodies : (str, str)
    at : (3,)
        m, world frame.
    states : mapping of body to (12,)
    axis : (3,), optional
        Of all pairs but spherical ones and welds; of a universal pair the parent's cross axis.
    cross : (3,), optional
        The child's cross axis of a universal pair.
    """
    n = np.array([0.0, 0.0, 1.0]) if axis is None else np.asarray(axis) / np.linalg.norm(axis)
    seed = np.eye(3)[np.argmin(np.abs(n))] if cross is None else np.asarray(cross)
    t2 = np.cross(n, seed) / np.linalg.norm(np.cross(n, seed))
    triad = np.array([np.cross(t2, n), t2, n])
    points, axes = [], []
    for body in bodies:
        if body == EARTH:
            points.append(np.asarray(at, dtype=np.float64))
            axes.append(triad)
        else:
            D = states[body][3:].reshape(3, 3)  # directors by rows
            points.append(D @ (np.asarray(at) - states[body][:3]))
            axes.append(triad @ D.T)
    return KinematicPair(kind, bodies, (points[0], points[1]), (axes[0], axes[1]))


def interconnect(
    bodies: Mapping[str, ConstrainedMechanics], pairs: Sequence[KinematicPair]
) -> ConstrainedMechanics:
    """One system of bodies and pairs; its ports are those of all bodies.

    Raises
    ------
    ModelError
        A pair names a body that is not there.
    """
    sizes = [body.n for body in bodies.values()]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    first = {name: int(k) for name, k in zip(bodies, starts, strict=False)}
    size = int(starts[-1])
    for joint in pairs:
        unknown = [b for b in joint.bodies if b not in bodies and b != EARTH]
        if unknown:
            raise ModelError(f"a {joint.kind} pair names '{unknown[0]}', which is not a body")
    own = [body.constraints.placed(first[name], size) for name, body in bodies.items()]
    parts = [slice(first[name], first[name] + body.n) for name, body in bodies.items()]
    members = tuple(bodies.values())

    def value(q: Float) -> float:
        return sum(b.potential.value(q[p]) for b, p in zip(members, parts, strict=True))

    def gradient(q: Float) -> Float:
        return np.concatenate(
            [b.potential.gradient(q[p]) for b, p in zip(members, parts, strict=True)]
        )

    def inputs(q: Float) -> Float:
        return np.asarray(
            block_diag(*(b.inputs(q[p]) for b, p in zip(members, parts, strict=True)))
        )

    damped = [b.damping if b.damping.size else np.zeros((b.n, b.n)) for b in members]
    return ConstrainedMechanics(
        M=np.asarray(block_diag(*(b.M for b in members))),
        potential=Potential(value, gradient),
        constraints=stacked([*own, *(joint.constraints(first, size) for joint in pairs)]),
        inputs=inputs,
        ports=tuple(port for b in members for port in b.ports),
        damping=np.asarray(block_diag(*damped)),
    )


def _affine(first: int | None, position: float, components: Float, size: int) -> Float:
    """[A a], (3, size + 1), of a point (1) or a direction (0) by its components."""
    rows = np.zeros((3, size + 1))
    if first is None:
        rows[:, -1] = components
        return rows
    rows[:, first : first + 3] = position * np.eye(3)
    for k, component in enumerate(components):
        rows[:, first + 3 + 3 * k : first + 6 + 3 * k] = component * np.eye(3)
    return rows


def _constant(vector: Float, size: int) -> Float:
    return _affine(None, 0.0, vector, size)
