"""Database of a box 20 m x 20 m, draft 5 m, in deep water, for tests in waves of 4 to 14 s."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from adapters.capytaine.box import Box
from adapters.capytaine.build import build_database
from adapters.capytaine.hulls import Hull

OMEGAS = np.concatenate(
    [
        np.arange(0.1, 0.4, 0.1),
        np.arange(0.4, 1.8, 0.04),
        np.arange(1.8, 3.0, 0.1),
        np.arange(3.0, 5.1, 0.2),
    ]
)


def main() -> None:
    computed = build_database(
        [Hull("box", Box(length=20.0, width=20.0, bottom=-5.0, panel_size=0.7), (0.0, 0.0, -1.0))],
        omegas=OMEGAS,
        headings_deg=np.arange(0.0, 360.0, 45.0),
        rho=1025.0,
        g=9.81,
        water_depth=np.inf,
    )
    shutil.copyfile(computed, Path(__file__).with_suffix(".nc"))


if __name__ == "__main__":
    main()
