"""The benchmarks of sockets run, and twenty thousand calls leave the memory as it is."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "benchmarks"


def output_of(script, *arguments):
    words = [sys.executable, str(SCRIPTS / script), *arguments]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the memory is read from /proc")
def test_memory_does_not_grow():
    assert "20000 calls" in output_of("soak.py", "--calls", "20000")


@pytest.mark.slow
def test_round_trips_are_measured():
    rows = re.findall(
        r"^Python, (ipc|tcp)\s+(\d.*)$", output_of("socket_round_trip.py", "--calls", "500"), re.M
    )
    assert [row for row, _ in rows] == ["ipc", "tcp"]
