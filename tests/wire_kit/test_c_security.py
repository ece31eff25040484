"""CURVE in the C kit: known keys pass, all others get nothing."""

import pytest
import zmq
import zmq.auth

from cosim.wire.keys import create_keys

from .conftest import Client


@pytest.fixture
def secured(build, start, tmp_path):
    keys = {name: create_keys(name, tmp_path / "keys") for name in ("peer", "host", "other")}
    arguments = ("--key", str(keys["peer"][1]), "--allow", str(keys["host"][0]))
    _, plain = start(build("damper"), *arguments, launched=False)
    return plain.endpoint, keys


def caller(context, endpoint, mine, theirs):
    client = Client.__new__(Client)
    client.socket = context.socket(zmq.DEALER)
    client.socket.linger, client.socket.rcvtimeo = 0, 20_000
    if mine is not None:
        public, secret = zmq.auth.load_certificate(mine)
        client.socket.curve_publickey, client.socket.curve_secretkey = public, secret
        client.socket.curve_serverkey = zmq.auth.load_certificate(theirs)[0]
    client.socket.connect(endpoint)
    client.session, client.seq, client.arrays = 7, 0, {}
    return client


def test_known_key_passes(secured, context):
    endpoint, keys = secured
    assert caller(context, endpoint, keys["host"][1], keys["peer"][0]).hello()["ok"]


@pytest.mark.parametrize("wrong", ["no key", "unknown key", "wrong key of the peer"])
def test_others_get_nothing(secured, context, wrong):
    endpoint, keys = secured
    mine, theirs = {
        "no key": (None, None),
        "unknown key": (keys["other"][1], keys["peer"][0]),
        "wrong key of the peer": (keys["host"][1], keys["other"][0]),
    }[wrong]
    client = caller(context, endpoint, mine, theirs)
    client.send("hello", version=1)
    assert client.silent(1.0)
    assert caller(context, endpoint, keys["host"][1], keys["peer"][0]).hello()["ok"]


def test_readable_secret_is_refused(build, start, tmp_path):
    public, secret = create_keys("peer", tmp_path / "keys")
    secret.chmod(0o644)
    arguments = ("--key", str(secret), "--allow", str(public))
    process, _ = start(build("damper"), *arguments, launched=False)
    assert process.wait(20) == 5
    assert "others can read" in (tmp_path / "stderr0").read_text()
