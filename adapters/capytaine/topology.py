"""Whether a panel mesh is the closed surface of a body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from adapters.capytaine.panels import Float, Int, PanelMesh
from adapters.capytaine.submerged import submerged_of_panels

__all__ = ["Topology", "duplicate_panels", "examine", "separate_parts"]


@dataclass(frozen=True)
class Topology:
    """Defects of a mesh; lengths in m.

    Attributes
    ----------
    open_below, open_above : int
        Edges with a panel on one side only that reach below, or lie above, the water. The cut of
        a hull at z = 0 counts for neither.
    example : (3,) or None
        Middle of one open edge below the water.
    twisted : int
        Edges whose two panels have opposite normals.
    """

    open_below: int
    open_above: int
    example: Float | None
    twisted: int


def examine(mesh: PanelMesh) -> Topology:
    """Find open and twisted edges of a mesh without symmetry.

    Every edge of a closed, consistently oriented surface is run through once in each sense. An
    edge that a neighbour's corner divides (a hanging node) counts as closed.
    """
    edges = _directed_edges(mesh.faces)
    single, twisted = _unpaired(edges)
    if len(single):
        single, torn = _unpaired(_divided(single, mesh.vertices))
        twisted += torn
    tolerance = 1e-6 * float(np.ptp(mesh.vertices, axis=0).max())
    heights = mesh.vertices[single][:, :, 2].reshape(-1, 2)
    below = heights.min(axis=1) < -tolerance
    above = ~below & (heights.max(axis=1) > tolerance)
    example = mesh.vertices[single[below][0]].mean(axis=0) if below.any() else None
    return Topology(int(below.sum()), int(above.sum()), example, twisted)


def duplicate_panels(mesh: PanelMesh) -> int:
    """Count panels with the same corners as another one."""
    corners = np.sort(mesh.faces, axis=1)
    return len(corners) - len(np.unique(corners, axis=0))


def separate_parts(mesh: PanelMesh) -> list[tuple[int, float]]:
    """Number of panels and volume (m³) of every connected part of a wetted mesh."""
    n = len(mesh.vertices)
    edges = _directed_edges(mesh.faces)
    graph = coo_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=(n, n))
    count, label = connected_components(graph, directed=False)
    owner = label[mesh.faces[:, 0]]
    parts = (PanelMesh(mesh.vertices, mesh.faces[owner == i]) for i in range(count))
    return [(part.size, submerged_of_panels(part).volume) for part in parts if part.size]


def _directed_edges(faces: Int) -> Int:
    edges = np.vstack([faces[:, [i, (i + 1) % 4]] for i in range(4)])
    return np.asarray(edges[edges[:, 0] != edges[:, 1]])


def _unpaired(edges: Int) -> tuple[Int, int]:
    """Edges run through in one sense only, and the number run through twice in the same one."""
    key, inverse = np.unique(np.sort(edges, axis=1), axis=0, return_inverse=True)
    sense = np.where(edges[:, 0] < edges[:, 1], 1, -1)
    net = np.bincount(inverse.ravel(), weights=sense, minlength=len(key))
    times = np.bincount(inverse.ravel(), minlength=len(key))
    alone = (net != 0) & (times % 2 == 1)
    single = np.where((net[alone] > 0)[:, None], key[alone], key[alone][:, ::-1])
    return single, int(np.sum((net != 0) & ~alone))


def _divided(edges: Int, vertices: Float) -> Int:
    """Cut edges at the other vertices that lie on them."""
    corners = np.unique(edges)
    pieces = []
    for start, end in edges:
        along = vertices[end] - vertices[start]
        length = float(np.linalg.norm(along))
        offset = vertices[corners] - vertices[start]
        share = offset @ along / length**2
        distance = np.linalg.norm(offset - share[:, None] * along, axis=1)
        inside = (share > 1e-6) & (share < 1.0 - 1e-6) & (distance < 1e-6 * length)
        chain = [start, *corners[inside][np.argsort(share[inside])], end]
        pieces.append(np.column_stack([chain[:-1], chain[1:]]))
    return np.vstack(pieces).astype(np.int64)
