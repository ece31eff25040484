"""Ctrl-C ends a run and its peers in a second, whatever these are doing."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PEER = Path(__file__).parent / "peers" / "stuck.py"
CASE = """\
case: 1
bodies:
  buoy: {mass: 2, cog: [0, 0, 0], inertia: [1, 1, 1]}
joints:
  rail: {type: prismatic, child: buoy, at: [0, 0, 0], axis: [1, 0, 0]}
adapters:
  idle: {type: zeromq, mode: evaluate, bodies: [buoy], launch: "{python} PEER 1e9"}
  stuck: {type: zeromq, mode: evaluate, bodies: [buoy], launch: "{python} PEER 0.2"}
start: {from: reference}
time: {end: 1, step: 0.01}
output: {step: 0.05}
"""
ENDINGS = {
    signal.SIGINT: ("cosim: interrupted\n", 130),
    signal.SIGTERM: ("cosim: terminated\n", 143),
}


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.parametrize("number", ENDINGS)
def test_a_run_whose_peer_is_stuck_ends_in_a_second(tmp_path, short_folder, number):
    (tmp_path / "case.yaml").write_text(CASE.replace("PEER", str(PEER)))
    pids = tmp_path / "pids"
    program = "from cosim.cli.main import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", program, "run", "case.yaml", "--out", "out", "-q"],
        cwd=tmp_path,
        env={**os.environ, "TEST_PIDS": str(pids), "TMPDIR": str(short_folder)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        deadline = time.monotonic() + 60.0
        while not (pids.exists() and "stuck" in pids.read_text()):
            assert run.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        begin = time.monotonic()
        os.killpg(run.pid, number)
        said = next(line for line in run.stderr if line.startswith("cosim: "))
        took = time.monotonic() - begin
        started = [int(word) for word in pids.read_text().split() if word.isdigit()]
        left = [pid for pid in started if is_there(pid)]
        run.communicate(timeout=20)
    assert (said, run.returncode) == ENDINGS[number]
    assert took < 1.0
    assert len(started) == 2
    assert not left
    assert list((tmp_path / "out").glob("*.nc"))
