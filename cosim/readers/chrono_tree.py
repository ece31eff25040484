"""Which joints of a Chrono model make the tree, and which close loops."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cosim.model.base import EARTH
from cosim.readers.chrono_records import ChronoJoint

__all__ = ["Link", "Roots", "links", "roots"]

_FREEDOMS = {
    "LOCK": 0,
    "REVOLUTE": 1,
    "PRISMATIC": 1,
    "CYLINDRICAL": 2,
    "UNIVERSAL": 2,
    "PLANAR": 3,
    "SPHERICAL": 3,
}


@dataclass(frozen=True)
class Link:
    """A joint with its parent and child.

    Attributes
    ----------
    joint : ChronoJoint
    parent, child : str
        Bodies as the file names them, or ``earth``.
    cut : bool
        Whether it closes a loop.
    """

    joint: ChronoJoint
    parent: str
    child: str
    cut: bool = False

    @property
    def swapped(self) -> bool:
        """Whether the child is the file's body1."""
        return self.child == self.joint.body1


Roots = dict[str, None]
"""Bodies that float: one of every group that no joint holds to earth."""


def links(
    moving: Sequence[str], joints: Sequence[ChronoJoint], *, loaded: Collection[str]
) -> list[Link]:
    """A spanning tree from earth outwards, then the joints that close loops.

    Joints of `loaded` come first, since a load acts on a joint's own coordinate, then those
    with the least freedom: that leaves the fewest coordinates and the weakest ties.

    Parameters
    ----------
    moving : sequence of str
        Bodies that are not fixed.
    joints : sequence of ChronoJoint
        Ends that are not among `moving` are earth.
    loaded : collection of str
        Names of joints that motors and springs act on.
    """
    ends = {j.name: tuple(b if b in moving else EARTH for b in (j.body1, j.body2)) for j in joints}
    useful = [j for j in joints if ends[j.name] != (EARTH, EARTH)]
    order = sorted(useful, key=lambda j: (j.name not in loaded, _FREEDOMS[j.type]))
    group = {body: body for body in (EARTH, *moving)}
    chosen: set[str] = set()
    for joint in order:
        first, second = (_top(group, body) for body in ends[joint.name])
        if first != second:
            group[first] = second
            chosen.add(joint.name)
    tree = [j for j in useful if j.name in chosen]
    told = list(_outwards(moving, tree, ends))
    cut = [j for j in useful if j.name not in chosen]
    return told + [_closing(j, ends[j.name]) for j in cut]


def roots(moving: Sequence[str], tree: Sequence[Link]) -> Roots:
    """Bodies that no link of the tree moves: they float."""
    held = {link.child for link in tree if not link.cut}
    return dict.fromkeys(body for body in moving if body not in held)


def _top(group: dict[str, str], body: str) -> str:
    while group[body] != body:
        body = group[body]
    return body


def _outwards(
    moving: Sequence[str], tree: Sequence[ChronoJoint], ends: Mapping[str, tuple[str, ...]]
) -> Iterator[Link]:
    reached: set[str] = set()
    rest = list(tree)
    for start in (EARTH, *moving):
        if start in reached:
            continue
        reached.add(start)
        front = [start]
        while front:
            body = front.pop(0)
            for joint in [j for j in rest if body in ends[j.name]]:
                first, second = ends[joint.name]
                other = second if first == body else first
                yield Link(joint, parent=body, child=other)
                rest.remove(joint)
                reached.add(other)
                front.append(other)


def _closing(joint: ChronoJoint, ends: tuple[str, ...]) -> Link:
    first, second = ends
    parent, child = (first, second) if second != EARTH else (second, first)
    return Link(joint, parent=parent, child=child, cut=True)
