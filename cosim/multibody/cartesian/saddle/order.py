"""In which order unknowns are eliminated, and what is filled thereby."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping

__all__ = ["fill", "minimum_degree"]


def minimum_degree(
    edges: Iterable[tuple[int, int]], after: Mapping[int, Collection[int]]
) -> list[int]:
    """Nodes ordered by least degree at their elimination.

    Parameters
    ----------
    edges : iterable of (int, int)
        Between the nodes.
    after : mapping of node to nodes
        Every node, and those that are to be eliminated before it.
    """
    adjacent: dict[int, set[int]] = {node: set() for node in after}
    for i, j in edges:
        if i != j:
            adjacent[i].add(j)
            adjacent[j].add(i)
    awaited = {node: set(others) for node, others in after.items()}
    waiting = [(len(adjacent[node]), node) for node, others in awaited.items() if not others]
    heapq.heapify(waiting)
    order: list[int] = []
    while waiting:
        degree, node = heapq.heappop(waiting)
        if node not in adjacent or degree != len(adjacent[node]):
            continue
        order.append(node)
        for other in _eliminate(adjacent, node):
            awaited[other].discard(node)
            if not awaited[other]:
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
