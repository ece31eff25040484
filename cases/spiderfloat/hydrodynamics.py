"""Hydrodynamic database of the stem and the three buoys, which interact, by Capytaine.

Run it to compute ``hydrodynamics.nc`` (some minutes on one core)::

    python cases/spiderfloat/hydrodynamics.py

Deep water: at 200 m depth a wave of 16 s is 0.4 % shorter in frequency, longer ones carry no
energy here.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import properties as p
from numpy.typing import NDArray

from adapters.capytaine.build import build_database
from adapters.capytaine.hulls import Hull
from adapters.capytaine.shapes import Revolution, VerticalCylinder
from cosim.hydrodynamics.read import read_database
from cosim.hydrodynamics.storage import save_database

# fine enough up to 2 rad/s for the waves between buoys 78 m apart to turn by less than a
# quarter from one frequency to the next
OMEGAS = np.concatenate(
    [np.arange(0.1, 0.5, 0.1), np.arange(0.5, 2.0, 0.05), np.arange(2.0, 3.61, 0.1)]
)
HEADINGS_DEG = np.arange(-180.0, 180.0, 30.0)


def hulls() -> list[Hull]:
    """Stem and buoys in the reference configuration."""
    stem = Revolution(profile=p.STEM, sectors=20, panel_size=1.6)
    found = [Hull("platform", stem, p.platform().centre)]
    can = VerticalCylinder(
        radius=p.BUOY_RADIUS, bottom=-p.BUOY_DRAFT, top=p.BUOY_TOP, sectors=20, panel_size=1.1
    )
    radius, _, z = p.buoy().centre
    for number, yaw in enumerate(np.radians([0.0, 120.0, 240.0]), start=1):
        centre = (radius * float(np.cos(yaw)), radius * float(np.sin(yaw)), z)
        found.append(Hull(f"leg{number}/buoy", can, centre))
    return found


def rounded_off(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values with 13 significant bits, 6e-5: far below the accuracy of panels, half the file."""
    mantissa, exponent = np.frexp(values)
    return np.ldexp(np.round(mantissa * 2.0**13), exponent - 13)


def main() -> None:
    """Compute (or take from the cache) and store, to 13 bits."""
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    raw = build_database(
        hulls(),
        omegas=OMEGAS,
        headings_deg=HEADINGS_DEG,
        rho=p.RHO,
        g=p.G,
        water_depth=float("inf"),
    )
    computed = read_database(raw)
    rounded = replace(
        computed,
        added_mass=rounded_off(computed.added_mass),
        damping=rounded_off(computed.damping),
        excitation=rounded_off(computed.excitation.real)
        + 1j * rounded_off(computed.excitation.imag),
    )
    save_database(rounded, Path(__file__).with_name("hydrodynamics.nc"), single=True)


if __name__ == "__main__":
    main()
