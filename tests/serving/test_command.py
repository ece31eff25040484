"""``cosim serve``: what it says, and how it ends."""

import os
import signal
import subprocess
import sys

import pytest

import cosim

DEADLINE = 120.0


def command(*words):
    return [sys.executable, "-P", "-m", "cosim.cli", "serve", *map(str, words)]


@pytest.fixture
def serve(pendulums):
    """Start the program beside the lower case; killed after the test."""
    started = []

    def start(*words):
        environment = {**os.environ, "PYTHONWARNINGS": "error", "COLUMNS": "120"}
        process = subprocess.Popen(
            command(*words),
            cwd=pendulums.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_started_by_hand_it_says_where_and_serves_one_run_after_the_other(serve, pendulums):
    process = serve("lower.yaml", "--interface", "link")
    line = process.stdout.readline()
    assert line.startswith("lower listens at tcp://127.0.0.1:")
    source = {"address": line.split()[-1]}
    inside = cosim.run(pendulums.upper(end=0.1, communication_step=0.02))
    for _ in range(2):
        outside = cosim.run(pendulums.upper(source=source, end=0.1, communication_step=0.02))
        assert (outside["position"].values == inside["position"].values).all()
    process.send_signal(signal.SIGINT)
    _, messages = process.communicate(timeout=DEADLINE)
    assert process.returncode == 130
    assert "listens at" not in messages  # it was said once
    assert "Traceback" not in messages


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["lower.yaml"], 2, "say what is served: --adapter NAME"),
        (["lower.yaml", "--adapter", "a", "--interface", "b"], 2, "say what is served"),
        (["lower.yaml", "--interface", "lnik"], 2, "no body 'lnik'; did you mean 'link'"),
        (["lower.yaml", "--interface", "bob"], 2, "body 'bob' does not float"),
        (["lower.yaml", "--adapter", "lines"], 2, "lower has no adapter 'lines'; it has none"),
        (["nothing.yaml", "--interface", "link"], 2, "nothing.yaml"),
        (
            ["lower.yaml", "--interface", "link", "--endpoint", "tcp://0.0.0.0:0"],
            5,
            "other machines reach 'tcp://0.0.0.0:0'",
        ),
        (["lower.yaml", "--interface", "link", "--endpoint", "nowhere"], 5, "is no endpoint"),
    ],
)
def test_mistakes_end_in_a_sentence(pendulums, monkeypatch, capsys, words, code, sentence):
    from cosim.cli.main import app

    monkeypatch.chdir(pendulums.folder)
    with pytest.raises(SystemExit) as done:
        app(["serve", *words])
    assert done.value.code == code
    _, messages = capsys.readouterr()
    assert sentence in messages
    assert len(messages.strip().split("\n")) == 1
