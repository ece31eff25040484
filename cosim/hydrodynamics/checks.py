"""Convention-checked import: what is doubtful is said, what is wrong is refused.

Nothing is repaired in silence. Three things are changed, each with its own sentence: the
added mass at infinite frequency is made symmetric, it is estimated where it is missing, and
frequencies with NaN are cut where the user asked for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from cosim.errors import DatabaseError
from cosim.hydrodynamics.check_radiation import asymmetry, check_radiation, name
from cosim.hydrodynamics.check_waves import check_excitation
from cosim.hydrodynamics.database import HydroDatabase
from cosim.hydrodynamics.findings import Finding, error, note, warning
from cosim.hydrodynamics.kernel import estimate_added_mass_inf
from cosim.model.base import Positive, Strict

__all__ = ["CheckedDatabase", "ImportPolicy", "check_database"]

_NOTABLE_ASYMMETRY = 1e-4
_KNOWN_BAD = {
    ("Capytaine", "2.3"): "results with a mesh symmetry and a lid are wrong in this version "
    "(capytaine issue 761)",
}


class ImportPolicy(Strict):
    """What the user allows at import.

    Parameters
    ----------
    nan : {"refuse", "cut"}
        Frequencies that hold NaN.
    asymmetry_limit : float
        Largest |A_ij - A_ji| / sqrt(A_ii A_jj) at infinite frequency.
    added_mass_inf : {"file", "implied"}
        Take it from the file, or from added mass and damping at finite frequencies.
    """

    nan: Literal["refuse", "cut"] = "refuse"
    asymmetry_limit: Positive = 0.01
    added_mass_inf: Literal["file", "implied"] = "file"


@dataclass(frozen=True)
class CheckedDatabase:
    """A database fit for use, and what was found.

    Attributes
    ----------
    database : HydroDatabase
        With a symmetric `added_mass_inf`.
    findings : tuple of Finding
        Notes and warnings.
    """

    database: HydroDatabase
    findings: tuple[Finding, ...]


def check_database(database: HydroDatabase, policy: ImportPolicy | None = None) -> CheckedDatabase:
    """Check a database and make it fit for time domain.

    Parameters
    ----------
    database : HydroDatabase
    policy : ImportPolicy, optional

    Raises
    ------
    DatabaseError
        All errors, one sentence each.
    """
    policy = policy or ImportPolicy()
    findings = [note(text) for text in database.notes]
    findings += _versions(database)
    database, cut = _without_nan(database, policy)
    _refuse(database, findings + cut)
    findings += cut
    findings += [*_bodies(database), *check_radiation(database), *check_excitation(database)]
    database, limit = _with_limit(database, policy)
    findings += limit
    _refuse(database, findings)
    return CheckedDatabase(database, tuple(findings))


def _refuse(database: HydroDatabase, findings: Sequence[Finding]) -> None:
    errors = [f.sentence for f in findings if f.severity == "error"]
    if errors:
        where = f" '{database.source.path}'" if database.source.path else ""
        raise DatabaseError("\n".join(f"hydrodynamic database{where}: {text}" for text in errors))


def _versions(database: HydroDatabase) -> Iterator[Finding]:
    for (tool, version), text in _KNOWN_BAD.items():
        if database.source.tool == tool and database.source.version.startswith(version):
            yield warning(f"computed by {tool} {database.source.version}: {text}")


def _without_nan(
    database: HydroDatabase, policy: ImportPolicy
) -> tuple[HydroDatabase, list[Finding]]:
    whole = (database.added_mass, database.damping, database.excitation)
    bad = np.zeros(database.omega.size, dtype=bool)
    for values in whole:
        bad |= ~np.isfinite(values.reshape(database.omega.size, -1)).all(axis=1)
    found = [
        error(f"{label} holds NaN; compute it again")
        for label in ("added_mass_inf", "added_mass_zero")
        if not np.isfinite(_or_zero(getattr(database, label))).all()
    ]
    if not bad.any():
        return database, found
    listed = _bands(database, bad)
    if policy.nan == "refuse" or bad.all():
        found.append(
            error(
                f"NaN at omega = {listed} rad/s; compute these again, or set 'nan: cut' to leave "
                "them out"
            )
        )
        return database, found
    keep = ~bad
    found.append(warning(f"frequencies with NaN were cut: omega = {listed} rad/s"))
    cut = replace(
        database,
        omega=database.omega[keep],
        added_mass=database.added_mass[keep],
        damping=database.damping[keep],
        excitation=database.excitation[keep],
    )
    return cut, found


def _or_zero(values: object) -> np.ndarray:
    return np.zeros(1) if values is None else np.asarray(values)


def _bands(database: HydroDatabase, bad: np.ndarray) -> str:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], bad.astype(int), [0]])))
    parts = []
    for first, last in zip(edges[::2], edges[1::2] - 1, strict=True):
        low, high = database.omega[first], database.omega[last]
        parts.append(f"{low:.4g}" if first == last else f"{low:.4g} to {high:.4g}")
    return ", ".join(parts)


def _bodies(database: HydroDatabase) -> Iterator[Finding]:
    if database.omega.size < 5:
        yield error(
            f"it holds {database.omega.size} frequencies; a time domain memory needs 5 or more "
            "(better 30 to 60 that cover the damping)"
        )
    for body in database.bodies:
        if not body.volume > 0.0:
            yield error(
                f"body '{body.name}' displaces {body.volume:g} m3; the file lacks hydrostatics "
                "or the mesh is inside out; give 'volume' and 'centre_of_buoyancy'"
            )
        if np.isnan(body.stiffness).any() or np.isnan(body.centre_of_buoyancy[:2]).any():
            yield error(f"the hydrostatics of body '{body.name}' hold NaN")
        yield note(
            f"body '{body.name}': volume {body.volume:.6g} m3, waterplane "
            f"{body.waterplane_area:.6g} m2, moments about ({_triple(body.reference_point)}) m"
        )


def _triple(point: np.ndarray) -> str:
    return ", ".join(f"{x:.4g}" for x in point)


def _with_limit(
    database: HydroDatabase, policy: ImportPolicy
) -> tuple[HydroDatabase, list[Finding]]:
    found: list[Finding] = []
    limit = database.added_mass_inf
    if limit is None or policy.added_mass_inf == "implied":
        if limit is None:
            found.append(
                warning(
                    "there is no added mass at infinite frequency; it was estimated from added "
                    "mass and damping by Ogilvie's relation"
                )
            )
        limit = estimate_added_mass_inf(database.omega, database.added_mass, database.damping)
    skew = asymmetry(limit)
    worst = float(skew.max())
    i, j = (int(v) for v in np.unravel_index(int(np.argmax(skew)), skew.shape))
    sentence = (
        f"added mass at infinite frequency is not symmetric: {name(database, i)} and "
        f"{name(database, j)} differ by {100 * worst:.2g} %"
    )
    if worst > policy.asymmetry_limit:
        found.append(
            error(
                f"{sentence}, more than the limit of {100 * policy.asymmetry_limit:g} %; refine "
                "the mesh, or set 'asymmetry_limit' under the adapter's 'accept'"
            )
        )
    elif worst > _NOTABLE_ASYMMETRY:
        found.append(note(f"{sentence}; it was made symmetric"))
    limit = 0.5 * (limit + limit.T)
    if np.linalg.eigvalsh(limit)[0] < -1e-3 * np.abs(np.diag(limit)).max():
        found.append(
            error("added mass at infinite frequency is not positive: is the mesh inside out?")
        )
    return replace(database, added_mass_inf=limit), found
