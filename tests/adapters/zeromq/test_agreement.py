"""What a peer says of itself and what the case says of it."""

import logging

import numpy as np
import pytest

from cosim.errors import AdapterError
from cosim.testing import ContractCase


def start(model, adapter):
    case = ContractCase(model, adapter, *model.initial())
    case.start()
    return case


@pytest.mark.parametrize(
    ("peer", "keys", "text"),
    [
        ("Spring", {}, "is of mode 'advance'; write 'mode: advance'"),
        ("Damper", {"mode": "advance"}, "is of mode 'evaluate'; write 'mode: evaluate'"),
        ("Filtered", {}, "has 3 states; write 'states: 3'"),
        ("Damper", {"states": 2}, "has 0 states; write 'states: 0'"),
        ("Counter", {}, "write 'history: true'"),
        ("Damper", {"history": True}, "write 'history: false'"),
        ("LastingSpring", {"mode": "advance"}, "write 'restorable: false'"),
        ("Swapped", {}, "another order; write 'bodies: {float: ..., buoy: ...}'"),
        ("Swapped", {"bodies": ["buoy"]}, "the bodies float, buoy, and the case gives buoy"),
        ("Wind", {}, "no.* input 'wind'|'wind'.* none of that name"),
        ("Feet", {}, "in 'ft', and it is in m"),
    ],
)
def test_a_difference_says_what_to_write(model, make, peer, keys, text):
    adapter = make(peer, **keys)
    with pytest.raises(AdapterError, match=f"adapter 'rotor'.*{text}"):
        start(model, adapter)
    with pytest.raises(AdapterError, match="has no peer any longer"):
        adapter.settings()


def test_several_differences_are_told_together(model, make):
    adapter = make("Filtered", history=True)
    with pytest.raises(AdapterError, match=r"'states: 3'.*'history: false'$"):
        start(model, adapter)


def test_a_peer_without_loads_at_rest_is_told_once(model, make, caplog):
    adapter = make("Filtered", states=3)
    state = ContractCase(model, adapter, *model.initial()).state(0)
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            assert not adapter.static_forces(state).any()
    told = [r.message for r in caplog.records if "does not know its load" in r.message]
    assert told == [
        "adapter 'rotor': peer 'filtered' does not know its load on bodies at rest; the "
        "equilibrium is found without it"
    ]


def test_a_peer_that_the_case_does_not_restore_may_be_restorable(model, make):
    start(model, make("Spring", mode="advance", restorable=False))


def test_what_the_results_remember(model, make):
    assert dict(make("Damper").settings()) == {"peer": "damper", "mode": "evaluate"}
    channel = make("Damper").channels()[0]
    assert (channel.name, channel.units, channel.long_name) == (
        "power",
        "W",
        "power of the damper",
    )
    assert make("Spring", mode="advance").channels()[0].long_name == "x"


def test_what_an_advance_peer_says_of_its_steps(model, make):
    adapter = make("LastingSpring", mode="advance", restorable=False)
    start(model, adapter)
    assert (adapter.max_step, adapter.inner_step) == (np.inf, 0.01)
    assert np.array_equal(adapter.apparent_mass, np.eye(12))


def test_the_last_question_is_not_asked_again(model, make):
    adapter = make("Counting")
    case = start(model, adapter)
    x = np.zeros(0)
    asked = []
    for n in (0, 1, 1, 2, 1):
        adapter.update(n * case.step, case.state(n), x)
        asked.append(adapter.outputs()[0])
    assert asked == [1, 2, 2, 3, 4]
    adapter.event(case.step, case.state(1), x)
    assert adapter.outputs()[0] == 4
    adapter.event(2 * case.step, case.state(2), x)
    assert adapter.outputs()[0] == 5


def test_accepted_and_restored_points_are_asked_anew(model, make):
    adapter = make("Counter", history=True)
    case = start(model, adapter)
    x = np.zeros(0)
    saved = adapter.save_state()
    first = case.evaluate(1, x).copy()
    adapter.accept(case.step, case.state(1), x)
    accepted = case.evaluate(1, x).copy()
    assert not np.array_equal(first, accepted)
    adapter.restore_state(saved)
    assert np.array_equal(case.evaluate(1, x), first)
