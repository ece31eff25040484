"""Hydrodynamic database of the floating sphere of IEA OES Task 10, some seconds.

Radius 5 m, floating half submerged in deep water; centre of gravity 2 m below the water.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from adapters.capytaine.build import build_database
from adapters.capytaine.hulls import Hull
from adapters.capytaine.shapes import Sphere

OMEGAS = np.concatenate(
    [np.arange(0.1, 4.0, 0.1), np.arange(4.0, 6.0, 0.25), np.arange(6.0, 8.1, 0.5)]
)


def main() -> None:
    computed = build_database(
        [Hull("sphere", Sphere(radius=5.0, sectors=80, panel_size=0.3), (0.0, 0.0, -2.0))],
        omegas=OMEGAS,
        headings_deg=np.arange(0.0, 360.0, 15.0),
        rho=1000.0,
        g=9.81,
        water_depth=np.inf,
    )
    shutil.copyfile(computed, Path(__file__).with_name("capytaine.nc"))


if __name__ == "__main__":
    main()
