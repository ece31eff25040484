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
    # with this output step shapes are stored at the same instants, whatever the end
    settings = ["output={step: 0.5, checkpoint: 3}", "environment.waves.ramp=10"]
    run = ["run", folder, *(item for text in settings for item in ("--set", text))]
    subprocess.run(command(*run, "--set", "time.end=3"), cwd=tmp_path, check=True)
    short = _time_of([*run, "--set", "time.end=3"], tmp_path)
    path = tmp_path / "killed" / "spar.nc"
    file, chance, times = checkpoint_file(path), random.Random(4), []
    first = [*run, "--set", "time.end=5000", "--out", path.parent]
    for _ in range(KILLS):
        again = path.exists() and file.exists()
        _kill(["resume", path] if again else first, tmp_path, chance.uniform(0.0, 1.5 * short))
        times += [read_checkpoint(file).t] if file.exists() else []
    assert times == sorted(times)
    assert len(set(times)) > 3
    end = times[-1] + 10.0
    subprocess.run(command("resume", path, "--end", end), cwd=tmp_path, check=True)
    whole = [*run, "--set", f"time.end={end}", "--out", tmp_path / "whole"]
    subprocess.run(command(*whole), cwd=tmp_path, check=True)
    same(open_results(path), open_results(tmp_path / "whole" / "spar.nc"))
    assert sorted(item.name for item in path.parent.iterdir()) == ["spar.checkpoint", "spar.nc"]


def _started(arguments, folder):
    """A process of the program that has just said that it starts."""
    process = subprocess.Popen(
        command(*arguments), cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    for line in process.stderr:
        if line.startswith((b"starting", b"going on")):
            break
    return process


def _time_of(arguments, folder):
    """Elapsed time of a run, s, from where it starts."""
    with _started(arguments, folder) as process:
        began = time.monotonic()
        process.communicate(timeout=DEADLINE)
    return time.monotonic() - began


def _kill(arguments, folder, delay):
    """Start the program, and kill it `delay` after it says that it starts."""
    with _started(arguments, folder) as process:
        time.sleep(delay)
        assert process.poll() is None
        process.kill()
