import subprocess
import sys
import threading

import pytest

from cosim.wire.errors import WireError
from cosim.wire.keys import PeerKeys, create_keys, read_pair, read_public
from cosim.wire.peer import Instant, Loads, Peer
from cosim.wire.ping import CallerKeys, main, ping
from cosim.wire.server import PeerServer


class Still(Peer):
    def update(self, at: Instant) -> Loads:
        return Loads(wrenches=0.0 * at.v)


@pytest.fixture
def keys(tmp_path):
    return {name: create_keys(name, tmp_path / "keys") for name in ("peer", "host", "stranger")}


@pytest.fixture
def encrypted(keys):
    allowed = PeerKeys.read(keys["peer"][1], [keys["host"][0]])
    with PeerServer(Still(), "tcp://127.0.0.1:*", keys=allowed) as server:
        yield server.heartbeat


def caller(keys, name):
    return CallerKeys(read_pair(keys[name][1]), read_public(keys["peer"][0]))


def test_a_living_peer_answers_though_its_main_thread_does_not(tmp_path):
    with PeerServer(Still(), f"ipc://{tmp_path}/peer") as server:  # nobody serves requests
        assert ping(server.heartbeat)
        assert main([server.heartbeat]) == 0


def test_nobody_there(tmp_path, capsys):
    assert not ping(f"ipc://{tmp_path}/nobody", timeout=0.1)
    assert main([f"ipc://{tmp_path}/nobody", "--timeout", "0.1"]) == 1
    assert "did not answer within 0.1 s" in capsys.readouterr().err


def test_with_the_right_keys(encrypted, keys):
    assert ping(encrypted, keys=caller(keys, "host"))
    words = ["--key", str(keys["host"][1]), "--server-key", str(keys["peer"][0])]
    assert main([encrypted, *words]) == 0


def test_without_or_with_wrong_keys(encrypted, keys):
    assert not ping(encrypted, timeout=0.3)
    assert not ping(encrypted, timeout=0.3, keys=caller(keys, "stranger"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tcp://nobody"], "no endpoint"),
        (["tcp://192.0.2.1:5555"], "give --key, --server-key"),
        (["tcp://127.0.0.1:5555", "--key", "mine"], "belong together"),
        (["tcp://127.0.0.1:5555", "--key", "mine", "--server-key", "its"], "cannot read the key"),
    ],
)
def test_a_command_line_that_makes_no_sense(words, sentence, capsys):
    assert main(words) == 2
    assert sentence in capsys.readouterr().err


def test_no_endpoint():
    with pytest.raises(WireError, match="no endpoint"):
        ping("ftp://here")


def test_as_a_program(tmp_path):
    with PeerServer(Still(), f"ipc://{tmp_path}/peer") as server:
        serving = threading.Thread(target=server.serve)
        serving.start()
        words = [sys.executable, "-m", "cosim.wire.ping", server.heartbeat]
        try:
            assert subprocess.run(words, timeout=30).returncode == 0
        finally:
            server.stop()
            serving.join(10)
