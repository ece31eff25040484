import pytest
import zmq
from zmq.utils.monitor import recv_monitor_message

from cosim.wire.keys import PeerKeys, create_keys, read_pair, secure_client
from cosim.wire.messages import End

from .conftest import SESSION, Client, Damper, hello, served

REFUSED = (
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL
    | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL
    | zmq.EVENT_HANDSHAKE_FAILED_AUTH
)


@pytest.fixture
def pairs(tmp_path):
    return {name: read_pair(create_keys(name, tmp_path)[1]) for name in ("peer", "host", "other")}


@pytest.fixture
def secured(pairs, endpoint):
    keys = PeerKeys(pairs["peer"], frozenset([pairs["host"].public]))
    with served(Damper(), endpoint, keys=keys) as server:
        yield server


def test_a_listed_key_is_served_and_heard(secured, pairs, client):
    def prepare(socket):
        secure_client(socket, pairs["host"], pairs["peer"].public)

    host = client(secured.endpoint, prepare)
    assert host.start().name == "damper"
    assert host.call(End(SESSION, 3, 0.0))[0].ok
    beat = client(secured.heartbeat, prepare)
    beat.socket.send(b"12345678")
    assert beat.socket.recv() == b"12345678"


def bare(socket, pairs):
    """No keys at all."""


def plain(socket, pairs):
    socket.plain_username, socket.plain_password = b"host", b"secret"


def unlisted(socket, pairs):
    secure_client(socket, pairs["other"], pairs["peer"].public)


def wrong_server(socket, pairs):
    secure_client(socket, pairs["host"], pairs["other"].public)


@pytest.mark.parametrize("prepare", [bare, plain, unlisted, wrong_server])
@pytest.mark.parametrize("which", ["endpoint", "heartbeat"])
def test_others_get_nothing(secured, pairs, which, prepare):
    monitors = []

    def prepared(socket):
        prepare(socket, pairs)
        monitors.append(socket.get_monitor_socket())

    host = Client(getattr(secured, which), prepared)
    try:
        host.socket.send_multipart(host.codec.pack(hello()))
        assert refused(monitors[0])
        assert not host.socket.poll(0)
        host.socket.rcvtimeo = 200
        with pytest.raises(zmq.Again):
            host.socket.recv_multipart()
    finally:
        host.socket.disable_monitor()
        monitors[0].close(0)
        host.close()


def refused(monitor):
    """Whether the connection is closed before it is one."""
    while monitor.poll(10_000):
        event = recv_monitor_message(monitor)["event"]
        if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
            return False
        if event & REFUSED or event == zmq.EVENT_DISCONNECTED:
            return True
    return False


def test_encrypted_only_for_other_machines_too(pairs):
    keys = PeerKeys(pairs["peer"], frozenset([pairs["host"].public]))
    with served(Damper(), "tcp://0.0.0.0:*", keys=keys) as server:
        port = server.endpoint.rsplit(":", 1)[1]
        host = Client(
            f"tcp://127.0.0.1:{port}",
            lambda socket: secure_client(socket, pairs["host"], pairs["peer"].public),
        )
        try:
            assert host.start().ok
        finally:
            host.close()
