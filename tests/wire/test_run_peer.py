import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time

import pytest

from cosim.wire.keys import create_keys, read_pair, read_public, secure_client
from cosim.wire.messages import Abort, End, Update

from .conftest import DEADLINE, SESSION, STATE

S = [("state", STATE)]
SCRIPT = """
import sys
import numpy as np
import cosim

class Damper(cosim.Peer):
    name = "damper"

    def update(self, at):
        if at.t == 1.0:
            raise ValueError("too fast")
        if at.t == 2.0:
            return cosim.Loads(wrenches=np.full((1, 6), np.nan))
        if at.t == 3.0:
            sys.exit(7)
        return cosim.Loads(wrenches=-10.0 * at.v)

    def end(self):
        print("ended", flush=True)

cosim.run_peer(Damper())
print(*sorted(sys.modules), flush=True)
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "damper.py"
    path.write_text(textwrap.dedent(SCRIPT))
    return path


@pytest.fixture
def start():
    """Start a script as a run would, or as a user with arguments."""
    processes = []

    def begin(path, *arguments, endpoint="", **variables):
        environment = {**os.environ, "PYTHONWARNINGS": "error", **variables}
        if endpoint:
            environment |= {"COSIM_ENDPOINT": endpoint, "COSIM_PROTOCOL": "1"}
        process = subprocess.Popen(
            [sys.executable, str(path), *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment | variables,
        )
        processes.append(process)
        return process

    yield begin
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{probe.getsockname()[1]}"


@pytest.fixture
def ipc(tmp_path_factory):
    return f"ipc://{tmp_path_factory.mktemp('s') / 'peer'}"


def test_a_launched_peer_serves_one_session_and_is_light(script, start, ipc, client):
    peer = start(script, endpoint=ipc)
    host = client(ipc)
    assert host.start().pid == peer.pid
    assert host.call(Update(SESSION, 3, 0.5), S)[0].ok
    assert host.call(End(SESSION, 4, 0.5))[0].ok
    out, err = peer.communicate(timeout=DEADLINE)
    assert (peer.returncode, err) == (0, "")
    ended, modules = out.splitlines()
    assert ended == "ended"
    heavy = {"numba", "scipy", "pydantic", "xarray", "rich", "typer", "matplotlib"}
    assert not heavy & set(modules.split())


def test_the_wire_is_light():
    code = "import sys, json, cosim.wire, cosim.wire.server; print(json.dumps(list(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, timeout=60)
    modules = {name.split(".")[0] for name in json.loads(done.stdout)}
    assert not {"numba", "scipy", "pydantic", "xarray", "rich", "typer"} & modules
    own = {name for name in json.loads(done.stdout) if name.startswith("cosim.")}
    assert {name.split(".")[1] for name in own} == {"errors", "wire"}


def test_a_peer_started_by_hand_says_where_it_listens_and_what_it_takes(script, start, free_port):
    peer = start(script, "--endpoint", free_port)
    assert peer.stderr.readline() == f"peer 'damper' listens at {free_port}\n"
    out, err = start(script, "-h").communicate(timeout=DEADLINE)
    assert err == ""
    assert "--endpoint ENDPOINT" in out


def test_what_the_user_did_wrong_is_said_and_the_peer_goes_on(script, start, ipc, client):
    peer = start(script, endpoint=ipc)
    host = client(ipc)
    host.start()
    reply, _ = host.call(Update(SESSION, 3, 1.0), S)
    assert reply.error == "ValueError: too fast (damper.py, line 11)"
    reply, _ = host.call(Update(SESSION, 4, 2.0), S)
    assert reply.error == "wrenches of update[0, 0] is nan; all numbers must be finite"
    assert host.call(Update(SESSION, 5, 0.5), S)[0].ok
    host.call(End(SESSION, 6, 0.5))
    _, err = peer.communicate(timeout=DEADLINE)
    assert err.count("Traceback") == 1


def test_a_peer_that_exits_by_itself_keeps_its_code(script, start, ipc, client):
    peer = start(script, endpoint=ipc)
    host = client(ipc)
    host.start()
    host.socket.send_multipart(host.codec.pack(Update(SESSION, 3, 3.0), S))
    out, err = peer.communicate(timeout=DEADLINE)
    assert (peer.returncode, out, err) == (7, "ended\n", "")


def test_an_abort_ends_a_launched_peer(script, start, ipc, client):
    peer = start(script, endpoint=ipc)
    host = client(ipc)
    host.start()
    host.socket.send_multipart(host.codec.pack(Abort(SESSION, 3, 0.0, reason="diverged")))
    assert peer.wait(DEADLINE) == 0


def test_a_launched_peer_ends_when_its_host_is_gone(script, start, ipc, client):
    peer = start(script, endpoint=ipc)
    host = client(ipc)
    host.start()
    host.socket.close(0)
    assert peer.wait(DEADLINE) == 0


def test_a_launched_peer_ends_when_its_parent_is_gone(script, ipc, client, tmp_path):
    launcher = f"""
import os, subprocess, sys
environment = {{**os.environ, "COSIM_ENDPOINT": {ipc!r}}}
print(subprocess.Popen([sys.executable, {str(script)!r}], env=environment).pid, flush=True)
sys.stdin.read()
"""
    parent = subprocess.Popen(
        [sys.executable, "-c", launcher], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    )
    number = int(parent.stdout.readline())
    try:
        host = client(ipc)
        host.start()
        parent.kill()
        parent.communicate()
        assert gone(number)
    finally:
        if not gone(number, 0.0):
            os.kill(number, signal.SIGKILL)


def gone(number, seconds=DEADLINE):
    end = time.monotonic() + seconds
    while True:
        try:
            os.kill(number, 0)
            with open(f"/proc/{number}/stat") as file:
                if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                    return True
        except (ProcessLookupError, FileNotFoundError):
            return True
        if time.monotonic() >= end:
            return False
        time.sleep(0.02)


def test_sigterm_ends_it_quietly_and_ctrl_c_is_the_hosts_business(script, start, ipc, client):
    peer = start(script, endpoint=ipc)
    host = client(ipc)
    host.start()
    peer.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert host.call(Update(SESSION, 3, 0.5), S)[0].ok
    peer.send_signal(signal.SIGTERM)
    out, err = peer.communicate(timeout=DEADLINE)
    assert (peer.returncode, out, err) == (143, "ended\n", "")


def test_a_running_peer_takes_one_session_after_the_other(script, start, free_port, client):
    peer = start(script, "--endpoint", free_port)
    for session in range(2):
        host = client(free_port)
        assert host.start(session).ok
        assert host.call(End(session, 3, 0.0))[0].ok
    peer.send_signal(signal.SIGINT)
    out, err = peer.communicate(timeout=DEADLINE)
    assert (peer.returncode, out) == (130, "ended\nended\n")
    assert err == f"peer 'damper' listens at {free_port}\n"


def test_a_port_in_use_is_one_sentence(script, start):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen(1)
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        peer = start(script, endpoint=address)
        out, err = peer.communicate(timeout=DEADLINE)
    assert (peer.returncode, out) == (5, "")
    assert err == (
        f"peer 'damper': cannot listen at '{address}': another program does; end it, or choose "
        "another endpoint\n"
    )


@pytest.mark.parametrize(
    ("arguments", "variables", "said"),
    [
        ([], {}, "no endpoint; start it with --endpoint"),
        (["--endpoint", "here"], {}, "'here' is no endpoint"),
        (["--endpoint", "tcp://0.0.0.0:5"], {}, "give keys"),
        ([], {"COSIM_ENDPOINT": "ipc:///tmp/x", "COSIM_PROTOCOL": "2"}, "version 2 of the"),
        (["--endpoint", "ipc:///absent/x"], {}, "No such file or directory"),
        (["--endpoint", "tcp://127.0.0.1:1", "--key", "absent"], {}, "nobody may call"),
        (["--endpoint", "tcp://127.0.0.1:1", "--allow", "absent"], {}, "give the own one too"),
    ],
)
def test_a_peer_that_cannot_serve_says_why(script, start, arguments, variables, said):
    peer = start(script, *arguments, **variables)
    out, err = peer.communicate(timeout=DEADLINE)
    assert (peer.returncode, out) == (5, "")
    assert said in err
    assert err.count("\n") == 1


def test_keys_from_the_command_line(script, start, free_port, client, tmp_path):
    public, secret = create_keys("peer", tmp_path)
    host_public, host_secret = create_keys("host", tmp_path)
    start(script, "--endpoint", free_port, "--key", str(secret), "--allow", str(host_public))
    host = client(
        free_port,
        lambda socket: secure_client(socket, read_pair(host_secret), read_public(public)),
    )
    assert host.start().ok
