"""The one place where Capytaine is imported: slow (1.7 s), and it configures logging.

Its import gives the root logger a handler when there is none, and its messages then appear on
the terminal. Here the root logger is left as it was, and the messages stay in ``logging``.
"""

from __future__ import annotations

import importlib
import logging
from types import ModuleType
from typing import Protocol

import numpy as np

from adapters.capytaine.panels import Float, Int, PanelMesh
from cosim.errors import DatabaseError

__all__ = ["BemMesh", "capytaine", "from_capytaine_mesh", "to_capytaine_mesh"]

SUPPORTED = "3"


class BemMesh(Protocol):
    """What is used of a mesh of Capytaine."""

    vertices: Float
    faces: Int


def capytaine() -> ModuleType:
    """Import Capytaine without its effects on logging.

    Raises
    ------
    DatabaseError
        Not installed, or another major version than the one the results were verified with.
    """
    root = logging.getLogger()
    shield = logging.NullHandler()
    root.addHandler(shield)
    try:
        module = importlib.import_module("capytaine")
    except ImportError as error:
        raise DatabaseError(
            f"Capytaine cannot be imported ({error}); install it, or give a database file"
        ) from error
    finally:
        root.removeHandler(shield)
    if module.__version__.split(".")[0] != SUPPORTED:
        raise DatabaseError(
            f"Capytaine {module.__version__} is installed; version {SUPPORTED} is needed"
        )
    own = logging.getLogger("capytaine")
    if not own.handlers:
        own.addHandler(logging.NullHandler())
    return module


def to_capytaine_mesh(mesh: PanelMesh, name: str) -> BemMesh:
    """Mesh of Capytaine, with the symmetry it exploits.

    The symmetric solution equals that of the whole mesh to rounding: the influence matrices are
    block-circulant.
    """
    cpt = capytaine()
    faces = [face if face[2] != face[3] else face[:3] for face in mesh.faces.tolist()]
    out: BemMesh = cpt.Mesh(mesh.vertices, faces, name=name, auto_clean=False, auto_check=False)
    if mesh.sectors > 1:
        out = cpt.RotationSymmetricMesh(wedge=out, n=mesh.sectors, name=name)
    for plane in mesh.planes:
        out = cpt.ReflectionSymmetricMesh(half=out, plane=plane, name=name)
    return out


def from_capytaine_mesh(mesh: BemMesh) -> PanelMesh:
    """Arrays of a plain mesh of Capytaine."""
    vertices = np.asarray(mesh.vertices, dtype=np.float64)
    faces = np.asarray(mesh.faces, dtype=np.int64)
    return PanelMesh(vertices, faces.reshape(-1, 4))
