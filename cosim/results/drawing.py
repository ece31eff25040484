"""What bodies look like in pictures: members between points, without any effect on loads."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from pydantic import ConfigDict, Field

from cosim.model.base import NonNegative, Positive, Strict, Vector3
from cosim.model.sentences import nearest
from cosim.model.system import System
from cosim.multibody.interface import Float
from cosim.results.sink import Arrays

__all__ = ["Drawing", "Facets", "Member", "drawing_arrays", "drawing_problems", "facets"]

_COG = "cog"
_AROUND = 24
_ALONG = 24


class Member(Strict):
    """A tapered cylinder to draw.

    Parameters
    ----------
    from, to : (3,) sequence or str
        Ends of its axis: m, world coordinates of the reference configuration, or the name
        of a point of the body (``cog`` for its centre of gravity).
    diameter : float or (2,) sequence
        At both ends, or at each, m.
    """

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)

    from_: Vector3 | str = Field(alias="from")
    to: Vector3 | str
    diameter: Positive | tuple[NonNegative, NonNegative]

    @property
    def diameters(self) -> tuple[float, float]:
        """At `from` and at `to`, m."""
        if isinstance(self.diameter, tuple):
            return self.diameter
        return (self.diameter, self.diameter)


Drawing = Mapping[str, Sequence[Member]]


@dataclass(frozen=True)
class Facets:
    """Flat pieces of the surface of a body's members.

    Attributes
    ----------
    corners : (n, 4, 3)
        m, world frame.
    """

    corners: Float

    @property
    def normals(self) -> Float:
        """Unit normals, (n, 3)."""
        a = self.corners[:, 2] - self.corners[:, 0]
        b = self.corners[:, 3] - self.corners[:, 1]
        n = np.cross(a, b)
        return np.asarray(n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-12))


def drawing_problems(system: System, drawing: Drawing) -> Iterator[tuple[str, str]]:
    """What is wrong with a drawing: its key, and the sentence."""
    for pattern, members in drawing.items():
        bodies = fnmatch.filter(system.bodies, pattern)
        if not bodies:
            yield pattern, f"there is no body '{pattern}'{nearest(pattern, system.bodies)}"
        for body in bodies:
            points = [_COG, *system.bodies[body].points]
            for end in (end for member in members for end in (member.from_, member.to)):
                if isinstance(end, str) and end not in points:
                    yield pattern, f"body '{body}' has no point '{end}'{nearest(end, points)}"


def drawing_arrays(system: System, drawing: Drawing) -> Arrays:
    """Members as arrays to store: ends relative to the centre of gravity of their body.

    Parameters
    ----------
    system : System
    drawing : mapping of body name to members
        ``*`` in a name stands for anything: ``leg*/arm``.
    """
    order = list(system.bodies)
    rows = [
        (body, member)
        for pattern, members in drawing.items()
        for body in fnmatch.filter(order, pattern)
        for member in members
    ]
    if not rows:
        return {}
    ends = [[_end(system, body, end) for end in (m.from_, m.to)] for body, m in rows]
    diameters = np.array([member.diameters for _, member in rows])
    index = np.array([order.index(body) for body, _ in rows])
    note = {"long_name": "Member to draw", "frame": "body", "point": "centre of gravity"}
    return {
        "member_body": (("member",), index, {**note, "units": "1"}),
        "member_ends": (("member", "end", "xyz"), np.array(ends), {**note, "units": "m"}),
        "member_diameters": (("member", "end"), diameters, {**note, "units": "m"}),
    }


def _end(system: System, body: str, end: Vector3 | str) -> Float:
    cog = system.bodies[body].cog
    if isinstance(end, str):
        end = {_COG: cog, **system.bodies[body].points}[end]
    return np.subtract(end, cog)


def facets(
    ends: Float,
    diameters: Float,
    r: Float,
    R: Float,
    *,
    around: int = _AROUND,
    along: int = _ALONG,
) -> Facets:
    """Surface of one member of a body at a pose.

    Parameters
    ----------
    ends : (2, 3)
        Of its axis, m, body axes, from the centre of gravity.
    diameters : (2,)
        m.
    r : (3,)
        Centre of gravity, m.
    R : (3, 3)
        Rotation matrix of the body.
    around, along : int
        Number of pieces.
    """
    axis = ends[1] - ends[0]
    length = float(np.linalg.norm(axis))
    unit = axis / max(length, 1e-12)
    side = np.cross(unit, [0.0, 1.0, 0.0] if abs(unit[1]) < 0.9 else [1.0, 0.0, 0.0])
    side /= np.linalg.norm(side)
    other = np.cross(unit, side)
    s = np.linspace(0.0, 1.0, along + 1)
    radius = 0.5 * (diameters[0] + (diameters[1] - diameters[0]) * s)
    angle = np.linspace(0.0, 2.0 * np.pi, around + 1)
    ring = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * other
    rings = ends[0] + s[:, None, None] * axis + radius[:, None, None] * ring
    tube = np.stack([rings[:-1, :-1], rings[:-1, 1:], rings[1:, 1:], rings[1:, :-1]], axis=2)
    caps = [_cap(rings[0], ends[0], flip=True), _cap(rings[-1], ends[1], flip=False)]
    corners = np.concatenate([tube.reshape(-1, 4, 3), *caps])
    return Facets(r + corners @ R.T)


def _cap(ring: Float, centre: Float, *, flip: bool) -> Float:
    middle = np.broadcast_to(centre, ring[:-1].shape)
    corners = np.stack([middle, ring[:-1], ring[1:], middle], axis=1)
    return corners[:, ::-1] if flip else corners
