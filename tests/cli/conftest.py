import os
import subprocess
import sys

import pytest

from cosim.cli.main import app

PENDULUM = """\
case: 1
title: Pendulum
bodies:
  bob: {mass: 2, cog: [0, 0, -1], inertia: [0.1, 0.1, 0.1], points: {tip: [0, 0, -1.2]}}
joints:
  hinge: {type: revolute, child: bob, at: [0, 0, 0], axis: [0, 1, 0]}
start:
  from: reference
  set: {hinge.angle_deg: 30}
time: {end: 5}
output: {step: 0.05, points: [bob/tip]}
"""


@pytest.fixture
def case_file(tmp_path):
    path = tmp_path / "pendulum.yaml"
    path.write_text(PENDULUM)
    return path


def command(*arguments):
    return [sys.executable, "-P", "-m", "cosim.cli", *map(str, arguments)]


@pytest.fixture
def cosim(tmp_path):
    """Run the program in a folder of its own; warnings are errors there too."""

    def run(*arguments, **options):
        environment = {**os.environ, "PYTHONWARNINGS": "error", "COLUMNS": "120"}
        return subprocess.run(
            command(*arguments),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=300,
            env=environment,
            check=False,
            **options,
        )

    return run


@pytest.fixture
def start_cosim(tmp_path):
    """Start the program and go on."""
    processes = []

    def start(*arguments):
        process = subprocess.Popen(
            command(*arguments),
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def invoke(tmp_path, monkeypatch, capsys):
    """Run the program in this process: exit code, output, messages."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        with pytest.raises(SystemExit) as done:
            app(list(map(str, arguments)))
        return done.value.code, *capsys.readouterr()

    return run
