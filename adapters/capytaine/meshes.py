"""A mesh file as the hull of a body: read, checked, cut at still water, closed by a lid."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from adapters.capytaine.backend import capytaine, from_capytaine_mesh, to_capytaine_mesh
from adapters.capytaine.panels import Float, PanelMesh, welded
from adapters.capytaine.readers import read_panels
from adapters.capytaine.submerged import submerged_of_panels
from adapters.capytaine.topology import duplicate_panels, examine, separate_parts
from cosim.algebra.attitude import yaw_matrix
from cosim.errors import DatabaseError
from cosim.model.base import Number, Positive, Strict, Vector3

__all__ = ["MeshFile", "WettedMesh", "generated_lid", "load_mesh"]

LOG = logging.getLogger(__name__)


class MeshFile(Strict):
    """A hull given as a mesh file.

    Attributes
    ----------
    file : str
        STL, OBJ, Gmsh MSH or GDF; panels up to the deck or up to the waterline.
    at : (3,) sequence
        Where the origin of the file lies in the world, m.
    yaw_deg : float
        Rotation of the file's axes about the vertical, deg.
    scale : float, optional
        Metres per unit of the file.
    flip_normals : bool
        Reverse the panels, for a file whose normals point into the body.
    """

    file: str
    at: Vector3 = (0.0, 0.0, 0.0)
    yaw_deg: Number = 0.0
    scale: Positive | None = None
    flip_normals: bool = False


@dataclass(frozen=True)
class WettedMesh:
    """Wetted panels of a mesh file, the panels it holds on the waterline, and remarks."""

    hull: PanelMesh
    deck: PanelMesh
    notes: tuple[str, ...]


def load_mesh(
    spec: MeshFile, path: Path, *, body: str, rotation: Float | None = None
) -> WettedMesh:
    """Read a mesh file, check it, and cut it at still water.

    Parameters
    ----------
    spec : MeshFile
    path : Path
        Where the file is.
    body : str
        Name of the body, for messages.
    rotation : (3, 3), optional
        Attitude of the body, applied before `spec.yaw_deg`.

    Raises
    ------
    DatabaseError
        One sentence: unreadable, dry, open below the water, panels twice, normals that disagree
        or point inwards.
    """
    where = f"mesh '{path}' of body '{body}'"
    mesh = read_panels(path, body=body, scale=spec.scale)
    if spec.flip_normals:
        mesh = mesh.flipped()
    R = yaw_matrix(np.radians(spec.yaw_deg)) @ (np.eye(3) if rotation is None else rotation)
    mesh = _snapped(mesh.moved(spec.at, R))
    notes = _check_surface(mesh.whole(), where)
    hull, deck = _split(_cut(mesh), where)
    for size, volume in separate_parts(hull.whole()):
        if volume <= 0.0:
            raise DatabaseError(
                f"{where} is inside out: the normals of {size} panels point into the body "
                f"(volume {volume:.4g} m3); reverse the panels, or set 'flip_normals: true'"
            )
    top = float(hull.vertices[:, 2].max())
    if top < 0.0:
        notes.append(f"body '{body}' is fully submerged, its top is at z = {top:.3f} m")
    return WettedMesh(hull, deck, tuple(notes))


def generated_lid(hull: PanelMesh, where: str) -> PanelMesh:
    """Panels on the waterplane inside a hull, against irregular frequencies.

    Raises
    ------
    DatabaseError
        Nothing could be placed inside the waterline.
    """
    name = "hull"
    part = PanelMesh(hull.vertices, hull.faces)
    lid = capytaine().Mesh.generate_lid(to_capytaine_mesh(part, name), z=0.0)
    panels = from_capytaine_mesh(lid)
    if not len(panels.faces):
        raise DatabaseError(
            f"{where}: no lid fits inside its waterline; refine the mesh there, or close it there "
            "with panels of its own"
        )
    cleaned = welded(panels.vertices, panels.faces)
    return PanelMesh(cleaned.vertices, cleaned.faces, planes=hull.planes)


def _snapped(mesh: PanelMesh) -> PanelMesh:
    """Put vertices a rounding away from the water on it: no slivers when it is cut."""
    vertices = mesh.vertices.copy()
    tolerance = 1e-6 * float(np.ptp(vertices, axis=0).max())
    vertices[np.abs(vertices[:, 2]) < tolerance, 2] = 0.0
    return PanelMesh(vertices, mesh.faces, mesh.planes)


def _check_surface(mesh: PanelMesh, where: str) -> list[str]:
    lowest = float(mesh.vertices[:, 2].min())
    if lowest >= 0.0:
        raise DatabaseError(
            f"{where} is dry: its lowest point is at z = {lowest:.3f} m, still water is z = 0; "
            "move it with 'at'"
        )
    twice = duplicate_panels(mesh)
    if twice:
        raise DatabaseError(f"{where} holds {twice} panels twice; remove the duplicates")
    found = examine(mesh)
    if found.twisted:
        raise DatabaseError(
            f"{where} has {found.twisted} edges where neighbouring panels face opposite ways; "
            "make the normals agree (outwards)"
        )
    if found.open_below:
        x, y, z = found.example if found.example is not None else np.zeros(3)
        raise DatabaseError(
            f"{where} is open below the water: {found.open_below} edges belong to one panel "
            f"only, one of them at ({x:.2f}, {y:.2f}, {z:.2f}) m; close the hole"
        )
    if found.open_above:
        return [f"{where} is open above the water ({found.open_above} edges), which is harmless"]
    return []


def _cut(mesh: PanelMesh) -> PanelMesh:
    if float(mesh.vertices[:, 2].max()) <= 0.0:
        return mesh
    part = PanelMesh(mesh.vertices, mesh.faces)
    below = capytaine().Mesh.immersed_part(to_capytaine_mesh(part, "hull"))
    cut = from_capytaine_mesh(below)
    clean = welded(cut.vertices, cut.faces)
    return PanelMesh(clean.vertices, clean.faces, planes=mesh.planes)


def _split(mesh: PanelMesh, where: str) -> tuple[PanelMesh, PanelMesh]:
    """Separate the hull from panels that lie on the waterline (a deck, or a lid)."""
    on_water = (mesh.vertices[mesh.faces][:, :, 2] == 0.0).all(axis=1)
    hull = PanelMesh(mesh.vertices, mesh.faces[~on_water], mesh.planes)
    deck = PanelMesh(mesh.vertices, mesh.faces[on_water], mesh.planes)
    if on_water.any():
        LOG.info("%s: %d panels on the waterline serve as lid", where, int(on_water.sum()))
        rising = submerged_of_panels(PanelMesh(deck.vertices - [0.0, 0.0, 1.0], deck.faces)).area
        deck = deck.flipped() if rising < 0.0 else deck
    return hull, deck
