"""What ``make demo-sockets`` does, with a run of a second."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import xarray as xr

ROOT = Path(__file__).parents[2]
END = 1.0  # s of simulated time


def recipe(folder):
    """Command lines of the target, with results in a folder of the test."""
    text = (ROOT / "Makefile").read_text()
    lines = re.search(r"^demo-sockets:.*\n((?:\t.*\n)+)", text, re.MULTILINE)[1].splitlines()
    case = re.search(r"^CASE := (.*)$", text, re.MULTILINE)[1]
    for line in lines:
        words = line.replace("$(CASE)/results", str(folder)).replace("$(CASE)", f"{ROOT}/{case}")
        program, *arguments = words.split()
        assert program == "$(BIN)/cosim"
        yield [sys.executable, "-m", "cosim.cli", *arguments]


@pytest.mark.slow
def test_demo_of_sockets(tmp_path):
    run, plot = recipe(tmp_path)
    done = subprocess.run(
        [*run, f"--set=time.end={END}"], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr
    assert "100 %" in done.stderr + done.stdout
    assert "in rotor" in done.stdout
    with xr.open_dataset(tmp_path / "rotor.nc", engine="h5netcdf") as results:
        assert float(results.time[-1]) == END
        assert "rotor.blade_pitch" in results
    subprocess.run(plot, check=True, capture_output=True, timeout=240)
    assert len(list(tmp_path.glob("*.png"))) == 2
