"""Two bodies, and peers in this process or behind a socket."""

import tempfile
from pathlib import Path

import pytest

from adapters.zeromq.adapter import ZeroMQAdapter
from cosim.model import System
from cosim.multibody.joint import JointModel

PEERS = Path(__file__).parent / "peers" / "simple.py"


@pytest.fixture(scope="session")
def short_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("p")


@pytest.fixture(autouse=True)
def _keeps_nothing(short_folder, monkeypatch):
    """Working directories that peers leave after failures go with the other files of the tests."""
    monkeypatch.setattr(tempfile, "tempdir", str(short_folder))


@pytest.fixture(scope="session")
def model():
    bodies = {
        "buoy": {
            "mass": 10,
            "cog": [0, 0, -1],
            "inertia": [2, 3, 4],
            "points": {"top": [0.5, 0.2, 2], "deck": [1, 0, 0]},
        },
        "float": {"mass": 5, "cog": [4, 0, 0], "inertia": [1, 1, 2], "points": {"end": [5, 1, 0]}},
    }
    joints = {f"free_{name}": {"type": "floating", "child": name} for name in bodies}
    system = System.from_dict(
        {"bodies": bodies, "joints": joints, "earth_points": {"gauge": [-5, 2, 0]}}
    )
    return JointModel(system)


@pytest.fixture
def make(model):
    """Adapter of a peer of `simple.py`, ended after the test."""
    made = []

    def adapter(peer, *, how="inline", **options):
        words = ["env", f"TEST_PEER={peer}", "{python}", str(PEERS)]
        source = {
            "inline": {"inline": f"{PEERS}:{peer}"},
            "ipc": {"launch": words},
            "tcp": {"launch": words, "transport": "tcp"},
        }.get(how, {})
        options = {"mode": "evaluate", "bodies": ["buoy", "float"], **source, **options}
        valid = ZeroMQAdapter.Options.model_validate(options)
        made.append(ZeroMQAdapter.create(model, "rotor", valid))
        return made[-1]

    adapter.made = made
    yield adapter
    for item in made:
        item.end()
