"""Peers behind sockets: alive, slow, frozen, gone, encrypted."""

import gc
import logging
import os
import signal
import sys
import threading
import time
from contextlib import contextmanager

import numpy as np
import pytest

from adapters.zeromq import conversation
from cosim.errors import AdapterError, AdapterTimeout, PeerLostError
from cosim.testing import ContractCase
from cosim.wire import Loads, Peer
from cosim.wire.keys import PeerKeys, create_keys
from cosim.wire.server import PeerServer

X = np.zeros(0)


class Quiet(Peer):
    name = "quiet"
    delay = 0.0

    def update(self, at):
        time.sleep(self.delay)
        return Loads(wrenches=-2.0 * at.v)


@contextmanager
def serving(peer, endpoint, **options):
    with PeerServer(peer, endpoint, **options) as server:
        thread = threading.Thread(target=server.serve)
        thread.start()
        try:
            yield server
        finally:
            server.stop()
            thread.join(10)
            assert not thread.is_alive()


@pytest.fixture
def called(make, model):
    """Adapter that calls an address, begun."""

    def start(address, **options):
        adapter = make("", how="address", address=address, **options)
        case = ContractCase(model, adapter, *model.initial())
        case.start()
        return adapter, case

    return start


@pytest.fixture
def endpoint(tmp_path):
    return f"ipc://{tmp_path}/peer"


def expected(case, n):
    return -2.0 * case.state(n).v


@pytest.mark.parametrize("kind", ["ipc", "tcp"])
def test_a_running_peer_serves_one_run_after_the_other(called, endpoint, kind):
    where = endpoint if kind == "ipc" else "tcp://127.0.0.1:*"
    with serving(Quiet(), where) as server:
        for _ in range(2):
            adapter, case = called(server.endpoint)
            adapter.update(0.1, case.state(1), X)
            assert np.array_equal(adapter.forces(), expected(case, 1))
            assert 0.0 < adapter.round_trip() < 0.1
            adapter.end()


def test_a_long_computation_is_alive(called, endpoint, caplog, monkeypatch):
    monkeypatch.setattr("adapters.zeromq.vigil._FIRST_REMARK", 0.7)
    peer = Quiet()
    with serving(peer, endpoint), caplog.at_level(logging.INFO):
        adapter, case = called(endpoint, deadlines={"heartbeat": 0.5})
        peer.delay = 2.0
        adapter.update(0.1, case.state(1), X)
        assert np.array_equal(adapter.forces(), expected(case, 1))
    assert "peer 'quiet'" in caplog.text
    assert "is alive and has been computing 'update' for 1 s" in caplog.text


def test_one_that_takes_too_long_is_a_timeout(called, endpoint):
    peer = Quiet()
    with serving(peer, endpoint):
        adapter, case = called(endpoint, deadlines={"reply": 1.0})
        peer.delay = 1.5
        with pytest.raises(AdapterTimeout, match=r"0.1 s: peer 'quiet'.*alive.*raise deadl"):
            adapter.update(0.1, case.state(1), X)
        adapter.abort("too long")
        adapter.end()


def test_a_second_run_hears_who_keeps_the_peer_busy(called, endpoint, monkeypatch):
    monkeypatch.setattr(conversation, "_BUSY_FOR", 0.3)
    with serving(Quiet(), endpoint):
        called(endpoint)
        with pytest.raises(AdapterError, match="busy with run"):
            called(endpoint)


def test_a_run_follows_at_once_on_one_that_was_killed(called, endpoint):
    with serving(Quiet(), endpoint):
        lost, _ = called(endpoint)
        lost._talk._broken = True  # neither end nor abort is sent
        lost._talk.end()
        adapter, case = called(endpoint)
        adapter.update(0.1, case.state(1), X)
        assert np.array_equal(adapter.forces(), expected(case, 1))


def test_an_address_that_cannot_be_is_a_sentence(called):
    with pytest.raises(AdapterError, match=r"cannot call tcp://\*:5: .*correct 'address'"):
        called("tcp://*:5", insecure=True)


def test_nobody_there_is_told_after_the_deadline(called, endpoint):
    begin = time.monotonic()
    with pytest.raises(AdapterTimeout, match=rf"{endpoint} within 0.3 s.*--endpoint {endpoint}"):
        called(endpoint, deadlines={"connect": 0.3})
    assert time.monotonic() - begin < 5.0


def test_a_peer_that_comes_late_is_waited_for(called, endpoint):
    with PeerServer(Quiet(), endpoint) as late:
        thread = threading.Thread(target=lambda: (time.sleep(0.7), late.serve()))
        thread.start()
        adapter, case = called(endpoint)
        adapter.update(0.1, case.state(1), X)
        late.stop()
        thread.join(10)


def test_one_that_goes_away_is_lost(called, endpoint):
    with serving(Quiet(), endpoint):
        adapter, case = called(endpoint)
    begin = time.monotonic()
    with pytest.raises(PeerLostError, match=r"peer 'quiet' .* closed the connection"):
        adapter.update(0.1, case.state(1), X)
    assert time.monotonic() - begin < 5.0
    adapter.end()


def pid_of(adapter):
    return adapter._reply.pid


def started(make, model, **options):
    adapter = make("Damper", how="ipc", **options)
    case = ContractCase(model, adapter, *model.initial())
    case.start()
    return adapter, case


def folder_of(adapter):
    return adapter._talk._link._process.folder


def test_one_that_is_killed_is_lost_at_once(make, model):
    adapter, case = started(make, model)
    os.kill(pid_of(adapter), signal.SIGKILL)
    begin = time.monotonic()
    with pytest.raises(PeerLostError, match=r"peer 'damper' .* was killed by SIGKILL \(9\)"):
        adapter.update(0.1, case.state(1), X)
    assert time.monotonic() - begin < 3.0
    adapter.end()
    assert (folder_of(adapter) / "stderr").exists()


def test_one_that_is_frozen_is_lost_after_the_deadline_of_heartbeats(make, model):
    adapter, case = started(make, model, deadlines={"heartbeat": 1.0})
    os.kill(pid_of(adapter), signal.SIGSTOP)
    begin = time.monotonic()
    with pytest.raises(PeerLostError, match=r"not answered a heartbeat for 1.* frozen"):
        adapter.update(0.1, case.state(1), X)
    assert 1.0 < time.monotonic() - begin < 6.0
    adapter.abort("frozen")
    begin = time.monotonic()
    adapter.end()
    assert time.monotonic() - begin < 3.0


def test_one_that_was_frozen_for_a_moment_goes_on(make, model):
    adapter, case = started(make, model)
    pid = pid_of(adapter)
    os.kill(pid, signal.SIGSTOP)
    wake = threading.Timer(1.5, os.kill, (pid, signal.SIGCONT))
    wake.start()
    adapter.update(0.1, case.state(1), X)
    assert np.isfinite(adapter.forces()).all()
    wake.join()


def test_one_that_cannot_begin_says_why_at_once(make, model):
    adapter = make("NoSuchPeer", how="ipc")
    with pytest.raises(PeerLostError, match=r"exited with code 1; its last words:.*NoSuchPeer"):
        ContractCase(model, adapter, *model.initial()).start()


def test_a_program_that_does_not_listen_is_a_timeout(make, model):
    words = [sys.executable, "-c", "import sys,time; print('hm', file=sys.stderr); time.sleep(60)"]
    adapter = make("", how="launch", launch=words, deadlines={"connect": 1.0})
    with pytest.raises(AdapterTimeout, match=r"must listen where COSIM_ENDPOINT says.*words: hm"):
        ContractCase(model, adapter, *model.initial()).start()


def test_nothing_is_kept_of_a_run_without_failure(make, model):
    adapter, _ = started(make, model)
    folder, pid = folder_of(adapter), pid_of(adapter)
    adapter.end()
    assert not folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_forgotten_adapter_ends_its_peer(make, model):
    adapter, case = started(make, model)
    pid = pid_of(adapter)
    make.made.remove(adapter)
    del adapter, case
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_one_that_ignores_its_end_is_ended(make, model, caplog, monkeypatch):
    monkeypatch.setattr("adapters.zeromq.conversation._LEAVE", 0.5)
    adapter = make("Stubborn", how="ipc")
    ContractCase(model, adapter, *model.initial()).start()
    pid, begin = pid_of(adapter), time.monotonic()
    adapter.end()
    assert time.monotonic() - begin < 5.0
    assert "did not end within 0.5 s" in caplog.text
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.fixture
def keys(tmp_path):
    return {name: create_keys(name, tmp_path) for name in ("peer", "host", "stranger")}


def test_an_encrypted_peer_serves_whom_it_knows(called, endpoint, keys):
    own = PeerKeys.read(keys["peer"][1], [keys["host"][0]])
    with serving(Quiet(), endpoint, keys=own):
        curve = {"server_key": keys["peer"][0], "key": keys["host"][1]}
        adapter, case = called(endpoint, curve=curve)
        adapter.update(0.1, case.state(1), X)
        assert np.array_equal(adapter.forces(), expected(case, 1))


@pytest.mark.parametrize("wrong", ["nothing", "stranger", "server"])
def test_it_serves_nobody_else(called, endpoint, keys, wrong):
    own = PeerKeys.read(keys["peer"][1], [keys["host"][0]])
    curve = {
        "nothing": None,
        "stranger": {"server_key": keys["peer"][0], "key": keys["stranger"][1]},
        "server": {"server_key": keys["stranger"][0], "key": keys["host"][1]},
    }[wrong]
    with (
        serving(Quiet(), endpoint, keys=own),
        pytest.raises(AdapterError, match=r"does not accept the connection|nothing has answered"),
    ):
        called(endpoint, curve=curve, deadlines={"connect": 3.0})


def test_keys_are_looked_at_first(called, endpoint, keys):
    os.chmod(keys["host"][1], 0o644)
    curve = {"server_key": keys["peer"][0], "key": keys["host"][1]}
    with pytest.raises(AdapterError, match="'rotor': curve: others can read the secret key"):
        called(endpoint, curve=curve)
