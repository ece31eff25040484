r"""The velocity transformation B and its derivative, block by block.

For a speed of the joint of body j and a body k beyond it, with P_j the joint's point,

=============  =======================================================================
translation    (e, 0)
rotation       (a × (r_k - P_j), a)
absolute       (y × (E - P_j), 1 or 0): E = r_k and 1 where k carries this angle, else E
               is the point of the next joint that turns on the way to k, and 0
=============  =======================================================================

with e and a the axes in the world. These are the blocks B_kj of the table that Algorithm 1 of
the paper looks up; B_jj is the case k = j. Blocks off the branches of j are zero. The
derivatives follow term by term, :math:`(a \times d)' = a' \times d + a \times d'`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cosim.multibody.joint.symbolic.frames import UNIT, ZERO, Vector, add, cross, subtract
from cosim.multibody.joint.symbolic.recursion import Moving
from cosim.multibody.joint.symbolic.tree import Tree

__all__ = ["Block", "blocks"]

Block = tuple[str, str, int, tuple[Vector, Vector], tuple[Vector, Vector]]
"""Body k, body j, number of the speed in the joint of j, column of B, its derivative."""


def blocks(tree: Tree, moving: Mapping[str, Moving], *, absolute: bool) -> Iterator[Block]:
    """All blocks of B that are not zero, branch by branch (Algorithm 1).

    Parameters
    ----------
    tree : Tree
    moving : mapping of body to Moving
    absolute : bool
        Angles of planar systems are absolute.
    """
    done: set[tuple[str, str]] = set()
    for branch in tree.branches:
        for place, j in enumerate(branch):
            for k in branch[place:]:
                if (k, j) in done:
                    continue
                done.add((k, j))
                yield from _slides(j, k, moving[j])
                if absolute:
                    yield from _absolute(j, k, branch, moving)
                else:
                    yield from _spins(j, k, moving)


def _slides(j: str, k: str, joint: Moving) -> Iterator[Block]:
    for speed, (axis, rate) in enumerate(zip(joint.slides, joint.slide_rates, strict=True)):
        yield k, j, speed, (axis, ZERO), (rate, ZERO)


def _spins(j: str, k: str, moving: Mapping[str, Moving]) -> Iterator[Block]:
    joint, body = moving[j], moving[k]
    arm, arm_v = subtract(body.r, joint.pivot), subtract(body.v, joint.pivot_v)
    first = len(joint.slides)
    for speed, (axis, rate) in enumerate(zip(joint.spins, joint.spin_rates, strict=True), first):
        linear = add(cross(rate, arm), cross(axis, arm_v))
        yield k, j, speed, (cross(axis, arm), axis), (linear, rate)


def _absolute(
    j: str, k: str, branch: tuple[str, ...], moving: Mapping[str, Moving]
) -> Iterator[Block]:
    if not moving[j].spins:
        return
    path = branch[branch.index(j) + 1 : branch.index(k) + 1]
    following = next((body for body in path if moving[body].spins), None)
    axis, speed = UNIT[1], len(moving[j].slides)
    if following is None:
        arm, arm_v, turn = moving[k].offset, moving[k].offset_v, axis
    else:
        arm, arm_v, turn = moving[following].reach, moving[following].reach_v, ZERO
    yield k, j, speed, (cross(axis, arm), turn), (cross(axis, arm_v), ZERO)
