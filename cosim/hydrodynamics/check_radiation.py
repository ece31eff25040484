"""Checks of added mass and damping: limits, symmetry, irregular frequencies, range."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cosim.environment.dispersion import wavenumber
from cosim.hydrodynamics.database import HydroDatabase
from cosim.hydrodynamics.findings import Finding, error, warning
from cosim.hydrodynamics.kernel import estimate_added_mass_inf
from cosim.hydrodynamics.rigid import DOFS, Float

__all__ = ["asymmetry", "check_radiation", "name"]

_NEGATIVE = 0.01
_LIMIT_OFF = 0.02
_JUMP = 0.3
_OPEN_END = 0.05
_SPIKE = 0.1
_QUARTER = 0.5 * np.pi


def check_radiation(database: HydroDatabase) -> Iterator[Finding]:
    """Doubts about A and B; nothing is changed."""
    B = _diagonal(database.damping)
    peak = np.abs(B).max(axis=0)
    A = _diagonal(database.added_mass)
    for i in np.flatnonzero(_matters(peak)):
        yield from _negative(database, int(i), B[:, i])
        yield from _spikes(database, int(i), A[:, i], B[:, i])
        yield from _range(database, int(i), B[:, i])
    yield from _limits(database)
    yield from _spacing(database)


def asymmetry(A: Float) -> Float:
    """Scaled asymmetry |A_ij - A_ji| / sqrt(A_ii A_jj), (n, n).

    Degrees of freedom without added mass (yaw of an axisymmetric body) count as having a
    thousandth of the largest one of their kind.
    """
    size = np.abs(np.diag(A)).copy()
    rotates = np.arange(size.size) % 6 >= 3
    for kind in (rotates, ~rotates):
        size[kind] = np.maximum(size[kind], 1e-3 * size[kind].max(initial=0.0))
    scale = np.sqrt(np.outer(size, size))
    return np.asarray(np.abs(A - A.T) / np.where(scale > 0.0, scale, 1.0))


def name(database: HydroDatabase, i: int) -> str:
    """Name of a degree of freedom, ``body.surge``."""
    return f"{database.names[i // 6]}.{DOFS[i % 6]}"


def _diagonal(M: Float) -> Float:
    return np.asarray(np.diagonal(M, axis1=1, axis2=2))


def _matters(peak: Float) -> NDArray[np.bool_]:
    rotates = np.arange(peak.size) % 6 >= 3
    out = peak > 0.0
    for kind in (rotates, ~rotates):
        out[kind] &= peak[kind] > 1e-4 * peak[kind].max(initial=0.0)
    return out


def _negative(database: HydroDatabase, i: int, B: Float) -> Iterator[Finding]:
    worst = int(np.argmin(B))
    share = B[worst] / np.abs(B).max()
    if np.trapezoid(B, database.omega) < 0.0:
        yield error(
            f"damping of {name(database, i)} is negative on the whole: waves would drive the body; "
            "its sign, or its place in the file, is wrong"
        )
    elif share < -_NEGATIVE:
        yield warning(
            f"damping of {name(database, i)} is negative at omega = "
            f"{database.omega[worst]:.3g} rad/s ({100 * share:.1f} % of its maximum): an "
            "irregular frequency (was there a lid?) or a mesh too coarse"
        )


def _spikes(database: HydroDatabase, i: int, A: Float, B: Float) -> Iterator[Finding]:
    """Isolated points far from the line through their neighbours."""
    if A.size < 7:
        return
    w = database.omega
    for label, values, scale in (("added mass", A, np.ptp(A)), ("damping", B, np.ptp(B))):
        share = (w[1:-1] - w[:-2]) / (w[2:] - w[:-2])
        bend = np.abs(values[1:-1] - (values[:-2] + share * (values[2:] - values[:-2])))
        worst = int(np.argmax(bend))
        others = [bend[j] for j in (worst - 2, worst + 2) if 0 <= j < bend.size]
        if bend[worst] > _SPIKE * scale and bend[worst] > 10.0 * max(others):
            yield warning(
                f"{label} of {name(database, i)} has a spike at omega = {w[worst + 1]:.3g} rad/s: "
                "an irregular frequency (was there a lid?), or water that resonates between bodies"
            )


def _range(database: HydroDatabase, i: int, B: Float) -> Iterator[Finding]:
    share = abs(B[-1]) / np.abs(B).max()
    if share > _OPEN_END:
        yield warning(
            f"damping of {name(database, i)} is still {100 * share:.0f} % of its maximum at the "
            f"last frequency, {database.omega[-1]:.3g} rad/s; its memory misses what lies beyond"
        )


def _spacing(database: HydroDatabase) -> Iterator[Finding]:
    """Whether the phase between far bodies is resolved by the frequencies."""
    points = np.array([b.reference_point[:2] for b in database.bodies])
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    a, b = np.unravel_index(int(np.argmax(apart)), apart.shape)
    k = wavenumber(database.omega, depth=database.water_depth, gravity=database.gravity)
    turn = np.diff(k) * apart[a, b]
    if turn.size and turn.max() > _QUARTER:
        w = database.omega[int(np.argmax(turn > _QUARTER))]
        yield warning(
            f"above {w:.3g} rad/s the frequencies are too far apart for the waves between "
            f"'{database.names[a]}' and '{database.names[b]}', {apart[a, b]:.3g} m: the phase "
            "turns by more than a quarter from one to the next"
        )


def _limits(database: HydroDatabase) -> Iterator[Finding]:
    limit, zero = database.added_mass_inf, database.added_mass_zero
    if limit is None:
        return
    implied = estimate_added_mass_inf(database.omega, database.added_mass, database.damping)
    size = np.abs(np.diag(implied))
    matters = np.flatnonzero(_matters(size))
    if zero is not None and _swapped(limit, zero, implied, matters):
        yield error(
            "the added mass at infinite frequency fits the one at zero frequency and the other "
            "way round: the two are swapped (Capytaine before 3.0 wrote WAMIT .1 files so)"
        )
        return
    for i in matters:
        off = (limit[i, i] - implied[i, i]) / size[i]
        if abs(off) > _LIMIT_OFF:
            yield warning(
                f"added mass at infinite frequency of {name(database, int(i))} is "
                f"{limit[i, i]:.4g}, added mass and damping at finite frequencies imply "
                f"{implied[i, i]:.4g} ({100 * off:+.1f} %); the adapter's 'accept: "
                "{added_mass_inf: implied}' uses the latter"
            )
        if zero is not None:
            step = abs(zero[i, i] - database.added_mass[0, i, i]) / size[i]
            if step > _JUMP:
                yield warning(
                    f"added mass of {name(database, int(i))} jumps by {100 * step:.0f} % between "
                    f"zero frequency and {database.omega[0]:.3g} rad/s"
                )


def _swapped(limit: Float, zero: Float, implied: Float, rows: NDArray[np.intp]) -> bool:
    gap = np.abs(np.diag(implied) - np.diag(limit))[rows]
    other = np.abs(np.diag(implied) - np.diag(zero))[rows]
    span = np.abs(np.diag(limit) - np.diag(zero))[rows]
    clear = span > _JUMP * np.abs(np.diag(implied))[rows]
    return bool(clear.any()) and bool(np.all(other[clear] < 0.2 * gap[clear]))
