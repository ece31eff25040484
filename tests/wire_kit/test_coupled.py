"""The C++ examples as launched peers of whole cases, and against the contract of all adapters."""

import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

import cosim
from adapters.zeromq.adapter import ZeroMQAdapter
from cosim.errors import AdapterError, AdapterTimeout
from cosim.model import System
from cosim.multibody.joint import JointModel
from cosim.testing import AdapterContract, AttachedMass, ContractCase

DAMPER = Path(__file__).parent / "dampers.py"
HUNG = {"mass": 1.0, "stiffness": 4.0, "damping": 0.3}


def system():
    return {
        "environment": {"gravity": 0.0},
        "bodies": {"a": {"mass": 3.0, "cog": [0, 0, 0], "inertia": [1, 2, 3]}},
        "joints": {"free": {"type": "floating", "child": "a"}},
    }


def case(words, **settings):
    return cosim.Case.from_dict(
        {
            **system(),
            "adapters": {
                "peer": {
                    "type": "zeromq",
                    "mode": "evaluate",
                    "bodies": ["a"],
                    "launch": [str(word) for word in words],
                    "settings": settings,
                }
            },
            "joints": {
                "rail": {"type": "prismatic", "child": "a", "at": [0, 0, 0], "axis": [3, 2, -1]}
            },
            "start": {"from": "reference", "set": {"rail.position_rate": 2.0}},
            "time": {"end": 3.0},
            "output": {"step": 0.1},
        }
    )


def test_damper_in_cpp_is_the_damper_in_python_bit_for_bit(build):
    ours = cosim.run(case([build("damper")], c=0.7))
    python = cosim.run(case([sys.executable, DAMPER], c=0.7))
    np.testing.assert_array_equal(ours["position"].values, python["position"].values)
    np.testing.assert_array_equal(ours["velocity"].values, python["velocity"].values)
    speed = np.linalg.norm(ours["velocity"].sel(body="a").values, axis=-1)
    decay = np.exp(-0.7 / 3.0 * ours["time"].values)  # c/m; the solver's rtol is 1e-6
    assert speed == pytest.approx(2.0 * decay, rel=1e-5)


def test_refused_setting_ends_the_run_with_the_words_of_the_peer(build):
    with pytest.raises(AdapterError, match="'c' must not be negative"):
        cosim.run(case([build("damper")], c=-1.0))


@pytest.fixture
def attached(build):
    """The attached mass of a case: in C++ and the mock, both ended after the test."""
    made = []

    def both():
        model = JointModel(System.from_dict(system()))
        options = ZeroMQAdapter.Options.model_validate(
            {
                "mode": "advance",
                "bodies": ["a"],
                "launch": shlex.join([str(build("attached_mass"))]),
                "settings": HUNG,
            }
        )
        made.append(ZeroMQAdapter.create(model, "attached", options))
        mock = AttachedMass(model, "attached", AttachedMass.Options(body="a", **HUNG))
        return model, made[-1], mock

    yield both
    for adapter in made:
        adapter.end()


class TestAttachedMassInCpp(AdapterContract):
    @pytest.fixture(autouse=True)
    def _tools(self, attached):
        self._attached = attached

    def case(self):
        model, adapter, _ = self._attached()
        return ContractCase(model, adapter, *model.initial())


def test_attached_mass_is_that_of_the_mock(attached):
    """Both are exact for the cubic motion: they differ by rounding."""
    from cosim.coupling.motion import Motion

    model, adapter, mock = attached()
    here, there = (ContractCase(model, item, *model.initial()) for item in (mock, adapter))
    state = here.start()
    there.start()
    for n in range(1, 40):
        following = here.state(n)
        motion = Motion(state, following)
        mock.advance(motion)
        adapter.advance(motion)
        scale = HUNG["stiffness"] * here.amplitude
        np.testing.assert_allclose(adapter.forces(), mock.forces(), atol=1e-13 * scale * n)
        state = following


def full_case(source, **options):
    data = system()
    data["bodies"]["a"]["points"] = {"tip": [0.5, 0.25, 1.0]}
    peer = {"mode": "evaluate", "bodies": ["a"], "points": ["a/tip"], "states": 3, "history": True}
    return cosim.Case.from_dict(
        {
            **data,
            "elements": {},
            "joints": {
                "rail": {"type": "prismatic", "child": "a", "at": [0, 0, 0], "axis": [3, 2, -1]}
            },
            "adapters": {"peer": {"type": "zeromq", **peer, **source, **options}},
            "start": {"from": "reference", "set": {"rail.position_rate": 2.0}},
            "time": {"end": 2.0},
            "output": {"step": 0.1},
        }
    )


def test_peer_with_everything_is_that_in_python_bit_for_bit(everything):
    ours = cosim.run(full_case({"launch": [str(everything)]}))
    python = cosim.run(full_case({"inline": f"{DAMPER}:Everything"}))
    for name in ("position", "velocity", "peer/hours"):
        np.testing.assert_array_equal(ours[name].values, python[name].values)
    assert ours["peer/hours"].values[-1] > 0.0


def test_long_computation_is_told_from_a_frozen_peer(everything):
    """The peer computes for twice the deadline of its heartbeats, which go on."""
    source = {"launch": [str(everything)], "settings": {"nap": 60}}
    with pytest.raises(AdapterTimeout, match="it is alive"):
        cosim.run(full_case(source, deadlines={"heartbeat": 1.0, "reply": 2.0}))
