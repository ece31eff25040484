"""Checks of the excitation: time factor, phase and long-wave limit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cosim.environment.dispersion import wavenumber
from cosim.hydrodynamics.database import HydroBody, HydroDatabase
from cosim.hydrodynamics.findings import Finding, error, note, warning
from cosim.hydrodynamics.rigid import Complex

__all__ = ["check_excitation"]

_LONG = 0.5
_SURE = 0.3
_OFF = 0.2


def check_excitation(database: HydroDatabase) -> Iterator[Finding]:
    """Compare the longest wave with what any body must feel in it.

    In a long wave the heave load is ρ g A_w, real and positive, and the load along the
    heading is -i ω² (ρ V + A), negative imaginary: the conjugate of the right time factor
    shows in the second, a wrong sign in the first.
    """
    if not database.headings.size:
        yield warning("there is no excitation in the database; waves give no load")
        return
    k = float(wavenumber(database.omega[0], depth=database.water_depth, gravity=database.gravity))
    for i, body in enumerate(database.bodies):
        if k * np.cbrt(max(body.volume, 0.0)) > _LONG:
            yield note(
                f"the time factor of body '{body.name}' was not checked: the lowest frequency, "
                f"{database.omega[0]:.3g} rad/s, is no long wave for it"
            )
            continue
        X = _at_body(database, i, k)
        yield from _heave(database, body, X)
        yield from _along(database, i, X)


def _at_body(database: HydroDatabase, i: int, k: float) -> Complex:
    """Excitation (nh, 6) at the lowest frequency for a wave with its crest at the body."""
    body = database.bodies[i]
    d = body.centre_of_buoyancy[:2] - database.phase_reference[i]
    along = d[0] * np.cos(database.headings) + d[1] * np.sin(database.headings)
    X: Complex = database.excitation[0, :, 6 * i : 6 * i + 6] * np.exp(-1j * k * along)[:, None]
    return X


def _heave(database: HydroDatabase, body: HydroBody, X: Complex) -> Iterator[Finding]:
    expected = database.water_density * database.gravity * body.waterplane_area
    mean = complex(X[:, 2].mean())
    if expected <= 0.0 or abs(mean) < _SURE * expected:
        return
    if mean.real < 0.0:
        yield error(
            f"the heave excitation of body '{body.name}' in the longest wave points down under "
            "the crest: its sign or its phase reference is wrong"
        )
    elif abs(mean.real / expected - 1.0) > _OFF:
        yield warning(
            f"the heave excitation of body '{body.name}' in the longest wave is "
            f"{mean.real:.4g} N/m, its waterplane gives {expected:.4g} N/m"
        )


def _along(database: HydroDatabase, i: int, X: Complex) -> Iterator[Finding]:
    body, w = database.bodies[i], database.omega[0]
    beta = database.headings
    load = X[:, 0] * np.cos(beta) + X[:, 1] * np.sin(beta)
    added = database.added_mass[0, 6 * i : 6 * i + 2, 6 * i : 6 * i + 2]
    inertia = database.water_density * body.volume + 0.5 * float(np.trace(added))
    if np.abs(load.imag).max() > _SURE * w**2 * abs(inertia) and load.imag.mean() > 0.0:
        yield error(
            f"the excitation of body '{body.name}' along the wave has a positive imaginary part "
            "in long waves: the data use exp(+i omega t); conjugate them, or give the file in "
            "its own format so that its reader does"
        )
