"""In which order unknowns are eliminated, and what is filled thereby."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

__all__ = ["fill", "minimum_degree"]


def minimum_degree(edges: Iterable[tuple[int, int]], groups: Sequence[Sequence[int]]) -> list[int]:
    """Nodes ordered by least degree at their elimination, one group after the other.

    Parameters
    ----------
    edges : iterable of (int, int)
        Between the nodes of all groups.
    groups : sequence of sequences of int
        A node of a later group is eliminated after all of the earlier ones.
    """
    adjacent: dict[int, set[int]] = {node: set() for group in groups for node in group}
    for i, j in edges:
        if i != j:
            adjacent[i].add(j)
            adjacent[j].add(i)
    order: list[int] = []
    for group in groups:
        waiting = [(len(adjacent[node]), node) for node in group]
        heapq.heapify(waiting)
        allowed = set(group)
        while waiting:
            degree, node = heapq.heappop(waiting)
            if node not in allowed or degree != len(adjacent[node]):
                continue
            allowed.discard(node)
            order.append(node)
            for other in _eliminate(adjacent, node):
                if other in allowed:
                    heapq.heappush(waiting, (len(adjacent[other]), other))
    return order


def fill(entries: Iterable[tuple[int, int]], size: int) -> list[list[int]]:
    """Columns right of the diagonal of every row of the factor U of a symmetric pattern.

    Parameters
    ----------
    entries : iterable of (int, int)
        Rows and columns in the order of elimination; either triangle.
    size : int
    """
    right: list[set[int]] = [set() for _ in range(size)]
    for i, j in entries:
        if i != j:
            right[min(i, j)].add(max(i, j))
    for row in range(size):
        if right[row]:
            parent = min(right[row])
            right[parent] |= right[row]
            right[parent].discard(parent)
    return [sorted(columns) for columns in right]


def _eliminate(adjacent: dict[int, set[int]], node: int) -> set[int]:
    """Take a node out of the graph: its neighbours become neighbours of each other."""
    neighbours = adjacent.pop(node)
    for other in neighbours:
        adjacent[other] |= neighbours
        adjacent[other] -= {other, node}
    return neighbours
