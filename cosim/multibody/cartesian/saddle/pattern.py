"""Which entries of the saddle matrix may differ from zero."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cosim.multibody.cartesian.arrays import REDUCED, SIZES, Frames, Index, Rows
from cosim.multibody.cartesian.saddle.order import minimum_degree

__all__ = ["Pattern", "pairs_of", "products"]

Pair = tuple[int, int]

_VECTORS = tuple((side, k) for side in range(2) for k in range(4))


def pairs_of(rows: Rows, more: Sequence[Pair] = ()) -> list[Pair]:
    """Pairs of bodies, the lower first, that a quadratic row or one of `more` couples."""
    pairs = {(min(i, j), max(i, j)) for i, j in more if i != j}
    for row, (i, j) in enumerate(rows.body.tolist()):
        if min(i, j) >= 0 and any(s != r for (s, _), (r, _) in products(rows, row)):
            pairs.add((min(i, j), max(i, j)))
    return sorted(pairs)


@dataclass(frozen=True)
class Pattern:
    """Entries of [[A, Uᵀ], [L, 0]] for bodies and rows.

    Parameters
    ----------
    frames : Frames
    rows : Rows
    rigid : int
        Number of rows that keep bodies rigid; they come first.
    dense : sequence of int
        Bodies whose own block of A is full (reduced bodies are in any case).
    couplings : sequence of (int, int)
        Pairs of bodies whose common blocks are full.
    curved : bool
        Whether A holds second derivatives of the rows.
    """

    frames: Frames
    rows: Rows
    rigid: int
    dense: Sequence[int] = ()
    couplings: Sequence[Pair] = ()
    curved: bool = False

    @property
    def unknowns(self) -> int:
        """Coordinates and multipliers."""
        return int(self.frames.start[-1]) + len(self.rows.law)

    def order(self) -> Index:
        """Unknowns in the order of elimination: bodies with their own rows, then all others.

        A multiplier is eliminated after the bodies that it acts on: its pivot is -J A⁻¹ Jᵀ of its
        row on what the earlier rows leave these bodies free to do, which is zero only for rows
        that depend on others.
        """
        bodies, sides = len(self.frames.kind), self.rows.body.tolist()
        nodes = [pair[0] for pair in sides[: self.rigid]]
        between: dict[tuple[int, int], int] = {}  # all rows between two bodies make one node
        for i, j in sides[self.rigid :]:
            nodes.append(between.setdefault((i, j), bodies + len(between)))
        edges: list[Pair] = [*self.couplings, *(pairs_of(self.rows) if self.curved else ())]
        edges += [(i, node) for (pair, node) in between.items() for i in pair if i >= 0]
        after: dict[int, list[int]] = {i: [] for i in range(bodies)}
        after |= {node: [i for i in pair if i >= 0] for pair, node in between.items()}
        sequence = minimum_degree(edges, after)
        members: dict[int, list[int]] = {node: [] for node in sequence}
        for i in range(bodies):
            members[i] += range(self.frames.start[i], self.frames.start[i + 1])
        for row, node in enumerate(nodes):
            members[node].append(int(self.frames.start[-1]) + row)
        return np.array([u for node in sequence for u in members[node]], dtype=np.int64)

    def entries(self) -> Iterator[Pair]:
        """Row and column of every entry of one triangle at least."""
        start = self.frames.start
        for i, kind in enumerate(self.frames.kind):
            full = kind == REDUCED or i in self.dense
            yield from _block(start[i], start[i], SIZES[kind], full)
        for i, j in self.couplings:
            sizes = SIZES[self.frames.kind[i]], SIZES[self.frames.kind[j]]
            for a in range(sizes[0]):
                yield from ((int(start[i]) + a, int(start[j]) + b) for b in range(sizes[1]))
        for row in range(len(self.rows.law)):
            if self.curved:
                yield from self._hessian(row)
            multiplier = int(start[-1]) + row
            yield multiplier, multiplier
            for side, k in self.gradient(row):
                yield multiplier, int(start[self.rows.body[row, side]]) + k

    def gradient(self, row: int) -> Iterator[Pair]:
        """Sides and coordinates of a row's gradient that may differ from zero."""
        for side, k in _VECTORS:
            body = self.rows.body[row, side]
            if body < 0:
                continue
            by = self.rows.weight[row, :, side, k]
            by_b = by[1] or self.rows.law[row] >= 0
            for c in range(3):
                if not ((by[0] and self._varies(row, 1, c)) or (by_b and self._varies(row, 0, c))):
                    continue
                if 3 * k + c < SIZES[self.frames.kind[body]]:
                    yield side, 3 * k + c
                else:  # the third director of a reduced body moves the other two
                    yield from ((side, n) for n in range(3, 9))

    def _varies(self, row: int, factor: int, c: int) -> bool:
        """Whether component c of a factor may differ from zero."""
        rows = self.rows
        moves = any(
            rows.body[row, side] >= 0 and rows.weight[row, factor, side].any() for side in range(2)
        )
        moves = moves or (factor == 1 and rows.law[row] >= 0)
        return bool(moves or rows.constant[row, factor, c])

    def _hessian(self, row: int) -> Iterator[Pair]:
        start, rows = self.frames.start, self.rows
        for (s, k), (r, l) in products(rows, row):  # noqa: E741
            i, j = rows.body[row, s], rows.body[row, r]
            sizes = SIZES[self.frames.kind[i]], SIZES[self.frames.kind[j]]
            if 3 * k < sizes[0] and 3 * l < sizes[1]:
                yield from (
                    (int(start[i]) + 3 * k + c, int(start[j]) + 3 * l + c) for c in range(3)
                )


def products(rows: Rows, row: int) -> Iterator[tuple[Pair, Pair]]:
    """Pairs of vectors (side, k) whose product is in the row."""
    for s, k in _VECTORS:
        for r, l in _VECTORS:  # noqa: E741
            if min(rows.body[row, s], rows.body[row, r]) < 0:
                continue
            a, b = rows.weight[row]
            if rows.law[row] >= 0:  # the weights of b come and go
                b = np.ones_like(b)
            if (a[s, k] and b[r, l]) or (b[s, k] and a[r, l]):
                yield (s, k), (r, l)


def _block(i: int, j: int, size: int, full: bool) -> Iterator[Pair]:
    for a in range(size):
        if full:
            yield from ((int(i) + a, int(j) + b) for b in range(size))
        else:
            yield int(i) + a, int(j) + a
