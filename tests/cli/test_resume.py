"""``cosim resume`` as a user meets it, and after kill -9 of the program (issue 4, 5)."""

import random
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from cosim.results.checkpoint import checkpoint_file, read_checkpoint
from cosim.results.reader import open_results

from .conftest import command

CASES = Path(__file__).parents[2] / "cases"
KILLS = 20
DEADLINE = 300.0


def same(first, second):
    """All variables bit for bit, and how the runs ended."""
    assert set(first.variables) == set(second.variables)
    for name in set(first.variables) - {"case_text"}:
        one, two = first[name].values, second[name].values
        assert np.array_equal(one, two, equal_nan=one.dtype.kind == "f"), name
    assert first.attrs["status"] == second.attrs["status"] == "completed"


def test_a_longer_end(invoke, case_file):
    assert invoke("run", case_file, "--set", "output.checkpoint=2", "--out", "a")[0] == 0
    code, shown, errors = invoke("resume", "a/pendulum.nc", "--end", 8)
    assert code == 0, errors
    assert "going on from t = 4 s" in errors
    assert "x real time" in shown
    longer = ("--set", "output.checkpoint=2", "--set", "time.end=8")
    assert invoke("run", case_file, *longer, "--out", "b", "-q") == (0, "", "")
    same(open_results("a/pendulum.nc"), open_results("b/pendulum.nc"))


def test_another_folder(invoke, case_file):
    assert invoke("run", case_file, "-q", "--set", "output.checkpoint=2") == (0, "", "")
    code = invoke("resume", "results/pendulum.nc", "--end", 6, "--out", "longer", "-q")
    assert code == (0, "", "")
    assert float(open_results("results/pendulum.nc").time[-1]) == 5.0
    assert float(open_results("longer/pendulum.nc").time[-1]) == 6.0


def test_a_complete_run_says_so(invoke, case_file):
    invoke("run", case_file, "-q")
    code, _, errors = invoke("resume", "results/pendulum.nc")
    assert code == 0
    assert errors == "the run in 'results/pendulum.nc' is complete at t = 5 s; give a later --end\n"


def test_without_a_checkpoint(invoke, case_file):
    invoke("run", case_file, "-q", "--set", "output.checkpoint=0")
    code, _, errors = invoke("resume", "results/pendulum.nc", "--end", 9)
    assert code == 2
    assert "'results/pendulum.nc' cannot be resumed: output.checkpoint is 0; run" in errors
    code, _, errors = invoke("resume", "results/nothing.nc")
    assert code == 2
    assert errors == (
        "cosim: there is no checkpoint 'results/nothing.checkpoint'; run the case anew\n"
    )


SLOW = ("--set", "time.end=2000", "--set", "time.step=0.002", "--set", "output.checkpoint=5")


def reached(path, t):
    """Whether the checkpoint of a run in another process is beyond t."""
    file = checkpoint_file(path)
    return file.exists() and read_checkpoint(file).t > t


def wait_for(condition):
    limit = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.01)


def test_an_interrupted_run_tells_how_to_go_on(start_cosim, case_file, tmp_path, invoke):
    process = start_cosim("run", case_file, *SLOW)
    path = tmp_path / "results" / "pendulum.nc"
    wait_for(lambda: reached(path, 6.0))
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=DEADLINE)
    assert process.returncode == 130
    text = r"results up to t = \S+ s are in results/pendulum.nc; go on with: cosim resume (\S+)\n"
    file = re.search(text, errors)[1]
    code, _, errors = invoke("resume", file, "--end", read_checkpoint(checkpoint_file(path)).t)
    assert code == 0, errors
    assert open_results(path).attrs["status"] == "completed"


def test_a_file_that_is_being_written_is_refused(start_cosim, case_file, tmp_path, invoke):
    start_cosim("run", case_file, *SLOW)
    path = tmp_path / "results" / "pendulum.nc"
    wait_for(lambda: reached(path, 6.0))
    code, _, errors = invoke("resume", path)
    assert code == 2
    assert errors.endswith("is being written by another run; wait for its end, or end it\n")


@pytest.mark.slow
def test_kill_9_at_20_random_times(tmp_path):
    """Lines in waves, killed wherever it happens to be, twenty times in a row."""
    folder = tmp_path / "spar"
    folder.mkdir()
    for name in ("case.yaml", "mooring.txt", "hydrodynamics.nc"):
        shutil.copy(CASES / "oc3_spar" / name, folder)
    settings = ["time.end=200", "output.checkpoint=3", "environment.waves.ramp=10"]
    options = [item for text in settings for item in ("--set", text)]
    path = tmp_path / "killed" / "spar.nc"
    first = ["run", folder, *options, "--out", path.parent]
    chance, killed, reached_at = random.Random(4), 0, []
    while killed < KILLS:
        again = path.exists() and checkpoint_file(path).exists()
        arguments = ["resume", path] if again else first
        alive = _killed(arguments, tmp_path, chance.uniform(0.0, 0.6))
        if not alive:
            break
        killed += 1
        if checkpoint_file(path).exists():
            reached_at.append(read_checkpoint(checkpoint_file(path)).t)
    assert killed == KILLS
    assert reached_at == sorted(reached_at)
    assert len(set(reached_at)) > 3
    done = subprocess.run(command("resume", path, "-q"), cwd=tmp_path, check=False)
    assert done.returncode == 0
    subprocess.run(
        command("run", folder, *options, "-q", "--out", tmp_path / "whole"),
        cwd=tmp_path,
        check=True,
    )
    same(open_results(path), open_results(tmp_path / "whole" / "spar.nc"))
    left = sorted(item.name for item in path.parent.iterdir() if item.suffix != ".part")
    assert left == ["spar.checkpoint", "spar.nc"]


def _killed(arguments, folder, delay):
    """Start the program, kill it `delay` after it says that it starts; False if it ended before."""
    process = subprocess.Popen(
        command(*arguments), cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    with process:
        for line in process.stderr:
            if line.startswith((b"starting", b"going on")):
                break
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.kill()
            return True
    assert process.returncode == 0, arguments
    return False
