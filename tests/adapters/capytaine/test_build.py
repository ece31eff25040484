"""Database files: layout, cache, and what the importer of the core makes of them."""

import json

import numpy as np
import pytest
import xarray as xr

from adapters.capytaine import build
from adapters.capytaine.box import Box
from adapters.capytaine.build import build_database, cache_directory
from adapters.capytaine.hulls import Hull
from adapters.capytaine.meshes import MeshFile
from adapters.capytaine.shapes import VerticalCylinder
from cosim.errors import DatabaseError
from cosim.hydrodynamics.checks import check_database
from cosim.hydrodynamics.read_capytaine import read_capytaine

from .conftest import HEMISPHERE
from .test_meshes import box, write_obj

HULL = Hull("float", VerticalCylinder(radius=2.0, bottom=-3.0, sectors=8), (0.0, 0.0, -1.0))
SETTINGS = {
    "omegas": [0.8, 1.2],
    "headings_deg": [0.0, 90.0],
    "rho": 1025.0,
    "g": 9.81,
    "water_depth": np.inf,
}


def test_importer_reads_what_was_computed(hemisphere_file, hemisphere):
    database = read_capytaine(hemisphere_file, {})
    body = database.bodies[0]
    assert (body.name, database.water_depth) == ("float", np.inf)
    assert body.reference_point == pytest.approx([0.0, 0.0, -2.0])
    assert body.volume == pytest.approx(2.0 / 3.0 * np.pi * 125.0)
    assert body.centre_of_buoyancy == pytest.approx([0.0, 0.0, -1.875])
    assert body.waterplane_area == pytest.approx(np.pi * 25.0)
    # hemisphere: the moment about its centre vanishes, so C44 = rho g V * 2 m
    assert body.stiffness[3, 3] == pytest.approx(1000.0 * 9.81 * body.volume * 2.0, rel=1e-9)
    assert database.added_mass_zero is not None
    assert database.added_mass_inf is not None
    heave = hemisphere.excitation_force.values[1:-1, :, 2]
    assert database.excitation[:, :, 2] == pytest.approx(heave)


def test_importer_finds_no_error(hemisphere_file):
    found = check_database(read_capytaine(hemisphere_file, {})).findings
    assert not [f for f in found if "negative" in f.sentence or "irregular" in f.sentence]


def test_layout_is_that_of_capytaine(hemisphere_file):
    cpt_io = pytest.importorskip("capytaine.io.xarray")
    with xr.open_dataset(hemisphere_file, engine="h5netcdf") as opened:
        merged = cpt_io.merge_complex_values(opened.load())
    assert merged.excitation_force.dims == ("omega", "wave_direction", "influenced_dof")
    assert merged.added_mass.dims == ("omega", "influenced_dof", "radiating_dof")
    waves = merged.excitation_force.values
    assert np.isnan(waves[[0, -1]]).all()
    assert np.isfinite(waves[1:-1]).all()
    assert merged.attrs["time_factor"] == "exp(-i omega t)"
    assert merged.attrs["capytaine_version"].startswith("3.")
    assert json.loads(merged.attrs["lid"]) == {"float": True}
    assert json.loads(merged.attrs["panels"]) == {"float": HEMISPHERE.panels()[0].size}
    assert merged.waterplane_moments.values[0, 0, 0] == pytest.approx(np.pi * 25.0)


def test_second_call_reads_the_cache(tmp_path, monkeypatch):
    first = build_database([HULL], **SETTINGS, cache=tmp_path)
    content = first.read_bytes()
    monkeypatch.setattr(build, "solve", lambda *a, **k: pytest.fail("it was solved again"))
    again = build_database([HULL], **SETTINGS, cache=tmp_path)
    assert again == first
    assert again.read_bytes() == content
    assert [p.suffix for p in tmp_path.iterdir()] == [".nc"]


def test_equal_input_gives_equal_bytes(tmp_path):
    a = build_database([HULL], **SETTINGS, cache=tmp_path / "a")
    b = build_database([HULL], **SETTINGS, cache=tmp_path / "b")
    assert a.name == b.name
    assert a.read_bytes() == b.read_bytes()


@pytest.mark.parametrize(
    "change", [{"rho": 1000.0}, {"omegas": [0.8]}, {"headings_deg": [0.0]}, {"water_depth": 60.0}]
)
def test_any_setting_changes_the_key(tmp_path, monkeypatch, change):
    class Solved(Exception):
        pass

    def solve(*_, **__):
        raise Solved

    build_database([HULL], **SETTINGS, cache=tmp_path)
    monkeypatch.setattr(build, "solve", solve)
    with pytest.raises(Solved):
        build_database([HULL], **(SETTINGS | change), cache=tmp_path)


def test_changed_mesh_file_is_computed_anew(tmp_path):
    path = tmp_path / "hull.obj"
    hull = Hull("float", MeshFile(file="hull.obj"), (0.0, 0.0, -1.0), folder=tmp_path)
    write_obj(path, box())
    first = build_database([hull], **SETTINGS, cache=tmp_path / "cache")
    path.write_text(path.read_text() + "# touched\n")
    assert build_database([hull], **SETTINGS, cache=tmp_path / "cache") != first


def test_mesh_file_gives_the_coefficients_of_the_shape(tmp_path):
    fine = {"length": 4.0, "width": 3.0, "bottom": -2.0, "panel_size": 0.5}
    shape = Box(**fine)
    write_obj(tmp_path / "hull.obj", shape.panels()[0].whole())
    G = (0.0, 0.0, -1.0)
    from_file = Hull("float", MeshFile(file="hull.obj"), G, folder=tmp_path)
    paths = [
        build_database([h], **SETTINGS, cache=tmp_path)
        for h in (from_file, Hull("float", shape, G))
    ]
    a, b = (read_capytaine(path, {}) for path in paths)
    assert np.diagonal(a.added_mass[0]) == pytest.approx(np.diagonal(b.added_mass[0]), rel=5e-3)
    assert a.excitation[0, 0, 2] == pytest.approx(b.excitation[0, 0, 2], rel=5e-3)


def test_cache_directory_follows_the_environment(tmp_path, monkeypatch):
    monkeypatch.setenv("COSIM_CACHE", str(tmp_path))
    assert cache_directory() == tmp_path / "bem"
    monkeypatch.delenv("COSIM_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory() == tmp_path / ".cache" / "offshore-cosim" / "bem"


def test_failed_computation_leaves_nothing_in_the_cache(tmp_path, monkeypatch):
    def fail(*_, **__):
        raise DatabaseError("no")

    monkeypatch.setattr(build, "solve", fail)
    with pytest.raises(DatabaseError):
        build_database([HULL], **SETTINGS, cache=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"omegas": []}, "frequencies"),
        ({"omegas": [-1.0]}, "positive"),
        ({"omegas": [np.nan, 1.0]}, "frequencies"),
        ({"headings_deg": []}, "heading"),
        ({"headings_deg": [0.0, 360.0]}, "twice"),
        ({"rho": 0.0}, "rho = 0"),
        ({"water_depth": -1.0}, "water_depth = -1"),
    ],
)
def test_bad_settings_are_refused(tmp_path, change, said):
    with pytest.raises(DatabaseError, match=said):
        build_database([HULL], **(SETTINGS | change), cache=tmp_path)


def test_names_of_hulls_must_differ(tmp_path):
    with pytest.raises(DatabaseError, match="same name"):
        build_database([HULL, HULL], **SETTINGS, cache=tmp_path)


def test_waves_too_short_for_the_panels_are_said(tmp_path, caplog):
    settings = SETTINGS | {"omegas": [1.0, 6.0], "headings_deg": [0.0]}
    path = build_database([HULL], **settings, cache=tmp_path)
    with xr.open_dataset(path, engine="h5netcdf") as dataset:
        notes = json.loads(dataset.attrs["notes"])
    assert "resolve waves up to omega = " in notes[0]
    assert notes[0] in caplog.text


def test_a_computation_says_how_far_it_is(tmp_path, caplog):
    with caplog.at_level("INFO", logger="adapters.progress"):
        build_database([HULL], **SETTINGS, cache=tmp_path)
        build_database([HULL], **SETTINGS, cache=tmp_path)
    told = [r.getMessage() for r in caplog.records if r.name == "adapters.progress"]
    # two frequencies and the limits at zero and infinity
    assert told[1:] == [f"Capytaine: {done} of 4 frequencies" for done in (1, 2, 3, 4)]
    assert "once for this case" in told[0]


def test_the_terminal_stays_silent(tmp_path, capfd):
    build_database([HULL], **SETTINGS, cache=tmp_path)
    assert capfd.readouterr() == ("", "")
