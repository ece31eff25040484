import os
import stat
from pathlib import Path

import pytest
import zmq

from cosim.wire import WireError
from cosim.wire.keys import PeerKeys, create_keys, read_pair, read_public


def test_a_pair_of_files(tmp_path):
    public, secret = create_keys("host", tmp_path / "keys")
    assert (public.name, secret.name) == ("host.key", "host.key_secret")
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    pair = read_pair(secret)
    assert read_public(public) == read_public(secret) == pair.public
    assert zmq.curve_public(pair.secret) == pair.public
    assert pair.secret.decode() not in public.read_text() + repr(pair)


def test_other_programs_read_them(tmp_path):
    from zmq.auth import load_certificate

    public, secret = create_keys("host", tmp_path)
    pair = read_pair(secret)
    assert load_certificate(public) == (pair.public, None)
    assert load_certificate(secret) == (pair.public, pair.secret)


def test_keys_are_not_written_over(tmp_path):
    _, secret = create_keys("host", tmp_path)
    before = secret.read_bytes()
    with pytest.raises(WireError, match="is there already"):
        create_keys("host", tmp_path)
    assert secret.read_bytes() == before


@pytest.mark.parametrize("name", ["", "../host", "a b"])
def test_a_name_is_a_name(tmp_path, name):
    with pytest.raises(WireError, match="is no name of a key"):
        create_keys(name, tmp_path)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_secret_that_others_can_read_is_refused(tmp_path, mode):
    _, secret = create_keys("host", tmp_path)
    secret.chmod(mode)
    with pytest.raises(WireError, match=f"run: chmod 600 {secret}"):
        read_pair(secret)


def test_what_is_no_key_is_refused(tmp_path):
    public, _ = create_keys("host", tmp_path)
    other = read_pair(create_keys("other", tmp_path)[1])
    with pytest.raises(WireError, match="cannot read the key"):
        read_public(tmp_path / "absent.key")
    with pytest.raises(WireError, match="has no secret key"):
        read_pair(public)
    mixed = tmp_path / "mixed.key_secret"
    mixed.write_text(public.read_text() + f'    secret-key = "{other.secret.decode()}"\n')
    os.chmod(mixed, 0o600)
    with pytest.raises(WireError, match="do not belong together"):
        read_pair(mixed)
    for text in ("", "public-key = short", '    public-key = "' + "\x00" * 40 + '"'):
        file = tmp_path / "bad.key"
        file.write_text(text)
        with pytest.raises(WireError, match="key"):
            read_public(file)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(WireError, match="is no key file"):
        read_public(file)


def test_somebody_must_be_allowed(tmp_path):
    _, secret = create_keys("peer", tmp_path)
    with pytest.raises(WireError, match="nobody may call"):
        PeerKeys.read(secret, [])
    public, _ = create_keys("host", tmp_path)
    keys = PeerKeys.read(secret, [public])
    assert keys.clients == {read_public(public)}


def test_the_command(invoke_cosim, tmp_path):
    done = invoke_cosim("keys", "host", "--out", "mine")
    assert done.returncode == 0, done.stderr
    assert read_pair(tmp_path / "mine" / "host.key_secret")
    assert [Path(line).name for line in done.stdout.split()] == ["host.key", "host.key_secret"]
    done = invoke_cosim("keys", "host", "--out", "mine")
    assert done.returncode == 2
    assert "is there already" in done.stderr
