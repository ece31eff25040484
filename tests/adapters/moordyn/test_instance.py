"""One MoorDyn system: bit-exact states, silence, one close, words for what goes wrong."""

import sys

import numpy as np
import pytest

from adapters.moordyn.binding import Binding, load_binding
from adapters.moordyn.instance import DivergenceError, MoorDynInstance
from cosim.errors import AdapterError

X = [1.0, 0.0, -5.0]
DT = 0.005
RUN = "1 WaveKin\n1 disableOutput\n1 disableOutTime"


@pytest.fixture
def start(small_text):
    """Instances of the small mooring, closed after the test."""
    made = []

    def make(text=small_text, scheme="rk4", dt=DT):
        changed = text.replace("0.005 dtM", f"{dt} dtM\n{scheme} tScheme\n{RUN}")
        instance = MoorDynInstance(changed, {}, adapter="lines")
        made.append(instance)
        instance.start(X, 1, 2)
        return instance

    yield make
    for instance in made:
        instance.close()


def _motion(first, count, dt=DT):
    t = dt * np.arange(first, first + count)
    x = np.column_stack([1.0 + 0.5 * np.sin(2 * t), 0.2 * np.sin(t), -5.0 + 0.1 * np.sin(3 * t)])
    v = np.column_stack([np.cos(2 * t), 0.2 * np.cos(t), 0.3 * np.cos(3 * t)])
    return x.tolist(), v.tolist()


@pytest.mark.parametrize("scheme", ["rk2", "rk4", "euler", "midpoint5", "aca10"])
def test_a_restored_state_steps_bit_for_bit_the_same(start, scheme):
    instance = start(scheme=scheme, dt=0.002)
    instance.follow(*_motion(0, 400, 0.002), 0.002)
    state = instance.save(b"mine")
    first = instance.follow(*_motion(400, 50, 0.002), 0.002)
    nodes = instance.nodes(0)
    instance.follow(*_motion(0, 30, 0.002), 0.001)
    assert instance.restore(state) == b"mine"
    assert instance.follow(*_motion(400, 50, 0.002), 0.002) == first
    np.testing.assert_array_equal(instance.nodes(0), nodes)
    other = start(scheme=scheme, dt=0.002)
    other.restore(state)
    assert other.follow(*_motion(400, 50, 0.002), 0.002) == first


def test_ten_thousand_rollbacks(start):
    """MoorDyn's wrapper loses a reference to None per restore: 3.11 aborts after 4,600."""
    instance = start()
    state = instance.save()
    x, v = _motion(0, 1)
    first = instance.follow(x, v, DT)
    references = sys.getrefcount(None)
    for _ in range(10_000):
        instance.restore(state)
        force = instance.follow(x, v, DT)
    assert force == first
    if sys.version_info < (3, 12):
        assert abs(sys.getrefcount(None) - references) < 100


def test_two_at_once_are_independent(start):
    alone = start()
    alone.follow(*_motion(0, 200), DT)
    reference = alone.follow(*_motion(200, 1), DT)
    one, two = start(), start()
    for i in range(200):
        one.follow(*_motion(i, 1), DT)
        two.follow([X], [[0.0, 0.0, 0.5]], DT)
    assert one.follow(*_motion(200, 1), DT) == reference


def test_nothing_reaches_the_terminal(start, small_text, capfd):
    instance = start()
    instance.follow(*_motion(0, 100), DT)
    instance.restore(instance.save())
    unstable = start(dt=0.2)
    with pytest.raises(DivergenceError):
        unstable.follow([X] * 200, [[0.0, 0.0, 0.0]] * 200, 0.2)
    unstable.close()
    instance.close()
    with pytest.raises(AdapterError):
        MoorDynInstance(small_text.replace("2 Coupled", "2 Nonsense"), {}, adapter="lines")
    captured = capfd.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_moordyns_own_words_are_in_the_message(small_text):
    with pytest.raises(AdapterError, match=r"adapter 'lines'.*line 9.*2 Nonsense"):
        MoorDynInstance(small_text.replace("2 Coupled", "2 Nonsense"), {}, adapter="lines")


def test_closing_twice_and_forgetting_to_close(start):
    instance = start()
    instance.close()
    instance.close()
    directory = instance._close.peek()
    assert directory is None
    forgotten = start()
    del forgotten


def test_the_private_directory_holds_all_files_and_goes(start, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    instance = start()
    assert next(path.name for path in tmp_path.iterdir()).startswith("cosim-moordyn-")
    assert any(path.suffix == ".out" for path in tmp_path.rglob("*"))
    instance.close()
    assert list(tmp_path.iterdir()) == []


def _states(instance):
    good = instance.save()
    yield good[:50], "too short"
    yield good[:-8], "damaged"
    yield good[:-1] + b"x", "damaged"
    yield b"y" * len(good), "another system"


def test_states_that_are_none_of_this_system_are_refused(start, small_text):
    instance = start()
    for state, reason in _states(instance):
        with pytest.raises(AdapterError, match=reason):
            instance.restore(state)
    other = start(small_text.replace("80 5 -", "80 6 -"))
    with pytest.raises(AdapterError, match="another system"):
        instance.restore(other.save())
    instance.follow(*_motion(0, 10), DT)


def test_divergence_names_line_and_node(start):
    instance = start()
    with pytest.raises(DivergenceError, match=r"line 1 at node \d has no finite position"):
        instance.follow([[float("nan")] * 3], [[0.0] * 3], DT)


def test_a_state_saved_before_divergence_still_works(start):
    instance = start()
    instance.follow(*_motion(0, 100), DT)
    state = instance.save()
    expected = instance.follow(*_motion(100, 10), DT)
    with pytest.raises(DivergenceError):
        instance.follow([[float("inf")] * 3], [[0.0] * 3], DT)
    instance.restore(state)
    assert instance.follow(*_motion(100, 10), DT) == expected


def test_the_wrong_number_of_fairleads_is_refused(small_text):
    instance = MoorDynInstance(small_text, {}, adapter="lines")
    with pytest.raises(AdapterError, match="expects 3 coordinates of fairleads, not 6"):
        instance.start(X + X, 1, 2)
    instance.close()


def test_a_version_with_another_interface_is_named(monkeypatch):
    monkeypatch.setattr(
        Binding, "__annotations__", {**Binding.__annotations__, "new_function": object}
    )
    with pytest.raises(AdapterError, match=r"moordyn 2\.7\.\d+ has no new_function"):
        load_binding("lines")


def test_a_closing_step_returns_the_force_of_its_end(start):
    """After `restore`, a step of 1 ns gives the force that belongs to the state."""
    instance = start()
    x, v = _motion(0, 200)
    instance.follow(x, v, DT)
    end = np.add(x[-1], np.multiply(DT, v[-1])).tolist()
    direct = instance.follow([end], [v[-1]], 1e-9)
    again = instance.follow([end], [v[-1]], 1e-9)
    np.testing.assert_allclose(again, direct, rtol=1e-6)
