"""Our own NetCDF form of a database: write and read back without loss."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import xarray as xr

from cosim.errors import DatabaseError
from cosim.hydrodynamics.database import HydroBody, HydroDatabase, Source
from cosim.hydrodynamics.rigid import DOFS, Complex, Float

__all__ = ["FORMAT", "load_database", "save_database"]

FORMAT = "offshore-cosim hydrodynamic database"
VERSION = 1

_UNITS = {
    "added_mass": "kg, kg m, kg m2",
    "damping": "N s/m, N s, N m s",
    "excitation": "N/m, N m/m",
    "stiffness": "N/m, N, N m",
    "reference_point": "m",
    "omega": "rad/s",
    "heading": "rad",
}


def save_database(database: HydroDatabase, path: Path, *, single: bool = False) -> None:
    """Write a database to NetCDF.

    Parameters
    ----------
    database : HydroDatabase
    path : Path
    single : bool
        Store A, B and X as float32, which is below the accuracy of any BEM computation.
    """
    dataset = _to_dataset(database)
    heavy = ("added_mass", "damping", "excitation")
    encoding = {
        name: {"zlib": True, "complevel": 9, "shuffle": True} | ({"dtype": "f4"} if single else {})
        for name in heavy
    }
    dataset.to_netcdf(path, engine="h5netcdf", encoding=encoding)


def load_database(path: Path) -> HydroDatabase:
    """Read what :func:`save_database` wrote.

    Raises
    ------
    DatabaseError
        Another format, or another version of this one.
    """
    with xr.open_dataset(path, engine="h5netcdf") as opened:
        dataset = opened.load()
    if dataset.attrs.get("format") != FORMAT:
        raise DatabaseError(f"'{path}' is not a database written by this package")
    if int(dataset.attrs["version"]) != VERSION:
        raise DatabaseError(
            f"'{path}' has version {dataset.attrs['version']} of the database format, "
            f"this package reads version {VERSION}; compute or import it again"
        )
    return _from_dataset(dataset, str(path))


def _to_dataset(database: HydroDatabase) -> xr.Dataset:
    bodies = database.bodies
    unknown = np.full(3, np.nan)
    X = database.excitation
    data = {
        "added_mass": (("omega", "influenced_dof", "radiating_dof"), database.added_mass),
        "damping": (("omega", "influenced_dof", "radiating_dof"), database.damping),
        "excitation": (
            ("complex", "omega", "heading", "influenced_dof"),
            np.stack([X.real, X.imag]),
        ),
        "phase_reference": (("body", "xy"), database.phase_reference),
        "reference_point": (("body", "xyz"), np.array([b.reference_point for b in bodies])),
        "centre_of_buoyancy": (("body", "xyz"), np.array([b.centre_of_buoyancy for b in bodies])),
        "centre_of_mass": (
            ("body", "xyz"),
            np.array([unknown if b.centre_of_mass is None else b.centre_of_mass for b in bodies]),
        ),
        "volume": ("body", np.array([b.volume for b in bodies])),
        "waterplane_area": ("body", np.array([b.waterplane_area for b in bodies])),
        "stiffness": (("body", "row", "column"), np.array([b.stiffness for b in bodies])),
    }
    for name in ("added_mass_inf", "added_mass_zero"):
        value = getattr(database, name)
        if value is not None:
            data[name] = (("influenced_dof", "radiating_dof"), value)
    dofs = [f"{b.name}__{dof}" for b in bodies for dof in DOFS]
    coords = {
        "omega": database.omega,
        "heading": database.headings,
        "body": list(database.names),
        "influenced_dof": dofs,
        "radiating_dof": dofs,
        "complex": ["re", "im"],
    }
    dataset = xr.Dataset(data, coords=coords, attrs=_attributes(database))
    for name, units in _UNITS.items():
        dataset[name].attrs["units"] = units
    return dataset


def _attributes(database: HydroDatabase) -> dict[str, str | float | int]:
    source = database.source
    return {
        "format": FORMAT,
        "version": VERSION,
        "convention": "exp(-i omega t), crest at phase_reference at t = 0, moments about "
        "reference_point, z up from still water, stiffness from buoyancy only",
        "water_depth": database.water_depth,
        "water_density": database.water_density,
        "gravity": database.gravity,
        "tool": source.tool,
        "tool_version": source.version,
        "settings": json.dumps(dict(source.settings)),
        "notes": json.dumps(list(database.notes)),
    }


def _values(dataset: xr.Dataset, name: str) -> Float:
    return np.asarray(dataset[name].values, dtype=np.float64)


def _optional(dataset: xr.Dataset, name: str) -> Float | None:
    return _values(dataset, name) if name in dataset else None


def _bodies(dataset: xr.Dataset) -> tuple[HydroBody, ...]:
    names = (
        "reference_point",
        "centre_of_buoyancy",
        "volume",
        "stiffness",
        "waterplane_area",
        "centre_of_mass",
    )
    columns = zip(*(_values(dataset, name) for name in names), strict=True)
    return tuple(
        HydroBody(
            name=str(name),
            reference_point=point,
            centre_of_buoyancy=buoyancy,
            volume=float(volume),
            stiffness=stiffness,
            waterplane_area=float(area),
            centre_of_mass=None if np.isnan(centre).any() else centre,
        )
        for name, (point, buoyancy, volume, stiffness, area, centre) in zip(
            dataset["body"].values, columns, strict=True
        )
    )


def _from_dataset(dataset: xr.Dataset, path: str) -> HydroDatabase:
    attrs = dataset.attrs
    parts = _values(dataset, "excitation")
    excitation: Complex = parts[0] + 1j * parts[1]
    return HydroDatabase(
        bodies=_bodies(dataset),
        omega=_values(dataset, "omega"),
        added_mass=_values(dataset, "added_mass"),
        damping=_values(dataset, "damping"),
        added_mass_inf=_optional(dataset, "added_mass_inf"),
        added_mass_zero=_optional(dataset, "added_mass_zero"),
        headings=_values(dataset, "heading"),
        excitation=excitation,
        phase_reference=_values(dataset, "phase_reference"),
        water_depth=float(attrs["water_depth"]),
        water_density=float(attrs["water_density"]),
        gravity=float(attrs["gravity"]),
        source=Source(
            tool=str(attrs["tool"]),
            version=str(attrs["tool_version"]),
            settings=json.loads(attrs["settings"]),
            path=path,
        ),
        notes=tuple(json.loads(attrs["notes"])),
    )
