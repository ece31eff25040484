"""``kill -9`` of a peer at a hundred random calls, and what else happens beside the table."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import pytest

from cosim.errors import PeerLostError
from cosim.testing import ContractCase

from .harness import PEERS, adapter, case_of, left_running, plain, same_rows
from .row import FOLDER, KNOWN

IN_RUNS, IN_ADAPTERS = 20, 80
CALLS = 250
"""Of a peer in an undisturbed run, at least."""
KILLED = f"{KNOWN} was killed by SIGKILL (9) and said nothing{FOLDER}"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(IN_RUNS))
def test_in_a_run(seed, program, undisturbed, tmp_path):
    call = random.Random(seed).randint(1, CALLS)
    outcome = program.run(tmp_path, case_of({"rotor": adapter(f"killed --at {call}")}))
    assert (outcome.code, outcome.sentence, outcome.orphans) == (5, KILLED, ())
    assert not outcome.has_traceback
    with outcome.results as found:
        assert found.attrs["status"] == outcome.stderr.splitlines()[-1].removeprefix("cosim: ")
        assert same_rows(found, undisturbed("none"))


@pytest.mark.slow
def test_in_an_adapter(model, make, tmp_path, monkeypatch):
    """From outside, at any moment: while it computes, while it waits, while it sends."""
    monkeypatch.setenv("FAULT_FOLDER", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for seed in range(IN_RUNS, IN_RUNS + IN_ADAPTERS):
        lost = _killed(model, make, random.Random(seed))
        assert plain(str(lost), tmp_path) == KILLED
        assert left_running(tmp_path) == ()


def _killed(model, make, chance):
    words = [sys.executable, str(PEERS / "bad_peer.py"), "none"]
    peer = make("", how="launch", launch=words, bodies=["buoy"])
    case = ContractCase(model, peer, *model.initial())
    case.start()
    pid, call, delay = peer._reply.pid, chance.randint(1, 60), chance.uniform(0.0, 0.002)
    killer = threading.Thread(target=lambda: (time.sleep(delay), os.kill(pid, signal.SIGKILL)))
    limit = time.monotonic() + 30.0

    def ask():
        for n in range(1, 1_000_000):
            if n == call:
                killer.start()
            peer.update(1e-3 * n, case.state(n % 7), np.zeros(0))
            assert time.monotonic() < limit

    with pytest.raises(PeerLostError) as caught:
        ask()
    killer.join()
    peer.abort("killed")
    peer.end()
    return caught.value


def test_the_program_as_it_is_installed_says_the_same(tmp_path):
    """The others are forked from one that has been imported already."""
    (tmp_path / "case.yaml").write_text(case_of({"rotor": adapter("killed")}))
    done = subprocess.run(
        [sys.executable, "-P", "-m", "cosim.cli", "run", "case.yaml"],
        cwd=tmp_path,
        env={**os.environ, "FAULT_FOLDER": str(tmp_path), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 5
    assert plain(done.stderr.splitlines()[-1], tmp_path) == f"cosim: {KILLED}"
    assert left_running(tmp_path) == ()


def test_the_other_peer_is_told(program, tmp_path):
    outcome = program.run(tmp_path, case_of({"rotor": adapter("exits"), "wind": adapter("none")}))
    said = (tmp_path / "end-wind").read_text()
    assert said.startswith("abort: adapter 'rotor' at t = ")
    assert said.removeprefix("abort: ") == outcome.stderr.splitlines()[-1].removeprefix("cosim: ")


@pytest.mark.parametrize(
    ("kill", "reason"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")]
)
def test_a_peer_is_told_who_ended_the_run(program, tmp_path, kill, reason):
    program.run(tmp_path, case_of({"rotor": adapter("steady --always")}), kill=kill)
    assert (tmp_path / "end-rotor").read_text() == f"abort: {reason}"


def test_a_running_peer_serves_after_a_run_that_failed(program, tmp_path):
    """One whose host was killed waits for the next, too."""
    endpoint = f"ipc://{tmp_path}/peer"
    with subprocess.Popen(
        [sys.executable, str(PEERS / "good_peer.py"), "--endpoint", endpoint]
    ) as served:
        text = case_of({"rotor": adapter(address=endpoint)})
        both = case_of({"rotor": adapter(address=endpoint), "wind": adapter("exits")})
        assert program.run(tmp_path, both).code == 5
        steady = {"rotor": adapter(address=endpoint), "wind": adapter("steady --always")}
        (tmp_path / "mark").unlink()
        assert program.run(tmp_path, case_of(steady), kill=signal.SIGKILL).code == -9
        _when_free(program, tmp_path, text)
        served.terminate()


def _when_free(program, folder, text):
    """The peer notices within seconds that its host is gone; until then it is busy."""
    limit = time.monotonic() + 20.0
    while (outcome := program.run(folder, text)).code != 0:
        assert "busy with run" in outcome.sentence
        assert time.monotonic() < limit


def test_other_rows_are_seen(undisturbed):
    assert same_rows(undisturbed("none"), undisturbed("none"))
    assert not same_rows(undisturbed("none"), undisturbed("none --mass"))
