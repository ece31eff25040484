"""NetCDF databases of Capytaine 1.5, 2 and 3."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xarray as xr

from cosim.errors import DatabaseError
from cosim.hydrodynamics.database import HydroBody, HydroDatabase, Source
from cosim.hydrodynamics.facts import BodyFacts
from cosim.hydrodynamics.hydrostatics import remove_weight
from cosim.hydrodynamics.rigid import DOFS, Complex, Float

__all__ = ["from_capytaine", "is_capytaine", "read_capytaine"]

_RADIATION = ("omega", "influenced_dof", "radiating_dof")
_EXCITATION = ("omega", "wave_direction", "influenced_dof")


@dataclass(frozen=True)
class _Layout:
    """Bodies of a dataset, and where each of its degrees of freedom belongs."""

    names: tuple[str, ...]
    rows: dict[str, int]


def is_capytaine(dataset: xr.Dataset) -> bool:
    """Whether a dataset looks like one of Capytaine."""
    return "added_mass" in dataset and {"influenced_dof", "radiating_dof"} <= set(dataset.dims)


def read_capytaine(path: Path, facts: Mapping[str, BodyFacts]) -> HydroDatabase:
    """Read a NetCDF file that Capytaine wrote; see :func:`from_capytaine`."""
    engine = "h5netcdf" if path.read_bytes()[:4] == b"\x89HDF" else "scipy"
    with xr.open_dataset(path, engine=engine) as opened:
        return from_capytaine(opened.load(), str(path), facts)


def from_capytaine(dataset: xr.Dataset, path: str, facts: Mapping[str, BodyFacts]) -> HydroDatabase:
    """Convert a dataset of Capytaine, real pairs or complex.

    Its time factor is ours; the weight is taken out of its stiffness.

    Parameters
    ----------
    dataset : xr.Dataset
    path : str
        For messages.
    facts : mapping of body name to BodyFacts
        Reference points where the file (before version 3) does not say.

    Raises
    ------
    DatabaseError
        A variable, a dimension or the reference point of a body is missing.
    """
    dataset = _by_omega(dataset, path)
    notes = _own_notes(dataset)
    layout = _layout(dataset, path, notes)
    omega = np.atleast_1d(dataset["omega"].values).astype(np.float64)
    order = np.argsort(omega)
    finite = order[(omega[order] > 0.0) & np.isfinite(omega[order])]
    A = _radiation(dataset, "added_mass", layout, path)
    B = _radiation(dataset, "radiation_damping", layout, path)
    headings, X = _excitation(dataset, layout, path)
    return HydroDatabase(
        bodies=_bodies(dataset, layout, facts, path),
        omega=omega[finite],
        added_mass=A[finite],
        damping=B[finite],
        added_mass_inf=_limit(A, omega == np.inf),
        added_mass_zero=_limit(A, omega == 0.0),
        headings=headings,
        excitation=X[finite],
        phase_reference=np.zeros((len(layout.names), 2)),
        water_depth=_scalar(dataset, "water_depth", path),
        water_density=_scalar(dataset, "rho", path),
        gravity=_scalar(dataset, "g", path),
        source=Source(
            tool="Capytaine",
            version=str(dataset.attrs.get("capytaine_version", "unknown")),
            settings={str(k): str(v) for k, v in dataset.attrs.items()},
            path=path,
        ),
        notes=tuple(notes),
    )


def _own_notes(dataset: xr.Dataset) -> list[str]:
    """Remarks that `adapters.capytaine` left in its databases (a JSON list)."""
    try:
        found = json.loads(str(dataset.attrs.get("notes", "[]")))
    except json.JSONDecodeError:
        return []
    return [str(text) for text in found] if isinstance(found, list) else []


def _limit(A: Float, where: np.ndarray) -> Float | None:
    return A[int(np.argmax(where))] if where.any() else None


def _by_omega(dataset: xr.Dataset, path: str) -> xr.Dataset:
    if "omega" not in dataset.coords:
        raise DatabaseError(f"'{path}': there is no coordinate 'omega' (angular frequency)")
    dims = dataset["omega"].dims
    if dims == ():
        return dataset.expand_dims("omega")
    return dataset if dims == ("omega",) else dataset.swap_dims({dims[0]: "omega"})


def _scalar(dataset: xr.Dataset, name: str, path: str) -> float:
    if name not in dataset:
        raise DatabaseError(f"'{path}': there is no '{name}'")
    values = np.unique(dataset[name].values)
    if values.size != 1:
        raise DatabaseError(f"'{path}': {name} takes {values.size} values, one is needed")
    return float(values[0])


def _layout(dataset: xr.Dataset, path: str, notes: list[str]) -> _Layout:
    labels = [str(d) for d in np.atleast_1d(dataset["influenced_dof"].values)]
    lone = _lone_name(dataset)
    names: list[str] = []
    rows: dict[str, int] = {}
    for label in labels:
        body, _, dof = label.rpartition("__")
        body = body or lone
        if dof.lower() not in DOFS:
            raise DatabaseError(
                f"'{path}': degree of freedom '{label}' is not 'body__Dof' with one of "
                f"{', '.join(d.capitalize() for d in DOFS)}"
            )
        if body not in names:
            names.append(body)
        rows[label] = 6 * names.index(body) + DOFS.index(dof.lower())
    if len(set(rows.values())) != len(labels):
        raise DatabaseError(f"'{path}': a degree of freedom occurs twice")
    if len(labels) < 6 * len(names):
        missing = sorted(set(range(6 * len(names))) - set(rows.values()))
        listed = ", ".join(f"{names[i // 6]}.{DOFS[i % 6]}" for i in missing)
        notes.append(f"the source has no {listed}; their loads are zero")
    return _Layout(tuple(names), rows)


def _lone_name(dataset: xr.Dataset) -> str:
    for key in ("body", "body_name"):
        if key in dataset.coords and dataset[key].size == 1:
            return re.sub(r"\W", "_", str(dataset[key].values.ravel()[0]))
    return "body"


def _values(
    dataset: xr.Dataset, name: str, dims: Sequence[str], path: str
) -> tuple[Complex | Float, xr.DataArray]:
    if name not in dataset:
        raise DatabaseError(f"'{path}': there is no variable '{name}'")
    array = dataset[name]
    if "complex" in array.dims:
        array = array.sel(complex="re") + 1j * array.sel(complex="im")
    absent = [d for d in dims if d not in array.dims]
    array = array.expand_dims({d: np.atleast_1d(dataset[d].values) for d in absent})
    extra = [str(d) for d in array.dims if d not in dims]
    if extra:
        raise DatabaseError(f"'{path}': {name} has the unexpected dimension '{extra[0]}'")
    array = array.transpose(*dims)
    return array.values, array


def _radiation(dataset: xr.Dataset, name: str, layout: _Layout, path: str) -> Float:
    values, array = _values(dataset, name, _RADIATION, path)
    size = 6 * len(layout.names)
    out = np.zeros((values.shape[0], size, size))
    rows = [layout.rows[str(d)] for d in array["influenced_dof"].values]
    columns = _known(array["radiating_dof"].values, layout, path)
    out[:, np.array(rows)[:, None], np.array(columns)] = values.real
    return out


def _known(labels: np.ndarray, layout: _Layout, path: str) -> list[int]:
    for label in labels:
        if str(label) not in layout.rows:
            raise DatabaseError(f"'{path}': '{label}' radiates but is never loaded")
    return [layout.rows[str(label)] for label in labels]


def _excitation(dataset: xr.Dataset, layout: _Layout, path: str) -> tuple[Float, Complex]:
    if "excitation_force" in dataset:
        values, array = _values(dataset, "excitation_force", _EXCITATION, path)
    else:
        values, array = _values(dataset, "diffraction_force", _EXCITATION, path)
        values = values + _values(dataset, "Froude_Krylov_force", _EXCITATION, path)[0]
    headings = np.asarray(array["wave_direction"].values, dtype=np.float64)
    order = np.argsort(headings)
    X = np.zeros((values.shape[0], headings.size, 6 * len(layout.names)), dtype=np.complex128)
    X[..., [layout.rows[str(d)] for d in array["influenced_dof"].values]] = values
    return headings[order], X[:, order]


def _bodies(
    dataset: xr.Dataset, layout: _Layout, facts: Mapping[str, BodyFacts], path: str
) -> tuple[HydroBody, ...]:
    size = 6 * len(layout.names)
    C, M = np.zeros((size, size)), np.zeros((size, size))
    for name, out in (("hydrostatic_stiffness", C), ("inertia_matrix", M)):
        if name in dataset:
            values, array = _values(dataset, name, _RADIATION[1:], path)
            rows = np.array([layout.rows[str(d)] for d in array["influenced_dof"].values])
            columns = np.array([layout.rows[str(d)] for d in array["radiating_dof"].values])
            out[rows[:, None], columns] = values.real
    return tuple(
        _body(dataset, i, name, (C, M), facts=facts.get(name, BodyFacts()), path=path)
        for i, name in enumerate(layout.names)
    )


def _body(
    dataset: xr.Dataset,
    i: int,
    name: str,
    matrices: tuple[Float, Float],
    *,
    facts: BodyFacts,
    path: str,
) -> HydroBody:
    block = slice(6 * i, 6 * i + 6)
    C, M = matrices[0][block, block], matrices[1][block, block]
    rho, g = float(dataset["rho"]), float(dataset["g"])
    centre = _point(dataset, ("center_of_mass",), i, facts.centre_of_mass)
    point = _point(dataset, ("rotation_center",), i, facts.reference_point)
    if point is None:
        raise DatabaseError(
            f"'{path}': the file does not say about which point the moments of body '{name}' "
            "are taken; give its 'reference_point' (the rotation centre of the computation)"
        )
    mass = facts.mass or float(M[2, 2]) or _displaced(dataset, i)
    volume = _displaced(dataset, i) / rho or mass / rho
    if C.any() and centre is None:
        raise DatabaseError(
            f"'{path}': the stiffness of body '{name}' contains its weight, but the file does "
            "not say where the centre of mass was; give its 'centre_of_mass'"
        )
    if centre is not None:
        C = remove_weight(C, mass=mass, centre=centre - point, gravity=g)
    buoyancy = _point(dataset, ("center_of_buoyancy",), i, None)
    if buoyancy is None:
        # C46 and C56 hold the horizontal place; the height is not needed
        offset = [-C[3, 5], -C[4, 5]] / np.array(rho * g * volume) if volume else np.zeros(2)
        buoyancy = np.array([point[0] + offset[0], point[1] + offset[1], np.nan])
    return HydroBody(name, point, buoyancy, volume, C, float(C[2, 2]) / (rho * g), centre)


def _displaced(dataset: xr.Dataset, i: int) -> float:
    rho = float(dataset["rho"])
    for name, factor in (("disp_mass", 1.0), ("disp_volume", rho)):
        if name in dataset:
            return factor * float(np.atleast_1d(dataset[name].values)[i])
    return 0.0


def _point(
    dataset: xr.Dataset, names: Sequence[str], i: int, given: tuple[float, float, float] | None
) -> Float | None:
    if given is not None:
        return np.array(given)
    for name in names:
        if name in dataset:
            row = np.asarray(dataset[name].values, dtype=np.float64).reshape(-1, 3)[i]
            return None if np.isnan(row).any() else row
    return None
