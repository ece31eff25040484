import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from cosim.case.read import read_case
from cosim.errors import CosimError
from cosim.results.reader import open_results


def test_run_writes_results_and_shows_how_it_went(cosim, case_file, tmp_path):
    done = cosim("run", case_file, "--out", "there")
    assert done.returncode == 0, done.stderr
    assert "hinge.angle" in done.stdout
    assert "energy balance" in done.stdout
    assert "x real time" in done.stderr
    results = open_results(tmp_path / "there" / "pendulum.nc")
    assert results.attrs["status"] == "completed"
    assert results.attrs["title"] == "Pendulum"
    np.testing.assert_allclose(results.time, np.arange(101) * 0.05)


def test_nothing_but_text_without_a_terminal(cosim, case_file):
    done = cosim("run", case_file)
    assert done.returncode == 0, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert "\r" not in done.stdout + done.stderr


def test_quiet_is_quiet(cosim, case_file):
    done = cosim("run", case_file, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_values_can_be_set(cosim, case_file, tmp_path):
    done = cosim("run", case_file, "--set", "time.end=1", "--set", "start.set.hinge.angle_deg=10")
    assert done.returncode == 0, done.stderr
    results = open_results(tmp_path / "results" / "pendulum.nc")
    assert float(results.time[-1]) == 1.0
    assert float(results["joint_rotation_deg"][0, 0]) == pytest.approx(10)


@pytest.mark.parametrize(
    ("old", "new", "code", "text"),
    [
        ("mass: 2", "mas: 2", 2, "pendulum.yaml:4: bodies.bob: unknown key 'mas'"),
        ("mass: 2", "mass: 0", 2, "bodies.bob.mass: must be greater than 0 (got 0)"),
        ("child: bob", "child: bop", 2, "unknown child body 'bop'; did you mean 'bob'?"),
        ("[0.1, 0.1, 0.1]", "[0.1, 0.1, 0.9]", 2, "break the triangle inequality"),
        ("hinge.angle_deg: 30", "hinge.angel: 30", 2, "did you mean 'angle'?"),
        ("time:", "adapters: {a: {type: nothing}}\ntime:", 2, "unknown adapter type 'nothing'"),
        (
            "start:\n  from: reference",
            "elements: {e: {type: force, point: bob, moment: [0, 99, 0]}}\nstart:",
            3,
            "or start from the pose as described",
        ),
        (
            "time: {end: 5}",
            "elements: {e: {type: joint, joint: hinge, law: 50*v*v*v}}\ntime: {end: 5}",
            4,
            "the run stopped at t =",
        ),
    ],
)
def test_mistakes_end_in_one_sentence_and_a_code(cosim, case_file, old, new, code, text):
    content = case_file.read_text()
    assert old in content
    case_file.write_text(content.replace(old, new))
    done = cosim("run", case_file)
    assert done.returncode == code, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert text in last
    assert "Traceback" not in done.stderr


def test_several_mistakes_are_listed(cosim, case_file):
    case_file.write_text(case_file.read_text().replace("mass: 2", "mas: 2, mass: -1"))
    done = cosim("run", case_file)
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == "cosim: 2 problems:"
    assert len(done.stderr.splitlines()) == 3


def test_debug_shows_where(cosim, case_file):
    case_file.write_text(case_file.read_text().replace("mass: 2", "mas: 2"))
    done = cosim("run", case_file, "--debug")
    assert done.returncode == 2
    assert "Traceback" in done.stderr


def test_a_missing_case_is_named(cosim):
    done = cosim("run", "nowhere.yaml")
    assert done.returncode == 2
    assert done.stderr.strip() == "cosim: there is no case file 'nowhere.yaml'"


def wait_for_results(path, process):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if open_results(path).sizes["time"] > 10:
                return
        except CosimError:
            pass
        time.sleep(0.2)
    pytest.fail("no results came")


@pytest.mark.parametrize(
    ("number", "code", "status", "said"),
    [
        (signal.SIGKILL, -signal.SIGKILL, "running", ""),
        (signal.SIGINT, 130, "interrupted", "cosim: interrupted"),
        (signal.SIGTERM, 143, "interrupted", "cosim: terminated"),
    ],
)
def test_a_run_that_is_stopped_leaves_what_it_had(
    start_cosim, case_file, tmp_path, number, code, status, said
):
    process = start_cosim("run", case_file, "--set", "time.end=1e5", "--set", "output.step=0.5")
    file = tmp_path / "results" / "pendulum.nc"
    wait_for_results(file, process)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == code
    assert said in errors
    results = open_results(file)
    assert results.attrs["status"] == status
    assert results.sizes["time"] > 10
    np.testing.assert_allclose(results.time, np.arange(results.sizes["time"]) * 0.5)
    assert np.isfinite(results["position"]).all()
    assert results["point_position"].sel(point="bob/tip", xyz="z").max() < 0.0


def test_schema_is_json_schema_that_accepts_the_case(cosim):
    schema = json.loads(cosim("schema").stdout)
    assert schema["$schema"].endswith("2020-12/schema")
    assert {"case", "time"} <= set(schema["required"])
    assert {"parts", "place", "bodies", "adapters", "start", "output"} <= set(schema["properties"])
    assert schema["additionalProperties"] is False


def test_version_names_what_it_stands_on(cosim):
    text = cosim("version").stdout
    assert all(name in text for name in ("offshore-cosim", "python", "moordyn", "numpy"))


def test_help_lists_the_commands(cosim):
    text = cosim("--help").stdout
    assert all(name in text for name in ("run", "check", "plot", "schema", "version"))


def test_reading_a_case_imports_no_heavy_package(case_file):
    code = (
        "import sys; from cosim.case.read import read_case; read_case(sys.argv[1]);"
        "heavy = {'xarray', 'pandas', 'sympy', 'matplotlib', 'capytaine'} & set(sys.modules);"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code, case_file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert read_case(case_file).title == "Pendulum"
