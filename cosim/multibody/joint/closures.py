"""From the cut joints of a system to plain arrays, and names for their equations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cosim.model.base import EARTH
from cosim.model.joints import Fixed, Floating, JointKind
from cosim.model.system import System
from cosim.multibody.interface import Float
from cosim.multibody.joint.arrays import NO_ROTATION, ONE_AXIS, TWO_AXES
from cosim.multibody.joint.closure_arrays import (
    ROTATION_ROW,
    TRANSLATION,
    LoopMemory,
    new_loops,
)
from cosim.multibody.joint.topology import Topology, freedom_of

__all__ = ["Equation", "closure_equations", "loop_memory"]

_Pair = tuple[Float, Float]


@dataclass(frozen=True)
class Equation:
    """One row of the closure equations.

    Attributes
    ----------
    joint : str
    kind : int
        TRANSLATION or ROTATION_ROW.
    parent_axis, child_axis : (3,)
        Unit vectors s and t of the reference configuration; t is zero for translations.
    """

    joint: str
    kind: int
    parent_axis: Float
    child_axis: Float

    @property
    def load(self) -> str:
        """What the joint can carry through this equation, in words."""
        along = self.kind == TRANSLATION
        axis = self.parent_axis if along else np.cross(self.child_axis, self.parent_axis)
        if axis[np.argmax(np.abs(axis))] < 0.0:
            axis = -axis
        listing = ", ".join(f"{x + 0.0:.3g}" for x in axis)
        return f"{'force along' if along else 'moment about'} ({listing})"


def closure_equations(system: System) -> list[Equation]:
    """The equations of all cut joints, in the order of the description."""
    return [
        Equation(name, kind, s, t)
        for name, joint in system.joints.items()
        if joint.cut
        for kind, (s, t) in _rows(joint)
    ]


def loop_memory(system: System, topology: Topology, equations: list[Equation]) -> LoopMemory:
    """Arrays of the closures for the kernels."""
    cut = {name: joint for name, joint in system.joints.items() if joint.cut}
    names = list(cut)
    ends = np.zeros((len(cut), 2), dtype=np.int64)
    arms = np.zeros((len(cut), 6))
    for c, joint in enumerate(cut.values()):
        child = np.array(system.bodies[joint.child].cog)
        place = child if isinstance(joint, Fixed | Floating) else np.array(joint.at)
        on_earth = joint.parent == EARTH
        parent = np.zeros(3) if on_earth else np.array(system.bodies[joint.parent].cog)
        ends[c, 0] = -1 if on_earth else topology.bodies.index(joint.parent)
        ends[c, 1] = topology.bodies.index(joint.child)
        arms[c] = *(place - parent), *(place - child)
    rows = np.array([(names.index(e.joint), e.kind) for e in equations], dtype=np.int64)
    axes = np.array([(*e.parent_axis, *e.child_axis) for e in equations])
    return new_loops(
        *(ends, arms, rows.reshape(-1, 2), axes.reshape(-1, 6)),
        nq=topology.nq,
        nu=len(topology.speeds),
    )


def _rows(joint: JointKind) -> Iterator[tuple[int, _Pair]]:
    """Kind, s and t of the rows of one joint."""
    freedom = freedom_of(joint)
    free, turns = freedom.axes[: freedom.translations], freedom.axes[freedom.translations :]
    for axis in _perpendicular(free):
        yield TRANSLATION, (axis, np.zeros(3))
    x, y, z = np.eye(3)
    pairs: list[_Pair] = []
    if freedom.rotation == NO_ROTATION:
        pairs = [(x, y), (y, z), (z, x)]
    elif freedom.rotation == ONE_AXIS:
        pairs = [(axis, turns[0]) for axis in _perpendicular(turns)]
    elif freedom.rotation == TWO_AXES:
        pairs = [(turns[0], turns[1])]
    yield from ((ROTATION_ROW, pair) for pair in pairs)


def _perpendicular(axes: tuple[Float, ...]) -> list[Float]:
    """Unit vectors perpendicular to none, one or two perpendicular unit vectors."""
    if not axes:
        return list(np.eye(3))
    if len(axes) == 2:
        return [np.cross(axes[0], axes[1])]
    # the coordinate axis that is least along the given one
    first = np.cross(np.eye(3)[np.argmin(np.abs(axes[0]))], axes[0])
    first /= np.linalg.norm(first)
    return [first, np.cross(axes[0], first)]
