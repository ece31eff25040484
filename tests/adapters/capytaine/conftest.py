"""One small database computed once for the tests that only read it."""

import numpy as np
import pytest
import xarray as xr

from adapters.capytaine.build import build_database
from adapters.capytaine.hulls import Hull
from adapters.capytaine.shapes import Sphere

RADIUS = 5.0
RHO, GRAVITY = 1000.0, 9.81
HEMISPHERE = Sphere(radius=RADIUS, sectors=48, panel_size=0.5)


@pytest.fixture(scope="session")
def hemisphere_file(tmp_path_factory):
    """Hemisphere, deep water, all headings."""
    return build_database(
        [Hull("float", HEMISPHERE, (0.0, 0.0, -2.0))],
        omegas=[0.6, 1.0, 1.4, 1.8, 2.2],
        headings_deg=np.arange(0.0, 360.0, 45.0),
        rho=RHO,
        g=GRAVITY,
        water_depth=np.inf,
        cache=tmp_path_factory.mktemp("bem"),
    )


@pytest.fixture(scope="session")
def hemisphere(hemisphere_file):
    """The same, opened, complex parts joined."""
    with xr.open_dataset(hemisphere_file, engine="h5netcdf") as opened:
        dataset = opened.load()
    for name in ("Froude_Krylov_force", "diffraction_force", "excitation_force"):
        dataset[name] = dataset[name].sel(complex="re") + 1j * dataset[name].sel(complex="im")
    return dataset
