"""The examples of the C kit as real processes, spoken with by hand."""

import signal
import subprocess
import time

import numpy as np
import pytest
import zmq

from .conftest import SECONDS, STATE, WARNINGS, Client, greeting, require, run


@pytest.fixture
def damper(build, start):
    process, client = start(build("damper"))
    assert client.hello(c=3.0)["ok"]
    return process, client


def begun(client):
    assert client.ask("initialize", arrays={"state": STATE})["ok"]
    return client


def test_header_is_c99(kit):
    require("gcc")
    run("gcc", "-std=c99", *WARNINGS, "-O2", "-x", "c", "-c", "cosim_peer.h", "-o", "h.o", cwd=kit)


def test_hello_says_what_it_is(build, start):
    _, client = start(build("attached_mass"))
    reply = client.hello(mass=1.0, stiffness=2.0)
    assert reply["ok"]
    assert (reply["mode"], reply["restorable"], reply["max_step"]) == ("advance", True, np.inf)
    assert reply["outputs"] == [
        {
            "name": "x",
            "units": "m",
            "frame": "world",
            "point": "",
            "long_name": "displacement of the attached mass",
        }
    ]


def test_update_is_the_damper(damper):
    client = begun(damper[1])
    assert client.ask("update", 0.5, arrays={"state": STATE})["arrays"] == [["load", "<f8", [1, 6]]]
    np.testing.assert_array_equal(client.arrays["load"], -3.0 * STATE[:, 12:])


def test_many_bodies(build, start):
    _, client = start(build("damper"))
    names = [f"body {n}" for n in range(40)]
    assert client.hello(*names)["bodies"] == names
    state = np.random.default_rng(1).normal(size=(40, 18))
    client.ask("initialize", arrays={"state": state})
    np.testing.assert_array_equal(client.arrays["load"], -10.0 * state[:, 12:])


def test_repeated_request_is_answered_from_what_was_kept(build, start):
    _, client = start(build("attached_mass"))
    client.hello(mass=1.0, stiffness=2.0)
    begun(client)
    moved = STATE + 0.1
    step = {"t0": 0.0, "arrays": {"start": STATE, "end": moved}}
    client.ask("advance", 0.1, **step)
    first = client.arrays["load"].copy()
    client.ask("advance", 0.1, seq=client.seq, **step)  # done twice, the clock would not fit
    np.testing.assert_array_equal(client.arrays["load"], first)


def test_old_request_gets_silence(damper):
    client = begun(damper[1])
    client.send("initialize", seq=1, arrays={"state": STATE})
    assert client.silent()


def test_missing_requests_are_an_error_and_change_nothing(damper):
    client = begun(damper[1])
    client.send("update", seq=5, arrays={"state": STATE})
    assert "missing" in client.receive()["error"]
    assert client.ask("update", arrays={"state": STATE})["ok"]


def test_changed_repetition_is_refused(damper):
    client = begun(damper[1])
    client.send("update", 9.0, seq=client.seq, arrays={"state": STATE})
    assert "repeated" in client.receive()["error"]


@pytest.mark.parametrize(
    ("op", "more", "said"),
    [
        ("accept", {}, "does not have"),
        ("save_state", {}, "does not have"),
        ("static", {"arrays": {"state": STATE}}, "does not have"),
        ("update", {"arrays": {"state": STATE}}, "before initialize"),
    ],
)
def test_order(damper, op, more, said):
    _, client = damper
    reply = client.ask(op, **more)
    assert not reply["ok"]
    assert said in reply["error"]
    begun(client)


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({}, "arrays"),
        ({"state": STATE[0]}, "shapes"),
        ({"state": np.vstack([STATE, STATE])}, "shapes"),
        ({"state": STATE, "points": np.zeros((1, 6))}, "arrays"),
        ({"state": np.where(STATE > 5.0, np.nan, STATE)}, "finite"),
        ({"state": np.full((1, 18), np.inf)}, "finite"),
        ({"state": np.zeros((1, 18), np.uint8)}, "dtype"),
    ],
)
def test_wrong_arrays_are_refused(damper, arrays, said):
    client = begun(damper[1])
    client.send("update", arrays=arrays)
    reply = client.receive()
    assert not reply["ok"]
    assert said in reply["error"]
    client.seq += said in ("arrays", "shapes")  # a request that cannot be read has no number
    assert client.ask("update", arrays={"state": STATE})["ok"]


def test_other_version_is_refused_with_both_versions(build, start):
    _, client = start(build("damper"))
    reply = client.ask("hello", **{**greeting(), "version": 2, "new": True})
    assert not reply["ok"]
    assert reply["version"] == 1
    assert "version 1" in reply["error"]
    assert "version 2" in reply["error"]


def test_setting_is_refused_by_the_peer(build, start):
    _, client = start(build("damper"))
    assert "must not be negative" in client.hello(c=-1.0)["error"]


def test_second_host_is_told_that_it_is_busy(damper, context):
    other = Client(damper[1].endpoint, context, session=8)
    assert other.hello()["error"] == "busy with run 'trial'"


def test_heartbeat_comes_back(build, start, context):
    _, client = start(build("damper"))
    beat = context.socket(zmq.DEALER)
    beat.linger, beat.rcvtimeo = 0, 1000 * SECONDS
    beat.connect(client.hello()["heartbeat"])
    beat.send(b"12345678")
    assert beat.recv() == b"12345678"


def test_launched_peer_leaves_after_end(damper):
    process, client = damper
    begun(client)
    assert client.ask("end")["ok"]
    assert process.wait(SECONDS) == 0


def test_launched_peer_leaves_after_abort(damper):
    process, client = damper
    client.send("abort", reason="trial")
    assert process.wait(SECONDS) == 0


def test_running_peer_takes_the_next_session(build, start, context):
    process, client = start(build("damper"), launched=False)
    assert client.hello()["ok"]
    client.ask("end")
    client.socket.close()
    other = Client(client.endpoint, context, session=9)
    assert other.hello()["ok"]
    other.socket.close()  # gone without end: the peer notices
    third = Client(client.endpoint, context, session=10)
    deadline = time.monotonic() + SECONDS
    while not third.hello()["ok"]:
        third.seq = 0
        assert time.monotonic() < deadline
        time.sleep(0.2)
    process.send_signal(signal.SIGTERM)
    assert process.wait(SECONDS) == 128 + signal.SIGTERM


def test_peer_leaves_when_its_parent_is_gone(build, tmp_path):
    script = (
        f"COSIM_ENDPOINT=ipc://{tmp_path}/q COSIM_PROTOCOL=1 {build('damper')} 2>/dev/null >&2 & "
        "echo $!; sleep 0.5"
    )
    said = subprocess.run(["sh", "-c", script], capture_output=True, text=True, timeout=SECONDS)
    number = int(said.stdout)
    deadline = time.monotonic() + SECONDS
    while _lives(number):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _lives(number):
    try:
        with open(f"/proc/{number}/stat", encoding="ascii") as file:
            return file.read().split()[2] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no endpoint"),
        (("--endpoint", "udp://x"), "write tcp://"),
        (("--endpoint", "tcp://0.0.0.0:*"), "other machines reach"),
        (("--endpoint", "tcp://127.0.0.1:*", "--key", "nowhere"), "cannot read the key"),
    ],
)
def test_cannot_serve(build, arguments, said):
    done = subprocess.run(
        [build("damper"), *arguments], capture_output=True, text=True, timeout=SECONDS
    )
    assert done.returncode == 5
    assert said in done.stderr


def test_endpoint_in_use(build, start):
    _, client = start(build("damper"), launched=False)
    client.hello()
    done = subprocess.run(
        [build("damper"), "--endpoint", client.endpoint],
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert (done.returncode, "another program" in done.stderr) == (5, True)


@pytest.mark.parametrize("how", ["end", "abort", "signal"])
def test_nothing_leaks(build, start, how):
    """The address sanitizer ends a program that leaks with another code."""
    process, client = start(build("attached_mass", sanitized=True))
    client.hello(mass=1.0, stiffness=2.0)
    client.ask("initialize", arrays={"state": STATE})
    client.ask("save_state")
    if how == "signal":
        process.send_signal(signal.SIGTERM)
        assert process.wait(SECONDS) == 128 + signal.SIGTERM
        return
    client.send(how, **({"reason": "trial"} if how == "abort" else {}))
    assert process.wait(SECONDS) == 0
