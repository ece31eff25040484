r"""What the force elements contribute to Newton matrices, by differences.

An element couples few bodies. Bodies of one colour share no element and no neighbour, so that they
are moved at the same time: six evaluations of all elements for each colour give

.. math:: S_{ij} = -\frac{\partial g_i}{\partial V_j}

with the mean twists :math:`V_j`, whose change by ε moves the midpoint by h ε / 2. Springs between
points and what the discrete gradient adds are taken as at the midpoint; Newton's method corrects
the rest.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from cosim.algebra.compiled import compiled
from cosim.algebra.rows import add_vector, clear, get_vector
from cosim.algebra.types import Float
from cosim.algebra.vectors import Vector, cross, scale
from cosim.multibody.cartesian.arrays import Index
from cosim.multibody.cartesian.coordinates import measure
from cosim.multibody.cartesian.directors import poses, twists
from cosim.multibody.cartesian.element_loads import element_loads
from cosim.multibody.cartesian.memory import Memory
from cosim.multibody.elements.bodies import Bodies

__all__ = ["Slopes", "element_pairs", "element_slopes", "new_slopes"]

Pair = tuple[int, int]

# how far bodies are moved, m and rad
_SHIFT = 1e-6


class Slopes(NamedTuple):
    """S of the elements.

    Attributes
    ----------
    sequence : (k,)
        Bodies that elements act on, by colour.
    first : (c + 1,)
        Where each colour begins in it.
    own : (n, 6, 6)
        S_ii.
    cross : (p, 2, 6, 6)
        S_ij and S_ji of the pairs of the saddle system.
    base : (n, 6)
        Wrenches where nothing is moved.
    """

    sequence: Index
    first: Index
    own: Float
    cross: Float
    base: Float


def element_pairs(memory: Memory) -> tuple[list[int], list[Pair]]:
    """Bodies that an element with stiffness or damping acts on, and pairs of them."""
    tables = memory.elements[0]
    loads, tensions, torsions, matrices = tables[2:6]
    ends = [tuple(memory.coordinates.ends[memory.chosen[e["coordinate"]]]) for e in loads]
    ends += [(e["first"], e["second"]) for table in (tensions, torsions) for e in table]
    ends += [(e["body"], e["reference"]) for e in matrices]
    pairs = {(int(min(i, j)), int(max(i, j))) for i, j in ends}
    bodies = {i for pair in pairs for i in pair if i >= 0}
    return sorted(bodies), sorted(pair for pair in pairs if pair[0] >= 0 and pair[0] != pair[1])


def new_slopes(bodies: list[int], pairs: list[Pair], count: int, saddle_pairs: int) -> Slopes:
    """Colour the bodies: greedily, none like its neighbours or their neighbours."""
    near: dict[int, set[int]] = {i: set() for i in bodies}
    for i, j in pairs:
        near[i].add(j)
        near[j].add(i)
    colour: dict[int, int] = {}
    for i in bodies:
        around = near[i].union(*(near[j] for j in near[i])) - {i}
        taken = {colour[j] for j in around if j in colour}
        colour[i] = next(c for c in range(len(bodies)) if c not in taken)
    sequence = sorted(bodies, key=lambda i: colour[i])
    counts = np.bincount([colour[i] for i in bodies]) if bodies else np.zeros(0, dtype=np.int64)
    return Slopes(
        np.array(sequence, dtype=np.int64),
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        own=np.zeros((count, 6, 6)),
        cross=np.zeros((saddle_pairs, 2, 6, 6)),
        base=np.zeros((count, 6)),
    )


@compiled
def element_slopes(
    memory: Memory,
    slopes: Slopes,
    motion: tuple[Float, Float],
    winding: Float,
    times: tuple[float, float],
) -> None:
    """Write S for the midpoint (x, v) of a step; `times` are that of the midpoint and h, s."""
    _evaluate(memory, slopes, motion, winding, (times[0], -1, 0, 0.0))
    for i in range(slopes.base.shape[0]):
        for a in range(6):
            slopes.base[i, a] = memory.wrench[i, a]
    rate = 2.0 * _SHIFT / times[1]
    pairs = memory.saddle.pairs
    for c in range(slopes.first.size - 1):
        for b in range(6):
            _evaluate(memory, slopes, motion, winding, (times[0], c, b, rate))
            for n in range(slopes.first[c], slopes.first[c + 1]):
                _note(memory, slopes, slopes.sequence[n], slopes.own[slopes.sequence[n]], b, rate)
            for p in range(pairs.shape[0]):
                for side in range(2):
                    if _has(slopes, c, pairs[p, 1 - side]):
                        _note(memory, slopes, pairs[p, side], slopes.cross[p, side], b, rate)


@compiled
def _note(
    memory: Memory, slopes: Slopes, body: int, block: Float, column: int, rate: float
) -> None:
    for a in range(6):
        block[a, column] = (slopes.base[body, a] - memory.wrench[body, a]) / rate


@compiled
def _has(slopes: Slopes, colour: int, body: int) -> bool:
    for n in range(slopes.first[colour], slopes.first[colour + 1]):
        if slopes.sequence[n] == body:
            return True
    return False


@compiled
def _evaluate(
    memory: Memory,
    slopes: Slopes,
    motion: tuple[Float, Float],
    winding: Float,
    shift: tuple[float, int, int, float],
) -> None:
    """Loads of all elements with the bodies of one colour moved; `shift`: t, colour, direction."""
    t, colour, direction, rate = shift
    space = memory.space
    x, v = motion
    for i in range(x.shape[0]):
        for k in range(12):
            space.x[i, k], space.v[i, k] = x[i, k], v[i, k]
    if colour >= 0:
        for n in range(slopes.first[colour], slopes.first[colour + 1]):
            _move(space.x, x, slopes.sequence[n], direction, _SHIFT)
            _move(space.v, x, slopes.sequence[n], direction, rate)
    poses(memory.frames, space)
    twists(space)
    measure(memory.coordinates, Bodies(space.r, space.R, space.twist), winding)
    clear(memory.wrench)
    element_loads(memory, t, memory.wrench[:0], True)


@compiled
def _move(out: Float, x: Float, body: int, direction: int, by: float) -> None:
    """Add `by` times a unit twist at x."""
    if direction < 3:
        out[body, direction] += by
        return
    axis = _unit(direction - 3)
    for k in (3, 6, 9):
        add_vector(out, body, k, scale(by, cross(axis, get_vector(x, body, k))))


@compiled
def _unit(k: int) -> Vector:
    return (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
