"""Files that are not what the case needs, seen by the program as a user starts it."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

CASES = Path(__file__).parents[2] / "cases"
SPHERE = """\
case: 1
environment: {gravity: 9.81, water_density: 1000, water_depth: 200}
bodies:
  sphere: {mass: 261.8e3, cog: [0, 0, -2], inertia: [2.618e6, 2.618e6, 2.618e6]}
joints:
  heave: {type: prismatic, child: sphere, at: [0, 0, -2], axis: [0, 0, 1]}
adapters:
  hydro:
    type: capytaine
    bodies: [sphere]
    database: sphere.nc
start: {from: reference}
time: {end: 1}
"""


def box(unit=1, *, turned=False, left_out=()):
    """OBJ text of a box of 10 x 10 x 8 units about the origin, normals outwards."""
    corners = [(x, y, z) for x in (-5, 5) for y in (-5, 5) for z in (-4, 4)]
    faces = ["1 2 4 3", "5 7 8 6", "1 5 6 2", "3 4 8 7", "1 3 7 5", "2 6 8 4"]
    kept = [face.split() for i, face in enumerate(faces) if i not in left_out]
    lines = [f"v {unit * x} {unit * y} {unit * z}" for x, y, z in corners]
    lines += ["f " + " ".join(reversed(face) if turned else face) for face in kept]
    return "\n".join(lines) + "\n"


@pytest.fixture
def case(tmp_path):
    shutil.copy(CASES / "sphere_decay" / "sphere.nc", tmp_path)
    path = tmp_path / "sphere.yaml"
    path.write_text(SPHERE)
    return path


@pytest.fixture
def refused(invoke, case, monkeypatch, tmp_path):
    """Replace a piece of the case, run it, and return the one sentence of the program."""
    monkeypatch.setenv("COSIM_CACHE", str(tmp_path / "cache"))

    def run(old, new, *arguments, code=2, count=1):
        content = case.read_text()
        assert old in content
        case.write_text(content.replace(old, new))
        got, _, errors = invoke("run", case, "--quiet", *arguments)
        assert got == code, errors
        assert "Traceback" not in errors
        problems = [line for line in errors.splitlines() if not line.startswith("warning: ")]
        assert len(problems) == (1 if count == 1 else count + 1), errors
        assert not (tmp_path / "results").exists()
        return errors

    return run


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "is no known hydrodynamic database"),
        (b"# a table\n1 2 3\n", "is no known hydrodynamic database"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "run 'git lfs pull'"),
        ((CASES / "sphere_decay" / "sphere.nc").read_bytes()[:20_000], "truncated file"),
    ],
)
def test_what_is_no_database(refused, tmp_path, content, text):
    (tmp_path / "sphere.nc").write_bytes(content)
    sentence = refused("sphere.nc", "sphere.nc")
    assert "sphere.yaml:8: adapter 'hydro': " in sentence
    assert text in sentence


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("database: sphere.nc", "database: none.nc", "there is no hydrodynamic database"),
        ("database: sphere.nc", "database: .", "there is no hydrodynamic database"),
        ("bodies: [sphere]", "bodies: {sphere: float}", "no body 'float'; it holds sphere"),
        ("bodies: [sphere]", "bodies: [spher]", "there is no body 'spher'"),
        ("bodies: [sphere]", "bodies: []", "'bodies' is empty"),
        ("    bodies: [sphere]\n", "", "'bodies' is required"),
        ("water_depth: 200", "water_depth: 100", "water_depth = 200 m, the environment has 100"),
        ("water_density: 1000", "water_density: 1025", "1000 kg/m3, the environment has 1025"),
        ("gravity: 9.81", "gravity: 1.62", "9.81 m/s2, the environment has 1.62"),
        ("cog: [0, 0, -2]", "cog: [0, 0, -2.5]", "(0, 0, -2.5) m, the hydrodynamic database puts"),
    ],
)
def test_a_database_for_something_else(refused, old, new, text):
    assert text in refused(old, new)


@pytest.mark.parametrize(
    ("waves", "text"),
    [
        ("{type: regular, height: 1, period: 6, heading_deg: 90}", "holds the headings 0 deg"),
        ("{type: regular, height: 1, period: 6, heading_deg: 180}", "holds the headings 0 deg"),
        ("{type: regular, height: 1, period: 0.4}", "compute it for higher frequencies"),
    ],
)
def test_waves_that_the_database_does_not_hold(refused, waves, text):
    assert text in refused("water_depth: 200}", f"water_depth: 200, waves: {waves}}}")


WAVE_LOADS = ("excitation_force", "Froude_Krylov_force", "diffraction_force")


def holed(database):
    database["radiation_damping"].values[3:6] = np.nan


def negative(database):
    database["radiation_damping"].values[:] *= -1.0


def conjugated(database):
    for name in WAVE_LOADS:
        database[name].loc[{"complex": "im"}] *= -1.0


def opposite(database):
    for name in WAVE_LOADS:
        database[name].values[:] *= -1.0


@pytest.mark.parametrize(
    ("spoil", "count", "text"),
    [
        (holed, 1, "NaN at omega = 0.3 to 0.5 rad/s"),
        (negative, 5, "damping of sphere.heave is negative on the whole"),
        (conjugated, 1, "the data use exp(+i omega t)"),
        (opposite, 2, "points down under the crest"),
    ],
)
def test_numbers_that_no_body_in_water_has(refused, tmp_path, spoil, count, text):
    database = xr.load_dataset(CASES / "sphere_decay" / "capytaine.nc", engine="h5netcdf")
    spoil(database)
    (tmp_path / "sphere.nc").unlink()
    database.to_netcdf(tmp_path / "sphere.nc", engine="h5netcdf")
    assert text in refused("water_depth: 200", "water_depth: inf", count=count)


@pytest.mark.parametrize(
    ("mesh", "text"),
    [
        (None, "does not exist"),
        ("", "holds no panels"),
        (box(left_out=[4]), "is open below the water"),
        (box(turned=True), "is inside out"),
        (box().replace("v -5 -5 -4", "v nan -5 -4"), "not finite"),
        (box(1000), "but the water is 200 m deep"),
    ],
)
def test_bad_meshes(refused, tmp_path, mesh, text):
    if mesh is not None:
        (tmp_path / "hull.obj").write_text(mesh)
    hull = "hulls: {sphere: {file: hull.obj}}\n    omega: {min: 1, max: 2, count: 5}"
    sentence = refused("database: sphere.nc", hull)
    assert "hull" in sentence
    assert "sphere" in sentence
    assert text in sentence


def test_two_adapters_of_one_name(refused):
    second = "  hydro: {type: moordyn, file: lines.txt}\nstart:"
    assert "key 'hydro' stands twice; keep one" in refused("start:", second)


def test_results_never_replace_a_database(invoke, case, tmp_path):
    """The case sphere.yaml would write sphere.nc, which is its own database here."""
    before = (tmp_path / "sphere.nc").read_bytes()
    code, _, errors = invoke("run", case, "--quiet", "--out", ".")
    assert code == 2
    assert "exists and holds no results; choose another name" in errors
    assert (tmp_path / "sphere.nc").read_bytes() == before
