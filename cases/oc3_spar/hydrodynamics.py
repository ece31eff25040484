"""Hydrodynamic database of the OC3-Hywind spar (NREL/TP-500-47535), some minutes.

Draft 120 m, diameter 9.4 m up to 12 m below the water, tapering to 6.5 m at 4 m; 320 m deep.
Rotations are about the centre of gravity of the whole system (see README.md).
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from adapters.capytaine.build import build_database
from adapters.capytaine.hulls import Hull
from adapters.capytaine.shapes import Revolution

SPAR = Revolution(
    profile=((4.7, -120.0), (4.7, -12.0), (3.25, -4.0), (3.25, 10.0)),
    sectors=48,
    panel_size=0.4,
)
OMEGAS = np.concatenate(
    [
        [0.03, 0.05, 0.1, 0.15, 0.2],
        np.arange(0.25, 1.5, 0.05),
        np.arange(1.5, 3.0, 0.1),
        np.arange(3.0, 5.1, 0.2),
    ]
)


def main() -> None:
    computed = build_database(
        [Hull("spar", SPAR, (0.0, 0.0, -78.0))],
        omegas=OMEGAS,
        headings_deg=np.arange(0.0, 360.0, 15.0),
        rho=1025.0,
        g=9.80665,
        water_depth=320.0,
    )
    shutil.copyfile(computed, Path(__file__).with_name("hydrodynamics.nc"))


if __name__ == "__main__":
    main()
