"""Radiation and diffraction by Capytaine; no failure and no NaN leaves unnoticed."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from adapters.capytaine.backend import capytaine, to_capytaine_mesh
from adapters.capytaine.hulls import WettedHull
from adapters.capytaine.panels import Float
from cosim.algebra.types import Complex
from cosim.errors import DatabaseError

__all__ = ["DOFS", "Coefficients", "Sea", "solve"]

LOG = logging.getLogger(__name__)
DOFS = ("Surge", "Sway", "Heave", "Roll", "Pitch", "Yaw")
BYTES_PER_PAIR = 48.0  # two influence matrices and a factorisation, complex doubles


Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Sea:
    """Where and for which waves the coefficients are computed.

    Attributes
    ----------
    omegas : (n,) tuple
        Finite wave frequencies, rad/s, increasing.
    headings : tuple
        Going-to, from +x counter-clockwise, rad.
    rho, g, water_depth : float
        kg/m³, m/s², m (inf for deep water).
    """

    omegas: tuple[float, ...]
    headings: tuple[float, ...]
    rho: float
    g: float
    water_depth: float

    @property
    def limits(self) -> tuple[float, ...]:
        """Frequencies for radiation only: infinity, and 0 in deep water.

        Capytaine's finite-depth Green function does not exist at zero frequency.
        """
        return (0.0, np.inf) if np.isinf(self.water_depth) else (np.inf,)


@dataclass(frozen=True)
class Coefficients:
    """What the solver returns; rows are loaded, columns moving degrees of freedom.

    Attributes
    ----------
    dofs : tuple of str
        ``body__Surge``, ..., six per body.
    omega : (nw,)
        All frequencies, limits included, increasing, rad/s.
    added_mass, damping : (nw, n, n)
    froude_krylov, diffraction : (nw, nh, n), complex
        Per metre of wave amplitude, time factor exp(-i omega t); NaN at 0 and infinity, where no
        wave exists.
    """

    dofs: tuple[str, ...]
    omega: Float
    added_mass: Float
    damping: Float
    froude_krylov: Complex
    diffraction: Complex


class _Problem(Protocol):
    """What is used of a problem of Capytaine."""

    omega: float


class _Result(Protocol):
    """What is used of a result of Capytaine."""

    added_mass: dict[str, float]
    radiation_damping: dict[str, float]
    forces: dict[str, complex]


class _Solver(Protocol):
    def solve(
        self, problem: _Problem, *, keep_details: bool, _check_wavelength: bool
    ) -> _Result: ...


def solve(
    hulls: Sequence[WettedHull],
    sea: Sea,
    *,
    memory_limit: float = 2e9,
    progress: Progress | None = None,
) -> Coefficients:
    """Solve radiation for all frequencies and diffraction for the finite ones.

    Direct method (potential formulation): the added mass of a hemisphere at infinite frequency
    is then 0.3 % off with 300 panels, against 4 % by sources.

    Parameters
    ----------
    hulls : sequence of WettedHull
        They interact; every body has six degrees of freedom about its centre of gravity.
    sea : Sea
    memory_limit : float
        Largest estimate of the memory for the matrices, bytes.
    progress : callable, optional
        Called with (frequencies done, frequencies in all).

    Raises
    ------
    DatabaseError
        Too many panels, or a problem that failed or returned a NaN; named by frequency and
        degree of freedom or heading.
    """
    _check_memory(hulls, memory_limit)
    body = _floating_bodies(hulls)
    solver = _solver()
    omega = np.array(sorted((*sea.limits, *sea.omegas)))
    dofs = tuple(f"{hull.name}__{dof}" for hull in hulls for dof in DOFS)
    out = _empty(dofs, omega, len(sea.headings))
    for i, w in enumerate(omega):
        if progress is not None:
            progress(i, len(omega))
        for j, (radiation, problem) in enumerate(_radiation(body, dofs, float(w), sea)):
            result = _solved(solver, problem, radiation)
            out.added_mass[i, :, j] = _finite(result.added_mass, dofs, radiation)
            out.damping[i, :, j] = _finite(result.radiation_damping, dofs, radiation)
        if w in sea.limits:
            continue
        for j, (diffraction, problem) in enumerate(_diffraction(body, float(w), sea)):
            result = _solved(solver, problem, diffraction)
            out.diffraction[i, j] = _finite(result.forces, dofs, diffraction)
            out.froude_krylov[i, j] = _finite(_incident(problem), dofs, diffraction)
    if progress is not None:
        progress(len(omega), len(omega))
    return out


def _empty(dofs: tuple[str, ...], omega: Float, headings: int) -> Coefficients:
    n, nw = len(dofs), len(omega)
    waves = (nw, headings, n)
    return Coefficients(
        dofs=dofs,
        omega=omega,
        added_mass=np.zeros((nw, n, n)),
        damping=np.zeros((nw, n, n)),
        froude_krylov=np.full(waves, np.nan + 1j * np.nan),
        diffraction=np.full(waves, np.nan + 1j * np.nan),
    )


def _solver() -> _Solver:
    cpt = capytaine()
    green = importlib.import_module("adapters.capytaine.green").FittedDelhommeau()
    solver: _Solver = cpt.BEMSolver(
        method="direct", engine=cpt.DefaultMatrixEngine(green_function=green)
    )
    return solver


def _floating_bodies(hulls: Sequence[WettedHull]) -> object:
    cpt = capytaine()
    bodies = []
    for hull in hulls:
        rigid = cpt.rigid_body_dofs(rotation_center=tuple(hull.centre_of_gravity))
        lid = None if hull.lid is None else to_capytaine_mesh(hull.lid, f"{hull.name} lid")
        bodies.append(
            cpt.FloatingBody(
                mesh=to_capytaine_mesh(hull.hull, hull.name),
                dofs={f"{hull.name}__{dof}": rigid[dof] for dof in DOFS},
                lid_mesh=lid,
                name=hull.name,
            )
        )
    return bodies[0] if len(bodies) == 1 else cpt.Multibody(bodies)


def _radiation(
    body: object, dofs: Sequence[str], omega: float, sea: Sea
) -> Iterator[tuple[str, _Problem]]:
    cpt = capytaine()
    for dof in dofs:
        yield (
            f"radiation at omega = {omega:g} rad/s, {dof} moving",
            cpt.RadiationProblem(
                body=body,
                omega=omega,
                radiating_dof=dof,
                rho=sea.rho,
                g=sea.g,
                water_depth=sea.water_depth,
            ),
        )


def _diffraction(body: object, omega: float, sea: Sea) -> Iterator[tuple[str, _Problem]]:
    cpt = capytaine()
    for heading in sea.headings:
        yield (
            f"diffraction at omega = {omega:g} rad/s, heading {np.degrees(heading):g} deg",
            cpt.DiffractionProblem(
                body=body,
                omega=omega,
                wave_direction=heading,
                rho=sea.rho,
                g=sea.g,
                water_depth=sea.water_depth,
            ),
        )


def _solved(solver: _Solver, problem: _Problem, label: str) -> _Result:
    try:
        return solver.solve(problem, keep_details=False, _check_wavelength=False)
    except Exception as error:  # whatever the solver met, it belongs to this problem
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise DatabaseError(f"Capytaine failed in {label}: {reason}") from error


def _incident(problem: _Problem) -> dict[str, complex]:
    waves = importlib.import_module("capytaine.bem.airy_waves")
    forces: dict[str, complex] = waves.froude_krylov_force(problem)
    return forces


def _finite(
    values: dict[str, float] | dict[str, complex], dofs: Sequence[str], label: str
) -> Complex | Float:
    array = np.array([values[dof] for dof in dofs])
    if not np.isfinite(array).all():
        dof = dofs[int(np.argmin(np.isfinite(array)))]
        raise DatabaseError(
            f"Capytaine returned a NaN in {label}, load on {dof}; look for panels that overlap "
            "or leave this frequency out"
        )
    return array


def _check_memory(hulls: Sequence[WettedHull], limit: float) -> None:
    panels = sum(h.hull.size + (0 if h.lid is None else h.lid.size) for h in hulls)
    alike = {(h.hull.sectors, h.hull.planes) for h in hulls}
    lone = {(h.lid.sectors, h.lid.planes) for h in hulls if h.lid is not None}
    sectors, planes = next(iter(alike))
    copies = sectors * 2 ** len(planes) if len(alike | lone) == 1 else 1
    needed = BYTES_PER_PAIR * panels**2 / copies
    LOG.info("%d panels, about %.2g GB of matrices", panels, needed / 1e9)
    if needed > limit:
        raise DatabaseError(
            f"the {panels} panels of {', '.join(h.name for h in hulls)} need about "
            f"{needed / 1e9:.1f} GB of memory; use larger panels (panel_size), or raise "
            "memory_limit"
        )
