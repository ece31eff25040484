"""The graph of a system: branches, numbering, and whether it moves in a plane.

Bodies and joints are the vertices and edges of a directed tree that grows from earth. A
branch leads from a body on earth to a leaf; along every branch the numbers grow with the
distance from earth (Algorithm 1 of the paper and the text above it).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from cosim.model.base import EARTH
from cosim.model.joints import Fixed, JointKind, Planar, Prismatic, Revolute
from cosim.model.system import System
from cosim.multibody.joint.symbolic.values import Values

__all__ = ["Tree", "is_planar", "tree_of"]


@dataclass(frozen=True)
class Tree:
    """Bodies in the order of the recursion, and what each hangs on.

    Attributes
    ----------
    bodies : tuple of str
        As declared: the order of all rows.
    order : tuple of str
        The same, depth first from earth: every parent before its children. Their positions
        here, from 1, are the numbers of the paper.
    joint : mapping of body to str
        Joint whose child is the body.
    parent : mapping of body to str
        Body or ``earth``.
    """

    bodies: tuple[str, ...]
    order: tuple[str, ...]
    joint: Mapping[str, str]
    parent: Mapping[str, str]

    @cached_property
    def number(self) -> Mapping[str, int]:
        """Number of each body, from 1, growing along every branch."""
        return {body: k for k, body in enumerate(self.order, start=1)}

    @cached_property
    def children(self) -> Mapping[str, tuple[str, ...]]:
        """Bodies that hang on each body and on ``earth``."""
        found: dict[str, list[str]] = {name: [] for name in (EARTH, *self.order)}
        for body in self.order:
            found[self.parent[body]].append(body)
        return {name: tuple(bodies) for name, bodies in found.items()}

    @cached_property
    def paths(self) -> Mapping[str, tuple[str, ...]]:
        """Bodies from earth to each body, itself included."""
        found: dict[str, tuple[str, ...]] = {EARTH: ()}
        for body in self.order:
            found[body] = (*found[self.parent[body]], body)
        return found

    @property
    def branches(self) -> tuple[tuple[str, ...], ...]:
        """All paths from a body on earth to a leaf."""
        return tuple(self.paths[body] for body in self.order if not self.children[body])


def tree_of(system: System) -> Tree:
    """Sort the bodies of a system from earth outwards.

    Parameters
    ----------
    system : System
        Its cut joints are left out.
    """
    joint = {j.child: name for name, j in system.joints.items() if not j.cut}
    parent = {body: system.joints[name].parent for body, name in joint.items()}
    children: dict[str, list[str]] = {}
    for body in system.bodies:
        children.setdefault(parent[body], []).append(body)
    order, waiting = [], children.get(EARTH, [])[::-1]
    while waiting:
        body = waiting.pop()
        order.append(body)
        waiting += children.get(body, [])[::-1]
    return Tree(tuple(system.bodies), tuple(order), joint, parent)


def is_planar(values: Values) -> bool:
    """Whether all joints keep the bodies in planes parallel to x-z, whatever the parameters."""
    return all(_stays_in_plane(joint, name, values) for name, joint in values.system.joints.items())


def _stays_in_plane(joint: JointKind, name: str, values: Values) -> bool:
    match joint:
        case Fixed():
            return True
        case Revolute():
            return all(values.value(("joints", name, "axis", k)).is_zero for k in (0, 2))
        case Prismatic():
            return bool(values.value(("joints", name, "axis", 1)).is_zero)
        case Planar(plane=plane):
            return plane == "xz"
    return False
