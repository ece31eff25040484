import ctypes
import os
import socket
import threading
import time

import numpy as np
import pytest
import zmq

from cosim.wire import Limits, WireError
from cosim.wire.messages import Abort, End, Refusal, SaveState, Update
from cosim.wire.serving import PeerServer

from .conftest import DEADLINE, SESSION, STATE, Damper, hello, served

S = [("state", STATE)]


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


def test_a_session_from_hello_to_end(endpoint, client):
    peer = Damper()
    with served(peer, endpoint, once=True) as server:
        host = client(server.endpoint)
        reply = host.start()
        assert (reply.name, reply.pid) == ("damper", os.getpid())
        reply, arrays = host.call(Update(SESSION, 3, 0.5), S)
        assert reply.t == 0.5
        np.testing.assert_array_equal(arrays["load"], -10.0 * STATE[:, 12:])
        np.testing.assert_array_equal(arrays["mass"], 2.0 * np.eye(6))
        assert host.call(End(SESSION, 4, 0.5))[0].ok
        server.thread.join(DEADLINE)
        assert not server.thread.is_alive()
    assert peer.calls == [0.0, 0.5, "end"]


def test_a_repeated_request_gets_the_same_bytes(endpoint, client):
    peer = Damper()
    with served(peer, endpoint) as server:
        host = client(server.endpoint)
        host.start()
        frames = host.codec.pack(Update(SESSION, 3, 0.5), S)
        answers = []
        for _ in range(3):
            host.socket.send_multipart(frames)
            answers.append(host.socket.recv_multipart())
    assert answers[0] == answers[1] == answers[2]
    assert peer.calls == [0.0, 0.5, "end"]


def test_sessions_follow_each_other(endpoint, client):
    peer = Damper()
    with served(peer, endpoint) as server:
        for session in range(3):
            host = client(server.endpoint)
            assert host.start(session).ok
            assert host.call(End(session, 3, 0.0))[0].ok
    assert peer.calls == [0.0, "end"] * 3


def test_one_host_at_a_time(endpoint, client):
    with served(Damper(), endpoint) as server:
        first, second = client(server.endpoint), client(server.endpoint)
        first.start()
        reply, _ = second.call(hello(8))
        assert isinstance(reply, Refusal)
        assert "busy with run 'trial'" in reply.error
        assert first.call(Update(SESSION, 3, 0.5), S)[0].ok
        assert first.call(End(SESSION, 4, 0.5))[0].ok
        assert second.start(9).ok


def test_an_abort_ends_it(endpoint, client):
    peer = Damper()
    with served(peer, endpoint, once=True) as server:
        host = client(server.endpoint)
        host.start()
        host.socket.send_multipart(host.codec.pack(Abort(SESSION, 3, 0.0, reason="diverged")))
        server.thread.join(DEADLINE)
        assert not server.thread.is_alive()
    assert peer.calls == [0.0, "end"]


def test_a_session_ends_when_its_host_is_gone(endpoint, client):
    peer = Damper()
    with served(peer, endpoint, once=True, grace=0.2) as server:
        watcher = client(server.endpoint)  # other connections do not keep it open
        watcher.call(SaveState(5, 1, 0.0))
        host = client(server.endpoint)
        host.start()
        host.socket.close(0)
        server.thread.join(DEADLINE)
        assert not server.thread.is_alive()
    assert peer.calls == [0.0, "end"]


def test_a_session_goes_on_over_a_new_connection(endpoint, client):
    peer = Damper()
    with served(peer, endpoint, once=True, grace=DEADLINE) as server:
        host = client(server.endpoint)
        host.start()
        host.socket.close(0)
        time.sleep(0.3)  # until the server has seen it
        again = client(server.endpoint)
        assert again.call(Update(SESSION, 3, 0.5), S)[0].ok
        again.socket.close(0)
        time.sleep(0.3)
        last = client(server.endpoint)
        assert last.call(End(SESSION, 4, 0.5))[0].ok
    assert peer.calls == [0.0, 0.5, "end"]


def test_a_new_connection_is_known_before_the_old_one_is_missed(endpoint, client):
    class Slow(Damper):
        def update(self, at):
            if at.t == 0.5:
                time.sleep(0.5)
            return super().update(at)

    with served(Slow(), endpoint, grace=0.2) as server:
        host = client(server.endpoint)
        host.start()
        host.socket.send_multipart(host.codec.pack(Update(SESSION, 3, 0.5), S))
        time.sleep(0.2)
        host.socket.close(0)
        again = client(server.endpoint)
        assert again.call(Update(SESSION, 4, 0.75), S)[0].ok
        time.sleep(0.8)  # more than the grace
        assert again.call(Update(SESSION, 5, 1.0), S)[0].ok


def test_what_does_not_fit_in_a_message_is_said(endpoint, client):
    class Large(Damper):
        restorable = True

        def save_state(self):
            return bytes(20_000)

    with served(Large(), endpoint, limits=Limits(message=10_000)) as server:
        host = client(server.endpoint)
        host.start()
        for _ in range(2):
            reply, _ = host.call(SaveState(SESSION, 3, 0.0))
            assert reply.error == "a message has at most 10000 bytes, and this one 20000"
        assert host.call(Update(SESSION, 4, 0.5), S)[0].ok


def test_a_running_session_is_not_taken_for_lost(endpoint, client):
    with served(Damper(), endpoint, grace=0.1) as server:
        host = client(server.endpoint)
        host.start()
        time.sleep(0.5)
        assert host.call(Update(SESSION, 3, 0.5), S)[0].ok


def test_heartbeats_come_back_while_the_peer_holds_the_lock_of_python(endpoint, client):
    class Busy(Damper):
        started = threading.Event()

        def update(self, at):
            if at.t > 0.0:
                self.started.set()
                ctypes.PyDLL(None).usleep(1_000_000)  # PyDLL keeps the lock
            return super().update(at)

    begun = time.monotonic()
    with served(Busy(), endpoint) as server:
        host = client(server.endpoint)
        host.start()
        counted, stop = beats(server.heartbeat)
        host.call(Update(SESSION, 3, 0.5), S)
        stop()
    assert time.monotonic() - begun > 1.0
    assert counted() > 20


def beats(endpoint):
    """Heartbeats from another process, which needs no lock of this one."""
    import subprocess
    import sys

    code = f"""
import zmq, sys, time
socket = zmq.Context().socket(zmq.DEALER)
socket.linger, socket.rcvtimeo = 0, 300
socket.connect({endpoint!r})
count = 0
sys.stdout.write("ready\\n"); sys.stdout.flush()
end = time.monotonic() + 0.8
while time.monotonic() < end:
    socket.send(count.to_bytes(8, "little"))
    assert socket.recv() == count.to_bytes(8, "little")
    count += 1
    time.sleep(0.01)
print(count)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    said = []

    def stop():
        said.append(process.communicate(timeout=DEADLINE)[0])
        assert process.returncode == 0

    return (lambda: int(said[0])), stop


def test_heartbeats_are_short(endpoint, client):
    with served(Damper(), endpoint) as server:
        good, huge = client(server.heartbeat), client(server.heartbeat)
        huge.socket.send(bytes(100_000))
        good.socket.send(bytes(64))
        assert good.socket.recv() == bytes(64)
        huge.socket.rcvtimeo = 200
        with pytest.raises(zmq.Again):
            huge.socket.recv()


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6 loopback interface")
def test_the_other_loopback_address(client):
    with served(Damper(), "tcp://[::1]:*") as server:
        assert server.endpoint.startswith("tcp://[::1]:")

        def prepare(socket):
            socket.ipv6 = True

        assert client(server.endpoint, prepare).start().ok


def test_garbage_is_answered_or_dropped_and_changes_nothing(endpoint, client):
    with served(Damper(), endpoint) as server:
        host = client(server.endpoint)
        host.start()
        stranger = client(server.endpoint)
        for frames in ([b"\xff"], [b""], [b"x" * 100_000], [b"\x80", b"\x80"]):
            stranger.socket.send_multipart(frames)
        bad = host.codec.pack(Update(SESSION, 3, 0.5), S)
        host.socket.send_multipart([bad[0], bad[1][:-8]])
        reply, _ = host.codec.unpack_reply(host.socket.recv_multipart())
        assert (reply.ok, reply.seq) == (False, 3)
        assert "136 bytes, not 144" in reply.error
        host.socket.send_multipart([bad[0].replace(b"update", b"fiddle"), bad[1]])
        assert host.call(Update(SESSION, 3, 0.5), S)[0].ok


def test_a_bad_hello_is_told_what_is_wrong(endpoint, client):
    with served(Damper(), endpoint) as server:
        host = client(server.endpoint)
        reply, _ = host.call(hello(version=2))
        assert isinstance(reply, Refusal)
        assert "version 2" in reply.error
        assert "version 1" in reply.error
        assert host.start().ok


def test_a_huge_frame_is_dropped_and_others_are_served(endpoint, client):
    with served(Damper(), endpoint, limits=Limits(message=100_000)) as server:
        stranger = client(server.endpoint)
        stranger.socket.send_multipart([b"\x80", bytes(200_000)])
        host = client(server.endpoint)
        assert host.start().ok


def test_a_path_is_not_taken_from_a_living_server(tmp_path, client):
    endpoint = f"ipc://{tmp_path / 'peer'}"
    with served(Damper(), endpoint) as server:
        with pytest.raises(WireError, match="another program does"), PeerServer(Damper(), endpoint):
            pass
        assert client(server.endpoint).start().ok
    assert list(tmp_path.iterdir()) == []


def test_a_path_is_not_taken_from_a_server_that_locks_nothing(tmp_path):
    path = tmp_path / "peer"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
        other.listen(1)
        with (
            pytest.raises(WireError, match="another program does"),
            PeerServer(Damper(), f"ipc://{path}"),
        ):
            pass
    assert path.exists()


def test_a_path_that_a_killed_server_left_is_taken(tmp_path, client):
    path = tmp_path / "peer"
    with socket.socket(socket.AF_UNIX) as other:
        other.bind(str(path))
    (tmp_path / "peer.lock").touch()
    with served(Damper(), f"ipc://{path}") as server:
        assert client(server.endpoint).start().ok


def test_a_port_in_use_is_said():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen(1)
        address = f"tcp://127.0.0.1:{other.getsockname()[1]}"
        with (
            pytest.raises(WireError, match=f"cannot listen at '{address}': another program"),
            PeerServer(Damper(), address),
        ):
            pass


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1:5555",
        "tcp://127.0.0.1",
        "tcp://127.0.0.1:99999",
        "udp://127.0.0.1:1",
        "ipc://",
        "ipc://@name",
        f"ipc:///tmp/{'x' * 120}",
    ],
)
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(WireError, match=r"endpoint|file|longer"):
        PeerServer(Damper(), address)


@pytest.mark.parametrize("address", ["tcp://0.0.0.0:*", "tcp://*:5555", "tcp://192.0.2.1:5555"])
def test_other_machines_need_keys(address):
    with pytest.raises(WireError, match="give keys"):
        PeerServer(Damper(), address)
    PeerServer(Damper(), address, insecure=True)


def test_closing_never_hangs(endpoint, client):
    begun = time.monotonic()
    with served(Damper(), endpoint) as server:
        host = client(server.endpoint)
        host.start()
        for _ in range(100):  # answers that nobody takes
            host.socket.send_multipart(host.codec.pack(Update(SESSION, 2, 0.0)))
        host.socket.close(0)
        silent = zmq.Context()
        unheard = silent.socket(zmq.DEALER)
        unheard.linger = 0
        unheard.connect(server.heartbeat)
    assert time.monotonic() - begun < DEADLINE
    unheard.close(0)
    silent.term()
