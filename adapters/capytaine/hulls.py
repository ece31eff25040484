"""From the description of a hull to what the solver and hydrostatics need."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import Discriminator, Tag

from adapters.capytaine.box import Box
from adapters.capytaine.meshes import MeshFile, generated_lid, load_mesh
from adapters.capytaine.panels import Float, PanelMesh
from adapters.capytaine.shapes import ParametricHull, Revolution, Sphere, VerticalCylinder
from adapters.capytaine.submerged import Submerged, submerged_of_panels
from cosim.algebra.attitude import yaw_matrix
from cosim.errors import DatabaseError

__all__ = ["Hull", "HullGeometry", "WettedHull", "prepare"]

LOG = logging.getLogger(__name__)
REPORTED = 1e-3


def _kind(value: object) -> str:
    if isinstance(value, dict):
        return "file" if "file" in value else str(value.get("shape"))
    return "file" if isinstance(value, MeshFile) else str(getattr(value, "shape", None))


HullGeometry = Annotated[
    Annotated[MeshFile, Tag("file")]
    | Annotated[Sphere, Tag("sphere")]
    | Annotated[VerticalCylinder, Tag("vertical_cylinder")]
    | Annotated[Revolution, Tag("revolution")]
    | Annotated[Box, Tag("box")],
    Discriminator(
        _kind,
        custom_error_type="hull",
        custom_error_message="a hull needs 'file', or 'shape': sphere, vertical_cylinder, "
        "revolution or box",
    ),
]


@dataclass(frozen=True)
class Hull:
    """Hull of one body in the reference configuration.

    Attributes
    ----------
    name : str
        Name of the body.
    geometry : MeshFile, Sphere, VerticalCylinder, Revolution or Box
    centre_of_gravity : (3,)
        m, world; rotations and moments of the database are about it.
    rotation : (3, 3), optional
        Attitude of the body; parametric hulls can only be turned about the vertical.
    folder : Path
        Where the path of a mesh file starts.
    lid : bool
        Panels on the waterplane inside the hull, against irregular frequencies.
    """

    name: str
    geometry: MeshFile | ParametricHull
    centre_of_gravity: tuple[float, float, float]
    rotation: Float | None = None
    folder: Path = Path()
    lid: bool = True


@dataclass(frozen=True)
class WettedHull:
    """A hull ready for the solver.

    Attributes
    ----------
    name : str
    centre_of_gravity : (3,)
        m, world.
    hull, lid : PanelMesh
        World frame; `lid` is None without one.
    submerged : Submerged
        Exact for parametric hulls, that of the triangulated panels otherwise.
    notes : tuple of str
        One sentence each.
    """

    name: str
    centre_of_gravity: Float
    hull: PanelMesh
    lid: PanelMesh | None
    submerged: Submerged
    notes: tuple[str, ...] = ()


def prepare(hull: Hull, *, water_depth: float) -> WettedHull:
    """Build the panels of a hull and its hydrostatics.

    Parameters
    ----------
    hull : Hull
    water_depth : float
        m, may be inf.

    Raises
    ------
    DatabaseError
        See :func:`adapters.capytaine.meshes.load_mesh`; also a hull that touches the seabed, or a
        parametric hull that is rolled or pitched.
    """
    geometry = hull.geometry
    if isinstance(geometry, MeshFile):
        wetted = _from_file(hull, geometry)
    else:
        wetted = _from_shape(hull, geometry)
    lowest = float(wetted.hull.vertices[:, 2].min())
    if lowest <= -water_depth:
        raise DatabaseError(
            f"hull of body '{hull.name}': its lowest point is at z = {lowest:.2f} m, but the "
            f"water is {water_depth:g} m deep"
        )
    for note in wetted.notes:
        LOG.info("%s", note)
    return wetted


def _from_file(hull: Hull, spec: MeshFile) -> WettedHull:
    path = hull.folder / spec.file
    mesh = load_mesh(spec, path, body=hull.name, rotation=hull.rotation)
    submerged = submerged_of_panels(mesh.hull)
    lid: PanelMesh | None = None
    if hull.lid and submerged.area > 1e-6 * submerged.volume ** (2.0 / 3.0):
        where = f"mesh '{path}' of body '{hull.name}'"
        lid = mesh.deck if len(mesh.deck.faces) else generated_lid(mesh.hull, where)
    centre = np.array(hull.centre_of_gravity)
    return WettedHull(hull.name, centre, mesh.hull, lid, submerged, mesh.notes)


def _from_shape(hull: Hull, shape: ParametricHull) -> WettedHull:
    yaw = shape.yaw + _heading(hull)
    x, y = hull.centre_of_gravity[:2] if shape.at is None else shape.at
    panels, lid = shape.panels()
    # turning a body of revolution changes nothing, and would cost its symmetry
    R = yaw_matrix(yaw) if yaw and panels.sectors == 1 else None
    panels = panels.moved((x, y, 0.0), R)
    lid = lid.moved((x, y, 0.0), R) if lid is not None and hull.lid else None
    exact = shape.submerged().moved(x, y, yaw)
    return WettedHull(
        hull.name,
        np.array(hull.centre_of_gravity),
        panels,
        lid,
        exact,
        _difference(hull.name, exact, submerged_of_panels(panels)),
    )


def _heading(hull: Hull) -> float:
    R = np.eye(3) if hull.rotation is None else hull.rotation
    if abs(R[2, 2] - 1.0) > 1e-9:
        raise DatabaseError(
            f"hull of body '{hull.name}': a parametric hull cannot be rolled or pitched; use a "
            "mesh file, or leave the attitude of the body out"
        )
    return float(np.arctan2(R[1, 0], R[0, 0]))


def _difference(name: str, exact: Submerged, panels: Submerged) -> tuple[str, ...]:
    missing = exact.volume - panels.volume
    if abs(missing) <= REPORTED * exact.volume or exact.area == 0.0:
        return ()
    draft = missing / exact.area
    return (
        f"hull of body '{name}': the panels displace {panels.volume:.6g} m3, the exact volume is "
        f"{exact.volume:.6g} m3; the panels alone would float {abs(draft):.3g} m too "
        f"{'deep' if draft > 0.0 else 'high'}",
    )
