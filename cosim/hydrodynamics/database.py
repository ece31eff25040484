r"""Hydrodynamic coefficients of one or several bodies, in one convention.

Time factor :math:`e^{-i\omega t}`: a wave :math:`\eta = \Re\{a\, e^{i(kx - \omega t)}\}`
gives the load :math:`\Re\{X a\, e^{-i\omega t}\}`. SI units; z up, still water at z = 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from cosim.errors import DatabaseError
from cosim.hydrodynamics.hydrostatics import move_stiffness
from cosim.hydrodynamics.rigid import Complex, Float, block_transfer

__all__ = ["HydroBody", "HydroDatabase", "Source"]


@dataclass(frozen=True)
class Source:
    """Where a database comes from.

    Attributes
    ----------
    tool, version : str
        Solver that computed it.
    settings : mapping of str to str
        Settings of that solver.
    path : str
        File it was read from.
    """

    tool: str = "unknown"
    version: str = "unknown"
    settings: Mapping[str, str] = field(default_factory=dict)
    path: str = ""


@dataclass(frozen=True)
class HydroBody:
    """One body of a database, in the axes of the BEM computation.

    Attributes
    ----------
    name : str
    reference_point : (3,)
        Point about which rotations and moments of all its coefficients are taken, m.
    centre_of_buoyancy : (3,)
        m; z may be NaN where the source does not say (only x and y enter the loads).
    volume : float
        Displaced volume, m³.
    stiffness : (6, 6)
        Buoyancy-only hydrostatic stiffness about `reference_point`.
    waterplane_area : float
        m².
    centre_of_mass : (3,) or None
        Centre of gravity that the source assumed, m; fixes the draft of the BEM pose.
    """

    name: str
    reference_point: Float
    centre_of_buoyancy: Float
    volume: float
    stiffness: Float
    waterplane_area: float
    centre_of_mass: Float | None = None


@dataclass(frozen=True)
class HydroDatabase:
    """Coefficients of k bodies; every array is read-only and follows the order of `bodies`.

    Attributes
    ----------
    bodies : tuple of HydroBody
    omega : (nw,)
        Finite frequencies, rad/s, increasing.
    added_mass, damping : (nw, 6k, 6k)
        A and B; row = loaded degree of freedom, column = moving one.
    added_mass_inf, added_mass_zero : (6k, 6k) or None
        Limits of A at infinite and zero frequency.
    headings : (nh,)
        Wave headings (going-to, from +x counter-clockwise), rad, increasing.
    excitation : (nw, nh, 6k), complex
        X, load per metre of wave amplitude.
    phase_reference : (k, 2)
        Where the wave that X belongs to has its crest at t = 0, per body, m.
    water_depth, water_density, gravity : float
        m (inf for deep water), kg/m³, m/s².
    source : Source
    notes : tuple of str
        What the reader converted, assumed or estimated, one sentence each.
    """

    bodies: tuple[HydroBody, ...]
    omega: Float
    added_mass: Float
    damping: Float
    added_mass_inf: Float | None
    added_mass_zero: Float | None
    headings: Float
    excitation: Complex
    phase_reference: Float
    water_depth: float
    water_density: float
    gravity: float
    source: Source = field(default_factory=Source)
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _freeze(self)
        problem = _shape_problem(self)
        if problem:
            raise DatabaseError(f"hydrodynamic database{_where(self.source)}: {problem}")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the bodies, in order."""
        return tuple(body.name for body in self.bodies)

    def index(self, name: str) -> int:
        """Position of a body.

        Raises
        ------
        DatabaseError
            No such body; the message lists those there are.
        """
        if name not in self.names:
            raise DatabaseError(
                f"hydrodynamic database{_where(self.source)}: there is no body '{name}'; "
                f"it holds {', '.join(self.names)}"
            )
        return self.names.index(name)

    def select(self, names: Sequence[str]) -> HydroDatabase:
        """Same coefficients for the bodies `names` only, in that order.

        Interaction with bodies left out is dropped: they are then held fixed.
        """
        picked = [self.index(name) for name in names]
        rows = np.concatenate([np.arange(6 * i, 6 * i + 6) for i in picked])
        square = np.ix_(rows, rows)
        return replace(
            self,
            bodies=tuple(self.bodies[i] for i in picked),
            added_mass=self.added_mass[:, rows[:, None], rows],
            damping=self.damping[:, rows[:, None], rows],
            added_mass_inf=None if self.added_mass_inf is None else self.added_mass_inf[square],
            added_mass_zero=None if self.added_mass_zero is None else self.added_mass_zero[square],
            excitation=self.excitation[..., rows],
            phase_reference=self.phase_reference[picked],
        )

    def rename(self, names: Mapping[str, str]) -> HydroDatabase:
        """Same database with bodies renamed, ``{old: new}``."""
        for old in names:
            self.index(old)
        bodies = tuple(replace(b, name=names.get(b.name, b.name)) for b in self.bodies)
        return replace(self, bodies=bodies)

    def move_reference(self, points: Mapping[str, ArrayLike]) -> HydroDatabase:
        r"""Same coefficients about other points.

        .. math:: A' = T^T A T, \quad B' = T^T B T, \quad X' = T^T X,
            \quad C' = T^T C T + \mathrm{blkdiag}(0, \rho g V (d_z 1 - d z^T))

        Parameters
        ----------
        points : mapping of body name to (3,)
            New reference points, m, in the axes of the database.
        """
        for name in points:
            self.index(name)
        new = [np.array(points.get(b.name, b.reference_point), np.float64) for b in self.bodies]
        shifts = np.array([b.reference_point - p for b, p in zip(self.bodies, new, strict=True)])
        T = block_transfer(shifts)
        specific = self.water_density * self.gravity
        bodies = tuple(
            replace(
                body,
                reference_point=point,
                stiffness=move_stiffness(body.stiffness, d, buoyancy=specific * body.volume),
            )
            for body, point, d in zip(self.bodies, new, shifts, strict=True)
        )
        inf, zero = self.added_mass_inf, self.added_mass_zero
        return replace(
            self,
            bodies=bodies,
            added_mass=T.T @ self.added_mass @ T,
            damping=T.T @ self.damping @ T,
            added_mass_inf=None if inf is None else T.T @ inf @ T,
            added_mass_zero=None if zero is None else T.T @ zero @ T,
            excitation=self.excitation @ T,
        )


def _freeze(database: HydroDatabase) -> None:
    real = ("omega", "added_mass", "damping", "headings", "phase_reference")
    optional = ("added_mass_inf", "added_mass_zero")
    for name in (*real, *optional, "excitation"):
        value = getattr(database, name)
        if value is None:
            continue
        kind = np.complex128 if name == "excitation" else np.float64
        array = np.array(value, dtype=kind)
        array.flags.writeable = False
        object.__setattr__(database, name, array)
    for body in database.bodies:
        for name in ("reference_point", "centre_of_buoyancy", "stiffness", "centre_of_mass"):
            value = getattr(body, name)
            if value is not None:
                array = np.array(value, dtype=np.float64)
                array.flags.writeable = False
                object.__setattr__(body, name, array)


def _shape_problem(database: HydroDatabase) -> str | None:
    k, nw, nh = len(database.bodies), database.omega.size, database.headings.size
    names = database.names
    if k == 0 or nw == 0:
        return "it holds no body or no finite frequency"
    if len(set(names)) != k:
        return f"two bodies have the same name ({', '.join(names)})"
    expected = {
        "added_mass": (nw, 6 * k, 6 * k),
        "damping": (nw, 6 * k, 6 * k),
        "added_mass_inf": (6 * k, 6 * k),
        "added_mass_zero": (6 * k, 6 * k),
        "excitation": (nw, nh, 6 * k),
        "phase_reference": (k, 2),
    }
    for name, shape in expected.items():
        value = getattr(database, name)
        if value is not None and value.shape != shape:
            return f"{name} has the shape {value.shape}, {k} bodies need {shape}"
    if np.any(np.diff(database.omega) <= 0.0) or database.omega[0] <= 0.0:
        return "its frequencies are not positive and strictly increasing"
    if not math.isfinite(database.omega[-1]):
        return "an infinite frequency stands among the finite ones"
    if np.any(np.diff(database.headings) <= 0.0):
        return "its wave headings are not strictly increasing"
    return None


def _where(source: Source) -> str:
    return f" '{source.path}'" if source.path else ""
