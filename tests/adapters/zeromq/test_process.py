"""Launched programs end when they should, and it is known how."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from adapters.zeromq import guard
from adapters.zeromq.process import LaunchedPeer
from cosim.errors import AdapterError


@pytest.fixture
def launch():
    started = []

    def start(code, transport="ipc"):
        peer = LaunchedPeer([sys.executable, "-c", code], adapter="rotor", transport=transport)
        started.append(peer)
        return peer

    yield start
    for peer in started:
        peer.stop()
        peer.remove_folder()


def until(condition, seconds=10.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def told_pid(folder):
    file = Path(folder) / "pid"
    until(lambda: file.exists() and file.read_text().endswith("."))
    return int(file.read_text()[:-1])


TELL = "import os, pathlib; pathlib.Path('pid').write_text(f'{os.getpid()}.')\n"
SLEEP = "import time; time.sleep(60)\n"
STUBBORN = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"


def test_it_is_told_where_to_listen_and_has_a_directory_of_its_own(launch):
    peer = launch(
        "import os; open('told', 'w').write(' '.join("
        "os.environ[k] for k in ('COSIM_ENDPOINT', 'COSIM_PEER', 'COSIM_PROTOCOL')))"
    )
    assert peer.wait(10)
    assert (peer.folder / "told").read_text() == f"{peer.endpoint} rotor 1"
    assert peer.endpoint.startswith("ipc://")
    assert peer.folder.stat().st_mode & 0o077 == 0


def test_tcp_is_on_the_loopback_only(launch):
    assert launch("", transport="tcp").endpoint.startswith("tcp://127.0.0.1:")


def test_exit_code_and_last_words_are_passed_on(launch):
    peer = launch("import sys; print('one\\n\\n  two', file=sys.stderr); sys.exit(7)")
    assert peer.wait(10)
    assert peer.fate() == "exited with code 7; its last words: one | two"
    silent = launch("")
    assert silent.wait(10)
    assert silent.fate() == "exited with code 0 and said nothing"


def test_last_words_are_text_only_and_may_be_missing(launch):
    peer = launch("import os; os.write(2, b'\\x1b[2Jred\\x00\\xff'); os._exit(9)")
    assert peer.wait(10)
    assert peer.fate() == "exited with code 9; its last words: [2Jred \N{REPLACEMENT CHARACTER}"
    gone = launch("import os; os.remove('stderr'); os._exit(8)")
    assert gone.wait(10)
    assert gone.fate() == "exited with code 8 and said nothing"


def test_the_signal_that_killed_it_is_passed_on(launch):
    peer = launch(TELL + SLEEP)
    os.kill(told_pid(peer.folder), signal.SIGKILL)
    assert peer.wait(5)
    assert peer.fate().startswith("was killed by SIGKILL (9)")


def test_a_missing_program_is_refused_at_once():
    with pytest.raises(AdapterError, match="'rotor': there is no program 'no-such-rotor'"):
        LaunchedPeer(["no-such-rotor"], adapter="rotor", transport="ipc")


def test_a_program_that_cannot_start_says_so(tmp_path):
    script = tmp_path / "rotor"
    script.write_text("#!/no/such/interpreter\n")
    script.chmod(0o700)
    peer = LaunchedPeer([str(script)], adapter="rotor", transport="ipc")
    assert peer.wait(10)
    assert f"exited with code {guard.CANNOT_START}" in peer.fate()
    assert "cannot start" in peer.fate()
    peer.stop()
    peer.remove_folder()
    assert not peer.folder.exists()


@pytest.mark.parametrize("stubborn", ["", STUBBORN])
def test_stop_ends_it_within_a_second(launch, stubborn):
    peer = launch(stubborn + TELL + SLEEP)
    pid = told_pid(peer.folder)
    begin = time.monotonic()
    peer.stop()
    peer.stop()
    assert time.monotonic() - begin < 1.0
    assert not is_there(pid)


def test_abort_does_not_wait_but_ends_it(launch):
    peer = launch(STUBBORN + TELL + SLEEP)
    pid = told_pid(peer.folder)
    begin = time.monotonic()
    peer.abort()
    assert time.monotonic() - begin < 0.1
    assert peer.wait(1.0)
    assert not is_there(pid)
    peer.abort()


def test_what_it_has_started_goes_with_it(launch):
    child = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {TELL + SLEEP!r}])\n"
    peer = launch(child + "import time, os\nwhile not os.path.exists('pid'): time.sleep(0.01)")
    pid = told_pid(peer.folder)
    assert peer.wait(10)
    until(lambda: not is_there(pid), 2.0)


@pytest.mark.parametrize("stubborn", ["", STUBBORN])
def test_it_ends_when_the_host_is_killed(tmp_path, stubborn):
    host = (
        "import sys, time\n"
        "from adapters.zeromq.process import LaunchedPeer\n"
        f"peer = LaunchedPeer([sys.executable, '-c', {stubborn + TELL + SLEEP!r}],"
        " adapter='rotor', transport='ipc')\n"
        "print(peer.folder, flush=True)\n"
        "time.sleep(60)\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", host], stdout=subprocess.PIPE, env=environment, text=True
    ) as process:
        pid = told_pid(process.stdout.readline().strip())
        process.kill()
    until(lambda: not is_there(pid), 2.0)


@pytest.mark.skipif(sys.platform != "linux", reason="needs the parent's death signal of Linux")
def test_it_ends_when_its_guard_is_killed(launch):
    peer = launch(TELL + SLEEP)
    pid = told_pid(peer.folder)
    parent = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(parent, signal.SIGKILL)
    until(lambda: not is_there(pid), 2.0)
    assert peer.wait(2.0)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone tells who was left behind")
def test_what_has_left_the_group_is_ended_too(launch):
    """The program ends by itself; its daemon and the child of that do not."""
    nested = (
        "import subprocess, os; p = subprocess.Popen(['sleep', '60'], start_new_session=True)\n"
    )
    tell = "open('pid', 'w').write(f'{p.pid}.'); os.wait()\n"
    daemon = f"[sys.executable, '-c', {nested + tell!r}]"
    wait = "import time\nwhile not os.path.exists('pid'): time.sleep(0.01)\n"
    peer = launch(
        f"import os, subprocess, sys\nsubprocess.Popen({daemon}, start_new_session=True)\n{wait}"
    )
    pid = told_pid(peer.folder)
    assert peer.wait(10.0)
    assert not is_there(pid)
    assert peer.fate().startswith("exited with code 0")
