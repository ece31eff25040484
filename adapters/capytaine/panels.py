"""Panel meshes as plain arrays, with the symmetry that the solver exploits."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from cosim.algebra.attitude import yaw_matrix
from cosim.algebra.types import Float

__all__ = ["Float", "Int", "PanelMesh", "triangles", "welded"]

Int = NDArray[np.int64]

_NORMAL_AXIS = {"yOz": 0, "xOz": 1}


@dataclass(frozen=True)
class PanelMesh:
    """Panels of a surface; what symmetry repeats is stored once.

    Attributes
    ----------
    vertices : (n, 3)
        m.
    faces : (m, 4)
        Indices of the corners, counter-clockwise seen from the water; a triangle repeats its
        last corner.
    planes : tuple of str
        The stored part is mirrored in these planes, ``"xOz"`` and/or ``"yOz"``.
    sectors : int
        The stored part is one of so many equal sectors about the z axis.
    """

    vertices: Float
    faces: Int
    planes: tuple[str, ...] = ()
    sectors: int = 1

    @property
    def size(self) -> int:
        """Number of panels of the whole surface."""
        return len(self.faces) * (1 << len(self.planes)) * self.sectors

    def whole(self) -> PanelMesh:
        """Return the same surface without symmetry, vertices merged."""
        vertices, faces = self.vertices, self.faces
        for plane in self.planes:
            mirror = np.ones(3)
            mirror[_NORMAL_AXIS[plane]] = -1.0
            # a mirror turns the normals inside out: run around the corners the other way
            faces = np.vstack([faces, _reversed(faces) + len(vertices)])
            vertices = np.vstack([vertices, vertices * mirror])
        angles = 2.0 * np.pi * np.arange(self.sectors) / self.sectors
        n = len(vertices)
        faces = np.vstack([faces + i * n for i in range(self.sectors)])
        vertices = np.vstack([vertices @ yaw_matrix(angle).T for angle in angles])
        if self.sectors == 1 and not self.planes:
            return replace(self, vertices=vertices, faces=faces)
        return welded(vertices, faces)

    def moved(self, shift: ArrayLike, rotation: Float | None = None) -> PanelMesh:
        """Rotate about the origin, then translate; only a lift keeps the symmetry.

        Parameters
        ----------
        shift : (3,)
            m.
        rotation : (3, 3), optional
        """
        shift = np.asarray(shift, dtype=np.float64)
        R = np.eye(3) if rotation is None else rotation
        if np.array_equal(R, np.eye(3)) and not shift[:2].any():
            return replace(self, vertices=self.vertices + shift)
        part = self.whole()
        return replace(part, vertices=part.vertices @ R.T + shift)

    def flipped(self) -> PanelMesh:
        """Return the same panels with their normals reversed."""
        return replace(self, faces=_reversed(self.faces))


def triangles(mesh: PanelMesh) -> Float:
    """Return the stored panels as triangles, (k, 3, 3); quadrangles are cut in two."""
    a, b, c, d = (mesh.faces[:, i] for i in range(4))
    second = np.column_stack([a, c, d])[d != c]
    corners = np.vstack([np.column_stack([a, b, c]), second])
    return np.asarray(mesh.vertices[corners])


def welded(vertices: Float, faces: Int, *, tolerance: float | None = None) -> PanelMesh:
    """Merge coinciding vertices and drop panels that have collapsed.

    Parameters
    ----------
    vertices : (n, 3)
    faces : (m, 4)
    tolerance : float, optional
        m; default 1e-7 of the largest extent.
    """
    if tolerance is None:
        tolerance = 1e-7 * float(np.ptp(vertices, axis=0).max())
    pairs = cKDTree(vertices).query_pairs(tolerance, output_type="ndarray")
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=2 * (len(vertices),))
    _, label = connected_components(graph, directed=False)
    _, kept, inverse = np.unique(label, return_index=True, return_inverse=True)
    compact = _without_repeats(inverse[faces])
    used, numbering = np.unique(compact, return_inverse=True)
    return PanelMesh(vertices[kept[used]], numbering.reshape(compact.shape).astype(np.int64))


def _without_repeats(faces: Int) -> Int:
    """Return faces whose corners differ, triangles with the last corner repeated."""
    rows = []
    for face in faces.tolist():
        corners = [v for i, v in enumerate(face) if v != face[i - 1]]
        if len(set(corners)) == len(corners) >= 3:
            rows.append(corners if len(corners) == 4 else [*corners, corners[-1]])
    return np.array(rows, dtype=np.int64).reshape(-1, 4)


def _reversed(faces: Int) -> Int:
    """Return the same corners the other way round (triangles keep their form)."""
    triangle = faces[:, 2] == faces[:, 3]
    out = faces[:, ::-1].copy()
    out[triangle] = faces[triangle][:, [2, 1, 0, 0]]
    return out
