"""Runs with solvers in other programs go on from a checkpoint, too (issue 4, 5)."""

import json
import shutil
from pathlib import Path

import pytest

import cosim
from cosim.results.checkpoint import read_checkpoint

from .test_resume import identical

CASES = Path(__file__).parents[2] / "cases"

# `history`: every accepted point counts. `clock`: a mass on a spring, stepped by itself.
# Either kills itself once where it is told to, as often as it has files to take away.
PEER = """\
import os
import signal
import sys

import numpy as np

import cosim


class Mortal(cosim.Peer):
    restorable = True

    def configure(self, setup):
        self.k = setup.settings["k"]
        self.deaths = setup.settings["deaths"]
        self.memory = np.zeros(6)

    def die(self, t):
        for name, when in self.deaths.items():
            if t > when and os.path.exists(name):
                os.remove(name)
                os.kill(os.getpid(), signal.SIGKILL)

    def save_state(self):
        return self.memory.tobytes()

    def restore_state(self, state):
        self.memory = np.frombuffer(state).copy()


class History(Mortal):
    name = "history"
    history = True
    outputs = (cosim.Signal("memory", "m"),)

    def update(self, at):
        self.die(at.t)
        return cosim.Loads(
            wrenches=-self.k * (at.v + 0.1 * self.memory), outputs=[self.memory[0]]
        )

    def accept(self, at):
        self.memory = 0.9 * self.memory + at.v[0]


class Clock(Mortal):
    name = "clock"
    mode = "advance"

    def initialize(self, at):
        self.memory = np.concatenate([at.r[0], np.zeros(3)])

    def loads_now(self):
        return cosim.Loads(wrenches=np.zeros((1, 6)))

    def advance(self, step):
        self.die(step.end.t)
        x, v = self.memory[:3], self.memory[3:]
        h = (step.end.t - step.start.t) / 8
        for i in range(8):
            r = step.start.r[0] + (i + 0.5) / 8 * (step.end.r[0] - step.start.r[0])
            v = v + h * (r - x)
            x = x + h * v
        self.memory = np.concatenate([x, v])
        load = np.zeros((1, 6))
        load[0, :3] = self.k * (x - step.end.r[0])
        return cosim.Loads(wrenches=load)


cosim.run_peer({"history": History, "clock": Clock}[sys.argv[1]]())
"""


@pytest.fixture
def folder(tmp_path):
    """The OC3 case beside two programs."""
    place = tmp_path / "spar"
    place.mkdir()
    for name in ("case.yaml", "mooring.txt", "hydrodynamics.nc"):
        shutil.copy(CASES / "oc3_spar" / name, place)
    (place / "peer.py").write_text(PEER)
    return place


def read(folder, end, *, deaths=(), **more):
    """The case with both, and programs that die at given times once each."""
    graves = {str(folder / f"death{i}"): t for i, t in enumerate(deaths)}
    peer = {
        "type": "zeromq",
        "bodies": ["spar"],
        "settings": {"k": 1e5, "deaths": graves},
        "on_peer_loss": "restart",
    }
    history = {**peer, "launch": "{python} peer.py history", "mode": "evaluate", "history": True}
    clock = {**peer, "launch": "{python} peer.py clock", "mode": "advance", "restorable": True}
    settings = {
        "time.end": end,
        "output.checkpoint": 5,
        "environment.waves.ramp": 10,
        "adapters.history": history,
        "adapters.clock": clock,
        **more,
    }
    texts = [f"{key}={json.dumps(value)}" for key, value in settings.items()]
    return cosim.read_case(folder, texts)


def test_lost_programs_start_again(folder, caplog):
    expected = cosim.run(read(folder, 12, deaths=(4.0, 7.0, 11.0)))
    for i in range(3):
        (folder / f"death{i}").touch()
    found = cosim.run(read(folder, 12, deaths=(4.0, 7.0, 11.0)), out=folder / "run.nc")
    identical(found, expected)
    told = [r.message for r in caplog.records if "everything starts again" in r.message]
    places = ("t = 0 s (restart 1", "t = 5 s (restart 2", "t = 10 s (restart 3")
    assert all(place in text for place, text in zip(places, told, strict=True))


@pytest.mark.parametrize("scheme", ["iterated", "solver-call"])
def test_short(folder, scheme):
    more = {"time.scheme": scheme}
    expected = cosim.run(read(folder, 10, **more))
    cosim.run(read(folder, 7.7, **more), out=folder / "run.nc")
    identical(cosim.resume(folder / "run.nc", end=10), expected)


@pytest.mark.slow
def test_100_s_are_50_s_and_50_s(folder):
    """Lines by MoorDyn, radiation, and two programs behind sockets."""
    expected = cosim.run(read(folder, 100), out=folder / "whole.nc")
    cosim.run(read(folder, 50), out=folder / "half.nc")
    assert read_checkpoint(folder / "half.checkpoint").t == pytest.approx(50)
    found = cosim.resume(folder / "half.nc", end=100)
    identical(found, expected)
    states = [read_checkpoint(folder / f"{name}.checkpoint").state for name in ("half", "whole")]
    assert states[0] == states[1]
