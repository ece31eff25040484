"""Hydrodynamic database of a set of hulls: computed once, then read from a cache.

The key of the cache is a hash of everything that enters: bytes of the mesh files, panels of the
shapes, positions, sea, version of Capytaine, version of this code's format. The file is in the
layout of Capytaine with the additions listed in :mod:`adapters.capytaine.dataset`; read it with
:func:`cosim.hydrodynamics.read_capytaine.read_capytaine`.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import logging
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from adapters.capytaine.dataset import FORMAT, to_dataset, write
from adapters.capytaine.hulls import Hull, prepare
from adapters.capytaine.meshes import MeshFile
from adapters.capytaine.resolution import resolution_remarks
from adapters.capytaine.solve import Progress, Sea, solve
from cosim.errors import DatabaseError

__all__ = ["Effort", "build_database", "cache_directory", "compute_database"]

LOG = logging.getLogger(__name__)
PROGRESS = logging.getLogger("adapters.progress")
CACHE_VARIABLE = "COSIM_CACHE"
GREEN_FUNCTION = "Delhommeau, finite depth fitted to 1e-8"


def _log_quarters(done: int, total: int) -> None:
    if done == 0:
        PROGRESS.info("Capytaine computes the hulls, once for this case; it may take minutes")
    elif 4 * done // total > 4 * (done - 1) // total:
        PROGRESS.info("Capytaine: %d of %d frequencies", done, total)


@dataclass(frozen=True)
class Effort:
    """What the computation may cost, and whom to tell.

    Attributes
    ----------
    memory_limit : float
        Largest estimate of the memory for the matrices, bytes.
    progress : callable
        Called with (frequencies done, frequencies in all); by default it logs the quarters.
    """

    memory_limit: float = 2e9
    progress: Progress = _log_quarters


def build_database(
    hulls: Sequence[Hull],
    *,
    omegas: ArrayLike,
    headings_deg: ArrayLike,
    rho: float,
    g: float,
    water_depth: float,
    effort: Effort | None = None,
    cache: Path | None = None,
) -> Path:
    """Compute the database of hulls that interact, or find it in the cache.

    Parameters
    ----------
    hulls : sequence of Hull
    omegas : (n,)
        Finite frequencies, rad/s; infinity is added, and 0 in deep water.
    headings_deg : (m,)
        Going-to, from +x counter-clockwise, deg.
    rho, g, water_depth : float
        kg/m³, m/s², m (inf for deep water).
    effort : Effort, optional
        Memory limit and progress callback.
    cache : Path, optional
        Directory; default :func:`cache_directory`.

    Returns
    -------
    Path
        NetCDF file in the cache; equal input gives the same file.

    Raises
    ------
    DatabaseError
        Bad input, a bad mesh, or a failure of the solver.
    """
    sea = _sea(omegas, headings_deg, rho=rho, g=g, water_depth=water_depth)
    _check_names(hulls)
    asked = _description(hulls, sea)
    key = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:32]
    folder = cache_directory() if cache is None else cache
    path = folder / f"{key}.nc"
    if path.is_file():
        LOG.info("hydrodynamic database taken from the cache, %s", path)
        return path
    dataset = compute_database(hulls, sea, effort=effort)
    dataset.attrs["input"] = json.dumps(asked, sort_keys=True)
    folder.mkdir(parents=True, exist_ok=True)
    _write_whole(dataset, path)
    return path


def compute_database(
    hulls: Sequence[Hull], sea: Sea, *, effort: Effort | None = None
) -> xr.Dataset:
    """Compute the database of hulls without the cache; see :func:`build_database`."""
    effort = effort or Effort()
    wetted = [prepare(hull, water_depth=sea.water_depth) for hull in hulls]
    coefficients = solve(wetted, sea, memory_limit=effort.memory_limit, progress=effort.progress)
    found = resolution_remarks(wetted, omega=sea.omegas[-1], g=sea.g)
    for remark in found:
        LOG.warning("%s", remark)
    attributes = {"capytaine_version": _version(), "green_function": GREEN_FUNCTION}
    dataset = to_dataset(wetted, sea, coefficients, attributes)
    notes = [*json.loads(dataset.attrs["notes"]), *found]
    dataset.attrs["notes"] = json.dumps(notes)
    return dataset


def cache_directory() -> Path:
    """``$COSIM_CACHE``, or ``~/.cache/offshore-cosim``; databases lie in its ``bem``."""
    chosen = os.environ.get(CACHE_VARIABLE)
    root = Path(chosen) if chosen else Path.home() / ".cache" / "offshore-cosim"
    return root / "bem"


def _sea(
    omegas: ArrayLike, headings_deg: ArrayLike, *, rho: float, g: float, water_depth: float
) -> Sea:
    w = np.atleast_1d(np.asarray(omegas, dtype=np.float64))
    headings = np.atleast_1d(np.asarray(headings_deg, dtype=np.float64))
    finite = w[np.isfinite(w) & (w != 0.0)]
    if not finite.size or not (finite > 0.0).all() or np.isnan(w).any():
        raise DatabaseError("the wave frequencies of a database must be positive numbers, rad/s")
    if not headings.size or not np.isfinite(headings).all():
        raise DatabaseError("a database needs at least one wave heading, deg")
    if np.unique(headings % 360.0).size != headings.size:
        raise DatabaseError("the wave headings of a database contain one direction twice")
    for name, value in (("rho", rho), ("g", g), ("water_depth", water_depth)):
        if not value > 0.0:
            raise DatabaseError(f"{name} = {value:g} of a database must be positive")
    return Sea(
        omegas=tuple(np.unique(finite).tolist()),
        headings=tuple(np.radians(np.sort(headings)).tolist()),
        rho=float(rho),
        g=float(g),
        water_depth=float(water_depth),
    )


def _check_names(hulls: Sequence[Hull]) -> None:
    names = [hull.name for hull in hulls]
    if not names:
        raise DatabaseError("a database needs at least one hull")
    if len(set(names)) != len(names):
        raise DatabaseError(f"two hulls of a database have the same name ({', '.join(names)})")


def _description(hulls: Sequence[Hull], sea: Sea) -> dict[str, object]:
    """Everything the result depends on; bytes of files as their hash."""
    return {
        "format": FORMAT,
        "capytaine": _version(),
        "hulls": [_hull_description(hull) for hull in hulls],
        "omegas": sea.omegas,
        "headings": sea.headings,
        "rho": sea.rho,
        "g": sea.g,
        "water_depth": str(sea.water_depth),
    }


def _hull_description(hull: Hull) -> dict[str, object]:
    return {
        "name": hull.name,
        "geometry": hull.geometry.model_dump(mode="json", exclude={"file"}),
        "content": _content(hull),
        "centre_of_gravity": list(map(float, hull.centre_of_gravity)),
        "rotation": None if hull.rotation is None else np.asarray(hull.rotation).tolist(),
        "lid": hull.lid,
    }


def _content(hull: Hull) -> str:
    """Hash of the mesh file, or of the panels of a parametric hull."""
    if not isinstance(hull.geometry, MeshFile):
        surfaces = [mesh for mesh in hull.geometry.panels() if mesh is not None]
        parts = [array.tobytes() for mesh in surfaces for array in (mesh.vertices, mesh.faces)]
        return hashlib.sha256(b"".join(parts)).hexdigest()
    path = hull.folder / hull.geometry.file
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _version() -> str:
    return importlib.metadata.version("capytaine")


def _write_whole(dataset: xr.Dataset, path: Path) -> None:
    """Write beside, then rename: a reader never meets half a file."""
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    os.close(handle)
    try:
        write(dataset, Path(name))
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)
