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


def test_quiet_is_quiet(invoke, case_file):
    assert invoke("run", case_file, "--quiet") == (0, "", "")


def test_values_can_be_set(invoke, case_file):
    settings = ("--set", "time.end=1", "--set", "start.set.hinge.angle_deg=10")
    code, _, errors = invoke("run", case_file, *settings)
    assert code == 0, errors
    results = open_results("results/pendulum.nc")
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
def test_mistakes_end_in_one_sentence_and_a_code(invoke, case_file, old, new, code, text):
    content = case_file.read_text()
    assert old in content
    case_file.write_text(content.replace(old, new))
    got, _, errors = invoke("run", case_file)
    assert got == code, errors
    assert text in errors.strip().splitlines()[-1]
    assert "Traceback" not in errors


def test_several_mistakes_are_listed(invoke, case_file):
    case_file.write_text(case_file.read_text().replace("mass: 2", "mas: 2, mass: -1"))
    code, _, errors = invoke("run", case_file)
    assert code == 2
    assert errors.splitlines()[0] == "cosim: 2 problems:"
    assert len(errors.splitlines()) == 3


def test_debug_shows_where(invoke, case_file):
    case_file.write_text(case_file.read_text().replace("mass: 2", "mas: 2"))
    code, _, errors = invoke("run", case_file, "--debug")
    assert code == 2
    assert "Traceback" in errors


def test_a_missing_case_is_named(cosim):
    done = cosim("run", "nowhere.yaml")
    assert done.returncode == 2
    assert done.stderr.strip() == "cosim: there is no case file 'nowhere.yaml'"


def test_an_error_of_the_program_is_one_sentence_too(invoke, case_file, monkeypatch):
    def broken(*arguments, **options):
        raise ZeroDivisionError("first line\nsecond line")

    monkeypatch.setattr("cosim.case.read.read_case", broken)
    code, _, errors = invoke("run", case_file)
    assert code == 1
    assert errors == (
        "cosim: an error of this program, please report it: ZeroDivisionError: first line "
        "(--debug shows where)\n"
    )


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
    process = start_cosim("run", case_file, "--set", "time.end=2e4", "--set", "output.step=1")
    file = tmp_path / "results" / "pendulum.nc"
    wait_for_results(file, process)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == code
    assert said in errors
    results = open_results(file)
    assert results.attrs["status"] == status
    assert results.sizes["time"] > 10
    np.testing.assert_allclose(results.time, np.arange(results.sizes["time"]))
    assert np.isfinite(results["position"]).all()
    assert results["point_position"].sel(point="bob/tip", xyz="z").max() < 0.0


def test_schema_is_json_schema_of_a_case(invoke):
    _, text, _ = invoke("schema")
    schema = json.loads(text)
    assert schema["$schema"].endswith("2020-12/schema")
    assert {"case", "time"} <= set(schema["required"])
    assert {"parts", "place", "bodies", "adapters", "start", "output"} <= set(schema["properties"])
    assert schema["additionalProperties"] is False


def test_version_names_what_it_stands_on(invoke):
    _, text, _ = invoke("version")
    assert all(name in text for name in ("offshore-cosim", "python", "moordyn", "numpy"))


def test_help_lists_the_commands(cosim):
    text = cosim("--help").stdout
    commands = ("run", "check", "show", "plot", "animate", "schema", "version")
    assert all(name in text for name in commands)


def test_reading_a_case_imports_no_heavy_package(case_file):
    code = (
        "import sys; from cosim.case.read import read_case; read_case(sys.argv[1]);"
        "heavy = {'xarray', 'pandas', 'sympy', 'matplotlib', 'capytaine'} & set(sys.modules);"
        "sys.exit(', '.join(heavy) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code, case_file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert read_case(case_file).title == "Pendulum"


def test_check_shows_balance_periods_and_cost(invoke, case_file):
    code, text, errors = invoke("check", case_file)
    assert code == 0, errors
    for heading in ("masses", "forces at rest as described", "equilibrium", "natural modes"):
        assert heading in text
    # T = 2 pi sqrt((m l² + I) / (m g l)) of the rod at rest
    period = 2 * np.pi * np.sqrt(2.1 / (2 * 9.81))
    mode = [line.split() for line in text.splitlines() if "hinge.angle" in line][-1]
    assert float(mode[1]) == pytest.approx(period, rel=1e-3)
    assert "the case is ready to run" in text


def test_plot_draws_beside_the_results(invoke, case_file, tmp_path):
    invoke("run", case_file, "--quiet")
    code, text, errors = invoke("plot", "results/pendulum.nc")
    assert code == 0, errors
    names = ["results/pendulum_summary.png", "results/pendulum_scene.png"]
    assert text.split() == names
    assert all((tmp_path / name).read_bytes().startswith(b"\x89PNG") for name in names)
    assert invoke("plot", case_file)[0] == 2


def test_check_tells_of_an_equilibrium_that_is_not_stable(invoke, case_file):
    case_file.write_text(case_file.read_text().replace("cog: [0, 0, -1]", "cog: [0, 0, 1]"))
    code, text, errors = invoke("check", case_file)
    assert code == 0, errors
    assert "not stable: from this equilibrium hinge.angle grows by the factor e in" in text
    assert "ready to run" not in text


def test_check_goes_on_where_nothing_holds_what_does_not_start_at_rest(invoke, case_file):
    text = case_file.read_text().replace("type: revolute", "type: prismatic")
    text = text.replace("axis: [0, 1, 0]", "axis: [0, 0, 1]").replace("hinge.angle_deg: 30", "")
    case_file.write_text(text)
    code, shown, errors = invoke("check", case_file)
    assert code == 0, errors
    assert "no equilibrium near the configuration described" in shown
    assert "the case is ready to run" in shown
