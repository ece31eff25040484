"""BEMIO .h5 databases (WEC-Sim, HydroChrono, SEA-Stack)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import h5py
import numpy as np

from cosim.errors import DatabaseError
from cosim.hydrodynamics.database import HydroBody, HydroDatabase, Source
from cosim.hydrodynamics.facts import BodyFacts
from cosim.hydrodynamics.hydrostatics import remove_weight
from cosim.hydrodynamics.rigid import Complex, Float

__all__ = ["read_bemio"]


def read_bemio(path: Path, facts: Mapping[str, BodyFacts]) -> HydroDatabase:
    r"""Read a BEMIO file.

    Unscaled files hold A/ρ, B/(ρ ω), C/(ρ g), X/(ρ g) with the time factor
    :math:`e^{+i\omega t}`: X is conjugated. Moments are about the centre of gravity that the
    file states, the stiffness contains the weight of the displaced water.

    Raises
    ------
    DatabaseError
        A group is missing or has the wrong shape.
    """
    with h5py.File(path, "r") as file:
        return _Reader(file, path).database(facts)


class _Reader:
    """Named access to one open file, with its path in every message."""

    def __init__(self, file: h5py.File, path: Path) -> None:
        self.file = file
        self.path = path
        self.groups = sorted(
            (key for key in file if re.fullmatch(r"body\d+", key)), key=lambda key: int(key[4:])
        )
        self.density = self.scalar("simulation_parameters/rho")
        self.gravity = self.scalar("simulation_parameters/g")
        omega = self.array("simulation_parameters/w").ravel()
        self.order = np.argsort(omega)
        self.omega = omega[self.order]
        self.scaled = bool(self.optional("simulation_parameters/scaled", 0.0))

    def array(self, key: str) -> Float:
        if key not in self.file:
            raise DatabaseError(f"'{self.path}': there is no '{key}'")
        return np.asarray(self.file[key][()], dtype=np.float64)

    def scalar(self, key: str) -> float:
        return float(self.array(key).ravel()[0])

    def optional(self, key: str, default: float) -> float:
        return self.scalar(key) if key in self.file else default

    def text(self, key: str, default: str) -> str:
        if key not in self.file:
            return default
        value = self.file[key][()]
        return value.decode() if isinstance(value, bytes) else str(value)

    def depth(self) -> float:
        key = "simulation_parameters/water_depth"
        try:
            return self.scalar(key)
        except ValueError:
            return float("inf") if "inf" in self.text(key, "").lower() else float("nan")

    def spectra(self, key: str, scale: Float) -> Float:
        """Coefficients (nw, 6k, 6k) from one (6, 6k, nw) block per body."""
        blocks = [self.array(f"{group}/hydro_coeffs/{key}") for group in self.groups]
        shape = (6, 6 * len(self.groups), self.omega.size)
        for group, block in zip(self.groups, blocks, strict=True):
            if block.shape != shape:
                raise DatabaseError(
                    f"'{self.path}': {group}/hydro_coeffs/{key} has the shape {block.shape}, "
                    f"{len(self.groups)} bodies and {self.omega.size} frequencies need {shape}"
                )
        stacked = np.moveaxis(np.concatenate(blocks, axis=0), 2, 0)[self.order]
        return stacked if self.scaled else stacked * scale

    def limit(self) -> Float | None:
        keys = [f"{group}/hydro_coeffs/added_mass/inf_freq" for group in self.groups]
        if not all(key in self.file for key in keys):
            return None
        A = np.concatenate([self.array(key) for key in keys], axis=0)
        return A if self.scaled else A * self.density

    def excitation(self) -> tuple[Float, Complex]:
        headings = np.radians(self.array("simulation_parameters/wave_dir").ravel())
        order = np.argsort(headings)
        blocks = []
        for group in self.groups:
            base = f"{group}/hydro_coeffs/excitation"
            # froude-krylov and scattering may be all NaN: only the total is used
            blocks.append(self.array(f"{base}/re") - 1j * self.array(f"{base}/im"))
        stacked = np.concatenate(blocks, axis=0).transpose(2, 1, 0)[self.order]
        X: Complex = stacked[:, order].astype(np.complex128)
        if not self.scaled:
            X *= self.density * self.gravity
        return headings[order], X

    def body(self, group: str, facts: Mapping[str, BodyFacts]) -> HydroBody:
        name = re.sub(r"\W", "_", self.text(f"{group}/properties/name", group))
        known = facts.get(name, BodyFacts())
        specific = self.density * self.gravity
        centre = self.array(f"{group}/properties/cg").ravel()
        if known.centre_of_mass is not None:
            centre = np.array(known.centre_of_mass)
        point = centre if known.reference_point is None else np.array(known.reference_point)
        volume = self.scalar(f"{group}/properties/disp_vol")
        C = self.array(f"{group}/hydro_coeffs/linear_restoring_stiffness")
        C = C if self.scaled else C * specific
        mass = known.mass or self.density * volume
        C = remove_weight(C, mass=mass, centre=centre - point, gravity=self.gravity)
        return HydroBody(
            name=name,
            reference_point=point,
            centre_of_buoyancy=self.array(f"{group}/properties/cb").ravel(),
            volume=volume,
            stiffness=C,
            waterplane_area=float(C[2, 2]) / specific,
            centre_of_mass=centre,
        )

    def database(self, facts: Mapping[str, BodyFacts]) -> HydroDatabase:
        headings, X = self.excitation()
        per_mass = np.full((self.omega.size, 1, 1), self.density)
        return HydroDatabase(
            bodies=tuple(self.body(group, facts) for group in self.groups),
            omega=self.omega,
            added_mass=self.spectra("added_mass/all", per_mass),
            damping=self.spectra("radiation_damping/all", per_mass * self.omega[:, None, None]),
            added_mass_inf=self.limit(),
            added_mass_zero=None,
            headings=headings,
            excitation=X,
            phase_reference=np.zeros((len(self.groups), 2)),
            water_depth=self.depth(),
            water_density=self.density,
            gravity=self.gravity,
            source=Source(
                tool=self.text("bem_data/code", "unknown"),
                version="unknown (through BEMIO)",
                path=str(self.path),
            ),
            notes=("the time factor exp(+i omega t) of BEMIO was conjugated",),
        )
