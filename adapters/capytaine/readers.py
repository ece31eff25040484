"""Panels from mesh files: STL, OBJ, Gmsh MSH and WAMIT GDF.

Every problem ends in a DatabaseError that names the file and, in text files, the line.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np

from adapters.capytaine.panels import Float, Int, PanelMesh, welded
from cosim.errors import DatabaseError

__all__ = ["read_panels"]

LFS_HEADER = b"version https://git-lfs"


def read_panels(path: Path, *, body: str, scale: float | None = None) -> PanelMesh:
    """Read the panels of a body from a file; coinciding vertices are merged.

    Parameters
    ----------
    path : Path
        ``.stl``, ``.obj``, ``.msh`` (Gmsh 2.2 and 4) or ``.gdf`` (low order).
    body : str
        Name of the body, for messages.
    scale : float, optional
        Metres per unit of the file; default 1. Required for a GDF file whose ULEN is not 1.

    Raises
    ------
    DatabaseError
        Missing, a git-lfs stub, of unknown kind, unreadable or empty.
    """
    where = f"mesh '{path}' of body '{body}'"
    readers: dict[str, Callable[[Path, str], PanelMesh]] = {
        ".stl": _stl,
        ".obj": _obj,
        ".msh": _msh,
        ".gdf": _gdf_dimensional if scale is None else _gdf,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise DatabaseError(f"{where} is of an unknown kind; use {', '.join(sorted(readers))}")
    if not path.is_file():
        raise DatabaseError(f"{where} does not exist")
    with path.open("rb") as stream:
        if stream.read(len(LFS_HEADER)) == LFS_HEADER:
            raise DatabaseError(
                f"{where} is a git-lfs stub, not the mesh itself; fetch it with 'git lfs pull'"
            )
    mesh = reader(path, where)
    if not len(mesh.faces):
        raise DatabaseError(f"{where} holds no panels")
    if not np.isfinite(mesh.vertices).all():
        raise DatabaseError(f"{where} has coordinates that are not finite numbers")
    part = welded(mesh.vertices * (scale or 1.0), mesh.faces)
    return PanelMesh(part.vertices, part.faces, planes=mesh.planes)


def _stl(path: Path, where: str) -> PanelMesh:
    import trimesh

    try:
        loaded = trimesh.load_mesh(path, process=False)
        vertices = np.asarray(loaded.vertices, dtype=np.float64)
        triangles = np.asarray(loaded.faces, dtype=np.int64)
    except Exception as error:  # the library raises whatever its parsers meet
        raise DatabaseError(f"{where} cannot be read as STL: {error}") from error
    return PanelMesh(vertices, triangles[:, [0, 1, 2, 2]].reshape(-1, 4))


def _msh(path: Path, where: str) -> PanelMesh:
    import meshio

    try:
        # it prints its warnings
        with contextlib.redirect_stderr(io.StringIO()):
            loaded = meshio.gmsh.read(path)
    except Exception as error:  # the library raises whatever its parsers meet
        reason = str(error) or type(error).__name__
        raise DatabaseError(f"{where} cannot be read as a Gmsh file: {reason}") from error
    cells = [
        np.asarray(block.data)[:, [0, 1, 2, 2] if block.type == "triangle" else [0, 1, 2, 3]]
        for block in loaded.cells
        if block.type in ("triangle", "quad")
    ]
    points = np.asarray(loaded.points, dtype=np.float64)
    return PanelMesh(points, np.vstack(cells).astype(np.int64) if cells else _no_faces())


def _obj(path: Path, where: str) -> PanelMesh:
    vertices: list[list[float]] = []
    faces: list[list[int]] = []
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1):
        words = line.split("#")[0].split()
        try:
            if words[:1] == ["v"]:
                vertices.append([float(word) for word in words[1:4]])
            elif words[:1] == ["f"]:
                faces.append(_obj_face(words[1:], len(vertices)))
        except ValueError as error:
            raise DatabaseError(f"{where}, line {number}: {error}") from None
    if any(len(v) != 3 for v in vertices):
        raise DatabaseError(f"{where} has a vertex without three coordinates")
    array = np.array(faces, dtype=np.int64) if faces else _no_faces()
    if array.size and (array.min() < 0 or array.max() >= len(vertices)):
        raise DatabaseError(f"{where} has a panel whose corner is not in the list of vertices")
    return PanelMesh(np.array(vertices, dtype=np.float64).reshape(-1, 3), array)


def _obj_face(words: list[str], count: int) -> list[int]:
    """Corners of one face, from 0; negative indices count back from the last vertex."""
    numbers = [int(word.split("/")[0]) for word in words]
    corners = [n - 1 if n > 0 else count + n for n in numbers]
    if len(corners) not in (3, 4):
        raise ValueError(f"a panel has {len(corners)} corners; only 3 or 4 can be used")
    return corners if len(corners) == 4 else [*corners, corners[-1]]


def _gdf_dimensional(path: Path, where: str) -> PanelMesh:
    ulen = _gdf_header(_lines(path), where)[0]
    if ulen != 1.0:
        raise DatabaseError(
            f"{where}, line 2: ULEN is {ulen:g}; WAMIT takes the coordinates as lengths already "
            "(then give scale: 1), some writers divide them by ULEN (then give "
            f"scale: {ulen:g})"
        )
    return _gdf(path, where)


def _gdf(path: Path, where: str) -> PanelMesh:
    lines = _lines(path)
    _, planes, count = _gdf_header(lines, where)
    values: list[float] = []
    for number, line in enumerate(lines[4:], start=5):
        try:
            values.extend(float(word) for word in line.split())
        except ValueError:
            raise DatabaseError(
                f"{where}, line {number}: '{line.strip()}' is not numbers"
            ) from None
    if len(values) != 12 * count:
        raise DatabaseError(
            f"{where}: line 4 announces {count} panels, that is {12 * count} coordinates, but "
            f"{len(values)} follow"
        )
    vertices: Float = np.array(values, dtype=np.float64).reshape(-1, 3)
    return PanelMesh(vertices, np.arange(4 * count).reshape(-1, 4), planes=planes)


def _lines(path: Path) -> list[str]:
    return path.read_text(errors="replace").splitlines()


def _gdf_header(lines: list[str], where: str) -> tuple[float, tuple[str, ...], int]:
    try:
        ulen = float(lines[1].split()[0])
        x_symmetry, y_symmetry = (int(word) for word in lines[2].split()[:2])
        count = int(lines[3].split()[0])
    except (IndexError, ValueError):
        raise DatabaseError(
            f"{where} does not start like a GDF file (title; ULEN GRAV; ISX ISY; number of panels)"
        ) from None
    # ISX = 1: x = 0 is a plane of symmetry, that is yOz
    planes = ("xOz",) * (y_symmetry == 1) + ("yOz",) * (x_symmetry == 1)
    return ulen, planes, count


def _no_faces() -> Int:
    return np.empty((0, 4), dtype=np.int64)
