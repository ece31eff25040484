"""The databases stored with the cases: what they claim, against independent numbers."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq

from cosim.hydrodynamics.checks import check_database
from cosim.hydrodynamics.read_capytaine import read_capytaine

ROOT = Path(__file__).parents[3]
SPAR = ROOT / "cases" / "oc3_spar" / "hydrodynamics.nc"
SPHERE = ROOT / "cases" / "sphere_decay" / "capytaine.nc"
BOX = ROOT / "tests" / "verification" / "data" / "box.nc"


@pytest.fixture(scope="module")
def spar():
    return read_capytaine(SPAR, {})


@pytest.fixture(scope="module")
def sphere():
    return read_capytaine(SPHERE, {})


@pytest.mark.parametrize("path", [SPAR, SPHERE, BOX], ids=lambda p: p.parent.name)
def test_file_is_small_and_passes_the_import(path):
    assert path.stat().st_size < 300_000
    for finding in check_database(read_capytaine(path, {})).findings:
        assert "irregular" not in finding.sentence
        assert "negative" not in finding.sentence
        assert "NaN" not in finding.sentence


def test_spar_is_the_published_hull(spar):
    # NREL/TP-500-47535: 8,029.21 m3, centre of buoyancy at -62.07 m, and C33 = 332,941 N/m in
    # equation 4-3 (rho g pi (3.25 m)^2 is 333,550, 0.2 % more)
    body = spar.bodies[0]
    assert body.volume == pytest.approx(8029.21, abs=0.005)
    assert body.centre_of_buoyancy[2] == pytest.approx(-62.07, abs=0.005)
    assert body.stiffness[2, 2] == pytest.approx(332_941.0, rel=2.5e-3)
    assert tuple(body.reference_point) == (0.0, 0.0, -78.0)
    assert (spar.water_depth, spar.water_density, spar.gravity) == (320.0, 1025.0, 9.80665)


@pytest.mark.parametrize(
    ("row", "column", "published"),
    [(0, 0, 4.02851e5), (0, 4, -2.54125e6), (2, 2, 6.77455e3), (4, 4, 3.37114e7)],
)
def test_memory_of_the_spar_against_wamit(spar, row, column, published):
    # K(0) about the still-water level, printed by HydroDyn from the WAMIT results of
    # NREL/TP-500-47535: OpenFAST/r-test (Apache-2.0), 5MW_OC3Spar_DLL_WTurb_WavesIrr.HD.sum.
    # 1 %: two panel methods on two meshes, both cut near 5 rad/s
    about_water = spar.move_reference({"spar": (0.0, 0.0, 0.0)})
    omega = np.concatenate([[0.0], spar.omega])
    damping = CubicSpline(omega, np.concatenate([[0.0], about_water.damping[:, row, column]]))
    memory = 2.0 / np.pi * damping.integrate(0.0, omega[-1])
    assert memory == pytest.approx(published, rel=1e-2)


def test_surge_added_mass_of_the_spar_is_nearly_the_displaced_mass(spar):
    # two-dimensional cylinders have exactly it; the ends of a slender body take a few per cent
    mass = spar.water_density * spar.bodies[0].volume
    assert 0.95 * mass < spar.added_mass[0, 0, 0] < mass


def wave_number(omega, depth, g):
    if np.isinf(depth):
        return omega**2 / g
    return brentq(lambda k: g * k * np.tanh(k * depth) - omega**2, 1e-9, 1e3)


def far_field_damping(database, dof):
    """B from the exciting forces over all headings (Haskind), N s/m or N m s."""
    g, rho, h = database.gravity, database.water_density, database.water_depth
    k = np.array([wave_number(w, h, g) for w in database.omega])
    kh = np.minimum(2.0 * k * min(h, 1e9), 700.0)
    group = 0.5 * database.omega / k * (1.0 + kh / np.sinh(kh))
    integral = 2.0 * np.pi * np.mean(np.abs(database.excitation[:, :, dof]) ** 2, axis=1)
    return k / (8.0 * np.pi * rho * g * group) * integral


@pytest.mark.parametrize("name", ["spar", "sphere"])
@pytest.mark.parametrize("dof", [0, 2, 4])
def test_energy_balance(name, dof, request):
    # 1 %, where damping is worth more than 5 % of its maximum, up to 3 rad/s
    database = request.getfixturevalue(name)
    B = database.damping[:, dof, dof]
    counts = (0.05 * B.max() < B) & (database.omega < 3.0)
    assert counts.sum() > 10
    ratio = B[counts] / far_field_damping(database, dof)[counts]
    assert ratio == pytest.approx(np.ones(counts.sum()), abs=1e-2)


def test_added_mass_of_the_sphere_at_the_limits(sphere):
    # Hulme, J. Fluid Mech. 121 (1982) 443: 0.8310 at zero, 1/2 at infinite frequency; 0.3 %
    half = 1000.0 * 2.0 / 3.0 * np.pi * 125.0
    assert sphere.added_mass_inf[2, 2] / half == pytest.approx(0.5, rel=3e-3)
    assert sphere.added_mass_zero[2, 2] / half == pytest.approx(0.8310, rel=3e-3)


@pytest.mark.parametrize("name", ["spar", "sphere"])
@pytest.mark.parametrize("dof", [0, 2, 4])
def test_added_mass_follows_from_damping(name, dof, request):
    # Kramers-Kronig (Ogilvie): A(w) - A_inf = -1/w * integral of K(t) sin(w t), here at one
    # frequency as a principal value over B; 1 % of the range of A, the tail beyond is cut
    database = request.getfixturevalue(name)
    omega = np.concatenate([[0.0], database.omega])
    B = CubicSpline(omega, np.concatenate([[0.0], database.damping[:, dof, dof]]))
    A = database.added_mass[:, dof, dof]
    at = int(np.argmin(np.abs(database.omega - 1.0)))
    w = database.omega[at]

    def regular(x):
        return (B(x) - B(w)) / (x * x - w * w) if abs(x - w) > 1e-6 else B(w, 1) / (2.0 * w)

    top = omega[-1]
    value = quad(regular, 0.0, top, limit=400, points=[w])[0]
    value += B(w) * np.log((top - w) / (top + w)) / (2.0 * w)
    implied = database.added_mass_inf[dof, dof] + 2.0 / np.pi * value
    assert implied == pytest.approx(A[at], abs=0.01 * np.ptp(A))


def test_box_resolves_waves_of_4_to_14_seconds():
    box = read_capytaine(BOX, {})
    inside = (box.omega > 2.0 * np.pi / 14.0) & (box.omega < 2.0 * np.pi / 4.0)
    assert inside.sum() >= 25
    assert np.diff(box.omega[inside]).max() < 0.05
    assert box.bodies[0].volume == pytest.approx(2000.0)
    # quarter symmetry: surge in head waves is sway in beam waves
    head, beam = box.excitation[:, 0, 0], box.excitation[:, 2, 1]
    assert np.degrees(box.headings[[0, 2]]) == pytest.approx([0.0, 90.0])
    assert beam == pytest.approx(head, abs=1e-3 * np.abs(head).max())
