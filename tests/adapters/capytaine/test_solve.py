"""The solver against known hemispheres, reciprocity and its own symmetry; failures are named."""

import importlib

import numpy as np
import pytest

from adapters.capytaine.backend import capytaine
from adapters.capytaine.box import Box
from adapters.capytaine.hulls import Hull, prepare
from adapters.capytaine.shapes import Sphere, VerticalCylinder
from adapters.capytaine.solve import Coefficients, Sea, solve
from cosim.errors import DatabaseError

from .conftest import GRAVITY, RADIUS, RHO

HALF_MASS = RHO * 2.0 / 3.0 * np.pi * RADIUS**3
DEEP = Sea(omegas=(1.0,), headings=(0.0,), rho=RHO, g=GRAVITY, water_depth=np.inf)


def wetted(*hulls, water_depth=np.inf):
    return [prepare(hull, water_depth=water_depth) for hull in hulls]


def small(name="float", x=0.0, y=0.0, **fields):
    return Hull(name, VerticalCylinder(radius=2.0, bottom=-3.0, sectors=8, **fields), (x, y, -1.0))


def test_heave_added_mass_of_a_hemisphere(hemisphere):
    # Hulme, J. Fluid Mech. 121 (1982) 443: 0.8310 at zero, 1/2 at infinite frequency,
    # of the displaced mass; 0.5 % is what 576 panels reach with the direct method
    A = hemisphere.added_mass.sel(influenced_dof="float__Heave", radiating_dof="float__Heave")
    assert float(A.sel(omega=0.0)) / HALF_MASS == pytest.approx(0.8310, rel=5e-3)
    assert float(A.sel(omega=np.inf)) / HALF_MASS == pytest.approx(0.5, rel=5e-3)


def test_low_frequency_heave_force_is_in_phase_with_the_wave(hemisphere):
    # time factor exp(-i omega t): X3 -> rho g A_wp, X1 lags by -i
    X = hemisphere.excitation_force.sel(omega=0.6, wave_direction=0.0)
    heave, surge = (
        complex(X.sel(influenced_dof="float__Heave")),
        complex(X.sel(influenced_dof="float__Surge")),
    )
    assert heave.real > 5.0 * abs(heave.imag) > 0.0
    assert surge.imag < -5.0 * abs(surge.real)


@pytest.mark.parametrize("dof", ["Surge", "Heave"])
def test_damping_radiates_the_energy_of_the_haskind_relation(hemisphere, dof):
    # deep water: B = omega^3 / (4 pi rho g^3) * integral of |X|^2 over the headings; X comes from
    # diffraction, B from radiation
    name = f"float__{dof}"
    omega = hemisphere.omega.values[1:-1]
    X = hemisphere.excitation_force.sel(influenced_dof=name).values[1:-1]
    B = hemisphere.radiation_damping.sel(influenced_dof=name, radiating_dof=name).values[1:-1]
    integral = 2.0 * np.pi * np.mean(np.abs(X) ** 2, axis=1)
    far = omega**3 / (4.0 * np.pi * RHO * GRAVITY**3) * integral
    # 1.5 %: what Capytaine was measured to reach, direct method, lid, omega 1 to 2.5
    assert B / far == pytest.approx(np.ones(5), rel=1.5e-2)


def test_no_irregular_frequency_with_the_lid(hemisphere):
    B = hemisphere.radiation_damping.values
    assert (np.diagonal(B, axis1=1, axis2=2) >= -1e-9 * B.max()).all()


def test_symmetry_of_the_mesh_changes_nothing():
    # block-circulant matrices: same system, so to rounding
    hull = wetted(small())[0]
    plain = type(hull)(
        hull.name,
        hull.centre_of_gravity,
        hull.hull.whole(),
        hull.lid.whole(),
        hull.submerged,
    )
    a, b = solve([hull], DEEP), solve([plain], DEEP)
    assert a.added_mass == pytest.approx(b.added_mass, rel=1e-9, abs=1e-9 * b.added_mass.max())
    assert a.damping == pytest.approx(b.damping, rel=1e-9, abs=1e-9 * b.damping.max())
    scale = np.nanmax(np.abs(b.diffraction))
    assert a.diffraction[1] == pytest.approx(b.diffraction[1], abs=1e-9 * scale)


def test_turned_box_is_the_box_turned():
    def compute(yaw_deg):
        shape = Box(length=6.0, width=4.0, bottom=-2.0, panel_size=2.0, yaw_deg=yaw_deg)
        return solve(wetted(Hull("b", shape, (0.0, 0.0, -1.0))), DEEP)

    a, b = compute(0.0), compute(90.0)
    order = [1, 0, 2, 4, 3, 5]
    assert b.added_mass[1].diagonal() == pytest.approx(a.added_mass[1].diagonal()[order], rel=1e-6)


def test_two_bodies_interact_and_their_order_does_not_matter():
    hulls = [small("left", x=-6.0), small("right", x=6.0, y=-1.0)]
    a = solve(wetted(*hulls), DEEP)
    b = solve(wetted(*hulls[::-1]), DEEP)
    assert a.dofs[6] == "right__Surge"
    order = [*range(6, 12), *range(6)]
    scale = a.added_mass.max()
    assert b.added_mass[:, order][:, :, order] == pytest.approx(a.added_mass, abs=1e-9 * scale)
    # symmetric between the bodies to the accuracy of the panels
    assert a.added_mass[1, 2, 8] != 0.0
    assert a.added_mass[1, 2, 8] == pytest.approx(a.added_mass[1, 8, 2], rel=0.02)


def finite_depth(depth, omega):
    sea = Sea(omegas=(omega,), headings=(0.0,), rho=RHO, g=GRAVITY, water_depth=depth)
    hull = Hull("float", Sphere(radius=RADIUS, sectors=16), (0.0, 0.0, 0.0), lid=False)
    return solve(wetted(hull, water_depth=depth), sea)


def test_finite_depth_agrees_with_another_green_function():
    # kh = 1 in 50 m; 1e-3 between the two formulations of the Green function
    omega = float(np.sqrt(GRAVITY / 50.0 * np.tanh(1.0)))
    ours = finite_depth(50.0, omega)
    cpt = capytaine()
    hull = wetted(Hull("float", Sphere(radius=RADIUS, sectors=16), (0.0, 0.0, 0.0), lid=False))[0]
    mesh = hull.hull.whole()
    body = cpt.FloatingBody(
        cpt.Mesh(mesh.vertices, mesh.faces), cpt.rigid_body_dofs(rotation_center=(0, 0, 0))
    )
    solver = cpt.BEMSolver(
        method="direct", engine=cpt.DefaultMatrixEngine(green_function=cpt.FinGreen3D())
    )
    problem = cpt.RadiationProblem(
        body=body, omega=omega, water_depth=50.0, radiating_dof="Heave", rho=RHO, g=GRAVITY
    )
    other = solver.solve(problem, _check_wavelength=False)
    assert ours.added_mass[0, 2, 2] == pytest.approx(other.added_mass["Heave"], rel=1e-3)
    assert ours.damping[0, 2, 2] == pytest.approx(other.radiation_damping["Heave"], rel=1e-3)


def test_finite_depth_is_reproducible():
    a, b = finite_depth(50.0, 1.0), finite_depth(50.0, 1.0)
    assert np.array_equal(a.added_mass, b.added_mass)
    assert list(a.omega) == [1.0, np.inf]


def test_finite_depth_at_infinite_frequency_against_images():
    # a sphere between its images at 2 k h, alternating in sign (free surface, bottom): each pair
    # adds 3/4 (R / k h)^3 (sphere near a wall, Lamb, Hydrodynamics, art. 138); the next term is
    # of order (R / h)^6 = 2e-4
    depth = 20.0
    series = sum((-1) ** (k + 1) / k**3 for k in range(1, 200))
    growth = 0.75 * (RADIUS / depth) ** 3 * series
    ratio = (
        finite_depth(depth, 1.0).added_mass[-1, 2, 2]
        / finite_depth(np.inf, 1.0).added_mass[-1, 2, 2]
    )
    assert ratio - 1.0 == pytest.approx(growth, abs=3e-4)


def test_finite_depth_too_shallow_for_the_wave_is_named():
    with pytest.raises(DatabaseError, match=r"omega = 0.02 rad/s, float__Surge moving.*kh = 0.045"):
        finite_depth(50.0, 0.02)


@pytest.mark.parametrize("kind", ["Radiation", "Diffraction"])
def test_nan_from_the_solver_is_refused(monkeypatch, kind):
    cpt = capytaine()
    original = cpt.BEMSolver.solve

    def spoiled(self, problem, **options):
        result = original(self, problem, **options)
        if type(problem).__name__.startswith(kind):
            result.forces[next(iter(result.forces))] = complex(np.nan, np.nan)
        return result

    monkeypatch.setattr(cpt.BEMSolver, "solve", spoiled)
    said = {
        "Radiation": "NaN in radiation at omega = 0 rad/s, float__Surge moving",
        "Diffraction": "NaN in diffraction at omega = 1 rad/s, heading 0 deg",
    }
    with pytest.raises(DatabaseError, match=f"{said[kind]}, load on float__Surge"):
        solve(wetted(small()), DEEP)


def test_failure_inside_the_solver_is_named(monkeypatch):
    green = importlib.import_module("adapters.capytaine.green")

    def broken(self, *args, **kwargs):
        raise RuntimeError("out of order")

    monkeypatch.setattr(green.FittedDelhommeau, "evaluate", broken)
    with pytest.raises(DatabaseError, match=r"omega = 0 rad/s, float__Surge moving: out of order"):
        solve(wetted(small()), DEEP)


def test_too_many_panels_are_refused_before_anything_is_computed():
    with pytest.raises(DatabaseError, match=r"panels of left, right need about .*\(panel_size\)"):
        solve(wetted(small("left", x=-6.0), small("right", x=6.0)), DEEP, memory_limit=1e5)


def test_progress_is_reported():
    seen = []
    out = solve(wetted(small()), DEEP, progress=lambda done, total: seen.append((done, total)))
    assert isinstance(out, Coefficients)
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]
