"""A run as something to look at: poses, lines and water over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cosim.multibody.interface import Float
from cosim.results.solids import Solid
from cosim.results.water import Waves

__all__ = ["Film", "Hinge", "MovingLine", "Spring"]


@dataclass(frozen=True)
class MovingLine:
    """A line over time.

    Attributes
    ----------
    name : str
    nodes : (n, m, 3)
        m, world frame, at the n instants of the film.
    """

    name: str
    nodes: Float


@dataclass(frozen=True)
class Hinge:
    """A joint that is drawn.

    Attributes
    ----------
    name, kind : str
    body, parent : int
        Child and parent; -1 for earth.
    place : (3,)
        On the child, from its centre of gravity, body axes, m.
    axis : (3,)
        Unit vector, body axes of the reference configuration; NaN where there is none.
    """

    name: str
    kind: str
    body: int
    parent: int
    place: Float
    axis: Float


@dataclass(frozen=True)
class Spring:
    """An element along a line between two points.

    Attributes
    ----------
    name : str
    bodies : (2,) int
        -1 for earth.
    places : (2, 3)
        From the centres of gravity, body axes, m; world coordinates on earth.
    rope : bool
        It takes no compression.
    """

    name: str
    bodies: tuple[int, int]
    places: Float
    rope: bool


@dataclass(frozen=True)
class Film:
    """Everything that moves, at the same n instants.

    Attributes
    ----------
    title : str
    times : (n,)
        s.
    bodies : sequence of str
    r : (n, b, 3)
        Centres of gravity, m.
    R : (n, b, 3, 3)
        Rotation matrices.
    quaternions : (n, b, 4)
        The same, scalar first.
    solids : sequence of Solid
    hinges : sequence of Hinge
    springs : sequence of Spring
    lines : sequence of MovingLine
    waves : Waves or None
        Of the water, where there is any.
    depth : float
        Of the water, m.
    planar : bool
        Nothing leaves the x-z plane.
    """

    title: str
    times: Float
    bodies: Sequence[str]
    r: Float
    R: Float
    quaternions: Float
    solids: Sequence[Solid]
    hinges: Sequence[Hinge]
    springs: Sequence[Spring]
    lines: Sequence[MovingLine]
    waves: Waves | None
    depth: float
    planar: bool

    def placed(self, body: int, places: Float, index: int | None = None) -> Float:
        """World coordinates, (n, k, 3), of places (k, 3) on a body; of earth for -1.

        Those of one instant, (1, k, 3), with its `index`.
        """
        now = slice(None) if index is None else slice(index, index + 1)
        if body < 0:
            return np.broadcast_to(places, (len(self.times[now]), *places.shape))
        turned = np.einsum("nij,kj->nki", self.R[now, body], places)
        return np.asarray(self.r[now, body, None] + turned)

    def spring_ends(self, spring: Spring, index: int | None = None) -> Float:
        """World coordinates of both ends, (n, 2, 3), m; (1, 2, 3) with an `index`."""
        pairs = zip(spring.bodies, spring.places, strict=True)
        ends = [self.placed(body, place[None], index)[:, 0] for body, place in pairs]
        return np.stack(ends, axis=1)

    def bodies_box(self) -> Float:
        """Least and largest coordinates of bodies and springs over the whole film, (2, 3)."""
        low, high = [self.r.min(axis=(0, 1))], [self.r.max(axis=(0, 1))]
        for solid in self.solids:
            ends = self.placed(solid.body, solid.ends)
            reach = 0.5 * float(np.max(solid.diameters))
            low.append(ends.min(axis=(0, 1)) - reach)
            high.append(ends.max(axis=(0, 1)) + reach)
        for spring in self.springs:
            ends = self.spring_ends(spring)
            low.append(ends.min(axis=(0, 1)))
            high.append(ends.max(axis=(0, 1)))
        return np.array([np.min(low, axis=0), np.max(high, axis=0)])

    def box(self) -> Float:
        """Least and largest coordinates of everything over the whole film, (2, 3)."""
        corners = [self.bodies_box()]
        corners += [
            np.array([line.nodes.min(axis=(0, 1)), line.nodes.max(axis=(0, 1))])
            for line in self.lines
        ]
        return np.array([np.min(corners, axis=(0, 1)), np.max(corners, axis=(0, 1))])
