"""NetCDF in the layout of Capytaine 3, with what is missing there.

Coordinates ``omega`` (0 and inf included where solved), ``wave_direction`` (rad),
``influenced_dof`` and ``radiating_dof`` (``body__Surge``, ..., also for a single body), ``body``,
``space_coordinate``, ``complex`` (re, im), ``rotation_center`` and ``center_of_mass`` (both the
centre of gravity of the body), ``rho``, ``g``, ``water_depth``.

Variables of Capytaine: ``added_mass``, ``radiation_damping``, ``Froude_Krylov_force``,
``diffraction_force``, ``excitation_force`` (NaN at omega 0 and inf: no wave exists there),
``hydrostatic_stiffness``, ``center_of_buoyancy``, ``disp_mass``, ``draught``. The stiffness is
about the centre of gravity, where the weight adds nothing: it is the same with the weight (as
Capytaine means it) and without.

Ours: ``disp_volume`` (body), ``waterplane_area`` (body), ``waterplane_moments`` (body, p, q), the
integral of p q over the waterplane, p and q of (1, x, y), x and y in the world frame. These and
the stiffness come from the exact shape, not from its panels.

Attributes: ``tool``, ``capytaine_version``, ``method``, ``green_function``, ``time_factor``,
``lid`` (JSON, per body), ``panels`` (JSON, per body), ``input`` (JSON, all that was asked for),
``notes`` (JSON), ``format``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import xarray as xr
from scipy.linalg import block_diag

from adapters.capytaine.hulls import WettedHull
from adapters.capytaine.solve import Coefficients, Sea
from cosim.algebra.types import Complex

__all__ = ["FORMAT", "to_dataset", "write"]

FORMAT = "offshore-cosim Capytaine database 1"

_UNITS = {
    "omega": "rad/s",
    "wave_direction": "rad",
    "added_mass": "kg, kg m, kg m2",
    "radiation_damping": "N s/m, N s, N m s",
    "Froude_Krylov_force": "N/m, N m/m",
    "diffraction_force": "N/m, N m/m",
    "excitation_force": "N/m, N m/m",
    "hydrostatic_stiffness": "N/m, N, N m",
    "rotation_center": "m",
    "center_of_mass": "m",
    "center_of_buoyancy": "m",
    "disp_mass": "kg",
    "disp_volume": "m3",
    "draught": "m",
    "waterplane_area": "m2",
    "waterplane_moments": "m2, m3, m4",
    "rho": "kg/m3",
    "g": "m/s2",
    "water_depth": "m",
}


def to_dataset(
    hulls: Sequence[WettedHull],
    sea: Sea,
    coefficients: Coefficients,
    attributes: Mapping[str, str],
) -> xr.Dataset:
    """Assemble the dataset described above.

    Parameters
    ----------
    hulls : sequence of WettedHull
    sea : Sea
    coefficients : Coefficients
    attributes : mapping of str to str
        Tool, version, settings; lids, panels and notes are added.
    """
    c = coefficients
    matrix = ("influenced_dof", "radiating_dof")
    wave = ("complex", "omega", "wave_direction", "influenced_dof")
    incident, scattered = _parts(c.froude_krylov), _parts(c.diffraction)
    data = {
        "added_mass": (("omega", *matrix), c.added_mass),
        "radiation_damping": (("omega", *matrix), c.damping),
        "Froude_Krylov_force": (wave, incident),
        "diffraction_force": (wave, scattered),
        "excitation_force": (wave, incident + scattered),
        **_hydrostatics(hulls, sea),
    }
    centres = np.array([hull.centre_of_gravity for hull in hulls])
    coords = {
        "omega": c.omega,
        "wave_direction": np.array(sea.headings),
        "influenced_dof": list(c.dofs),
        "radiating_dof": list(c.dofs),
        "complex": ["re", "im"],
        "body": [hull.name for hull in hulls],
        "space_coordinate": ["x", "y", "z"],
        "rotation_center": (("body", "space_coordinate"), centres),
        "center_of_mass": (("body", "space_coordinate"), centres),
        "rho": sea.rho,
        "g": sea.g,
        "water_depth": sea.water_depth,
    }
    dataset = xr.Dataset(data, coords=coords, attrs=_attributes(hulls, attributes))
    for name, units in _UNITS.items():
        dataset[name].attrs["units"] = units
    return dataset


def write(dataset: xr.Dataset, path: Path) -> None:
    """Write compressed; equal datasets give equal bytes.

    Wave forces are stored in single precision, far below the accuracy of any panel method.
    """
    encoding: dict[str, dict[str, object]] = {
        str(name): {"zlib": True, "complevel": 9, "shuffle": True}
        for name, variable in dataset.data_vars.items()
        if variable.size > 100
    }
    for name in ("Froude_Krylov_force", "diffraction_force", "excitation_force"):
        encoding.setdefault(name, {})["dtype"] = "f4"
    dataset.to_netcdf(path, engine="h5netcdf", encoding=encoding)


def _parts(values: Complex) -> np.ndarray:
    return np.stack([values.real, values.imag])


def _hydrostatics(
    hulls: Sequence[WettedHull], sea: Sea
) -> dict[str, tuple[tuple[str, ...], np.ndarray]]:
    wet = [hull.submerged for hull in hulls]
    stiffness = block_diag(
        *(hull.submerged.stiffness(hull.centre_of_gravity, rho=sea.rho, g=sea.g) for hull in hulls)
    )
    volume = np.array([s.volume for s in wet])
    return {
        "hydrostatic_stiffness": (("influenced_dof", "radiating_dof"), stiffness),
        "center_of_buoyancy": (("body", "space_coordinate"), np.array([s.centre for s in wet])),
        "disp_mass": (("body",), sea.rho * volume),
        "disp_volume": (("body",), volume),
        "draught": (("body",), np.array([-hull.hull.vertices[:, 2].min() for hull in hulls])),
        "waterplane_area": (("body",), np.array([s.area for s in wet])),
        "waterplane_moments": (("body", "p", "q"), np.array([s.waterplane for s in wet])),
    }


def _attributes(hulls: Sequence[WettedHull], given: Mapping[str, str]) -> dict[str, str]:
    notes = [note for hull in hulls for note in hull.notes]
    return {
        "format": FORMAT,
        "tool": "Capytaine",
        "method": "direct",
        "time_factor": "exp(-i omega t)",
        **given,
        "lid": json.dumps({hull.name: hull.lid is not None for hull in hulls}),
        "panels": json.dumps({hull.name: hull.hull.size for hull in hulls}),
        "notes": json.dumps(notes),
    }
