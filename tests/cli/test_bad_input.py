"""The main case with one thing wrong at a time: one sentence, a code, before anything runs."""

import shutil
from pathlib import Path

import pytest

CASE = Path(__file__).parents[2] / "cases" / "oc3_spar"


@pytest.fixture
def folder(tmp_path):
    for name in ("case.yaml", "hydrodynamics.nc", "mooring.txt"):
        shutil.copy(CASE / name, tmp_path)
    return tmp_path


def edit(path, old, new):
    content = path.read_text()
    assert old in content
    path.write_text(content.replace(old, new, 1))


def test_the_case_itself_is_good(invoke, folder):
    code, _, errors = invoke("run", "case.yaml", "--set", "time.end=0.5", "-q")
    assert (code, errors) == (0, "")


@pytest.mark.parametrize(
    ("setting", "texts"),
    [
        ("adapters.hydro.database=none.nc", ["case.yaml:", "'none.nc'"]),
        ("adapters.hydro.bodies=[spra]", ["adapter 'hydro'", "there is no body 'spra'"]),
        ("adapters.hydro.databse=x.nc", ["unknown key 'databse'; did you mean 'database'?"]),
        ("adapters.lines.file=none.txt", ["none.txt: there is no such file"]),
        ("bodies.spar.cog=[0, 0, -70]", ["(0, 0, -70)", "(0, 0, -78)"]),
        ("bodies.spar.inertia=[1e10, 1e10, 3e10]", ["triangle inequality"]),
        ("joints.free.child=spra", ["unknown child body 'spra'; did you mean 'spar'?"]),
        ("time.scheme=implicit", ["time.scheme: must be 'iterated', 'explicit' or 'solver-call'"]),
    ],
)
def test_a_wrong_entry(invoke, folder, setting, texts):
    code, _, errors = invoke("run", "case.yaml", "--set", setting, "-q")
    assert code == 2
    assert errors.startswith("cosim: ")
    assert all(text in errors for text in texts), errors
    assert not (folder / "results").exists()


def test_contradicting_water_depths_name_both_values_of_both_adapters(invoke, folder):
    code, _, errors = invoke("run", "case.yaml", "--set", "environment.water_depth=200", "-q")
    assert code == 2
    first, hydro, lines = errors.splitlines()
    assert first == "cosim: 2 problems:"
    assert all(value in hydro for value in ("320", "200", "adapter 'hydro'"))
    assert all(value in lines for value in ("320", "200", "mooring.txt:27"))


def test_a_git_lfs_stub_is_recognised(invoke, folder):
    stub = "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 123456\n"
    (folder / "hydrodynamics.nc").write_text(stub)
    code, _, errors = invoke("run", "case.yaml", "-q")
    assert code == 2
    assert "git lfs pull" in errors


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("902.2 ", "9o2.2 ", "mooring.txt:22: column 5"),
        ("-70.0 ", "-470.0", "below the sea bed"),
        ("1    main ", "1    mein ", "mein"),
    ],
)
def test_a_bad_mooring_file_is_named_with_its_line(invoke, folder, old, new, text):
    edit(folder / "mooring.txt", old, new)
    code, _, errors = invoke("run", "case.yaml", "-q")
    assert code == 2
    assert "mooring.txt:" in errors
    assert text in errors


def test_an_empty_mooring_file_is_refused(invoke, folder):
    (folder / "mooring.txt").write_text("")
    code, _, errors = invoke("run", "case.yaml", "-q")
    assert code == 2
    assert "mooring.txt" in errors
