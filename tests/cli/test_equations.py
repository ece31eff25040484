"""``cosim equations``, and ``cosim run`` on the symbolic equations."""

import subprocess
import sys

import numpy as np
import pytest

from cosim.results.reader import open_results


def test_every_form_is_written(invoke, case_file, tmp_path):
    forms = ("html", "md", "latex", "python", "c")
    options = [word for form in forms for word in ("--format", form)]
    code, shown, errors = invoke("equations", case_file, *options, "--out", tmp_path / "there")
    assert code == 0, errors
    assert "theta_hinge" in shown
    for ending in ("html", "md", "tex", "py", "c"):
        file = tmp_path / "there" / f"pendulum_equations.{ending}"
        assert file.name in shown
        assert "hinge" in file.read_text(encoding="utf-8")


def test_the_python_module_starts_where_the_case_does(invoke, case_file, tmp_path):
    code, _, errors = invoke("equations", case_file, "--format", "python")
    assert code == 0, errors
    done = subprocess.run(
        [sys.executable, "results/pendulum_equations.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    angle = float(done.stdout.splitlines()[0].split(" = ")[1])
    code, _, errors = invoke("run", case_file, "--set", "time.end=1", "--set", "time.rtol=1e-10")
    assert code == 0, errors
    last = open_results("results/pendulum.nc")["joint_rotation_deg"][-1, 0]
    assert np.degrees(angle) == pytest.approx(float(last), abs=1e-6)


def test_a_run_on_the_symbolic_equations(invoke, case_file):
    values = []
    for formulation in ("symbolic", "joint"):
        options = ("--formulation", formulation, "--quiet")
        assert invoke("run", case_file, *options) == (0, "", "")
        values.append(open_results("results/pendulum.nc").load()["joint_rotation_deg"].values)
    np.testing.assert_allclose(*values, atol=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--format", "word"], "equations are written as html, md, latex, python, c"),
        (["--keep", "leg"], "cannot keep 'leg'"),
        (["--keep", "leg", "--numbers"], "leave out --keep"),
        (["--set", "joints.hinge.axis=[1, 0, 0]", "--angles", "absolute"], "need a planar system"),
    ],
)
def test_mistakes_end_in_a_sentence(invoke, case_file, options, message):
    code, _, errors = invoke("equations", case_file, *options)
    assert code == 2
    assert message in " ".join(errors.split())
    assert "Traceback" not in errors


def test_a_folder_that_cannot_be_made(invoke, case_file, tmp_path):
    (tmp_path / "taken").write_text("a file")
    code, _, errors = invoke("equations", case_file, "--out", tmp_path / "taken")
    assert code == 2
    assert "choose another --out" in " ".join(errors.split())
