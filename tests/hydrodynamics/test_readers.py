from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr

from cosim.errors import DatabaseError
from cosim.hydrodynamics.checks import ImportPolicy, check_database
from cosim.hydrodynamics.facts import BodyFacts
from cosim.hydrodynamics.read import read_database
from cosim.hydrodynamics.storage import save_database

DATA = Path(__file__).parent / "data"
RM3_FACTS = {
    "rm3_float": BodyFacts(reference_point=(0, 0, -0.72), centre_of_mass=(0, 0, -0.72)),
    "rm3_spar": BodyFacts(reference_point=(0, 0, -21.29), centre_of_mass=(0, 0, -21.29)),
}


def test_capytaine_3_one_body():
    db = read_database(DATA / "capytaine_3_one_body.nc")
    assert db.names == ("buoy",)
    assert (db.source.tool, db.source.version) == ("Capytaine", "3.0.0")
    np.testing.assert_allclose(db.omega, [0.3, 0.6, 1.0, 1.5, 2.0, 2.6])
    np.testing.assert_allclose(db.headings, [0.0, np.pi / 2])
    np.testing.assert_allclose(db.bodies[0].reference_point, [0, 0, -0.5])
    # zero and infinite frequency became limits; nothing else is NaN
    assert db.added_mass_zero[2, 2] > db.added_mass_inf[2, 2] > 0.0
    assert np.isfinite(db.excitation).all()
    # an octagon of radius 2 m
    assert db.bodies[0].waterplane_area == pytest.approx(8 * 0.5 * 4 * np.sin(np.pi / 4))


def test_capytaine_3_two_bodies_keep_their_own_points():
    db = read_database(DATA / "capytaine_3_two_bodies.nc")
    assert db.names == ("left", "right")
    np.testing.assert_allclose(db.bodies[1].reference_point, [10.0, 0.0, -0.5])
    np.testing.assert_allclose(db.bodies[1].centre_of_buoyancy[:2], [10.0, 0.0], atol=1e-9)
    # mirror image of each other: the same heave, opposite coupling of heave into surge
    A = db.added_mass[2]
    assert A[2, 2] == pytest.approx(A[8, 8], rel=1e-3)
    assert A[2, 6] == pytest.approx(-A[8, 0], rel=1e-2)


def test_weight_of_capytaine_is_removed_about_any_rotation_centre(tmp_path):
    path = DATA / "capytaine_3_one_body.nc"
    about_gravity = read_database(path)
    with xr.open_dataset(path, engine="h5netcdf") as opened:
        dataset = opened.load()
    rho_g_v = float(dataset["disp_mass"]) * 9.81
    # the same body with a centre of mass 1 m higher: its file holds m g 1 m less in roll
    dataset["center_of_mass"] = dataset["center_of_mass"] + [0.0, 0.0, 1.0]
    for dof in ("Roll", "Pitch"):
        dataset["hydrostatic_stiffness"].loc[dof, dof] -= rho_g_v
    dataset.to_netcdf(tmp_path / "higher.nc", engine="h5netcdf")
    higher = read_database(tmp_path / "higher.nc")
    np.testing.assert_allclose(
        higher.bodies[0].stiffness, about_gravity.bodies[0].stiffness, atol=1e-6
    )


def test_capytaine_2_needs_the_reference_points():
    with pytest.raises(DatabaseError, match="moments of body 'rm3_float' are taken"):
        read_database(DATA / "capytaine_2_rm3.nc")


def test_capytaine_2_and_wamit_agree_within_what_two_meshes_do():
    capytaine = read_database(DATA / "capytaine_2_rm3.nc", RM3_FACTS)
    wamit = read_database(DATA / "wamit_rm3.out", water_density=1000.0)
    assert wamit.names == ("float", "spar")
    np.testing.assert_allclose(wamit.omega[1], capytaine.omega[1], rtol=1e-6)
    for row, tolerance in ((0, 0.03), (2, 0.03), (4, 0.03)):
        A, B = (db.added_mass[1, row, row] for db in (capytaine, wamit))
        assert pytest.approx(B, rel=tolerance) == A
        X, Y = (db.excitation[1, 0, row] for db in (capytaine, wamit))
        # the same time factor: conjugated, they would be a diameter apart
        assert abs(X - Y) < 0.2 * abs(Y) < abs(X - Y.conj())
    # plates of the spar differ: one mesh has a thick plate, 26 % of added mass
    assert capytaine.added_mass[1, 8, 8] == pytest.approx(wamit.added_mass[1, 8, 8], rel=0.3)


def test_wamit_numbers_are_dimensional():
    db = read_database(DATA / "wamit_rm3.out", water_density=1000.0)
    float_, spar = db.bodies
    # data/rm3_decay/README.md: K33 and A33_inf in SI
    assert float_.stiffness[2, 2] == pytest.approx(2800951.2)
    assert spar.stiffness[2, 2] == pytest.approx(277014.78)
    assert db.added_mass_inf[2, 2] == pytest.approx(1232838.0)
    assert db.added_mass_inf[8, 8] == pytest.approx(8918842.0, rel=1e-6)
    assert db.added_mass_inf[2, 8] == pytest.approx(-142145.6)
    assert db.added_mass_zero is not None
    np.testing.assert_allclose(spar.reference_point, [0, 0, -21.29])
    np.testing.assert_allclose(spar.centre_of_buoyancy[2], -21.29 + 5.686012)
    assert db.damping.shape == (6, 12, 12)
    assert np.isfinite(db.excitation).all()


def test_wamit_needs_a_density():
    with pytest.raises(DatabaseError, match="holds no density; give 'water_density'"):
        read_database(DATA / "wamit_rm3.out")


def test_wamit_names_the_line_it_cannot_read(tmp_path):
    text = (DATA / "wamit_rm3.out").read_text().splitlines()
    line = next(n for n, t in enumerate(text) if "Wave period (sec)" in t)
    text[line] = " Wave period (sec) =  none"
    (tmp_path / "bad.out").write_text("\n".join(text))
    with pytest.raises(DatabaseError, match=f"line {line + 1}: cannot read"):
        read_database(tmp_path / "bad.out", water_density=1000.0)


def test_bemio_is_scaled_and_conjugated():
    db = read_database(DATA / "bemio_sphere.h5")
    assert (db.names, db.water_depth, db.water_density) == (("sphere",), 200.0, 1000.0)
    # data/sphere_heave/README.md
    assert db.bodies[0].stiffness[2, 2] == pytest.approx(770389.0, rel=1e-5)
    assert db.added_mass_inf[2, 2] == pytest.approx(130877.0, rel=1e-5)
    row = np.argmin(np.abs(db.omega - 1.4))
    # data/sphere_heave/sphere_heave_bem_si.csv at 1.4 rad/s: Im F > 0 with exp(+i w t)
    assert db.added_mass[row, 2, 2] == pytest.approx(111999.8, rel=2e-2)
    assert db.excitation[row, 0, 2].imag < 0.0
    with h5py.File(DATA / "bemio_sphere.h5") as file:
        raw = file["body1/hydro_coeffs/radiation_damping/all"][2, 2, row]
    assert db.damping[row, 2, 2] == pytest.approx(1000.0 * db.omega[row] * raw)
    check_database(db)


def test_bemio_two_bodies_from_wamit(tmp_path):
    wamit = read_database(DATA / "wamit_rm3.out", water_density=1000.0)
    write_bemio(wamit, tmp_path / "rm3.h5")
    bemio = read_database(tmp_path / "rm3.h5")
    for name in ("added_mass", "damping", "added_mass_inf", "excitation", "omega"):
        value = getattr(wamit, name)
        np.testing.assert_allclose(getattr(bemio, name), value, atol=1e-12 * np.abs(value).max())
    for a, b in zip(bemio.bodies, wamit.bodies, strict=True):
        np.testing.assert_allclose(a.stiffness, b.stiffness, atol=1e-3)


def write_bemio(db, path):
    rho, g = db.water_density, db.gravity
    with h5py.File(path, "w") as file:
        for key, value in {
            "rho": rho,
            "g": g,
            "scaled": 0.0,
            "w": db.omega,
            "wave_dir": 0.0,
        }.items():
            file[f"simulation_parameters/{key}"] = np.atleast_2d(value)
        file["simulation_parameters/water_depth"] = np.bytes_("infinite")
        for i, body in enumerate(db.bodies):
            rows, root = slice(6 * i, 6 * i + 6), f"body{i + 1}"
            file[f"{root}/properties/name"] = np.bytes_(body.name)
            file[f"{root}/properties/cg"] = body.reference_point
            file[f"{root}/properties/cb"] = body.centre_of_buoyancy
            file[f"{root}/properties/disp_vol"] = body.volume
            coefficients = f"{root}/hydro_coeffs"
            B = db.damping[:, rows] / (rho * db.omega[:, None, None])
            X = db.excitation[:, :, rows].conj().transpose(2, 1, 0) / (rho * g)
            file[f"{coefficients}/linear_restoring_stiffness"] = body.stiffness / (rho * g)
            file[f"{coefficients}/added_mass/all"] = np.moveaxis(db.added_mass[:, rows], 0, 2) / rho
            file[f"{coefficients}/added_mass/inf_freq"] = db.added_mass_inf[rows] / rho
            file[f"{coefficients}/radiation_damping/all"] = np.moveaxis(B, 0, 2)
            file[f"{coefficients}/excitation/re"] = X.real
            file[f"{coefficients}/excitation/im"] = X.imag


def test_own_format_is_recognised(database, tmp_path):
    save_database(database, tmp_path / "own.nc")
    assert read_database(tmp_path / "own.nc").source.tool == "synthetic"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "git-lfs pointer"),
        (b"nonsense", "no known hydrodynamic database"),
        (b"\x89HDF\r\n\x1a\n broken", "cannot be read"),
        (b"CDF\x01 broken", "cannot be read|broken"),
    ],
)
def test_files_that_are_no_database(tmp_path, content, sentence):
    path = tmp_path / "file.nc"
    path.write_bytes(content)
    with pytest.raises(DatabaseError, match=sentence):
        read_database(path)


def test_missing_file(tmp_path):
    with pytest.raises(DatabaseError, match="there is no hydrodynamic database"):
        read_database(tmp_path / "none.nc")


def test_capytaine_with_an_odd_degree_of_freedom(tmp_path):
    with xr.open_dataset(DATA / "capytaine_3_one_body.nc", engine="h5netcdf") as opened:
        dataset = opened.load()
    for dim in ("influenced_dof", "radiating_dof"):
        dataset[dim] = ["Surge", "Sway", "Heave", "Roll", "Pitch", "Bulge"]
    dataset.to_netcdf(tmp_path / "odd.nc", engine="h5netcdf")
    with pytest.raises(DatabaseError, match="degree of freedom 'Bulge' is not"):
        read_database(tmp_path / "odd.nc")


def test_heave_only_database_says_what_it_lacks(tmp_path):
    with xr.open_dataset(DATA / "capytaine_3_one_body.nc", engine="h5netcdf") as opened:
        dataset = opened.load().sel(influenced_dof=["Heave"], radiating_dof=["Heave"])
    dataset.to_netcdf(tmp_path / "heave.nc", engine="h5netcdf")
    db = read_database(tmp_path / "heave.nc")
    assert db.added_mass.shape == (6, 6, 6)
    assert "the source has no buoy.surge, buoy.sway, buoy.roll" in db.notes[0]
    check_database(db, ImportPolicy())
